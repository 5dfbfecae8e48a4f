import type { Resource } from '../../catalog/define.ts';
import { relationOf, singularName } from '../../catalog/rules.ts';
import { type CellKind, cellText, currencyOf, type ShowDateTime } from '../../output/cell.ts';
import { htmlToPage } from '../../output/html-text.ts';
import { neutraliseLine, neutraliseText } from '../../output/neutralise.ts';
import type { Fact, RecordPage, Section } from '../../output/record-page.ts';
import { readWorkingHours } from '../../time/read-working-hours.ts';
import { describeHours } from '../../time/working-hours.ts';
import { type JsonObject, type JsonValue, ownEntry, scalarText } from '../../values/json.ts';
import { capitalised } from '../../values/text.ts';
import { LONG_TEXTS, tableHeading, toneFor } from './table-view.ts';

export interface PageChoice {
  /** True to show every field, including empty and technical fields. */
  readonly all: boolean;
  /** The current date in the user’s time zone, `YYYY-MM-DD`. */
  readonly day: string;
  readonly showDateTime: ShowDateTime;
}

const TECHNICAL = /^(?:id|version|links|sort_order|order|deleted_at|content_html|external_.*)$/;
const LAST = ['created_at', 'updated_at', 'web_url'];
const TITLES = ['issue_key', 'number', 'name', 'title', 'file_name'];

/** Makes the detail view of a record: its title, its fields and its texts. The record must contain the names of related records. */
export function recordPage(resource: Resource, record: JsonObject, choice: PageChoice): RecordPage {
  const inTitle = TITLES.filter((name) => textOf(record, name) !== '');
  const names = fieldNames(resource, record, choice.all ? [] : inTitle);
  const isText = (name: string) => typeof record[name] === 'string' && textKind(resource, name) !== undefined;
  const shown = names.filter((name) => choice.all || isWorthReading(record[name], name));
  return {
    title: titleOf(resource, record, inTitle),
    facts: shown.filter((name) => !isText(name)).map((name) => factOf(resource, record, name, choice)),
    sections: shown.filter((name) => isText(name) && textOf(record, name) !== '').map((name) => sectionOf(resource, record, name)),
  };
}

/** Returns the title of a record: `ABC-12 Fix the login page · #12`. A record without a name gets `Worklog · #812`. */
function titleOf(resource: Resource, record: JsonObject, inTitle: readonly string[]): string {
  const called = inTitle.map((name) => textOf(record, name)).join(' ');
  const id = textOf(record, 'id');
  return neutraliseLine([called || capitalised(singularName(resource)), ...(id === '' ? [] : [`#${id}`])].join(' · '));
}

/**
 * Returns the fields of the detail view. The columns of a table are first, then other catalog fields, then all other fields. The times of
 * creation and update, the web address and the id are last. The name of a related record replaces its foreign key.
 */
function fieldNames(resource: Resource, record: JsonObject, left: readonly string[]): string[] {
  const known = [...resource.columns, ...(resource.wide ?? []), ...Object.keys(resource.fields), ...Object.keys(record)];
  const names = new Set<string>();
  for (const name of known) {
    const relation = relationOf(resource, name) ?? name;
    if (Object.hasOwn(record, relation)) names.add(relation);
    else if (Object.hasOwn(record, name)) names.add(name);
  }
  const isLast = (name: string) => LAST.includes(name) || name === 'id';
  return [...names].filter((name) => !left.includes(name)).sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
}

function isWorthReading(value: JsonValue | undefined, name: string): boolean {
  if (value === undefined || value === null || value === '' || TECHNICAL.test(name)) return false;
  return !Array.isArray(value) || value.length > 0;
}

function factOf(resource: Resource, record: JsonObject, name: string, { all, day, showDateTime }: PageChoice): Fact {
  const value = ownEntry(record, name);
  const tone = toneFor(name, day)?.(record);
  // A positive statement is easier to read: `Billable: yes` instead of `Not billable: no`.
  const isNegated = name.startsWith('is_not_') && typeof value === 'boolean' && !all;
  // For an unknown field, svc derives the kind from the name (rules 2.2, 2.23).
  const guessed = /(?:^|_)minutes$/.test(name) ? 'duration' : name.endsWith('_id') ? 'id' : undefined;
  const text = valueText(isNegated ? !value : value, kindOf(resource, name) ?? guessed, name, showDateTime);
  const currency = kindOf(resource, name) === 'money' && text !== '' ? currencyOf(record) : undefined;
  const shown = currency === undefined ? text : `${text} ${neutraliseLine(currency)}`;
  const label = all ? name : capitalised(labelOf(isNegated ? name.replace('is_not_', '') : name));
  return { label: neutraliseLine(label), text: `${shown === '' ? '–' : shown}${tone === 'late' ? ', late' : ''}`, tone };
}

/** Returns the label of a field: `is_overtime` → `overtime`, `created_at` → `created`. */
function labelOf(name: string): string {
  return name === 'web_url' ? 'page' : tableHeading(name.replace(/^is_/, '').replace(/_(?:at|count)$/, ''));
}

function valueText(value: JsonValue | undefined, kind: CellKind | undefined, name: string, showDateTime: ShowDateTime): string {
  if (name === 'working_hours') return hoursText(value);
  if (kind === 'id' && name.endsWith('_id') && value !== null && value !== undefined) return neutraliseLine(`#${scalarText(value)}`);
  const isTimestamp = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value);
  return withWeekday(cellText(value, kind ?? (isTimestamp ? 'date-time' : undefined), showDateTime));
}

/** Formats working hours by weekday. A form that svc cannot read stays unchanged. */
function hoursText(value: JsonValue | undefined): string {
  const reading = readWorkingHours(value);
  return reading.kind === 'read' ? describeHours(reading.hours) : reading.kind === 'unreadable' ? neutraliseLine(reading.shown) : '';
}

/** Adds the weekday to a date: `2026-03-02 14:00` → `Mon 2026-03-02 14:00`. */
function withWeekday(text: string): string {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?: \d{2}:\d{2})?$/.exec(text) ?? [];
  const date = day === undefined ? undefined : new Date(`${day}T00:00:00Z`);
  return date === undefined || Number.isNaN(date.getTime()) ? text : `${date.toUTCString().slice(0, 3)} ${text}`;
}

function sectionOf(resource: Resource, record: JsonObject, name: string): Section {
  const text = textOf(record, name);
  const kind = textKind(resource, name);
  // The service documents only some fields as rich text (rule 2.36), so svc also checks the text itself.
  const isHtml = kind === 'html' || (kind === 'plain' && RICH.test(text));
  return {
    heading: neutraliseLine(capitalised(tableHeading(name))),
    parts: [{ text: isHtml ? htmlToPage(text) : neutraliseText(text).trim() }],
  };
}

const RICH = /^<(?:p|div|ul|ol|h[1-6]|pre|blockquote)[\s>]/i;

function textKind(resource: Resource, name: string): 'html' | 'markdown' | 'plain' | undefined {
  const kind = kindOf(resource, name);
  if (kind === 'html') return 'html';
  if (kind === 'markdown') return 'markdown';
  return LONG_TEXTS.has(name) ? 'plain' : undefined;
}

function kindOf({ fields }: Resource, name: string): CellKind | undefined {
  return Object.hasOwn(fields, name) ? fields[name]?.kind : undefined;
}

function textOf(record: JsonObject, name: string): string {
  return Object.hasOwn(record, name) ? scalarText(record[name]).trim() : '';
}
