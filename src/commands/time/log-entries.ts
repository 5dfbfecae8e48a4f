import { sendEach } from '../../bulk/in-order.ts';
import { naming } from '../../cli/naming.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { ConflictError, NotFoundError, PartialError, RefusedError, SvcError, UsageError, withMore } from '../../errors.ts';
import { readBody } from '../../records/body.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { readRecord } from '../../records/record-at.ts';
import { isUnconfirmed } from '../../records/send-entry.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../records/send-write.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { printLine, printOneOrMany, printRows, viewOf } from '../../session/print.ts';
import { hostFlag } from '../../session/printed-command.ts';
import { addDays, dayName, minutesOf, timestampOf } from '../../time/calendar.ts';
import { readDays } from '../../time/day-list.ts';
import { minutesIn } from '../../time/entry.ts';
import { findMistypedDuration, readEntryWords, refuseTwice, splitEntryWords } from '../../time/entry-words.ts';
import { type DateContext, today } from '../../values/dates.ts';
import { formatDuration, parseDuration } from '../../values/duration.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { parseIdempotencyKey } from '../../values/request-headers.ts';
import { parseTimeOfDay } from '../../values/scalars.ts';
import { counted, quote, were } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { viewQuery } from '../resource/write-flags.ts';
import { type Confirming, loggedLine, printWritten, undoCreateHint } from '../resource/written.ts';
import { PLACE_FIELDS, type TypedEntry } from './add-options.ts';
import { checkDaysFirst, checkSame, type EntryToCheck, identityOf, type PlannedEntry } from './check-days.ts';
import { type ReadingToday, readToday, soFarOf } from './day-so-far.ts';
import { entryLike } from './like.ts';
import { type NamedInText, nearPlaceInText, placeInText, readNameable } from './named-in-text.ts';
import { fillTarget, findTarget, fromDirectory, type Placing, type Target } from './target.ts';

type LoggingEntries =
  | Confirming
  | ReadingValues
  | Placing
  | ReadingToday
  | Asking
  | 'argv'
  | 'isOffline'
  | 'journal'
  | 'plan'
  | 'readFileArgument';

export async function logEntries(context: Needs<LoggingEntries>, said: TypedEntry): Promise<void> {
  const { options, given } = said;
  const resource = await context.catalog.of('worklogs');
  const key = options.idempotencyKey;
  const words = readEntryWords(said.words);
  const dates = await context.dates();
  const days = await naming('--date', () => readDays(options.date ?? [], options.repeat, dates));
  const { body: flags, typed: flagTexts } = await readBody(context, resource, 'create', options, { ...given, date: undefined });
  refuseTwice(words.minutes, flags['minutes'], '--minutes');
  refuseTwice(words.workItem ?? words.project, flags['work_item_id'] ?? flags['project_id'], '--work-item or --project');
  refuseTwice(words.description, flags['description'], '--description');
  const times = await readTimes(options, words.minutes ?? flags['minutes'], days, dates);

  if (times === undefined && options.like === undefined && typeof (words.minutes ?? flags['minutes']) !== 'number') {
    const mistyped = findMistypedDuration(said.words);
    if (mistyped !== undefined) parseDuration(said.words[mistyped] ?? '');
    throw noDuration();
  }

  // svc checks the days and looks up names at the same time.
  const isChecked = !options.noCheck && !context.globals.dryRun;
  const asLine = days.length === 1 && !context.globals.dryRun && (await context.presentation()).isDefaultFormat;
  const isToday = asLine && days[0] === today(dates) && userOf(flags) === 'me';
  // With flags alone, svc only looks for an equal entry, and only at a terminal.
  const asksAgain = isChecked && context.interactive && !context.globals.again && !options.later && context.plan === undefined;
  const checkAll = isChecked && !said.isPlain ? checkDaysFirst(context, days, userOf(flags), dates) : undefined;
  const check = said.isPlain && asksAgain ? checkSame(context, days, userOf(flags), dates) : checkAll;
  const liking = options.like === undefined ? Promise.resolve({}) : entryLike(context, options.like);
  const [like, place] = await together(liking, findTargetOf(context, said, words, flags, liking));
  const { target, rest } = place;
  const description = rest === undefined ? words.description : rest.join(' ').trim() || undefined;
  const typed: JsonObject = {
    ...flags,
    ...(words.minutes !== undefined && { minutes: words.minutes }),
    ...(description !== undefined && { description }),
  };
  const base = { ...withoutTarget(like, target), ...typed, ...target?.fields };
  const minutes = base['minutes'];
  const entries = days.map((date, index) => ({ date, minutes: times?.[index] ?? (typeof minutes === 'number' ? minutes : undefined) }));
  // The service does not document whether it accepts an entry of 0 minutes.
  if (entries.some(({ minutes }) => minutes === 0))
    throw new UsageError('An entry of 0 minutes logs nothing.', { hint: 'Write a duration such as 45m or 1h30.' });
  const planned = entries.filter((entry): entry is PlannedEntry => entry.minutes !== undefined);
  if (planned.length < entries.length && !context.globals.dryRun) throw noDuration();
  const bodies = entries.map(({ date, minutes: length }) => ({ ...base, ...(length !== undefined && { minutes: length }), date }));
  const understood = said.isPlain ? undefined : `Understood: ${describeEntries(planned, { target, body: base, dates })}.`;
  // A single entry gets a line after the write, with the same facts.
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
  await check?.warn(asksAgain ? await withFacts(context, planned, writes) : planned, asLine ? understood : undefined);

  const [first] = writes;
  if (writes.length === 1 && first !== undefined) {
    const reading = isToday && check === undefined ? await readToday(context, first.body) : undefined;
    const soFar = asLine && check !== undefined ? soFarOf(check, first.body, isToday) : reading;
    const record = readRecord(await sendWrite(context, first));
    return printWritten(context, { resource, record, line: loggedLine(record, flagTexts, target?.name, await soFar?.(record)) });
  }
  const created = sendEach(
    writes,
    async (write) => readRecord(await sendWrite(context, write)),
    ({ error, done, left }) => {
      const days = left.map(({ body }) => body.date);
      return done === 0 ? error : partly(context, error, days, done);
    },
  );
  if (!(await context.presentation()).isDefaultFormat) {
    await printRows(context, created, viewOf(resource));
    return;
  }
  const logged = await Array.fromAsync(created);
  await printLine(context, `Logged ${counted(logged.length, 'entry', 'entries')}.`);
  const host = await hostFlag(context);
  const hint = await undoCreateHint(context, 'them', `svc undo${host}`, host);
  if (hint !== undefined) await context.notice(hint);
}

