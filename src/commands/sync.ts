import type { Syncing } from '../bulk/sync/run.ts';
import { defineCommand, repeated, text, toggle } from '../cli/spec.ts';
import { PartialError, UsageError } from '../errors.ts';
import type { Column } from '../output/writer.ts';
import type { Needs } from '../session/context.ts';
import { requireService, type UsingServiceOnly } from '../session/offline.ts';
import { type Printing, printRows, toAsync } from '../session/print.ts';
import { isDatabaseAddress, withoutPassword } from '../values/addresses.ts';
import { counted } from '../values/text.ts';
import { rateOption } from './rate-option.ts';
import { budgetOption, givenBudget, namingDatabase, STATE_COLUMNS, type SyncPlace, syncPlace, toFlag } from './sync-place.ts';

const COLUMNS: readonly Column[] = [
  STATE_COLUMNS.table,
  { path: 'rows', kind: 'integer' },
  STATE_COLUMNS.wholeAt,
  STATE_COLUMNS.asOf,
  { path: 'put', header: 'WRITTEN', kind: 'integer' },
  { path: 'gone', header: 'DELETED', kind: 'integer' },
  STATE_COLUMNS.knownBy,
  STATE_COLUMNS.verifiedAt,
];

export const sync = defineCommand({
  showsGlobals: ['host', 'output', 'quiet', 'maxWait', 'maxAge', 'parallel'],
  description:
    'svc stores every resource, or the resources that you name, as tables in a SQLite file or a PostgreSQL schema. The first run reads all records. If you stop svc, run the same command again to resume. Later runs read changes and find deleted records.\n\nsvc compares short tables page by page; each unchanged page costs one rate-limit unit. In long tables svc reads changed records by updated_at, and compares a part of the other pages. svc compares every table within 30 runs, and within 30 days if you run a sync in that time. If the number of rows shows that records were deleted, svc looks for them at once, within --max-units. svc reads child records again if their parent changed. svc compares the child records of other parents within 30 days.\n\nFor each table, svc prints when the table was last checked (as_of) and last complete (whole_at). verified_at is the time of the oldest comparison of a value. known_by names the method. --verify compares every record now.\n\nIn PostgreSQL, one sync at a time runs. svc waits for a running sync, at most for --max-wait, and prints who syncs. svc does not sync again if another sync of the same resources began and ended during the wait. With --max-age, svc also does not sync if the last complete sync began within the given duration.',
  args: [{ name: 'resource', summary: 'The resources to store (default: all)', optional: true, variadic: true }],
  options: {
    to: text('--to <file>', 'Write to this SQLite file or postgres://user@host/database (default: a file for your account)', {
      completes: 'file',
      withheld: withoutPassword,
    }),
    budget: budgetOption,
    rate: rateOption,
    verify: toggle('--verify', 'Compare every record with the service'),
    children: toggle('--children', 'Read the child records of every record'),
    noChildren: toggle('--no-children', 'Leave child records in the local database unchanged'),
    foreignKeys: toggle('--foreign-keys', 'Also create foreign keys in PostgreSQL, which do not check existing rows'),
    grant: repeated('--grant <role[:resources]>', 'Let this PostgreSQL role read all tables, or only the tables of worklogs,users'),
    forget: toggle('--forget', 'Delete the local database, or the team database of --to'),
  },
  examples: [
    { args: 'sync', does: 'Read all records, or the changes since the last run' },
    { args: 'sync worklogs projects users', does: 'Store hours, with the names of projects and users' },
    { args: 'sync --to company.sqlite --children', does: 'Store all records in one file, with all child records' },
    {
      args: 'sync --to postgres://svc@db.example.com/reports',
      does: 'Store all records in PostgreSQL; the password comes from PGPASSWORD or ~/.pgpass',
    },
    {
      args: 'sync --to postgres://svc@db.example.com/reports --grant analysts:worklogs,projects',
      does: 'Let a role read two tables, in psql or with svc --database',
    },
    {
      args: 'sync --to postgres://svc@db.example.com/reports --max-age 15m',
      does: 'Do nothing if another machine began a sync in the last quarter of an hour',
    },
    { args: 'sync --verify', does: 'Compare every id and every ETag with the service' },
    { args: 'sync --forget', does: 'Remove the local database' },
  ],
  async run(
    context: Needs<UsingServiceOnly | Printing | Syncing | 'maxWaitMs' | 'notify' | 'notifyOnce' | 'timeZone'>,
    { args: nouns, options },
  ) {
    if (context.globals.dryRun)
      throw new UsageError('You can use --dry-run only with writes, and a sync only reads.', { hint: 'Leave out --dry-run.' });
    if (nouns.some(isDatabaseAddress))
      throw new UsageError('The address of a database is not a resource.', {
        hint: 'Put the address after --to: svc sync --to postgres://…',
      });
    const place = await syncPlace(context, options.to);
    if (options.forget) return forget(context, place, nouns);
    await requireService(context, 'svc sync reads from the service', place.turn !== undefined);
    const forTeam = options.grant !== undefined ? '--grant' : options.foreignKeys ? '--foreign-keys' : undefined;
    if (forTeam !== undefined && place.describe === undefined)
      throw new UsageError(`${forTeam} needs a team database in PostgreSQL.`, {
        hint: 'Add the address of the team database: --to postgres://user@host/database',
      });
    const budget = givenBudget(options.budget);
    if (options.children && options.noChildren)
      throw new UsageError('--children and --no-children contradict each other.', { hint: 'Leave out one of the two flags.' });
    if (options.verify && budget !== undefined)
      throw new UsageError('--verify compares every record, at any cost.', { hint: 'Leave out --max-units.' });
    const { fields, jq } = context.globals;
    // svc prints the tables at the end, so it checks the output format before a long sync.
    if ((fields ?? jq) === undefined && (await context.presentation()).format === 'ids')
      throw new UsageError('svc cannot print ids, because a table has no id.', {
        hint: 'For the names of the tables: --output ids --fields table',
      });
    const { syncInTurn } = await import('../bulk/sync/sync-in-turn.ts');
    const { tables, leftOut, heldBack, units } = await namingDatabase(options.to, () =>
      syncInTurn(
        context,
        place,
        nouns,
        {
          ...{ budget, rate: options.rate, verify: options.verify === true },
          children: options.children ? 'all' : options.noChildren ? 'none' : 'changed',
        },
        context.globals.maxAge,
      ),
    );
    await printRows(
      context,
      toAsync(
        tables.map(({ noun, table, rows, put, gone, as_of, whole_at, known_by, verified_at }) => ({
          ...{ noun, table, rows, put, gone, as_of, whole_at, known_by, verified_at },
        })),
      ),
      { columns: COLUMNS },
    );
    await context.notice(`${counted(tables.length, 'table', 'tables')} in ${place.name}, for ${counted(units, 'rate-limit unit')}.`);
    await place.describe?.(options.foreignKeys === true);
    for (const given of options.grant ?? []) {
      const [role = '', names = ''] = given.split(/:(.*)/s);
      const granted = (await place.grant?.(role, names === '' ? [] : names.split(','))) ?? [];
      await context.notice(`The role ${role} can now read ${counted(granted.length, 'table', 'tables')}, svc_status and svc_change_log.`);
    }
    const unsure = tables.filter(({ known_by }) => known_by === 'changes').map(({ table }) => table);
    if (unsure.length > 0)
      await context.notice(
        `svc does not know whether records were deleted since whole_at in: ${unsure.join(', ')}. Use a larger --max-units, or run again: svc sync${toFlag(options.to)}`,
      );
    if (heldBack.views.length > 0)
      await context.notice(
        `Your view depends on a view of svc, so svc did not update: ${heldBack.views.join(', ')}. Drop your view and create it again after: svc sync${toFlag(options.to)}`,
      );
    for (const { table, column, views } of heldBack.columns)
      await context.notice(
        `svc keeps the column ${table}.${column} as it was, because your views use it: ${views.join(', ')}. Drop these views and create them again after: svc sync${toFlag(options.to)}`,
      );
    if (leftOut.length > 0)
      throw new PartialError(`${leftOut.length} of ${leftOut.length + tables.length} tables are not up to date.`, {
        hint: `${tables.length === 0 ? 'svc left' : 'svc updated the other tables, and left'} the named tables unchanged.`,
        details: { lines: leftOut.map(({ noun, reason }) => `${noun}: ${reason}`) },
      });
  },
});

async function forget(context: Needs<'notice'>, { name, forget: remove }: SyncPlace, nouns: readonly string[]): Promise<void> {
  if (nouns.length > 0) throw new UsageError('--forget removes the whole database.', { hint: 'Leave out the resources.' });
  await context.notice((await remove()) ? `Removed: ${name}` : `There is no database: ${name}`);
}
