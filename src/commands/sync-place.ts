import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Mirror, Whose } from '../mirror/mirror.ts';
import { accountFile } from '../session/account-journal.ts';
import type { Needs } from '../session/context.ts';
import { isDatabaseAddress } from '../values/database-address.ts';

/** Where a mirror is: a file, or a schema of a database. */
export interface SyncPlace {
  /** For people; never with a password. */
  readonly name: string;
  /** Of this machine: for the lock, and for what is read the first time. */
  readonly directory: string;
  open(whose: Whose): Promise<Mirror>;
  /** Removes the mirror. False where there is none. @throws MirrorError for what svc did not make. */
  forget(): Promise<boolean>;
}

type Placing = 'account' | 'env' | 'host' | 'paths' | 'system';

/** @param to a file or the address of a database; the account's own file if not given. @throws UsageError for an address that cannot be read. */
export async function syncPlace(context: Needs<Placing>, to: string | undefined): Promise<SyncPlace> {
  if (to !== undefined && isDatabaseAddress(to)) return inDatabase(context, to);
  const path = to === undefined ? await accountFile(context, 'mirror') : resolve(context.system.cwd, to);
  const directory = `${path}.sync`;
  return {
    name: path,
    directory,
    open: async (whose) => (await import('../mirror/sqlite-mirror.ts')).openSqliteMirror(path, whose),
    async forget() {
      if (to !== undefined && !(await (await import('../mirror/find-mirror.ts')).findMirror(path))) return false;
      for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
      await rm(directory, { recursive: true, force: true });
      return true;
    },
  };
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
    open: async (whose) => (await import('../mirror/postgres-mirror.ts')).openPostgresMirror(place, whose),
    async forget() {
      const was = await (await import('../mirror/postgres/forget.ts')).forgetPostgresMirror(place);
      await rm(directory, { recursive: true, force: true });
      return was;
    },
  };
}
