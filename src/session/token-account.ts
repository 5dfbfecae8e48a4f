import { createHash } from 'node:crypto';
import type { Account } from '../auth/record.ts';
import { type JsonObject, stringifyJson } from '../values/json.ts';
import { isOfLastDay, readJsonFile } from './cached-records.ts';
import type { Needs } from './context.ts';
import { readAccount } from './own-record.ts';

/**
 * Opens the stored owner of a token, from an answer of the last day. The file name is a SHA-256 of the host’s origin and the token. The
 * file never contains the token.
 */
export function openTokenAccount(
  { files, clock, paths }: Needs<'clock' | 'files' | 'paths'>,
  { origin, token }: { readonly origin: string; readonly token: string },
) {
  const name = createHash('sha256').update(origin).update('\0').update(token).digest('hex');
  const file = `${paths.cache}/accounts/${name}.json`;
  // If svc can’t write the file, as in some containers, svc keeps the owner in memory during the command.
  let known: Account | undefined;
  return {
    async read(): Promise<Account | undefined> {
      known ??= readStored((await readJsonFile(files, file)) ?? {}, clock.now());
      return known;
    },
    /** Stores the owner of a token. Never rejects: after a failure, svc asks the service again. */
    async write(account: Account): Promise<void> {
      known = account;
      await files.writeAtomic(file, stringifyJson({ at: clock.now(), ...account })).catch(() => undefined);
    },
  };
}

function readStored({ at, user_id: id = null, user_name: name = null, timezone = null }: JsonObject, now: number): Account | undefined {
  return isOfLastDay(at, now) ? readAccount({ id, name, timezone }) : undefined;
}