type Placed = Partial<NamedInText>;

/**
 * Finds the work item or project of an entry. Precedence: words and flags, `--like`, names in the text, the branch or `.svc.json`, then
 * almost correct names in the text.
 */
async function findTargetOf(
  context: Needs<Placing | 'account' | 'clock' | 'isOffline' | 'renewal'>,
  { words: typed, options, directory, isPlain }: TypedEntry,
  words: ReturnType<typeof readEntryWords>,
  flags: JsonObject,
  liking: Promise<JsonObject>,
): Promise<Placed> {
  if (words.workItem !== undefined) return { target: await findTarget(context, { workItem: words.workItem }) };
  if (words.project !== undefined) return { target: await findTarget(context, { project: words.project }) };
  const fields = { ...(await liking), ...flags };
  if (PLACE_FIELDS.some((name) => (fields[name] ?? null) !== null)) return {};
  const { text } = splitEntryWords(typed);
  // A dry run sends no request. With --later, svc looks up names only in the local database, so that svc needs no network.
  const { dryRun } = context.globals;
  const isLookedUp = dryRun !== true && (options.later !== true || (await context.isOffline()));
  const nameable = text.length === 0 || !isLookedUp ? undefined : await readNameable(context, text);
  const named = nameable && (await placeInText(context, nameable, text));
  if (named !== undefined && named !== 'text') return named;
  const filled = options.noContext ? undefined : await fillFrom(context, directory, isPlain);
  if (filled !== undefined) return { target: filled };
  if (text.length > 0 && !isLookedUp) await context.notice(notLookedUp(dryRun === true));
  if (nameable === undefined || named === 'text') return {};
  const near = await nearPlaceInText(context, nameable, text);
  return near === undefined || near === 'text' ? {} : near;
}

function notLookedUp(isDryRun: boolean): string {
  const why = isDryRun ? 'a dry run sends no request' : 'svc sends no request for names with --later';
  return `svc did not look up whether the text names a project or a work item: ${why}. To name one: --project or --work-item`;
}

function fillFrom(context: Needs<Placing>, directory: TypedEntry['directory'], isPlain: boolean): Promise<Target | undefined> {
  if (!isPlain) return fillTarget(context, directory);
  return directory === undefined ? Promise.resolve(undefined) : fromDirectory(context, directory);
}

function withoutTarget(like: JsonObject, target: Target | undefined): JsonObject {
  return target === undefined ? like : Object.fromEntries(Object.entries(like).filter(([name]) => !PLACE_FIELDS.includes(name)));
}

