import { sendEach } from '../../bulk/in-order.ts';
import { defineCommand, type LoadedCommand, toggle } from '../../cli/spec.ts';
import { ConflictError, DeclinedError, NotFoundError, SvcError, UnavailableError, UsageError, withMore } from '../../errors.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { readRecord } from '../../records/record-at.ts';
import { checkMayDelete, describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import { readWorklog, worklogCreation, worklogDeletion, worklogUpdate } from '../../records/worklogs.ts';
import type { Asking, Context, Needs } from '../../session/context.ts';
import { type Printing, printOneOrMany, printRows, viewOf } from '../../session/print.ts';
import { dayName } from '../../time/calendar.ts';
import { type DateRange, rangeOf } from '../../time/date-range.ts';
import { readWeekOrDay } from '../../time/day-list.ts';
import {
  compareDays,
  type DayChanges,
  dayText,
  type KnownEntry,
  type LineTarget,
  manyLines,
  readDayText,
  type Shown,
  shownEntry,
  type TextLine,
  targetWord,
} from '../../time/day-text.ts';
import { readEntry } from '../../time/entry.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import type { TemporalNamespace } from '../../values/temporal.ts';
import { quote } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { editorCommand, editText, withDraftFile } from '../editor.ts';
import { type FindingTargets, findTarget, type Placing } from './target.ts';
import { readDaysOf } from './week/read-week.ts';

export function editDaysCommand(base: LoadedCommand<Context>): LoadedCommand<Context> {
  return defineCommand({
    ...base,
    showsGlobals: ['host', 'output', 'dryRun', 'yes'],
    summary: 'Change a day, a week or an entry in your editor',
    description:
      'Without an id, svc opens your entries of a day or a week as text, one line for each entry. Change, add, move or delete lines. svc shows the updates, creations and deletions, and asks before it sends these writes. svc never overwrites an entry that somebody else changed. Deleting needs a personal access token. An empty file changes nothing.',
    args: [
      { name: 'what', summary: 'A day, the id of an entry, or last for the entry that you wrote last (default: today)', optional: true },
    ],
    ...(base.options && { catalogOptions: base.options }),
    options: { week: toggle('--week', 'Open the whole week of the day. The day can also be a week: last, next or 2026-W23') },
    examples: [
      { args: 'worklogs edit', does: 'Edit the entries of today' },
      { args: 'worklogs edit monday', does: 'Edit the entries of the latest Monday' },
      { args: 'worklogs edit --week last', does: 'Edit the entries of last week' },
      { args: 'worklogs edit 812', does: 'Edit every field of one entry' },
    ],
    async run(context: Context, { args, options, given }) {
      const [what = 'today'] = args;
      if (/^(?:\d+|last)$/i.test(what) && !options.week) return base.run?.(context, { args, options: given });
      const dates = await context.dates();
      const isWeek = options.week === true || /^(?:this|next|\d{4}-?w\d{2})$/i.test(what);
      await editDays(context, rangeOf(readWeekOrDay(what, isWeek, dates)));
    },
  });
}

async function editDays(
  context: Needs<Printing | ReadingValues | Placing | Asking | 'credentials' | 'paths'>,
  range: DateRange,
): Promise<void> {
  if (!context.interactive) {
    throw new UsageError('Editing needs a terminal.', { hint: 'In a script: svc worklogs update --help' });
  }
  const editor = await editorCommand(context);
  const { days, entries, dates } = await readDaysOf(context, 'me', range);
  const hidden = entries.find(({ projectId, workItemId }) => workItemId === undefined || (workItemId === null && projectId === undefined));
  if (hidden !== undefined) {
    throw new UnavailableError(`The service does not show the work item or project of entry ${hidden.id}, so svc cannot show the entry.`, {
      hint: `Edit that entry alone: svc worklogs edit ${hidden.id}`,
    });
  }
  const draft = { name: `hours-${range.first}`, extension: 'txt', content: dayText(days, entries, dates.temporal) };
  await withDraftFile(context, draft, async (file) => {
    const known = new Set(entries.flatMap(({ id }) => id ?? []));
    const shown = days.map(({ date }) => date);
    const lines = await editUntilReadable(context, editor, file, (typed) => readDayText(typed, known, shown));
    const changes = compareDays(entries, lines ?? []);
    if (lines === undefined || changes.created.length + changes.updated.length + changes.deleted.length === 0)
      return context.notice('svc changed nothing.');
    await applyChanges(context, await planChanges(context, changes, dates.temporal));
  });
}

/**
 * Opens the editor until svc can read the text. Returns undefined for a file that is empty or has only comments.
 *
 * @throws UsageError if the user stops.
 */
async function editUntilReadable(
  context: Needs<'env' | 'files' | 'notice' | 'programs' | 'prompts' | 'signal' | 'system'>,
  editor: string,
  file: string,
  read: (text: string) => readonly TextLine[],
): Promise<readonly TextLine[] | undefined> {
  const { prompts } = context;
  for (;;) {
    const text = await editText(context, editor, file);
    if (text.split('\n').every((line) => line.trim() === '' || line.startsWith('#'))) return undefined;
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      for (const line of [error.message, ...(error.details.lines ?? []), error.hint ?? '']) await context.notice(line);
      if (!(await prompts.confirm('Edit again?', context.signal))) throw error;
    }
  }
}

