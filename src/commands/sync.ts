import type { Syncing } from '../bulk/sync/run.ts';
import { defineCommand, text, toggle } from '../cli/spec.ts';
import { PartialError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printRows, toAsync } from '../session/print.ts';
import { type AskingAlone, serviceAlone } from '../session/service-alone.ts';
import { counted } from '../values/counted.ts';
import { isDatabaseAddress, withoutPassword } from '../values/database-address.ts';
import { budgetOption, givenBudget } from './budget-option.ts';
import { STATE_COLUMNS } from './state-columns.ts';
import { type SyncPlace, syncPlace } from './sync-place.ts';

const COLUMNS = [
  { path: 'table' },
  { path: 'rows' },
  { path: 'put', header: 'WRITTEN' },
  { path: 'gone', header: 'DELETED' },
  ...Object.values(STATE_COLUMNS),
];

/** `svc sync [noun…]`: what the organisation lets one see, as tables in a file, and then what changed. */
export const sync = defineCommand({
  name: 'sync',
  summary: 'Keep a local database of the records that you can see',
  showsGlobals: ['host', 'output', 'quiet', 'maxWait', 'parallel'],
  description:
    'svc stores every resource, or those that you name, as tables in a SQLite file or a PostgreSQL schema. The first run reads everything. If you stop svc, run the same command again to resume. Later runs read changes and find deleted records.\n\nsvc reads short tables page by page; each unchanged page costs one rate-limit unit. In long tables svc reads the records that changed by updated_at. If the number of rows shows that records were deleted, svc looks for them within --max-units. svc reads child records again if their parent changed, or all of them with --children.\n\nFor each table svc prints when it was checked (as_of) and when it was last complete (whole_at). known_by names the method.',
  args: [{ name: 'noun', summary: 'The resources to store (default: all)', optional: true, variadic: true }],
  options: {
    to: text('--to <file>', 'Write to this SQLite file or postgres://user@host/database (default: a file for your account)', {
      completes: 'file',
      withheld: withoutPassword,
    }),
    budget: budgetOption,
    children: toggle('--children', 'Read the child records of every record'),
    forget: toggle('--forget', 'Remove the local database'),
  },
  examples: [
    { args: 'sync', does: 'Read everything, or the changes since the last run' },
    { args: 'sync worklogs projects users', does: 'Store hours, with the names of projects and users' },
    { args: 'sync --to company.sqlite --children', does: 'Store everything in one file, with all child records' },
    {
      args: 'sync --to postgres://svc@db.example.com/reports',
      does: 'Store everything in PostgreSQL; the password comes from PGPASSWORD or ~/.pgpass',
    },
    { args: 'sync --forget', does: 'Remove the local database' },
  ],
  async run(context: Needs<AskingAlone | Printing | Syncing | 'timeZone'>, { args: nouns, options }) {
    if (context.globals.dryRun)
      throw new UsageError('--dry-run is for what changes something there; a sync only reads.', { hint: 'Leave it out.' });
    if (nouns.some(isDatabaseAddress))
      throw new UsageError('The address of a database is no collection.', { hint: 'It comes after --to: svc sync --to postgres://…' });
    const place = await syncPlace(context, options.to);
    if (options.forget) return forget(context, place, nouns);
    await serviceAlone(context, 'A sync asks the service');
    const budget = givenBudget(options.budget);
    const { fields, jq } = context.globals;
    // Now, since it is printed when all is done.
    if ((fields ?? jq) === undefined && (await context.presentation()).format === 'ids')
      throw new UsageError('A table of a copy has no id.', { hint: 'For their names: --output ids --fields table' });
    const { syncInto } = await import('../bulk/sync/sync-into.ts');
    const { tables, leftOut, staleViews, units } = await syncInto(context, place, nouns, { budget, nested: options.children === true });
    await printRows(
      context,
      toAsync(
        tables.map(({ noun, table, rows, put, gone, as_of, whole_at, known_by }) => ({
          ...{ noun, table, rows, put, gone, as_of, whole_at, known_by },
        })),
      ),
      { columns: COLUMNS },
    );
    await context.notice(`${counted(tables.length, 'table', 'tables')} in ${place.name}, for ${counted(units, 'unit', 'units')}.`);
    const unsure = tables.filter(({ known_by }) => known_by === 'changes').map(({ table }) => table);
    if (unsure.length > 0)
      await context.notice(
        `Not known whether rows of these are gone since whole_at: ${unsure.join(', ')}. To go on looking: svc sync again, or with a larger --max-units`,
      );
    if (staleViews.length > 0)
      await context.notice(
        `Something of yours stands on a view of svc, which is as it was: ${staleViews.join(', ')}. To have it anew: drop yours, svc sync again, and make it again`,
      );
    if (leftOut.length > 0)
      throw new PartialError(`${leftOut.length} of ${leftOut.length + tables.length} tables could not be brought up to date.`, {
        hint: 'The others are; those are as they were.',
        details: { lines: leftOut.map(({ noun, reason }) => `${noun}: ${reason}`) },
      });
  },
});

async function forget(context: Needs<'notice'>, { name, forget: remove }: SyncPlace, nouns: readonly string[]): Promise<void> {
  if (nouns.length > 0) throw new UsageError('--forget removes all of the copy.', { hint: 'Leave the names out.' });
  await context.notice((await remove()) ? `Removed: ${name}` : `There is no copy: ${name}`);
}
