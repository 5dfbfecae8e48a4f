import { createHash } from 'node:crypto';
import type { Account } from '../auth/record.ts';
import { isTimeZone } from '../values/dates.ts';
import { isJsonObject, parseJson, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';

/** How long an answer about the owner of a token counts. */
const KEPT_MS = 24 * 60 * 60_000;

/** The owner of the token in `SVC_TOKEN`, from an answer of the last day; the file never holds the token. */
export interface TokenAccount {
  read(): Promise<Account | undefined>;
  /** Never rejects: after a failure svc asks the service again. */
  write(account: Account): Promise<void>;
}

/** Opens a file readable by the person alone, named for a SHA-256 of the host's origin and the token. */
export function openTokenAccount(
  { files, clock, paths }: Needs<'clock' | 'files' | 'paths'>,
  { origin, token }: { readonly origin: string; readonly token: string },
): TokenAccount {
  const name = createHash('sha256').update(origin).update('\0').update(token).digest('hex');
  const file = `${paths.cache}/accounts/${name}.json`;
  // Without a place to write, as in some containers, svc remembers the owner for the length of the command.
  let known: Account | undefined;
  return {
    async read() {
      const text = known === undefined ? await files.readText(file).catch(() => undefined) : undefined;
      known ??= text === undefined ? undefined : readKept(text, clock.now());
      return known;
    },
    async write(account) {
      known = account;
      await files.writeAtomic(file, stringifyJson({ at: clock.now(), ...account })).catch(() => undefined);
    },
  };
}

function readKept(text: string, now: number): Account | undefined {
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return undefined;
    const { at, user_id: id, user_name: name, timezone } = value;
    const age = now - (typeof at === 'number' ? at : Number.NaN);
    if (!(age >= 0 && age < KEPT_MS)) return undefined;
    return {
      ...(typeof id === 'number' && { user_id: id }),
      ...(typeof name === 'string' && { user_name: name }),
      ...(typeof timezone === 'string' && isTimeZone(timezone) && { timezone }),
    };
  } catch {
    return undefined;
  }
}
