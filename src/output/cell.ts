import { formatDuration } from '../values/duration.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, ownEntry, scalarText } from '../values/json.ts';
import type { ValueKind } from '../values/kind.ts';
import { fieldValue } from './fields.ts';
import { htmlToLine, htmlToText } from './html-text.ts';
import { neutraliseLine, neutraliseText } from './neutralise.ts';

export type CellKind = ValueKind;

export type ShowDateTime = (utc: string) => string;

/**
 * Returns a value as text on one line. A duration becomes `1h30`. Rich text loses its tags. A relation becomes its name, and a list becomes
 * its first five items. Empty for null and undefined.
 */
export function cellText(value: JsonValue | undefined, kind: CellKind | undefined, showDateTime: ShowDateTime): string {
  return neutraliseLine(humanText(value, kind, showDateTime, LINES));
}

export function pageText(value: JsonValue | undefined, kind: CellKind | undefined, showDateTime: ShowDateTime): string {
  return neutraliseText(humanText(value, kind, showDateTime, PAGES));
}

export function recordText(record: JsonObject, path: string, kind: CellKind | undefined, showDateTime: ShowDateTime): string {
  const text = cellText(fieldValue(record, path), kind, showDateTime);
  const currency = kind === 'money' && text !== '' ? currencyOf(record) : undefined;
  return currency === undefined ? text : `${text} ${neutraliseLine(currency)}`;
}

/**
 * Returns the currency that a record names. The documentation names no field for a currency (rule 2.27). Undefined if the record names no
 * currency.
 */
export function currencyOf(record: JsonObject): string | undefined {
  const value = fieldValue(record, 'currency') ?? fieldValue(record, 'currency_code');
  return typeof value === 'string' ? value : value === undefined || value === null ? undefined : JSON.stringify(value);
}

export function alignsRight(kind: CellKind | undefined): boolean {
  return kind !== undefined && RIGHT.has(kind);
}

export function mustStayWhole(kind: CellKind | undefined): boolean {
  return kind !== undefined && WHOLE.has(kind);
}

const RIGHT: ReadonlySet<CellKind> = new Set(['id', 'integer', 'duration', 'money', 'decimal', 'number', 'percentage']);
const WHOLE: ReadonlySet<CellKind> = new Set([...RIGHT, 'work-item', 'date', 'date-time', 'span-end', 'time', 'boolean']);

/**
 * Returns a function that writes a UTC date-time in the form `2025-03-31 14:00`. Without a time zone, and for a text in another form, the
 * function returns the text unchanged.
 * @param timeZone IANA name that Node accepts.
 */
export function dateTimeDisplay(timeZone: string | undefined): ShowDateTime {
  if (timeZone === undefined) return (utc) => utc;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (utc) => {
    if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(utc) || Number.isNaN(Date.parse(utc))) return utc;
    const part = new Map(format.formatToParts(new Date(utc)).map(({ type, value }) => [type, value]));
    return `${part.get('year')}-${part.get('month')}-${part.get('day')} ${part.get('hour')}:${part.get('minute')}`;
  };
}

interface RichText {
  html(text: string): string;
  markdown(text: string): string;
}

const LINES: RichText = { html: htmlToLine, markdown: markdownToLine };
/** Detail views print Markdown unchanged, because people can read Markdown. */
const PAGES: RichText = { html: htmlToText, markdown: (text) => text };

function humanText(value: JsonValue | undefined, kind: CellKind | undefined, showDateTime: ShowDateTime, rich: RichText): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return listText(value.map((item: JsonValue) => humanText(item, kind, showDateTime, LINES)));
  if (isRawNumber(value)) return value.rawJSON;
  if (isJsonObject(value)) return relationText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (kind === 'duration' && typeof value === 'number' && Number.isInteger(value)) return formatDuration(value);
  if (kind === 'enum' && typeof value === 'string') return value.replaceAll('_', ' ');
  if (kind === 'percentage' && typeof value === 'number') return `${value}%`;
  if ((kind === 'date-time' || kind === 'span-end') && typeof value === 'string') return showDateTime(value);
  if ((kind === 'html' || kind === 'markdown') && typeof value === 'string') return rich[kind](value);
  return String(value);
}

function relationText(record: JsonObject): string {
  for (const name of ['name', 'title', 'issue_key', 'label', 'number', 'id']) {
    const value = ownEntry(record, name);
    if (value !== '' && (typeof value === 'string' || typeof value === 'number' || isRawNumber(value))) return scalarText(value);
  }
  return scalarText(record);
}

const MOST_ITEMS = 5;

function listText(items: readonly string[]): string {
  const shown = items.filter((item) => item !== '');
  return shown.length > MOST_ITEMS ? `${shown.slice(0, MOST_ITEMS).join(', ')} +${shown.length - MOST_ITEMS}` : shown.join(', ');
}

const LONGEST = 2_000;

function markdownToLine(markdown: string): string {
  return markdown
    .slice(0, LONGEST)
    .split('\n')
    .filter((line) => !/^\s*(```|~~~|([-*_])(\s*\2){2,}\s*$)/.test(line))
    .map((line) => line.replace(/^[\s>]*(#{1,6}\s+|[-*+]\s+(\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)?/, '').trimEnd())
    .filter((line) => line !== '')
    .join(' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(?=\S)([^*_~`]+)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=\S)([^*_]+)\1(?![\w*])/g, '$2');
}
