import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Place } from '../bulk/sync/place.ts';
import { shellWord } from '../cli/shell-word.ts';
import { parsed } from '../cli/spec.ts';
import type { DatabaseOwner } from '../database/local-database.ts';
import { SvcError, UsageError, withHint } from '../errors.ts';
import type { Column } from '../output/writer.ts';
import { accountFile } from '../session/account-journal.ts';
import type { Needs } from '../session/context.ts';
import { isDatabaseAddress, isOtherAddress, withoutPassword } from '../values/addresses.ts';
import { parseInteger } from '../values/scalars.ts';
import { counted } from '../values/text.ts';

export interface SyncPlace extends Place {
  /**
   * Deletes the local database or the team database. Returns false without a database.
   *
   * @throws TakenError while another svc process writes to the database; DatabaseError for a database that svc did not create, or that
   * other roles depend on.
   */
  forget(): Promise<boolean>;
  /**
   * Creates comments on tables and columns. Also creates the views with names and, with `hasForeignKeys`, foreign keys. Undefined for a
   * file.
   */
  readonly describe?: (hasForeignKeys: boolean) => Promise<void>;
  /**
   * Lets a role of PostgreSQL read the tables of the given resources, or all tables for an empty list. Returns the names of the tables.
   * Undefined for a file.
   */
  readonly grant?: (role: string, nouns: readonly string[]) => Promise<readonly string[]>;
}

type Placing = 'account' | 'catalog' | 'clock' | 'env' | 'host' | 'notify' | 'paths' | 'system' | 'timeZone';

/**
 * Returns the place of a local database or a team database.
 *
 * @param to A file or an address. Default: the local database of the account.
 * @throws UsageError for an address that svc cannot use.
 */
export async function syncPlace(context: Needs<Placing>, to: string | undefined): Promise<SyncPlace> {
  if (to !== undefined && isDatabaseAddress(to)) return inDatabase(context, to);
  const path = await databaseFile(context, to);
  return {
    name: path,
    directory: `${path}.sync`,
    isOwn: to === undefined,
    open: async (user) => (await import('../database/sqlite-database.ts')).openSqliteDatabase(path, await whose(context, user)),
    async forget() {
      if (to !== undefined && !(await (await import('../database/find-database.ts')).findDatabase(path))) return false;
      return (await import('../bulk/sync/forget-database.ts')).forgetDatabase(path, context.system.pid);
    },
  };
}

/** Returns ` --to <file>` for a printed command that must use the same database. Empty for the account’s own database. */
export function toFlag(to: string | undefined): string {
  return to === undefined ? '' : ` --to ${shellWord(withoutPassword(to))}`;
}

/**
 * Runs `work`. Adds the flag of the database to the commands `svc sync`, `svc changes` and `svc sql` in the hint of a failure.
 *
 * @param read The database that the command reads in place of `to`: the value of `--database`. `svc sync` then gets no flag. Default: none.
 */
export async function namingDatabase<T>(to: string | undefined, work: () => Promise<T>, read?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SvcError) || error.hint === undefined) throw error;
    if (read !== undefined) {
      const flag = `--database ${shellWord(withoutPassword(read))}`;
      throw withHint(
        error,
        error.hint.replace(/\bsvc (?:changes|sql)\b(?!.*--d)/g, (command) => `${command} ${flag}`),
      );
    }
    if (to === undefined) throw error;
    const named = error.hint
      .replace(/\bsvc (?:sync|changes)\b(?!.*--to)/g, (command) => `${command}${toFlag(to)}`)
      .replace(/\bsvc sql\b(?!.*--db)/g, (command) => `${command}${toFlag(to).replace('--to', '--db')}`);
    throw withHint(error, named);
  }
}

async function databaseFile(context: Needs<Placing>, to: string | undefined): Promise<string> {
  if (to === undefined) return accountFile(context, 'mirror');
  if (isOtherAddress(to))
    throw new UsageError('svc writes to SQLite files and PostgreSQL, and this address is neither.', {
      hint: 'Use the path of a file, or postgres://user@host/database',
    });
  return resolve(context.system.cwd, to);
}

/**
 * Returns the place of a team database. The first sync downloads pages into a directory beside the account’s local database. The name of
 * the directory has a digest of the address.
 */
async function inDatabase(context: Needs<Placing>, address: string): Promise<SyncPlace> {
  const { readAddress } = await import('../database/postgres/address.ts');
  const place = await readAddress(address, context.env, context.system.userName);
  const own = await accountFile(context, 'mirror');
  const directory = `${own.replace(/\.sqlite$/, '')}-${createHash('sha256').update(place.name).digest('hex').slice(0, 16)}.sync`;
  return {
    name: place.name,
    directory,
    isOwn: false,
    turn: async () => (await import('../database/postgres/sync-turn.ts')).findTurn(place),
    async open(user) {
      const owner = await whose(context, user);
      const account = (await context.account())?.user_name ?? (user === undefined ? 'an account' : `user ${user}`);
      const by = `${account} on ${context.system.machineName}`;
      return (await import('../database/postgres-database.ts')).openPostgresDatabase(place, { ...owner, by });
    },
    async describe(hasForeignKeys) {
      const [{ describeTables }, { resourceOfTable }] = await Promise.all([
        import('../database/postgres/describe-tables.ts'),
        import('../bulk/sync/sync-into.ts'),
      ]);
      await describeTables(place, (noun) => resourceOfTable(context, noun), hasForeignKeys);
    },
    grant: async (...to) => (await import('../database/postgres/grant.ts')).grantReading(place, ...to),
    async forget() {
      const was = await (await import('../database/postgres/forget.ts')).forgetPostgresDatabase(place);
      await rm(directory, { recursive: true, force: true });
      return was;
    },
  };
}

async function whose({ clock, host, notify, timeZone }: Needs<Placing>, user: number | undefined): Promise<DatabaseOwner> {
  return {
    ...{ host: (await host()).name, user, timeZone: await timeZone() },
    announceIndex(records) {
      notify(`An older svc filled the database. svc now builds the search index: ${counted(records, 'record')}.`);
      const started = clock.monotonic();
      return () => notify(`svc built the search index in ${((clock.monotonic() - started) / 1_000).toFixed(1)} s.`);
    },
  };
}

export const budgetOption = parsed(
  '--max-units <units>',
  'Spend at most this many rate-limit units on comparing records and finding deleted records (default: 200, more in a large database)',
  parseInteger,
);

export function givenBudget(given: number | undefined): number | undefined {
  if (given !== undefined && given < 0) throw new UsageError('--max-units takes 0 or more.', { hint: 'For example: --max-units 200' });
  return given;
}

/** The columns for the state of a table in the local database. The glossary explains the headings CHECKED AT, COMPLETE AT and METHOD. */
export const STATE_COLUMNS = {
  table: { path: 'table', isUncut: true },
  asOf: { path: 'as_of', header: 'CHECKED AT', kind: 'date-time' },
  wholeAt: { path: 'whole_at', header: 'COMPLETE AT', kind: 'date-time' },
  knownBy: { path: 'known_by', header: 'METHOD' },
  verifiedAt: { path: 'verified_at', header: 'VERIFIED AT', kind: 'date-time' },
} as const satisfies Readonly<Record<string, Column>>;
