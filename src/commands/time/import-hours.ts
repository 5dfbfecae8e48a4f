import type { SourceRow } from '../../bulk/import/source.ts';
import type { Translation } from '../../bulk/import/translation.ts';
import { type Options, parsed, repeated, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { ownUserId } from '../../records/lookups.ts';
import type { Context } from '../../session/context.ts';
import { type DateOrder, dateReader, type ExportFormat, type ExportRow, recogniseExport, wholeMinutes } from '../../time/exports.ts';
import { formatDuration } from '../../values/duration.ts';
import { parseId } from '../../values/integer.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { parseUser } from '../../values/user.ts';
import { createMatcher, type Matcher } from './match-names.ts';
import { matchPeople } from './match-people.ts';

const OPTIONS = {
  map: repeated('--map <name=id>', 'A project of the file is this one: --map "Website=12"; may be repeated', {
    group: 'Files of other programs',
  }),
  user: parsed('--user <id|me>', 'Whose hours all of them are', parseUser, { group: 'Files of other programs' }),
  dateOrder: text('--date-order <order>', 'How dates are written, where the file leaves it open', {
    choices: ['ymd', 'dmy', 'mdy'],
    group: 'Files of other programs',
  }),
} as const satisfies Options;

/** How `worklogs import` understands the exports of Toggl Track, Clockify and Harvest, and names instead of ids in its own files. */
export const hoursTranslation: Translation = {
  description:
    'The detailed exports of Toggl Track, Clockify and Harvest are recognised by their columns. Projects are found by id, key or exact name, work items by a key in the task, the tags or the description, or by the task’s exact name. Whatever is unclear is listed before anything is sent.',
  options: OPTIONS,
  async rows(context, rows, options) {
    const format = recogniseExport(rows.flatMap(({ values }) => Object.keys(values)));
    const { map, user, dateOrder } = options as {
      readonly map?: readonly string[];
      readonly user?: number | 'me';
      readonly dateOrder?: DateOrder;
    };
    const matcher = createMatcher(context, readMap(map ?? []));
    if (format === undefined) return ownRows(rows, matcher, user === undefined ? undefined : await userId(context, user));
    return exportRows(context, rows, format, matcher, { user, dateOrder });
  },
};

interface Choices {
  readonly user: number | 'me' | undefined;
  readonly dateOrder: DateOrder | undefined;
}

async function exportRows(
  context: Context,
  rows: readonly SourceRow[],
  format: ExportFormat,
  matcher: Matcher,
  { user, dateOrder }: Choices,
): Promise<readonly SourceRow[]> {
  const problems = createProblems();
  const read = rows.flatMap(({ line, values }) => {
    const entry = problems.at(line, () => format.read(texts(values)));
    return entry === undefined ? [] : [{ line, entry }];
  });
  const toDate = dateReader(
    read.map(({ entry }) => entry.date),
    dateOrder,
  );
  const people =
    user === undefined
      ? await matchPeople(
          context,
          read.map(({ entry }) => entry),
        )
      : undefined;
  const fixedUser = user === undefined || user === 'me' ? undefined : user;
  await matcher.prepare(read.map(({ entry }) => entry));
  const bodies = read.flatMap(({ line, entry }) => {
    const body = problems.at(line, (): JsonObject => {
      const { project, workItem, description } = matcher.match(entry);
      if (entry.seconds <= 0) throw new UsageError('there is no time in it.');
      const userOf = fixedUser ?? people?.(entry);
      return {
        date: toDate(entry.date),
        minutes: wholeMinutes(entry.seconds),
        ...(description !== '' && { description }),
        ...(workItem !== undefined && { work_item_id: workItem }),
        ...(project !== undefined && workItem === undefined && { project_id: project }),
        ...(userOf !== undefined && { user_id: userOf }),
        ...(entry.billable === false && { is_not_billable: true }),
      };
    });
    return body === undefined ? [] : [{ line, values: body }];
  });
  problems.refuse(rows.length);
  await context.notice(
    summaryOf(
      format,
      read.map(({ entry }) => entry),
      bodies,
    ),
  );
  for (const line of matcher.remarks()) await context.notice(line);
  return bodies;
}

/** A file in svc's own columns, in which a project may stand by name, and a duration and a work item under the names that people use. */
async function ownRows(rows: readonly SourceRow[], matcher: Matcher, user: number | undefined): Promise<readonly SourceRow[]> {
  const problems = createProblems();
  const named = rows.filter(({ values }) => isText(values['project']) && values['project_id'] === undefined);
  if (named.length > 0)
    await matcher.prepare(named.map(({ values }) => ({ project: String(values['project']), task: '', tags: '', description: '' })));
  const done = rows.flatMap(({ line, values }) => {
    const { project, duration, work_item: item, ...rest } = values;
    const body = problems.at(line, (): JsonObject => {
      const id = isText(project) && values['project_id'] === undefined ? matcher.project(project) : undefined;
      return {
        ...rest,
        ...(id !== undefined && { project_id: id }),
        ...(isText(duration) && values['minutes'] === undefined && { minutes: duration }),
        ...(isText(item) && values['work_item_id'] === undefined && { work_item_id: item }),
        ...(user !== undefined && { user_id: user }),
      };
    });
    return body === undefined ? [] : [{ line, values: body }];
  });
  problems.refuse(rows.length);
  return done;
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function texts(values: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

async function userId(context: Context, user: number | 'me'): Promise<number | undefined> {
  const id = user === 'me' ? await ownUserId(context) : user;
  return typeof id === 'number' ? id : undefined;
}

/** `Website=12`. */
function readMap(texts: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    texts.map((text) => {
      const cut = text.lastIndexOf('=');
      if (cut < 1) throw new UsageError(`--map: "${text}" has no name and id.`, { hint: 'Write --map "Website=12".' });
      return [text.slice(0, cut).trim(), parseId(text.slice(cut + 1))];
    }),
  );
}

function summaryOf({ kind }: ExportFormat, entries: readonly ExportRow[], bodies: readonly SourceRow[]): string {
  const dates = bodies.map(({ values }) => String(values['date'])).sort();
  const minutes = bodies.reduce((sum, { values }) => sum + Number(values['minutes']), 0);
  const rounded = entries.filter(({ seconds }) => seconds % 60 !== 0).length;
  const items = new Set(bodies.flatMap(({ values }) => values['work_item_id'] ?? [])).size;
  const projects = new Set(entries.flatMap(({ project }) => (project === '' ? [] : [project]))).size;
  return [
    `An export of ${kind}: ${counted(bodies.length, 'row')}, ${dates[0]} to ${dates.at(-1)}, ${formatDuration(minutes)} in all, on ${counted(items, 'work item')} and ${counted(projects, 'project')}.`,
    ...(rounded > 0 ? [`Rounded to whole minutes: ${counted(rounded, 'row')}.`] : []),
  ].join(' ');
}

/** `1 row`, `2 rows`. */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Collects what is wrong, line by line, so that all of it can be said at once. */
function createProblems() {
  const found = new Map<string, number[]>();
  return {
    /** Runs `read`; what it refuses is kept under the line. */
    at<T>(line: number, read: () => T): T | undefined {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        found.set(error.message, [...(found.get(error.message) ?? []), line]);
        return undefined;
      }
    },
    /** @throws UsageError when something was found. */
    refuse(rows: number): void {
      const bad = [...found.values()].flat().length;
      if (bad === 0) return;
      throw new UsageError(`${bad} of ${rows} rows cannot be sent, so nothing was.`, {
        hint: 'Mend the file, or name projects with --map "name=id".',
        details: { lines: [...found].slice(0, 50).map(([message, lines]) => `${linesText(lines)}: ${message}`) },
      });
    },
  };
}

/** `line 3`, `lines 3, 5 and 7`, `lines 3, 5, 6 and 12 more`. */
function linesText(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (lines.length <= 4) return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
  return `lines ${lines.slice(0, 3).join(', ')} and ${lines.length - 3} more`;
}
