import type { Files } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { isJsonObject, jsonObjectIn } from '../values/json.ts';
import { pathIn } from '../values/paths.ts';
import { hostFileName } from './account-path.ts';
import { assertGuarded } from './guarded.ts';

/** The organisation whose records a sandbox started with. */
export interface SandboxOrigin {
  readonly version: 1;
  /** The origin of the sandbox: `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The host whose local database the sandbox started with: `acme.example.com`. */
  readonly from: string;
  /** True if the sandbox has pseudonyms instead of names, texts and amounts. */
  readonly pseudonyms: boolean;
  /** The time at which the oldest table of the local database was complete: `2026-11-22T14:00:00Z`. */
  readonly read_at: string;
  /** The time at which the sandbox started, in the form of `read_at`. Earlier writes to this address went to another sandbox. */
  readonly started_at: string;
  /** The highest id of each resource when the sandbox started. The sandbox created the records with higher ids. */
  readonly last_ids: Readonly<Record<string, number>>;
}

type OriginFiles = Pick<Files, 'readText' | 'remove' | 'weakness' | 'writeAtomic'>;

/**
 * Opens the files `<state>/sandboxes/<host>.json`. Each sandbox with the records of an organisation has one file, also after the sandbox
 * stops. A new sandbox at the same address replaces or removes the file.
 *
 * @param state The state directory (paths.ts).
 */
export function openSandboxOrigins(files: OriginFiles, state: string) {
  const pathOf = (origin: string) => pathIn(state, 'sandboxes', `${hostFileName(new URL(origin).host)}.json`);
  return {
    keep: (origin: Omit<SandboxOrigin, 'version'>) =>
      files.writeAtomic(pathOf(origin.url), `${JSON.stringify({ version: 1, ...origin }, undefined, 2)}\n`),
    forget: (url: string) => files.remove(pathOf(url)),
    /**
     * Returns where the records of a sandbox come from. Undefined for an organisation, and for a sandbox that did not start from an
     * organisation’s records.
     *
     * @throws SvcError if the file has invalid content, or if other users could have changed the file.
     */
    async originOf(host: { readonly origin: string }): Promise<SandboxOrigin | undefined> {
      const path = pathOf(host.origin);
      const text = await files.readText(path);
      if (text === undefined) return undefined;
      await assertGuarded(files, path, 'the origin of the sandbox');
      const data = readOrigin(text);
      if (data === undefined)
        throw new SvcError(`svc does not know the origin of the sandbox, because svc cannot read the content of ${path}.`, {
          hint: 'Stop the sandbox, and start it again.',
        });
      return data.url === host.origin ? data : undefined;
    },
  };
}

/**
 * Returns the content of a file. Undefined for invalid content. svc reads the file before every write to a local address, and therefore
 * does not load zod.
 */
function readOrigin(text: string): SandboxOrigin | undefined {
  const { version, url, from, pseudonyms, read_at, started_at, last_ids } = jsonObjectIn(text) ?? {};
  if (version !== 1 || typeof pseudonyms !== 'boolean' || !isJsonObject(last_ids)) return undefined;
  if (typeof url !== 'string' || typeof from !== 'string' || typeof read_at !== 'string' || typeof started_at !== 'string')
    return undefined;
  const ids = Object.entries(last_ids).flatMap(([noun, id]) => (typeof id === 'number' ? [[noun, id] as const] : []));
  if (ids.length !== Object.keys(last_ids).length) return undefined;
  return { version, url, from, pseudonyms, read_at, started_at, last_ids: Object.fromEntries(ids) };
}