interface Step {
  readonly write: WriteRequest;
  readonly words: string;
}

/**
 * Converts the changes to writes, without sending the writes. svc reads each changed or deleted entry again for its ETag.
 *
 * @throws ConflictError if somebody changed an entry, NotFoundError for an unknown work item.
 */
export async function planChanges(
  context: Needs<FindingTargets | 'credentials'>,
  { created, updated, deleted }: DayChanges,
  temporal: TemporalNamespace,
): Promise<readonly Step[]> {
  if (deleted.length > 0) await checkMayDelete(context);
  const targets = targetFinder(context);
  const update = async ({ line, before, changed }: (typeof updated)[number]): Promise<Step> => {
    const [ifMatch, ...fields] = await together(etagIfSame(context, before), ...changed.map((name) => fieldsOf(name, line, targets)));
    const was = shownEntry(before);
    const parts = changed.map((name) => `${WORDS[name]} ${shownValue(name, was)} → ${shownValue(name, line)}`);
    return {
      write: worklogUpdate(before.id, Object.assign({}, ...fields), ifMatch),
      words: `Change ${before.id}: ${parts.join(', ')}`,
    };
  };
  const create = async (line: TextLine): Promise<Step> => {
    const body: JsonObject = {
      date: line.date,
      minutes: line.minutes,
      ...(line.target.kind === 'none' ? {} : await targets(line.target, line)),
      ...(line.description !== '' && { description: manyLines(line.description) }),
    };
    return { write: worklogCreation(body), words: `Add: ${sentence(line, temporal)}` };
  };
  const remove = async (entry: KnownEntry): Promise<Step> => {
    const ifMatch = await etagIfSame(context, entry);
    return { write: worklogDeletion(entry.id, ifMatch), words: `Delete ${entry.id}: ${sentence(shownEntry(entry), temporal)}` };
  };
  return together(...updated.map(update), ...created.map(create), ...deleted.map(remove));
}

