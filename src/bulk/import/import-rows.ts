import type { Resource } from '../../catalog/define.ts';
import { ConflictError, PartialError } from '../../errors.ts';
import { describeWrite } from '../../records/send-write.ts';
import type { Context, Needs } from '../../session/context.ts';
import { type Printing, printRecords, printRows, toAsync, viewOf } from '../../session/print.ts';
import { hostFlag } from '../../session/printed-command.ts';
import { ownEntry } from '../../values/json.ts';
import { counted } from '../../values/text.ts';
import { checkRows, type ReadyRow, type Translation } from './check-rows.ts';
import { compareFile, type FileComparison, type FindRecords, type RowToCorrect } from './compare-file.ts';
import { printComparison } from './print-comparison.ts';
import { type ImportTarget, importTarget, recordPath } from './row-records.ts';
import { sendRows } from './send-rows.ts';
import { decodeFile, readRows } from './source.ts';

export interface ImportRequest {
  /** The id of the parent record. Only set for child records. */
  readonly parent: string | undefined;
  readonly file: string;
  readonly encoding: string | undefined;
  readonly rate?: number | undefined;
  readonly translation: (Omit<Translation, 'description' | 'options'> & { readonly given: Readonly<Record<string, unknown>> }) | undefined;
  readonly updateChanged: boolean;
  readonly checkExisting: boolean;
}

/**
 * Creates a record for each unlogged row of a file. With `updateChanged`, also corrects the records of changed rows. svc checks every row
 * before the first write. With `--dry-run`, svc prints the writes and sends no write.
 *
 * @throws PartialError or ConflictError if an earlier form of a row is unconfirmed. The errors of `runBulk`.
 */
export async function importRows(
  context: Context,
  resource: Resource,
  { parent, file, encoding, rate, translation, updateChanged, checkExisting }: ImportRequest,
): Promise<void> {
  context.putPeopleFirst(rate);
  const target = await importTarget(context, resource, parent);
  const { text, guessed } = decodeFile(await context.readBytesArgument(file), encoding);
  if (guessed !== undefined)
    await context.notice(
      `The file is not UTF-8, so svc read the file as ${guessed}. If letters look wrong, name the encoding: --encoding <name>`,
    );
  const source = await readRows(text, translation?.read);
  const rows = translation === undefined ? source.rows : await translation.rows(context, source.rows, translation.given);
  // The conversion has already reported the omitted rows. Only a file without any rows is an error.
  if (rows.length === 0 && source.rows.length > 0) return context.notice('svc leaves out all rows, and sends nothing.');
  const ready = await checkRows(context, resource, rows);
  await reportUnknownColumns(context, resource, ready);
  const existing = translation?.existing;
  const findRecords: FindRecords | undefined = existing && checkExisting ? (own, bodies) => existing(context, own, bodies) : undefined;
  const comparison = await compareFile(context, target, ready, findRecords);
  await printComparison(context, target, comparison, { isUpdating: updateChanged, canSearch: existing !== undefined });
  const corrections = updateChanged ? comparison.changed : [];
  if (context.globals.dryRun) return printDryRun(context, target, comparison, corrections, translation?.shows);
  await sendRows(context, target, { file, format: source.format }, comparison, corrections);
  const open = comparison.unconfirmed.length;
  const isSomeDone = comparison.creates.length + corrections.length + comparison.known > 0;
  if (open > 0)
    throw new (isSomeDone ? PartialError : ConflictError)(`svc left out ${counted(open, 'row')} with an unconfirmed earlier write.`, {
      hint: `To resolve: svc outbox send${await hostFlag(context)}. Then import again.`,
    });
}

async function printDryRun(
  context: Needs<Printing | 'host'>,
  target: ImportTarget,
  { creates }: FileComparison,
  corrections: readonly RowToCorrect[],
  shows: readonly string[] | undefined,
): Promise<void> {
  const { resource, path, items } = target;
  if ((await context.presentation()).reader === 'program') {
    const descriptions = [
      ...creates.map(({ row: { body } }) => describeWrite(context, resource, { method: 'POST', path, body })),
      ...corrections.flatMap(({ as: { recordId }, fields: body }) =>
        recordId === undefined
          ? []
          : [describeWrite(context, items, { method: 'PATCH', path: recordPath(target, recordId), body, ifMatch: '<its ETag now>' })],
      ),
    ];
    await printRows(context, toAsync(await Promise.all(descriptions)));
    return;
  }
  const rows = [...creates, ...corrections].map(({ row }) => row);
  const fields = [...new Set(rows.flatMap(({ body }) => Object.keys(body)))];
  const { kinds = {} } = viewOf(resource);
  const table = rows.map(({ line, body, shown }) => ({ ...(shown ?? body), line }));
  if (rows.length > 0)
    await printRecords(context, table, [...(shows ?? fields), 'line'], { line: 'integer', ...(shows === undefined && kinds) });
  await context.notice(`svc sent no write. Without --dry-run, svc sends ${counted(rows.length, 'request')}.`);
}

/** Warns about columns that svc does not know. svc sends the values, because your organisation can have custom fields of these names. */
async function reportUnknownColumns(context: Needs<'notice'>, resource: Resource, ready: readonly ReadyRow[]): Promise<void> {
  const names = [...new Set(ready.flatMap(({ body }) => Object.keys(body)))];
  const unknown = names.filter((name) => ownEntry(resource.fields, name) === undefined);
  if (unknown.length > 0) await context.notice(`svc does not know these columns, and sends them unchanged: ${unknown.join(', ')}.`);
}
