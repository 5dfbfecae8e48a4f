import type { Resource } from '../../catalog/define.ts';
import { flagOf, thingOf } from '../../catalog/rules.ts';
import type { Typed } from '../../records/span.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printLine, printRecord, viewOf } from '../../session/print.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import type { DaySoFar } from '../time/day-so-far.ts';

/** A write that was done, for who typed it. */
export interface Written {
  readonly resource: Resource;
  /** What the service answered. */
  readonly record: JsonObject;
  /** What it says: `Created the label urgent`. */
  readonly line: string;
}

/**
 * What a write did: for a person in a line, with where to go on; the record in a pipe, or where a format is asked for. A record without an
 * id is none that the service has: what is planned or kept for later, and shown as it is.
 */
export async function printWritten(context: Needs<Printing>, { resource, record, line }: Written): Promise<void> {
  const id = scalarText(record['id'] ?? null);
  if (id === '' || !(await context.presentation()).isUnasked) return printRecord(context, record, viewOf(resource));
  const key = scalarText(record['issue_key'] ?? null);
  await printLine(context, key === '' ? `${line} · #${id}` : line);
  const { hostFlag } = await import('../../session/host-to-name.ts');
  const host = await hostFlag(context);
  // What lies below another record is changed by naming that one too.
  const noun = resource.parent === undefined ? resource.noun : resource.itemsOf;
  const edit = noun === undefined ? '' : ` To change it: svc ${noun} edit ${key || 'last'}${host}`;
  await context.notice(`To take it back: svc undo${host}.${edit}`);
}

/** `Created the label urgent`. */
export function createdLine(resource: Resource, record: JsonObject): string {
  return `Created the ${thingOf(resource)}${nameIn(record)}`;
}

/** `Updated the label urgent: color #d0021b`. */
export function updatedLine(resource: Resource, record: JsonObject, typed: Typed): string {
  const changes = [...typed].map(([name, text]) => `${wordsOf(resource, name)} ${short(text)}`);
  return `Updated the ${thingOf(resource)}${nameIn(record)}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}`;
}

/**
 * `Logged 1h30 on Web shop, "Review" · 2026-11-22`, or `… · today 3h of 8h`.
 *
 * @param place What somebody called the project or work item; else what was typed.
 * @param today What is logged today, with this, where the day is today and all of it is known.
 */
export function loggedLine(record: JsonObject, typed: Typed, place?: string, today?: DaySoFar): string {
  const { minutes, description, date } = record;
  const where = place ?? typed.get('work_item_id') ?? typed.get('project_id');
  const length = typeof minutes === 'number' ? ` ${formatDuration(minutes)}` : '';
  const text = scalarText(description ?? null);
  const day = scalarText(date ?? null);
  return [
    `Logged${length}${where === undefined ? '' : ` on ${isDigits(where) ? `#${where}` : where}`}${text === '' ? '' : `, ${quote(text)}`}`,
    ...(today !== undefined ? [todayText(today)] : day === '' ? [] : [day]),
  ].join(' · ');
}

function todayText({ minutes, target }: DaySoFar): string {
  return `today ${formatDuration(minutes)}${target === undefined || target === 0 ? '' : ` of ${formatDuration(target)}`}`;
}

/** What a record goes by, in a sentence; else what somebody typed for it. */
export function calledIn(record: JsonObject, typed: string): string {
  return nameIn(record).trim() || typed;
}

function nameIn(record: JsonObject): string {
  const text = (name: string) => scalarText(record[name] ?? null).trim();
  const name = ['issue_key', 'number', 'name', 'title']
    .map(text)
    .filter((part) => part !== '')
    .join(' ');
  return name === '' ? '' : ` ${name}`;
}

function wordsOf({ fields }: Resource, name: string): string {
  const field = fields[name];
  return (field === undefined ? name : flagOf(name, field)).replaceAll('-', ' ');
}

function short(text: string): string {
  return /\s/.test(text.trim()) ? quote(text) : text;
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text.trim());
}