async function applyChanges(
  context: Needs<Printing | 'catalog' | 'client' | 'host' | 'prompts' | 'signal'>,
  steps: readonly Step[],
): Promise<void> {
  const resource = await context.catalog.of('worklogs');
  if (context.globals.dryRun) {
    return printOneOrMany(context, await Promise.all(steps.map(({ write }) => describeWrite(context, resource, write))), true);
  }
  for (const { words } of steps) await context.notice(words);
  const question = steps.length === 1 ? 'Send this change?' : `Send these ${steps.length} changes?`;
  if (!context.globals.yes && !(await context.prompts.confirm(question, context.signal)))
    throw new DeclinedError('svc sent nothing.', { hint: 'To start again: svc worklogs edit' });
  let done = 0;
  const send = async ({ write }: Step) => {
    const response = await sendWrite(context, write);
    done += 1;
    return write.method === 'DELETE' ? undefined : readRecord(response);
  };
  // svc sends deletions last, so that a replacement exists before the deletion of the old entry.
  const { others = [], deletions = [] } = Object.groupBy(steps, ({ write }) => (write.method === 'DELETE' ? 'deletions' : 'others'));
  const stoppedAt = ({ item: { words }, error }: { readonly item: Step; readonly error: unknown }) =>
    error instanceof SvcError ? withMore(error, { lines: [`${done} of ${steps.length} were done. svc stopped at: ${words}`] }) : error;
  const records = async function* () {
    for (const run of [others, deletions])
      for await (const record of sendEach(run, send, stoppedAt)) if (record !== undefined) yield record;
  };
  await printRows(context, records(), viewOf(resource));
}

const WORDS: Readonly<Record<keyof Shown, string>> = { date: 'day', minutes: 'time', target: 'of', description: 'text' };

function shownValue(name: keyof Shown, shown: Shown): string {
  if (name === 'minutes') return formatDuration(shown.minutes);
  if (name === 'target') return targetWord(shown.target);
  return name === 'date' ? shown.date : quote(shown.description);
}

function sentence({ date, minutes, target, description }: Shown, temporal: TemporalNamespace): string {
  return [
    `${formatDuration(minutes)} on ${dayName(date, temporal)}`,
    ...(target.kind === 'none' ? [] : [targetWord(target)]),
    ...(description === '' ? [] : [quote(description)]),
  ].join(', ');
}

type FindTarget = (target: LineTarget, line: Pick<TextLine, 'line'>) => Promise<JsonObject>;

function targetFinder(context: Needs<FindingTargets>): FindTarget {
  const found = new Map<string, Promise<JsonObject>>();
  let named: Promise<unknown> = Promise.resolve();
  const find = async (target: LineTarget & { readonly kind: 'key' | 'named-project' }) => {
    if (target.kind === 'key') return (await findTarget(context, { workItem: target.key })).fields;
    // A question about a part of a name waits until the user has answered the previous question.
    const next = named.then(() => findTarget(context, { project: target.name }));
    named = next;
    return (await next).fields;
  };
  return async (target, { line }) => {
    if (target.kind === 'none') return { work_item_id: null, project_id: null };
    if (target.kind === 'project') return { project_id: target.id };
    if (target.kind === 'item') return { work_item_id: target.id };
    const word = targetWord(target);
    const known = found.get(word) ?? find(target);
    found.set(word, known);
    try {
      return await known;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError(`line ${line}: there is no work item ${word}.`, {
        hint: 'svc sent nothing.',
        details: error.details,
        cause: error,
      });
    }
  };
}

async function fieldsOf(name: keyof Shown, line: TextLine, targets: FindTarget): Promise<JsonObject> {
  switch (name) {
    case 'date':
      return { date: line.date };
    case 'minutes':
      return { minutes: line.minutes };
    case 'description':
      return { description: manyLines(line.description) };
    case 'target':
      // An entry belongs to a work item or to a project, so a new project clears the work item.
      return {
        ...(['project', 'named-project'].includes(line.target.kind) && { work_item_id: null }),
        ...(await targets(line.target, line)),
      };
  }
}

/** Returns the ETag of an entry that nobody changed since svc read the entry. @throws ConflictError if somebody changed the entry. */
async function etagIfSame(context: Needs<'client'>, before: KnownEntry): Promise<string | undefined> {
  const { record, etag, requestId } = await readWorklog(context, before.id);
  const now = readEntry(record);
  // A field that the list did not show counts as unchanged.
  const same = (['date', 'minutes', 'description', 'projectId', 'workItemId'] as const).every(
    (name) => before[name] === undefined || now[name] === before[name],
  );
  if (same) return etag;
  throw new ConflictError(`Somebody changed entry ${before.id} while you were editing, so svc sent nothing.`, {
    hint: `See the current entry: svc worklogs get ${before.id}`,
    details: { request_id: requestId },
  });
}
