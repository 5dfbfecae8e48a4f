import { resourceOfTable } from '../../bulk/sync/sync-into.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { openForSql } from '../../database/query-database.ts';
import { ConflictError, UsageError } from '../../errors.ts';
import { changeRows, countChanges, printChanges } from '../../records/plan-rows.ts';
import type { Context, Needs } from '../../session/context.ts';
import { addToPlan } from '../../session/planning.ts';
import { isDatabaseAddress } from '../../values/addresses.ts';
import { type JsonValue, ownEntry } from '../../values/json.ts';
import { counted } from '../../values/text.ts';
import { syncPlace } from '../sync-place.ts';
import { plannedWrites } from './planned-rows.ts';

/** The most records that a statement may change without `--max-changes`. */
const MOST_CHANGES = 1000;

export interface PlannedStatement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  /** The file of a local database. Default: the account’s own local database. */
  readonly db: string | undefined;
  readonly maxChanges: number | undefined;
}

/**
 * Shows the changes that a statement would make in the local database, without changing the local database. Adds the writes to the plan,
 * except with --dry-run. Sends no write. Returns the number of writes.
 *
 * @param file the plan. Undefined if svc only shows the changes.
 * @throws UsageError for a team database or another SQLite file, ConflictError for the local database of another organisation.
 */
export async function planStatement(
  context: Context,
  file: string | undefined,
  { sql, parameters, db, maxChanges: most = MOST_CHANGES }: PlannedStatement,
): Promise<number> {
  if (db !== undefined && isDatabaseAddress(db))
    throw new UsageError('svc plans changes with the local database, and the address is of a team database.', {
      hint: 'To create a local database: svc sync',
    });
  const { name: path } = await syncPlace(context, db);
  const database = await openForSql(path, 'To create the local database: svc sync');
  try {
    await checkHost(context, database.host(), path);
    const referenceOf = async (noun: string, field: string) => ownEntry((await resourceOfTable(context, noun))?.fields ?? {}, field)?.ref;
    const changes = await database.changesOf(sql, parameters, most, referenceOf);
    const writes = await plannedWrites(context, changes);
    const rows = await changeRows(context, writes, (noun, id) => database.recordOf(noun, id));
    await printChanges(context, rows);
    await context.notice(countChanges(rows) || 'The statement changes no record.');
    if (writes.length === 0 || file === undefined || context.globals.dryRun) return writes.length;
    const all = await addToPlan(context, await context.client(), file, writes);
    const planned = `Planned ${counted(writes.length, 'write')} in ${file}${all > writes.length ? `, which has ${all} now` : ''}`;
    if (context.plan !== undefined)
      await context.notice(`${planned}. svc sent nothing. To review: ${shellCommand(['plan', 'show', file])}`);
    return writes.length;
  } finally {
    database.close();
  }
}

async function checkHost(context: Needs<'host'>, of: string | undefined, path: string): Promise<void> {
  const { name } = await context.host();
  if (of === name) return;
  if (of === undefined)
    throw new UsageError(`${path} is not a local database, so svc cannot plan changes with it.`, {
      hint: 'To create a local database: svc sync',
    });
  throw new ConflictError(`${path} is the local database of ${of}, and the command is for ${name}.`, { hint: `Add --host ${of}` });
}