/** Returns the minutes from --from to --to for each day. Undefined without these flags. A change of the clocks adds or removes an hour. */
async function readTimes(
  { from, to }: Pick<TypedEntry['options'], 'from' | 'to'>,
  minutes: JsonValue | undefined,
  days: readonly string[],
  dates: DateContext,
): Promise<readonly number[] | undefined> {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) {
    throw new UsageError(from === undefined ? '--to needs --from.' : '--from needs --to.', {
      hint: 'The service stores the duration, not the times: give --from and --to, or a duration.',
    });
  }
  const [start, end] = [await naming('--from', () => parseTimeOfDay(from)), await naming('--to', () => parseTimeOfDay(to))];
  if (minutes !== undefined)
    throw new UsageError(`The entry has a duration, and also --from and --to (${start} to ${end}).`, {
      hint: 'Give a duration, or --from and --to.',
    });
  return days.map((date) => {
    const lasts = (until: string) => minutesOf(timestampOf(until, end, dates) - timestampOf(date, start, dates));
    const length = lasts(date);
    if (length > 0) return length;
    const overnight = formatDuration(lasts(addDays(date, 1, dates.temporal)));
    throw new UsageError(`On ${date}, ${end} is not after ${start}: both are times of that day.`, {
      hint: `Work past midnight counts on the day it began: give the duration (${overnight}) and that day (--date) instead of --from and --to.`,
    });
  });
}

function noDuration(): UsageError {
  return new UsageError('The entry needs a duration.', {
    hint: 'Begin with the duration: svc worklogs add 1h30 …, or give --from and --to.',
  });
}

/**
 * Adds the facts that identify an equal entry. svc adds no facts to an unconfirmed write, because an equal entry can be the result of that
 * write.
 */
async function withFacts(
  context: Needs<'journal'>,
  planned: readonly PlannedEntry[],
  writes: readonly (WriteRequest & { readonly body: JsonObject })[],
): Promise<readonly EntryToCheck[]> {
  const unconfirmed = await Promise.all(writes.map((write) => isUnconfirmed(context, write)));
  return planned.map((entry, index) => {
    const says = identityOf(writes[index]?.body ?? {});
    return unconfirmed[index] ? entry : { ...entry, says, again: true };
  });
}

function userOf(body: JsonObject): number | 'me' {
  return typeof body['user_id'] === 'number' ? body['user_id'] : 'me';
}

function partly(context: Needs<'argv'>, error: unknown, left: readonly string[], done: number): unknown {
  if (!(error instanceof SvcError)) return error;
  const explained = withMore(error, {
    lines: [`${counted(done, 'entry', 'entries')} ${were(done)} logged before the failure.`],
    resume: resumeCommand(context.argv, left),
  });
  const refused = error instanceof RefusedError || error instanceof ConflictError || error instanceof NotFoundError;
  if (refused) return new PartialError(error.message, { hint: error.hint, details: explained.details, cause: error });
  return explained;
}

function resumeCommand(argv: readonly string[], days: readonly string[]): string {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (/^(?:--(?:date|repeat)|-d)(?:=|$)/.test(word)) index += word.includes('=') ? 0 : 1;
    // A short flag can have its value attached: `-dmonday`.
    else if (!/^-d./.test(word)) words.push(word);
  }
  return shellCommand([...words, '--date', days.join(',')]);
}

/** Describes entries as svc understood them: `1h30 on Thu 2026-06-04, ABC-12 Login, "Review"`. */
function describeEntries(
  entries: readonly PlannedEntry[],
  { target, body, dates }: { readonly target: Target | undefined; readonly body: JsonObject; readonly dates: DateContext },
): string {
  const { description, project_id: project, work_item_id: item } = body;
  const id = typeof item === 'number' ? `work item ${item}` : typeof project === 'number' ? `project ${project}` : undefined;
  // A dry run has a placeholder such as `<id of Web shop>`. The sentence shows only the name.
  const stated = item ?? project;
  const named = typeof stated === 'string' ? stated.replace(/^<id of (.*)>$/s, '$1') : 'no work item and no project';
  const place = target?.name ?? id ?? named;
  return [
    describeDays(entries, dates),
    place,
    ...(typeof description === 'string' && description !== '' ? [quote(description)] : []),
    ...(body['is_overtime'] === true ? ['overtime'] : []),
    ...(body['is_not_billable'] === true ? ['not billable'] : []),
    ...(typeof body['user_id'] === 'number' ? [`of user ${body['user_id']}`] : []),
  ].join(', ');
}

function describeDays(entries: readonly PlannedEntry[], { temporal }: DateContext): string {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return 'as long as the other entry';
  if (entries.length === 1) return `${formatDuration(first.minutes)} on ${dayName(first.date, temporal)}`;
  const lengths = new Set(entries.map(({ minutes }) => minutes));
  const total = formatDuration(minutesIn(entries));
  const each = lengths.size === 1 ? `${formatDuration(first.minutes)} on each of ${entries.length} days` : `${entries.length} days`;
  return `${each}, ${dayName(first.date, temporal)} to ${dayName(last.date, temporal)}, ${total} in all`;
}
