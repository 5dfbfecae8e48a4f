import { type CommandSpec, defineCommand } from '../../../cli/spec.ts';
import { unwrapRecord } from '../../../client/record.ts';
import { findDirectoryFile, namesWork } from '../../../config/directory-file.ts';
import { ConflictError, ForbiddenError, SvcError, UsageError } from '../../../errors.ts';
import { readFields } from '../../../records/body.ts';
import { BODY_OPTIONS } from '../../../records/body-flags.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../../records/send-write.ts';
import { startsTimers, type TimerOperation, timerOperations, timerStart, timers } from '../../../records/timers.ts';
import { isUnsettled } from '../../../records/unsettled.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { hostFlag } from '../../../session/host-to-name.ts';
import { type Printing, printRecord } from '../../../session/print.ts';
import { timerPlace } from '../../../time/timer.ts';
import { understandWords } from '../../../time/words.ts';
import { formatDuration } from '../../../values/duration.ts';
import { scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/quote.ts';
import { together } from '../../../values/together.ts';
import { type Confirming, printWritten } from '../../nouns/written.ts';
import { fillTarget, findTarget, type Placing, type Target } from '../target.ts';
import { findInterrupted } from './interrupted.ts';
import { tellInterrupted } from './recover.ts';
import { describeTimer, type LookingAtTimers, type RunningTimer, readRunning } from './running.ts';

/** The words and flags of a timer that begins. */
export const START_ARGS = [
  {
    name: 'words',
    summary: 'A work item (ABC-12) or a project (project:3, "project:Web shop"), and what you do',
    optional: true,
    variadic: true,
    completes: { records: 'work-items', behind: { 'project:': 'projects' } },
  },
] as const;

export const START_OPTIONS = { field: BODY_OPTIONS.field, rawField: BODY_OPTIONS.rawField } as const;

/** What it takes of a context to begin a timer. */
export type Starting = Placing | 'catalog' | 'readFileArgument';

/** `svc timers start ABC-12 "Review"`: begins a timer, where none of one's own runs. */
export const startTimer: CommandSpec<Context> = defineCommand({
  name: 'start',
  summary: 'Start a timer',
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc starts a timer on a work item, on a project, or on neither. It takes missing values from .svc.json and the git branch. If a timer of yours runs, svc starts none: svc timers switch ends that timer first. The service does not document the fields of a timer; -F sends any other field.',
  args: START_ARGS,
  options: START_OPTIONS,
  examples: [
    { args: 'timers start ABC-12 "Review"', does: 'Start a timer on a work item' },
    { args: 'timers start "project:Web shop"', does: 'Start a timer on a project' },
    { args: 'timers stop', does: 'Log the time of the running timer, and end the timer' },
  ],
  async run(context: Needs<Confirming | Starting | LookingAtTimers | 'dates'>, { args, options }) {
    const start = readStart(context, args, options);
    const { dryRun } = context.globals;
    const [{ write, place }, offered, running] = await together(
      start,
      dryRun ? [] : timerOperations(context),
      dryRun ? [] : runningIfShown(context),
    );
    if (dryRun) return printRecord(context, await describeWrite(context, await timers(context), write));
    await refuseSecond(context, running, write);
    await sendStart(context, offered, { write, place });
  },
});

/** A timer that is to begin. */
export interface TimerStart {
  readonly write: WriteRequest;
  /** What it is on, for a person: `ABC-12 Login`. */
  readonly place: string | undefined;
}

/**
 * The request that begins a timer as it was typed.
 *
 * @throws UsageError for a duration: a timer counts by itself.
 */
export async function readStart(
  context: Needs<Starting>,
  words: readonly string[],
  options: { readonly rawField?: readonly string[] | undefined; readonly field?: readonly string[] | undefined },
): Promise<TimerStart> {
  const { minutes, workItem, project, description } = understandWords(words);
  if (minutes !== undefined) {
    throw new UsageError(`A timer counts by itself; ${formatDuration(minutes)} were understood.`, {
      hint: 'To log a time that is over: svc worklogs add',
    });
  }
  const fields = await readFields(context, options.rawField, options.field);
  const findPlace = async (): Promise<Target | undefined> => {
    if (workItem !== undefined) return findTarget(context, { workItem });
    if (project !== undefined) return findTarget(context, { project });
    if (fields['work_item_id'] !== undefined || fields['project_id'] !== undefined) return undefined;
    return fillTarget(context, await findDirectoryFile(context, namesWork));
  };
  const target = await findPlace();
  const write = timerStart({ ...target?.fields, ...(description !== undefined && { description }), ...fields });
  return { write, place: target?.name };
}

/** Sends it, where discovery shows that timers can be made, and prints the timer. */
export async function sendStart(
  context: Needs<Confirming | 'catalog'>,
  offered: readonly TimerOperation[],
  { write, place }: TimerStart,
): Promise<void> {
  if (offered.length > 0 && !offered.some(startsTimers)) throw notOffered(offered);
  const record = unwrapRecord((await sendWrite(context, write)).body());
  if (record === undefined) return context.notice('Done.');
  const text = scalarText(write.body?.['description'] ?? null);
  const line = `Started on ${place ?? timerPlace(record) ?? 'nothing in particular'}${text === '' ? '' : `, ${quote(text)}`}`;
  await printWritten(context, { resource: await timers(context), record, line });
}

/** Undefined for whoever may not read timers back; beginning one needs no permission (rule 11.39). */
export async function runningIfShown(context: Needs<LookingAtTimers>): Promise<readonly RunningTimer[] | undefined> {
  try {
    return await readRunning(context);
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}

/** Those whose hours are not logged. One whose start was lost, and is typed again, is no second one. */
async function refuseSecond(
  context: Needs<Printing | LookingAtTimers | 'dates'>,
  running: readonly RunningTimer[] | undefined,
  write: WriteRequest,
): Promise<void> {
  if (running === undefined || (running.length > 0 && (await isUnsettled(context, write)))) return;
  const host = await hostFlag(context);
  const { interrupted } = await findInterrupted(
    context,
    running.map(({ id }) => id),
  );
  await tellInterrupted(context, interrupted, host);
  await tellLogged(context, running, host);
  const [first, ...more] = running.filter(({ worklogId }) => worklogId === undefined);
  if (first === undefined) return;
  const dates = await context.dates();
  throw new ConflictError(`A timer of yours runs: ${first.id}, ${describeTimer(first, dates)}.`, {
    hint: 'To log it and begin the new one: svc timers switch with the same words. To log it alone: svc timers stop',
    details: { lines: more.map((timer) => `And ${timer.id}, ${describeTimer(timer, dates)}.`) },
  });
}

/** Says of timers that are over but for the service’s list how to end them. */
export async function tellLogged(context: Needs<'notice'>, running: readonly RunningTimer[], host: string): Promise<void> {
  for (const { id, worklogId } of running)
    if (worklogId !== undefined)
      await context.notice(`Timer ${id} still runs at the service, though its hours are logged. To end it: svc timers cancel ${id}${host}`);
}

function notOffered(offered: readonly TimerOperation[]): SvcError {
  return new SvcError('Discovery shows no operation that starts a timer.', {
    hint: 'svc api sends any request.',
    details: { lines: offered.map(({ method, path }) => `It shows: ${method} ${path.replaceAll('{}', '<id>')}`) },
  });
}
