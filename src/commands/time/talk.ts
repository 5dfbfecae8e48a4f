import { sendEach } from '../../bulk/send-each.ts';
import { naming } from '../../cli/naming.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import type { DirectoryFile } from '../../config/directory-file.ts';
import { ConflictError, NotFoundError, PartialError, RefusedError, SvcError, UsageError, withMore } from '../../errors.ts';
import { readBody } from '../../records/body.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readRecord } from '../../records/read-record.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import { isUnsettled } from '../../records/unsettled.ts';
import { worklogs } from '../../records/worklogs.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/host-to-name.ts';
import { printLine, printOneOrMany, printRows, viewOf } from '../../session/print.ts';
import { minutesOf, momentOf } from '../../time/calendar.ts';
import { readDays } from '../../time/day-list.ts';
import { understandWords } from '../../time/words.ts';
import { counted, were } from '../../values/counted.ts';
import { type DateContext, today } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { parseIdempotencyKey } from '../../values/idempotency-key.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import { parseTimeOfDay } from '../../values/time-of-day.ts';
import { together } from '../../values/together.ts';
import { viewQuery } from '../nouns/write-flags.ts';
import { type Confirming, loggedLine, printWritten, undoCreateHint } from '../nouns/written.ts';
import type { AddOptions } from './add-options.ts';
import { checkDaysFirst, checkSame, type EntryToCheck } from './check-days.ts';
import { type LookingAtToday, lookAtToday, soFarOf } from './day-so-far.ts';
import { entryLike } from './like.ts';
import { describeEntries, type PlannedEntry } from './say.ts';
import type { Placing } from './target.ts';
import { fillTarget, findTarget, fromDirectory, type Target } from './target.ts';

/** What was typed after `worklogs add`. */
export interface Said {
  readonly words: readonly string[];
  readonly options: AddOptions;
  /** The values of all flags, those of the fields included. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly directory: DirectoryFile | undefined;
  /** Flags alone: nothing is guessed from the branch, and nothing is looked at. */
  readonly isPlain: boolean;
}

