import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import { quote } from '../../values/text.ts';

export interface KlogRow {
  readonly line: number;
  readonly values: JsonObject;
}

/** klog specification 1.4: each day is a block, the date and then the indented entries. @throws UsageError that names the line. */
export function readKlogText(text: string): readonly KlogRow[] {
  const rows: { line: number; date: string; type: string; total_mins: number; summary: string }[] = [];
  let date: string | undefined;
  let about = '';
  let indent: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    if (raw.trim() === '') {
      date = undefined;
      continue;
    }
    if (date === undefined) {
      date = dateOf(raw, line);
      about = '';
      indent = undefined;
      continue;
    }
    const last = rows.at(-1);
    const space = /^[\t ]*/.exec(raw)?.[0] ?? '';
    if (space === '' && indent === undefined) about = `${about} ${raw.trim()}`.trim();
    else if (last !== undefined && indent !== undefined && space.startsWith(indent + indent))
      last.summary = `${last.summary} ${raw.trim()}`.trim();
    else if (space !== '' && (indent ?? space) === space) {
      rows.push({ line, date, ...readEntry(raw.trim(), line, about) });
      indent = space;
    } else throw unreadable(raw, line, 'Indent all entries of a day equally.');
  }
  return rows.map(({ line, ...values }) => ({ line, values }));
}

function dateOf(text: string, line: number): string {
  const [, year, , month, day] = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:\s+\([^)]*!\))?\s*$/.exec(text) ?? [];
  if (year === undefined) throw unreadable(text, line, 'Each block begins with its date.');
  return `${year}-${month}-${day}`;
}

const TIME = String.raw`(<?)(\d{1,2}):([0-5]\d)(am|pm)?(>?)`;
const RANGE = new RegExp(`^${TIME}\\s*-\\s*(?:${TIME}|\\?+)(?:\\s+(.*))?$`);

function readEntry(text: string, line: number, about: string) {
  const range = RANGE.exec(text);
  if (range !== null) {
    const start = minutesOf(range.slice(1, 6));
    const summary = range[11] ?? about;
    if (range[7] === undefined) return { type: 'open_range', total_mins: 0, summary };
    const minutes = minutesOf(range.slice(6, 11)) - start;
    if (minutes < 0) throw unreadable(text, line, 'The entry ends before it starts.');
    return { type: 'range', total_mins: minutes, summary };
  }
  const [, sign, hours = '0', minutes = '0', summary = about] = /^([+-]?)(?:(\d+)h)?(?:(\d+)m)?(?:\s+(.*))?$/.exec(text) ?? [];
  if (sign === undefined || !/^[+-]?\d/.test(text)) throw unreadable(text, line, 'An entry is 1h30m, or 9:00 - 10:30.');
  return { type: 'duration', total_mins: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), summary };
}

/** Converts a klog time to minutes since midnight of the day. `<23:00` is on the day before, `1:00>` on the day after. */
function minutesOf([before, hour, minute, half, after]: readonly (string | undefined)[]): number {
  const clock = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return clock * 60 + Number(minute) + (after === '>' ? 1440 : 0) - (before === '<' ? 1440 : 0);
}

function unreadable(text: string, line: number, hint: string): UsageError {
  return new UsageError(`Line ${line} of the klog file cannot be read: ${quote(text.trim())}.`, { hint });
}
