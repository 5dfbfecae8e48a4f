import { UsageError } from '../errors.ts';
import { formatDuration, parseDuration } from '../values/duration.ts';
import type { TemporalNamespace } from '../values/temporal.ts';
import { quote } from '../values/text.ts';
import { dayName } from './calendar.ts';
import type { Day } from './day.ts';
import type { Entry } from './entry.ts';

/**
 * The work item or project of a line. The user can type the id, the key or the name of a project: `project:3`, `project:WEB`, `project:"Web
 * shop"`.
 */
export type LineTarget =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'item'; readonly id: number }
  | { readonly kind: 'project'; readonly id: number }
  | { readonly kind: 'named-project'; readonly name: string }
  | { readonly kind: 'none' };

export interface TextLine {
  readonly line: number;
  readonly id: number | undefined;
  readonly date: string;
  readonly minutes: number;
  readonly target: LineTarget;
  readonly description: string;
}

export type Shown = Pick<TextLine, 'date' | 'minutes' | 'target' | 'description'>;

export function dayText(
  days: readonly Pick<Day, 'date' | 'logged' | 'target' | 'gap'>[],
  entries: readonly Entry[],
  temporal: TemporalNamespace,
): string {
  const blocks = days.map((day) => {
    const own = entries.filter(({ date }) => date === day.date).sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
    return [`${dayName(day.date, temporal)}${sumOf(day)}`, ...own.map(entryLine)].join('\n');
  });
  const names = entries.flatMap((entry) => {
    const { target } = shownEntry(entry);
    return target.kind === 'project' && entry.project !== undefined ? [`# ${targetWord(target)} is ${oneLine(entry.project)}`] : [];
  });
  const introduction = [INTRODUCTION, ...(names.length === 0 ? [] : ['#']), ...new Set(names)].join('\n');
  return `${introduction}\n\n${blocks.join('\n\n')}\n`;
}

export function shownEntry({ date, minutes, description, key, workItemId, projectId }: Entry): Shown {
  const target: LineTarget =
    key !== undefined
      ? { kind: 'key', key }
      : typeof workItemId === 'number'
        ? { kind: 'item', id: workItemId }
        : typeof projectId === 'number'
          ? { kind: 'project', id: projectId }
          : { kind: 'none' };
  return { date, minutes, target, description: oneLine(description) };
}

export function readDayText(text: string, known: ReadonlySet<number>, days: readonly string[]): TextLine[] {
  const lines: TextLine[] = [];
  const problems: string[] = [];
  const seen = new Set<number>();
  let date: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const typed = raw.trim();
    if (typed === '' || typed.startsWith('#')) continue;
    const heading = HEADING.exec(typed)?.[1];
    try {
      if (heading !== undefined) {
        if (!days.includes(heading)) throw new UsageError(`${heading} is not a day in this text.`);
        date = heading;
        continue;
      }
      const entry = readLine(typed);
      if (date === undefined) throw new UsageError('the line is above the first day.');
      if (entry.id !== undefined && !known.has(entry.id)) throw new UsageError(`no entry [${entry.id}] was in this text.`);
      if (entry.id !== undefined && seen.has(entry.id))
        throw new UsageError(`the text has [${entry.id}] twice; a line without an id is a new entry.`);
      if (entry.id !== undefined) seen.add(entry.id);
      lines.push({ ...entry, line: index + 1, date });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(`line ${index + 1}: ${error.message}`);
    }
  }
  if (problems.length === 0) return lines;
  throw new UsageError(problems.length === 1 ? 'svc cannot read a line.' : `svc cannot read ${problems.length} lines.`, {
    hint: 'Write a duration, ABC-12 (or project:3, item:4711, -), and a text on each line.',
    details: { lines: problems },
  });
}

export interface DayChanges {
  readonly created: readonly TextLine[];
  readonly updated: readonly { readonly line: TextLine; readonly before: KnownEntry; readonly changed: readonly (keyof Shown)[] }[];
  readonly deleted: readonly KnownEntry[];
}

export type KnownEntry = Entry & { readonly id: number };