/** Understands, says what was understood, checks the days, and logs. */
export async function talk(
  context: Needs<
    | Confirming
    | Understanding
    | Placing
    | LookingAtToday
    | Asking
    | 'argv'
    | 'clock'
    | 'env'
    | 'journal'
    | 'paths'
    | 'plan'
    | 'readFileArgument'
  >,
  said: Said,
): Promise<void> {
  const { options, given } = said;
  const resource = await worklogs(context);
  const key = options.idempotencyKey;
  const words = understandWords(said.words);
  const dates = await context.dates();
  const days = await naming('--date', () => readDays(options.date ?? [], options.repeat, dates));
  const { body: flags, typed: flagTexts } = await readBody(context, resource, 'create', options, { ...given, date: undefined });
  refuseTwice(words.minutes, flags['minutes'], '--minutes');
  refuseTwice(words.workItem ?? words.project, flags['work_item_id'] ?? flags['project_id'], '--work-item or --project');
  refuseTwice(words.description, flags['description'], '--description');
  const spans = await readSpans(options, words.minutes ?? flags['minutes'], days, dates);

  if (spans === undefined && options.like === undefined && typeof (words.minutes ?? flags['minutes']) !== 'number') throw noDuration();

  // Neither what the days are like nor what was named depends on anything else that is asked for.
  const isChecked = !options.noCheck && !context.globals.dryRun;
  const asLine = days.length === 1 && !context.globals.dryRun && (await context.presentation()).isUnasked;
  const isToday = asLine && days[0] === today(dates) && userOf(flags) === 'me';
  // Flags alone are taken literally: a person is asked about the same entry again, and nothing else is looked at.
  const asksAgain = isChecked && context.interactive && !context.globals.again && !options.later && context.plan === undefined;
  const check = said.isPlain
    ? asksAgain
      ? checkSame(context, days, userOf(flags), dates)
      : undefined
    : isChecked
      ? checkDaysFirst(context, days, userOf(flags), dates, undefined, isToday)
      : undefined;
  const liking = options.like === undefined ? Promise.resolve({}) : entryLike(context, options.like);
  const [like, target] = await together(liking, findTargetOf(context, said, words, flags, liking));
  const typed: JsonObject = {
    ...flags,
    ...(words.minutes !== undefined && { minutes: words.minutes }),
    ...(words.description !== undefined && { description: words.description }),
  };
  const base = { ...withoutTarget(like, target), ...typed, ...target?.fields };
  const minutes = base['minutes'];
  const entries = days.map((date, index) => ({ date, minutes: spans?.[index] ?? (typeof minutes === 'number' ? minutes : undefined) }));
  const planned = entries.filter((entry): entry is PlannedEntry => entry.minutes !== undefined);
  if (planned.length < entries.length && !context.globals.dryRun) throw noDuration();
  const bodies = entries.map(({ date, minutes: length }) => ({ ...base, ...(length !== undefined && { minutes: length }), date }));
  const understood = said.isPlain ? undefined : `Understood: ${describeEntries(planned, { target, body: base, dates })}.`;
  // The line about one entry says it all, once it is logged.
  if (understood !== undefined && !asLine) await context.notice(understood);
  const keyOf = (date: string) => (key === undefined || bodies.length === 1 ? key : parseIdempotencyKey(`${key}-${date}`));
  const keys = await naming('--idempotency-key', () => bodies.map(({ date }) => keyOf(date)));
  const writes = bodies.map((body, index) => ({
    method: 'POST' as const,
    path: resource.path,
    query: viewQuery(options),
    body,
    idempotencyKey: keys[index],
  }));
  if (context.globals.dryRun)
    return printOneOrMany(context, await Promise.all(writes.map((write) => describeWrite(context, resource, write))), writes.length > 1);
  await check?.warn(asksAgain ? await toldApart(context, planned, writes) : planned, asLine ? understood : undefined);

  const [first] = writes;
  if (writes.length === 1 && first !== undefined) {
    const soFar = isToday ? await (check === undefined ? lookAtToday(context, first.body) : soFarOf(check, first.body)) : undefined;
    const record = readRecord(await sendWrite(context, first));
    return printWritten(context, { resource, record, line: loggedLine(record, flagTexts, target?.name, await soFar?.(record)) });
  }
  const created = sendEach(
    writes,
    async (write) => readRecord(await sendWrite(context, write)),
    ({ error, done, left }) =>
      done === 0
        ? error
        : halfWay(
            context,
            error,
            left.map(({ body }) => body.date),
            done,
          ),
  );
  if (!(await context.presentation()).isUnasked) {
    await printRows(context, created, viewOf(resource));
    return;
  }
  const logged = await Array.fromAsync(created);
  await printLine(context, `Logged ${counted(logged.length, 'entry', 'entries')}.`);
  const host = await hostFlag(context);
  await context.notice(await undoCreateHint(context, 'them', `svc undo${host}`, host));
}

/** A work item or project: what is typed, else what `--like` has, else what the place says. */
async function findTargetOf(
  context: Needs<Placing>,
  { options, directory, isPlain }: Said,
  words: ReturnType<typeof understandWords>,
  flags: JsonObject,
  liking: Promise<JsonObject>,
): Promise<Target | undefined> {
  if (words.workItem !== undefined) return findTarget(context, { workItem: words.workItem });
  if (words.project !== undefined) return findTarget(context, { project: words.project });
  const settled = { ...(await liking), ...flags };
  if (['project_id', 'work_item_id', 'budget_id', 'task_id'].some((name) => (settled[name] ?? null) !== null)) return undefined;
  if (options.noContext) return undefined;
  if (isPlain) return directory === undefined ? undefined : fromDirectory(context, directory);
  return fillTarget(context, directory);
}

