import type { Resource } from '../../catalog/define.ts';
import { hasRichText, singularName } from '../../catalog/rules.ts';
import type { ApiResponse } from '../../client/api-client.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { ifUsable } from '../../journal/journal-error.ts';
import { planUndo } from '../../journal/undo-plan.ts';
import { readRecord } from '../../records/record-at.ts';
import { canDelete } from '../../records/send-write.ts';
import type { Typed } from '../../records/write-range.ts';
import type { Needs } from '../../session/context.ts';
import { isNewToday, type Remembering } from '../../session/day-memory.ts';
import { type Printing, printLine, printRecord, viewOf } from '../../session/print.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText, stringifyJson } from '../../values/json.ts';
import type { ValueKind } from '../../values/kind.ts';
import { hasOnlyDigits, quote } from '../../values/text.ts';
import { changesText, fieldWords } from '../describe-entry.ts';
import type { DaySoFar } from '../time/day-so-far.ts';

export type Confirming = Printing | Remembering | 'client' | 'credentials' | 'journal';

export interface Written {
  readonly resource: Resource;
  readonly record: JsonObject;
  /**
   * The line that svc prints: `Created the label urgent`. A function gets the record before the write, or undefined if svc did not read
   * that record.
   */
  readonly line: string | ((before: JsonObject | undefined) => string);
  /** True if the workflow allows the transition back, or if svc does not need to know. Undefined for other writes. */
  readonly leadsBack?: boolean | undefined;
}

/**
 * Prints the record of a write. A person gets one line, and the commands that undo or change the record. A record without an id means that
 * svc has not sent the write yet.
 */
export async function printWritten(context: Needs<Confirming>, { resource, record, line, leadsBack }: Written): Promise<void> {
  const id = scalarText(record['id']);
  if (id === '' || !(await context.presentation()).isDefaultFormat) return printRecord(context, record, viewOf(resource));
  const entry = await writtenLast(context, id);
  const isSame = entry !== undefined && changedNothing(entry, record);
  const key = scalarText(record['issue_key']);
  const same = `Nothing changed: the ${singularName(resource)}${nameIn(record)} has these values already`;
  const shown = isSame ? same : typeof line === 'string' ? line : line(entry?.before);
  await printLine(context, key === '' ? `${shown} · #${id}` : shown);
  const { hostFlag } = await import('../../session/printed-command.ts');
  const host = await hostFlag(context);
  const undo = entry === undefined || isSame || leadsBack === false ? undefined : await undoHint(context, entry, host);
  // The command for a child record needs its parent too.
  const noun = resource.parent === undefined ? resource.noun : resource.itemsOf;
  // The editor does not show the status.
  const [change, verb] = leadsBack === undefined ? ['change it', 'edit'] : ['set another status', 'transition'];
  const next = noun === undefined ? [] : [`To ${change}: svc ${noun} ${verb} ${key || id}${host}`];
  const hints = [...(undo === undefined ? [] : [undo]), ...next];
  if (hints.length > 0) await context.notice(hints.join('. '));
}

/** Returns the record in the answer to a write, and reports tags that the service removed from a rich text. */
export async function recordWritten(
  context: Needs<'notice'>,
  resource: Resource,
  written: { readonly body: JsonObject; readonly typed: Typed },
  response: ApiResponse,
): Promise<JsonObject> {
  const record = readRecord(response);
  if (hasRichText(resource, written.body))
    await (await import('../../records/rich-text.ts')).reportTagsLost(context, resource, written, record);
  return record;
}

/**
 * Returns the entry of the newest write, with its outcome after svc has printed the record. Returns undefined if the write undoes another
 * write, or if svc cannot read the journal.
 */
async function writtenLast({ journal }: Needs<'journal'>, recordId: string): Promise<JournalEntry | undefined> {
  const [entry] = (await ifUsable(journal().then((opened) => opened.history({ limit: 1 })))) ?? [];
  return entry === undefined || entry.undoes !== undefined ? undefined : { ...entry, outcome: 'done', recordId };
}

/** Returns true if the write changed no field. svc detects such a write only if svc read the record before the write. */
function changedNothing({ before }: JournalEntry, record: JsonObject): boolean {
  const fields = Object.entries(before ?? {});
  return fields.length > 0 && fields.every(([name, old]) => name in record && stringifyJson(record[name] ?? null) === stringifyJson(old));
}

