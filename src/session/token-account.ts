import { createHash } from 'node:crypto';
import type { Account } from '../auth/record.ts';
import { isTimeZone } from '../values/dates.ts';
import { type JsonObject, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { readJsonFile } from './kept-records.ts';

/** How long an answer about the owner of a token counts. */
const KEPT_MS = 24 * 60 * 60_000;

/** From an answer of the last day. Its name is a SHA-256 of the host's origin and the token, which it never holds. */
export function openTokenAccount(
  { files, clock, paths }: Needs<'clock' | 'files' | 'paths'>,
  { origin, token }: { readonly origin: string; readonly token: string },
) {
  const name = createHash('sha256').update(origin).update('\0').update(token).digest('hex');
  const file = `${paths.cache}/accounts/${name}.json`;
  // Without a place to write, as in some containers, svc remembers the owner for the length of the command.
  let known: Account | undefined;
  return {
    async read(): Promise<Account | undefined> {
      known ??= readKept((await readJsonFile(files, file)) ?? {}, clock.now());
      return known;
    },
    /** Never rejects: after a failure svc asks the service again. */
    async write(account: Account): Promise<void> {
      known = account;
      await files.writeAtomic(file, stringifyJson({ at: clock.now(), ...account })).catch(() => undefined);
    },
  };
}

function readKept({ at, user_id: id, user_name: name, timezone }: JsonObject, now: number): Account | undefined {
  const age = now - (typeof at === 'number' ? at : Number.NaN);
  if (!(age >= 0 && age < KEPT_MS)) return undefined;
  return {
    ...(typeof id === 'number' && { user_id: id }),
    ...(typeof name === 'string' && { user_name: name }),
    ...(typeof timezone === 'string' && isTimeZone(timezone) && { timezone }),
  };
}