/** A work item that is typed takes the place of all that says where the other entry belonged. */
function withoutTarget(like: JsonObject, target: Target | undefined): JsonObject {
  if (target === undefined) return like;
  const { project_id: _project, work_item_id: _item, budget_id: _budget, task_id: _task, ...rest } = like;
  return rest;
}

/** `--from` and `--to` as minutes on each day; a day on which the clocks change in between has an hour more or less. */
async function readSpans(
  { from, to }: Pick<AddOptions, 'from' | 'to'>,
  minutes: JsonValue | undefined,
  days: readonly string[],
  dates: DateContext,
): Promise<readonly number[] | undefined> {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) {
    throw new UsageError(`--${from === undefined ? 'to' : 'from'} needs --${from === undefined ? 'from' : 'to'} beside it.`, {
      hint: 'The service keeps how long it was, not when: give both, or a duration.',
    });
  }
  const [start, end] = [await naming('--from', () => parseTimeOfDay(from)), await naming('--to', () => parseTimeOfDay(to))];
  if (minutes !== undefined)
    throw new UsageError(`There are a duration and --from, --to (${start} to ${end}).`, { hint: 'Use one of them.' });
  return days.map((date) => {
    const length = minutesOf(momentOf(date, end, dates) - momentOf(date, start, dates));
    if (length > 0) return length;
    throw new UsageError(`${start} to ${end} on ${date} is no time at all: both are times of that day.`, {
      hint: 'What goes on after midnight is an entry of the next day.',
    });
  });
}

function noDuration(): UsageError {
  return new UsageError('How long was it?', { hint: 'Begin with a duration: svc worklogs add 1h30 …, or give --from and --to.' });
}

/** The same thing in words and in a flag. */
function refuseTwice(inWords: JsonValue | undefined, inFlags: JsonValue | undefined, flag: string): void {
  if (inWords === undefined || inFlags === undefined) return;
  const shown = typeof inWords === 'number' && flag === '--minutes' ? formatDuration(inWords) : quote(String(inWords));
  throw new UsageError(`${flag} is given, and the words say ${shown}.`, { hint: 'Say it once.' });
}

/** Entries with what they say, as far as that can be there already; one whose first try is not settled is no second one. */
async function toldApart(
  context: Needs<'journal'>,
  planned: readonly PlannedEntry[],
  writes: readonly (WriteRequest & { readonly body: JsonObject })[],
): Promise<readonly EntryToCheck[]> {
  const unsettled = await Promise.all(writes.map((write) => isUnsettled(context, write)));
  return planned.map((entry, index) => {
    const { description, work_item_id: item } = writes[index]?.body ?? {};
    const says = { description: typeof description === 'string' ? description : '', workItemId: typeof item === 'number' ? item : null };
    return unsettled[index] ? entry : { ...entry, says, again: true };
  });
}

/** Whose entry it will be. */
function userOf(body: JsonObject): number | 'me' {
  return typeof body['user_id'] === 'number' ? body['user_id'] : 'me';
}

/** Some days are logged, and then one is not. */
function halfWay(context: Needs<'argv'>, error: unknown, left: readonly string[], done: number): unknown {
  if (!(error instanceof SvcError)) return error;
  const told = withMore(error, {
    lines: [`${counted(done, 'entry', 'entries')} ${were(done)} logged before this.`],
    resume: resumeCommand(context.argv, left),
  });
  const refused = error instanceof RefusedError || error instanceof ConflictError || error instanceof NotFoundError;
  if (refused) return new PartialError(error.message, { hint: error.hint, details: told.details, cause: error });
  return told;
}

/** The same command for the days that are left. */
function resumeCommand(argv: readonly string[], days: readonly string[]): string {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (/^(?:--(?:date|repeat)|-d)(?:=|$)/.test(word)) index += word.includes('=') ? 0 : 1;
    // `-dmonday`, the value beside its letter.
    else if (!/^-d./.test(word)) words.push(word);
  }
  return shellCommand([...words, '--date', days.join(',')]);
}