export function compareDays(before: readonly Entry[], after: readonly TextLine[]): DayChanges {
  const known = before.filter((entry): entry is KnownEntry => entry.id !== undefined);
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const remaining = new Set(after.map(({ id }) => id));
  return {
    created: after.filter(({ id }) => id === undefined),
    updated: after.flatMap((line) => {
      const entry = line.id === undefined ? undefined : byId.get(line.id);
      if (entry === undefined) return [];
      const shown = shownEntry(entry);
      const changed = FIELDS.filter((name) => JSON.stringify(shown[name]) !== JSON.stringify(line[name]));
      return changed.length === 0 ? [] : [{ line, before: entry, changed }];
    }),
    deleted: known.filter(({ id }) => !remaining.has(id)),
  };
}

/** Writes a work item or project as users type it: `ABC-12`, `project:3`. */
export function targetWord(target: LineTarget): string {
  switch (target.kind) {
    case 'key':
      return target.key;
    case 'none':
      return '-';
    case 'named-project':
      return `project:${target.name}`;
    default:
      return `${target.kind}:${target.id}`;
  }
}

export function manyLines(description: string): string {
  return description.replace(/ ?⏎ ?/g, '\n');
}

const FIELDS: readonly (keyof Shown)[] = ['date', 'minutes', 'target', 'description'];

const INTRODUCTION = `# A line is an entry: a duration, the work item or project, and a text.
#
#     1h30  ABC-12     Review
#     45m   project:3  Planning
#     15m   -          Something else
#
# Change lines, add some, delete some, or move one below another day.
# [812] is the id of the entry; a line without an id is a new entry.
# svc sends nothing before you have seen and confirmed the changes.`;

const HEADING = /^(?:[A-Za-z]{2,9}\s+)?(\d{4}-\d{2}-\d{2})\s*(?:#.*)?$/;

function sumOf({ logged, target, gap }: Pick<Day, 'logged' | 'target' | 'gap'>): string {
  const of = target === undefined || target === 0 ? '' : ` of ${formatDuration(target)}`;
  return `  # ${formatDuration(logged)}${of}${gap !== undefined && gap > 0 ? `, ${formatDuration(gap)} missing` : ''}`;
}

function entryLine(entry: Entry): string {
  const { minutes, target, description } = shownEntry(entry);
  return `[${entry.id}]  ${formatDuration(minutes).padEnd(5)}  ${targetWord(target).padEnd(9)}  ${description}`.trimEnd();
}

function oneLine(text: string): string {
  return text
    .replace(/\s*[\n\v\f\r\u0085\u2028\u2029]+\s*/g, ' ⏎ ')
    .replace(/[\t ]+/g, ' ')
    .trim();
}

function readLine(typed: string): Omit<TextLine, 'line' | 'date'> {
  const [, id, duration = '', word, description = ''] =
    /^(?:\[(\d+)\]\s*)?(\S+)(?:\s+(project:"[^"]+"|\S+))?(?:\s+(.*))?$/i.exec(typed) ?? [];
  const minutes = parseDuration(duration);
  if (word === undefined) throw new UsageError('the work item or project is missing: ABC-12, project:3, or -.');
  return { id: id === undefined ? undefined : Number(id), minutes, target: readTarget(word), description: oneLine(description) };
}

function readTarget(word: string): LineTarget {
  if (word === '-') return { kind: 'none' };
  if (/^[A-Za-z][A-Za-z0-9]*-\d+$/.test(word)) return { kind: 'key', key: word.toUpperCase() };
  const [, kind, id] = /^(project|item):(\d{1,15})$/i.exec(word) ?? [];
  const [, quoted, name = quoted] = /^project:(?:"([^"]+)"|([^"\d].*))$/i.exec(word) ?? [];
  if (name !== undefined) return { kind: 'named-project', name };
  if (kind === undefined) throw new UsageError(`${quote(word)} is neither a work item (ABC-12), nor project:3, nor item:4711, nor -.`);
  return { kind: kind.toLowerCase() === 'item' ? 'item' : 'project', id: Number(id) };
}
