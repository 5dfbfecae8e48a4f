import { z } from 'zod';
import type { Files } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { parsedJson } from '../values/json.ts';
import { pathIn } from '../values/paths.ts';
import { assertGuarded } from './guarded.ts';

const sandboxOrigin = z.object({
  version: z.literal(1),
  /** The origin of the sandbox: `http://127.0.0.1:4010`. */
  url: z.string(),
  /** The host whose local database the sandbox started with: `acme.example.com`. */
  from: z.string(),
  /** True if the sandbox has pseudonyms instead of names, texts and amounts. */
  pseudonyms: z.boolean(),
  /** The time at which the oldest table of the local database was complete: `2026-11-22T14:00:00Z`. */
  read_at: z.string(),
  /** The time at which the sandbox started, in the same form. Earlier writes to this address went to another sandbox. */
  started_at: z.string(),
  /** The highest id of each resource at that time. The sandbox created the records with higher ids. */
  last_ids: z.record(z.string(), z.number()),
});

/** The organisation whose records a sandbox started with. */
export type SandboxOrigin = Readonly<z.infer<typeof sandboxOrigin>>;

type OriginFiles = Pick<Files, 'readText' | 'remove' | 'weakness' | 'writeAtomic'>;

/**
 * Opens the files `<state>/sandboxes/<host>.json`. Each sandbox with the records of an organisation has one file, also after it stops. A
 * new sandbox at the same address replaces or forgets the file.
 *
 * @param state The state directory (paths.ts).
 */
export function openSandboxOrigins(files: OriginFiles, state: string) {
  const pathOf = (origin: string) => pathIn(state, 'sandboxes', `${new URL(origin).host.replace(/[^a-z0-9.-]/g, '_')}.json`);
  return {
    keep: (origin: Omit<SandboxOrigin, 'version'>) =>
      files.writeAtomic(pathOf(origin.url), `${JSON.stringify({ version: 1, ...origin }, undefined, 2)}\n`),
    forget: (url: string) => files.remove(pathOf(url)),
    /**
     * Returns where the records of a sandbox come from. Undefined for an organisation, and for a sandbox that did not start from one.
     *
     * @throws SvcError if the file is unreadable, or if others could have changed it.
     */
    async originOf(host: { readonly origin: string }): Promise<SandboxOrigin | undefined> {
      const path = pathOf(host.origin);
      const text = await files.readText(path);
      if (text === undefined) return undefined;
      await assertGuarded(files, path, 'the origin of the sandbox');
      const { data } = sandboxOrigin.safeParse(parsedJson(text));
      if (data === undefined) throw new SvcError(`${path} is unreadable.`, { hint: 'Stop the sandbox, and start it again.' });
      return data.url === host.origin ? data : undefined;
    },
  };
}
