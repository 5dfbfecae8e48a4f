import type { Resource } from '../../catalog/define.ts';
import type { Understanding } from '../../records/kinds.ts';
import { describeWrite } from '../../records/send-write.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRecords, printRows, toAsync, viewOf } from '../../session/print.ts';
import type { JsonObject } from '../../values/json.ts';
import { ownEntry } from '../../values/own-entry.ts';
import { checkRows, type ReadyRow } from './check-rows.ts';
import { recordPath } from './corrections.ts';
import { decodeFile } from './decode.ts';
import { type OldJournal, readOldJournal } from './old-journal.ts';
import { type ImportPlace, placeOfRows } from './place.ts';
import { type Sending, sendRows } from './send-rows.ts';
import { readRows, type Source } from './source.ts';
import { type Comparing, type ImportStanding, type RowToCorrect, standingOf } from './standing.ts';
import { tellStanding } from './tell-standing.ts';
import type { Translation } from './translation.ts';

/** A file to import, and what was said of it. */
export interface ImportRequest {
  /** The record below which the collection lies that the rows go into. */
  readonly parent: string | undefined;
  /** Its path; `-` is standard input. */
  readonly file: string;
  /** How it is written, when somebody said so. */
  readonly encoding: string | undefined;
  /** The noun's own way to understand files, and the values of its flags. */
  readonly translation: (Omit<Translation, 'description' | 'options'> & { readonly given: Readonly<Record<string, unknown>> }) | undefined;
  /** Correct the records of rows that changed since they were logged. */
  readonly updateChanged: boolean;
  /** Ask the service which of the rows it has already. */
  readonly checkExisting: boolean;
}

/**
 * Creates a record for each row of a file that the account has not logged yet, from whatever file. Every row is checked before the
 * first is sent.
 *
 * @throws UsageError where a row cannot be sent, JournalError where nobody can know what was logged: nothing was sent, then.
 */
export async function importRows(
  context: Needs<Sending | Comparing | Understanding | 'host' | 'paths' | 'readBytesArgument' | 'tellOnce'>,
  resource: Resource,
  { parent, file, encoding, translation, updateChanged, checkExisting }: ImportRequest,
): Promise<void> {
  const place = await placeOfRows(context, resource, parent);
  const { text: content, guessed } = decodeFile(await context.readBytesArgument(file), encoding);
  if (guessed !== undefined)
    await context.notice(`The file is not UTF-8, and was read as ${guessed}. If letters are wrong: --encoding <name>`);
  const source = await readRows(content, translation?.read);
  const rows = translation === undefined ? source.rows : await translation.rows(context, source.rows, translation.given);
  // A translation has said what it left out; a file without a row is a mistake.
  if (rows.length === 0 && source.rows.length > 0) return context.notice('No row is left to send.');
  const ready = await checkRows(context, resource, rows);
  await tellUnknown(context, resource, ready);
  const old = await oldJournal(context, place, { file, content, source });
  const look = translation?.existing;
  const existing =
    look === undefined || !checkExisting ? undefined : (own: number, bodies: readonly JsonObject[]) => look(context, own, bodies);
  const standing = await standingOf(context, place, ready, { old, existing });
  await tellStanding(context, place, standing, { isUpdating: updateChanged, canLook: look !== undefined });
  const corrections = updateChanged ? standing.changed : [];
  if (context.globals.dryRun) return showRows(context, place, standing, corrections, translation?.shows);
  await sendRows(context, place, { file, format: source.format }, standing, corrections);
  // All of it is done, so nothing is owed to an older svc any more.
  if (old !== undefined && context.plan === undefined) await context.files.remove(old.path);
}

/** What an older svc has noted of the file. */
async function oldJournal(
  context: Needs<'files' | 'host' | 'notice' | 'paths' | 'tellOnce'>,
  { path }: ImportPlace,
  { file, content, source }: { readonly file: string; readonly content: string; readonly source: Source },
): Promise<OldJournal | undefined> {
  const { name: host } = await context.host();
  const old = await readOldJournal(context, {
    file,
    directory: context.paths.cache,
    subject: `${host} ${path}`,
    content,
    rows: source.rows,
  });
  if (old === undefined) return undefined;
  const others = old.others === 0 ? '' : ` It has ${counted(old.others, 'row')} besides that the file has not, or not in this form.`;
  await context.notice(`Taken over from ${old.path}, which an earlier svc wrote.${others}`);
  return old;
}

/** What a dry run says: on a terminal a table of what each row becomes, to a program the requests. */
async function showRows(
  context: Needs<Printing | 'host'>,
  place: ImportPlace,
  { creates }: ImportStanding,
  corrections: readonly RowToCorrect[],
  shows: readonly string[] | undefined,
): Promise<void> {
  const { resource, path, items } = place;
  if ((await context.presentation()).reader === 'program') {
    const descriptions = [
      ...creates.map(({ row: { body } }) => describeWrite(context, resource, { method: 'POST', path, body })),
      ...corrections.flatMap(({ as: { recordId }, fields: body }) =>
        recordId === undefined
          ? []
          : [describeWrite(context, items, { method: 'PATCH', path: recordPath(place, recordId), body, ifMatch: '<its ETag now>' })],
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
  await context.notice(`Nothing was sent. Without --dry-run ${counted(rows.length, 'request')} would be.`);
}

/** A column that svc does not know is sent, since the organisation may have such a field, and named, since it may be a slip. */
async function tellUnknown(context: Needs<'notice'>, resource: Resource, ready: readonly ReadyRow[]): Promise<void> {
  const unknown = [...new Set(ready.flatMap(({ body }) => Object.keys(body)))].filter(
    (name) => ownEntry(resource.fields, name) === undefined,
  );
  if (unknown.length > 0) await context.notice(`Columns that svc does not know, and sends as they are: ${unknown.join(', ')}.`);
}

/** `1 row`, `2 rows`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
