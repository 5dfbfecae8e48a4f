import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Place } from '../bulk/sync/place.ts';
import { UsageError } from '../errors.ts';
import type { Whose } from '../mirror/mirror.ts';
import { accountFile } from '../session/account-journal.ts';
import type { Needs } from '../session/context.ts';
import { isDatabaseAddress, isOtherAddress } from '../values/database-address.ts';

/** Where a mirror is: a file, or a schema of a database. */
export interface SyncPlace extends Place {
  /** Removes the mirror. False where there is none. @throws TakenError while another svc writes into it; MirrorError for what svc did not make. */
  forget(): Promise<boolean>;
}

type Placing = 'account' | 'env' | 'host' | 'paths' | 'system' | 'timeZone';

/** @param to a file or the address of a database; the account's own file if not given. @throws UsageError for an address that cannot be read. */
export async function syncPlace(context: Needs<Placing>, to: string | undefined): Promise<SyncPlace> {
  if (to !== undefined && isDatabaseAddress(to)) return inDatabase(context, to);
  const path = await mirrorFile(context, to);
  return {
    name: path,
    directory: `${path}.sync`,
    isOwn: to === undefined,
    open: async (user) => (await import('../mirror/sqlite-mirror.ts')).openSqliteMirror(path, await whose(context, user)),
    async forget() {
      if (to !== undefined && !(await (await import('../mirror/find-mirror.ts')).findMirror(path))) return false;
      return (await import('../bulk/sync/forget-mirror.ts')).forgetMirror(path, context.system.pid);
    },
  };
}

/** The file that `--to` names; the account's own if not given. @throws UsageError for an address, which would become the name of a directory. */
async function mirrorFile(context: Needs<Placing>, to: string | undefined): Promise<string> {
  if (to === undefined) return accountFile(context, 'mirror');
  if (isOtherAddress(to))
    throw new UsageError('A copy is an SQLite file or in PostgreSQL; this is the address of something else.', {
      hint: 'Write the path of a file alone, or postgres://user@host/database',
    });
  return resolve(context.system.cwd, to);
}

/** What is read the first time lies in the account's own directory, by a digest of where the mirror is. */
async function inDatabase(context: Needs<Placing>, address: string): Promise<SyncPlace> {
  const { readAddress } = await import('../mirror/postgres/address.ts');
  const place = await readAddress(address, context.env, context.system.userName);
  const own = await accountFile(context, 'mirror');
  const directory = `${own.replace(/\.sqlite$/, '')}-${createHash('sha256').update(place.name).digest('hex').slice(0, 16)}.sync`;
  return {
    name: place.name,
    directory,
    isOwn: false,
    open: async (user) => (await import('../mirror/postgres-mirror.ts')).openPostgresMirror(place, await whose(context, user)),
    async forget() {
      const was = await (await import('../mirror/postgres/forget.ts')).forgetPostgresMirror(place);
      await rm(directory, { recursive: true, force: true });
      return was;
    },
  };
}

async function whose({ host, timeZone }: Needs<Placing>, user: number | undefined): Promise<Whose> {
  return { host: (await host()).name, user, timeZone: await timeZone() };
}
