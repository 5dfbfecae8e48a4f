import { sendEach } from '../../bulk/send-each.ts';
import { ConflictError, DeclinedError, NotFoundError, SvcError, withMore } from '../../errors.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import { readWorklog, worklogCreation, worklogDeletion, worklogs, worklogUpdate } from '../../records/worklogs.ts';
import type { Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printOneOrMany, printRows, viewOf } from '../../session/print.ts';
import { dayName } from '../../time/calendar.ts';
import {
  type DayChanges,
  type KnownEntry,
  type LineTarget,
  manyLines,
  type Shown,
  shownEntry,
  type TextLine,
  targetWord,
} from '../../time/day-text.ts';
import { readEntry } from '../../time/entry.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import type { TemporalNamespace } from '../../values/temporal.ts';
import { together } from '../../values/together.ts';
import { findTarget } from './target.ts';

/** A request, and what it does in words. */
interface Step {
  readonly write: WriteRequest;
  readonly words: string;
}

/**
 * Turns changes of a text into requests: each entry that is changed or deleted is read again, and only that state of it may be overwritten.
 *
 * @throws ConflictError when somebody else changed one of them meanwhile, SignInError when there is something to delete and no personal
 *   token, NotFoundError for a work item that is not there. Nothing was sent then.
 */
export async function planChanges(
  context: Needs<'client' | 'credentials' | 'globals' | 'signal'>,
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

/** Shows what would be done, asks, and does it. */
export async function applyChanges(
  context: Needs<Printing | 'catalog' | 'client' | 'host' | 'prompts' | 'signal'>,
  steps: readonly Step[],
): Promise<void> {
  const resource = await worklogs(context);
  if (context.globals.dryRun) {
    return printOneOrMany(context, await Promise.all(steps.map(({ write }) => describeWrite(context, resource, write))), true);
  }
  for (const { words } of steps) await context.notice(words);
  if (
    !context.globals.yes &&
    !(await context.prompts.confirm(steps.length === 1 ? 'Do this?' : `Do these ${steps.length} things?`, context.signal))
  ) {
    throw new DeclinedError('Nothing was sent.', { hint: 'svc worklogs edit begins again.' });
  }
  let done = 0;
  const send = async ({ write }: Step) => {
    const response = await sendWrite(context, write);
    done += 1;
    return write.method === 'DELETE' ? undefined : readRecord(response);
  };
  // What takes an entry's place is there before the entry goes.
  const runs = [steps.filter(({ write }) => write.method !== 'DELETE'), steps.filter(({ write }) => write.method === 'DELETE')];
  const records = async function* () {
    for (const run of runs) {
      for await (const record of sendEach(run, send, ({ item, error }) => atStep(error, item.words, done, steps.length)))
        if (record !== undefined) yield record;
    }
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

/** Each key is looked up once. */
function targetFinder(context: Needs<'client' | 'globals'>): FindTarget {
  const found = new Map<string, Promise<JsonObject>>();
  return async (target, { line }) => {
    if (target.kind === 'none') return { work_item_id: null, project_id: null };
    if (target.kind === 'project') return { project_id: target.id };
    if (target.kind === 'item') return { work_item_id: target.id };
    const known = found.get(target.key) ?? findTarget(context, { workItem: target.key }).then(({ fields }) => fields);
    found.set(target.key, known);
    try {
      return await known;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError(`line ${line}: there is no work item ${target.key}.`, {
        hint: 'Nothing was sent.',
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
      // A project alone takes the place of a work item.
      return { ...(line.target.kind === 'project' && { work_item_id: null }), ...(await targets(line.target, line)) };
  }
}

/** The ETag of an entry that is still as it was in the text. */
async function etagIfSame(context: Needs<'client'>, before: KnownEntry): Promise<string | undefined> {
  const { record, etag, requestId } = await readWorklog(context, before.id);
  const now = readEntry(record);
  // What the list did not show may have been anything.
  const same = (['date', 'minutes', 'description', 'projectId', 'workItemId'] as const).every(
    (name) => before[name] === undefined || now[name] === before[name],
  );
  if (same) return etag;
  throw new ConflictError(`Somebody changed entry ${before.id} while you were editing; nothing was sent.`, {
    hint: 'svc worklogs edit shows it as it is now.',
    details: { request_id: requestId },
  });
}

/** The credential of a delete is asked for before anything is sent. */
async function checkMayDelete(context: Needs<'credentials' | 'signal'>): Promise<void> {
  const credentials = await context.credentials();
  await credentials({ method: 'DELETE', upload: false, rejected: undefined, signal: context.signal });
}

function atStep(error: unknown, words: string, done: number, all: number): unknown {
  if (!(error instanceof SvcError)) return error;
  return withMore(error, { lines: [`${done} of ${all} were done. It stopped at: ${words}`] });
}