/** Returns the hint that undoes a write: `To undo it: svc undo`. Returns undefined if `svc undo` would refuse the write. */
async function undoHint(context: Needs<Remembering | 'credentials'>, entry: JournalEntry, host: string): Promise<string | undefined> {
  const plan = planUndo(entry, () => false);
  if (plan.kind === 'none') return undefined;
  if (plan.method === 'DELETE') return undoCreateHint(context, 'it', `svc undo${host}`, host);
  return `To undo it: svc undo${host}`;
}

/** Returns the undo hint of a create. Without a token that can delete (rule 13.53), svc explains once a day how to get such a token. */
export async function undoCreateHint(
  context: Needs<Remembering | 'credentials'>,
  what: string,
  command: string,
  host: string,
): Promise<string | undefined> {
  if (await canDelete(context)) return `To undo ${what}: ${command}`;
  if (!(await isNewToday(context, 'undoing a create needs a personal access token'))) return undefined;
  return `Undoing ${what} means a delete, which needs a personal access token: svc token set${host}`;
}

/**
 * Returns the line for a create: `Created the label urgent`, `Created the comment on ABC-12`.
 *
 * @param parent The parent of a child record, as typed.
 */
export function createdLine(resource: Resource, record: JsonObject, parent: string | undefined): string {
  const where = parent === undefined ? '' : ` on ${hasOnlyDigits(parent) ? `#${parent}` : parent}`;
  return `Created the ${singularName(resource)}${nameIn(record)}${where}`;
}

/**
 * Returns the line for an update: `Updated the worklog: minutes 1h30 → 2h`. References, long texts and fields without an old value show
 * only the typed text.
 */
export function updatedLine(resource: Resource, record: JsonObject, typed: Typed, before: JsonObject = {}): string {
  const changes = [...typed].map(([name, text]) => {
    const isPlain = PLAIN.has(resource.fields[name]?.kind ?? 'json') && before[name] !== undefined && record[name] !== undefined;
    return isPlain
      ? changesText(resource, { [name]: record[name] ?? null }, before)
      : `${fieldWords(resource, name)} ${/\s/.test(text.trim()) ? quote(text) : text}`;
  });
  return `Updated the ${singularName(resource)}${nameIn(record)}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}`;
}

const PLAIN: ReadonlySet<ValueKind> = new Set([
  'integer',
  'string',
  'date',
  'time',
  'duration',
  'money',
  'decimal',
  'number',
  'percentage',
  'boolean',
  'enum',
]);

/**
 * Returns the line for logged hours: `Logged 1h30 on Web shop, "Review" · 2026-11-22`, or `… · today 3h of 8h`.
 *
 * @param place The name of the project or work item. Default: the text that the user typed.
 * @param soFar The hours of the day with this entry. Undefined if svc does not know all entries of the day.
 */
export function loggedLine(record: JsonObject, typed: Typed, place?: string, soFar?: DaySoFar): string {
  const { minutes, description, date } = record;
  const where = place ?? typed.get('work_item_id') ?? typed.get('project_id') ?? (isOnNothing(record) ? 'no project' : undefined);
  const length = typeof minutes === 'number' ? ` ${formatDuration(minutes)}` : '';
  const text = scalarText(description);
  const day = scalarText(date);
  const goal = soFar?.target ? ` of ${formatDuration(soFar.target)}` : '';
  const total = soFar === undefined ? '' : `${formatDuration(soFar.minutes)}${goal}`;
  return [
    `Logged${length}${where === undefined ? '' : ` on ${hasOnlyDigits(where) ? `#${where}` : where}`}${text === '' ? '' : `, ${quote(text)}`}`,
    ...(soFar?.isToday ? [`today ${total}`] : day === '' ? [] : [soFar === undefined ? day : `${day}: ${total}`]),
  ].join(' · ');
}

/** Returns true if the record of a worklog shows that the worklog has no project and no work item. */
function isOnNothing({ project_id: project, work_item_id: item }: JsonObject): boolean {
  return project === null && item === null;
}

export function calledIn(record: JsonObject, typed: string): string {
  return nameIn(record).trim() || typed;
}

function nameIn(record: JsonObject): string {
  const text = (name: string) => scalarText(record[name]).trim();
  const name = ['issue_key', 'number', 'name', 'title']
    .map(text)
    .filter((part) => part !== '')
    .join(' ');
  return name === '' ? '' : ` ${name}`;
}
