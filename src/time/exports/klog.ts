import { UsageError } from '../../errors.ts';
import { isJsonObject, type JsonObject, jsonIn, scalarText } from '../../values/json.ts';
import { quote } from '../../values/text.ts';
import { type ExportFormat, NO_NAMES } from './define.ts';

interface KlogRow {
  readonly line: number;
  readonly values: JsonObject;
}

/** The format of klog text and of `klog json`. klog has no projects, so a tag can name a project: `#web-shop` or `#project=web-shop`. */
export const klog: ExportFormat = {
  kind: 'klog',
  fits: (has) => has('date', 'total_mins', 'summary'),
  read(cells) {
    const summary = cells('summary');
    const minutes = cells.read(['total_mins'], readMinutes);
    return {
      ...NO_NAMES,
      date: cells('date'),
      dateColumn: cells.column('date'),
      seconds: minutes * 60,
      maybeProjects: tagsIn(summary),
      description: summary,
      ...(cells('type') === 'open_range' && { skip: 'still running' }),
    };
  },
};

/**
 * Reads a klog file, or the output of `klog json`. Undefined for any other text. @throws UsageError for a line that svc can’t read, and for
 * JSON with errors of klog.
 */
export function klogRows(text: string): readonly KlogRow[] | undefined {
  if (/^\s*\{\s*"records"\s*:/.test(text)) return readEnvelope(text);
  return /^\s*\d{4}([-/])\d\d\1\d\d[ \t]*(?:\([^)]*!\)[ \t]*)?(?:\r?\n|$)/.test(text) ? readKlogText(text) : undefined;
}

function readEnvelope(text: string): readonly KlogRow[] | undefined {
  const envelope = jsonIn(text);
  if (envelope === undefined) return undefined;
  const records = isJsonObject(envelope) ? envelope['records'] : undefined;
  if (!Array.isArray(records)) {
    throw new UsageError('klog could not read its file: the JSON has errors and no records.', { hint: 'See: klog print' });
  }
  const rows = records.filter(isJsonObject).flatMap((record) => {
    const entries = Array.isArray(record['entries']) ? record['entries'].filter(isJsonObject) : [];
    return entries.map((entry) => ({
      date: record['date'] ?? null,
      type: entry['type'] ?? null,
      total_mins: entry['total_mins'] ?? null,
      summary: scalarText(entry['summary']) || scalarText(record['summary']),
    }));
  });
  return rows.map((values, index) => ({ line: index + 1, values }));
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!Number.isInteger(minutes)) throw new UsageError(`${quote(text)} is not a number of minutes.`);
  // klog subtracts a negative time from the total of the day. svc does not know which entry to make shorter.
  if (minutes < 0) throw new UsageError(`${quote(text)} subtracts time, which svc cannot log. Make another entry shorter.`);
  return minutes;
}

/** Returns the value of each tag. For a tag without a value, returns the name: `#web-shop`, `#project=web-shop`, `#project="Web shop"`. */
function tagsIn(text: string): string[] {
  return [...text.matchAll(/#([\p{L}\d_-]+)(?:=(?:"([^"]*)"|'([^']*)'|([\p{L}\d_-]+)))?/gu)].map(
    ([, name = '', double, single, bare]) => double ?? single ?? bare ?? name,
  );
}

/** Reads klog text (klog specification 1.4): blocks of a date and indented entries. @throws UsageError that names the line. */
function readKlogText(text: string): readonly KlogRow[] {
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
      rows.push({ line, date, ...readLogEntry(raw.trim(), line, about) });
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

function readLogEntry(text: string, line: number, about: string) {
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
  if (sign === undefined || !/^[+-]?\d/.test(text)) throw unreadable(text, line, 'Write an entry as 1h30m, or 9:00 - 10:30.');
  return { type: 'duration', total_mins: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), summary };
}

/** Converts a klog time to minutes since midnight of the day. `<23:00` is on the day before, `1:00>` on the day after. */
function minutesOf([before, hour, minute, half, after]: readonly (string | undefined)[]): number {
  const clock = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return clock * 60 + Number(minute) + (after === '>' ? 1440 : 0) - (before === '<' ? 1440 : 0);
}

function unreadable(text: string, line: number, hint: string): UsageError {
  return new UsageError(`svc cannot read line ${line} of the klog file: ${quote(text.trim())}.`, { hint });
}
