import type { Syncing } from '../bulk/sync/run.ts';
import { defineCommand, text, toggle } from '../cli/spec.ts';
import { PartialError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Printing, printRecords } from '../session/print.ts';
import { type AskingAlone, serviceAlone } from '../session/service-alone.ts';
import { counted } from '../values/counted.ts';
import { isDatabaseAddress, withoutPassword } from '../values/database-address.ts';
import { budgetOption, givenBudget } from './budget-option.ts';
import { type SyncPlace, syncPlace } from './sync-place.ts';

/** `svc sync [noun…]`: what the organisation lets one see, as tables in a file, and then what changed. */
export const sync = defineCommand({
  name: 'sync',
  summary: 'Keep a copy of what you may see, to ask with SQL',
  showsGlobals: ['host', 'output', 'quiet', 'maxWait', 'parallel'],
  description:
    'Keeps every collection, or those named, as tables in an SQLite file of your own, or in a schema of PostgreSQL: the first time all of it, as an export reads it, stopped at any moment and gone on with; then what changed and what is gone. Short tables are looked at page by page, which costs a unit a page that is as it was. Of long ones the records that changed are read by updated_at, and where the number of rows says that some are gone, they are looked for as far as --max-units reaches. What lies below records is read again where the record changed, all of it with --children. Each row that is printed says when the table was true (as_of), since when no row can be missing or too many (whole_at), and how that is known (known_by).',
  args: [{ name: 'noun', summary: 'What to keep; everything if not given', optional: true, variadic: true }],
  options: {
    to: text('--to <file>', 'The SQLite file, or postgres://user@host/database; one of your account’s own if not given', {
      completes: 'file',
      withheld: withoutPassword,
    }),
    budget: budgetOption,
    children: toggle('--children', 'Check the child records of every record'),
    forget: toggle('--forget', 'Remove the copy instead'),
  },
  examples: [
    { args: 'sync', does: 'Everything, or what changed since' },
    { args: 'sync worklogs projects users', does: 'Hours, and what names them' },
    { args: 'sync --to company.sqlite --children', does: 'Into a file, with what lies below every record' },
    { args: 'sync --to postgres://svc@db.example.com/reports', does: 'Into PostgreSQL; the password from PGPASSWORD or ~/.pgpass' },
    { args: 'sync --forget', does: 'Remove the copy' },
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
    await printRecords(
      context,
      tables.map(({ noun, table, rows, put, gone, as_of, whole_at, known_by }) => ({
        ...{ noun, table, rows, put, gone, as_of, whole_at, known_by },
      })),
      ['table', 'rows', 'put', 'gone', 'as_of', 'whole_at', 'known_by'],
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
