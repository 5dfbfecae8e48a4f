import { shellCommand } from '../../../cli/shell-word.ts';
import { anyWords, defineCommand, type LoadedCommand, type OptionValues, text } from '../../../cli/spec.ts';
import { unwrapRecord } from '../../../client/record.ts';
import { findDirectoryFile, namesWork } from '../../../config/directory-file.ts';
import { ConflictError, SvcError, UsageError } from '../../../errors.ts';
import { readFields } from '../../../records/body.ts';
import { BODY_OPTIONS } from '../../../records/body-flags.ts';
import { isUnconfirmed } from '../../../records/send-entry.ts';
import { describeWrite, sendWrite, type WriteRequest } from '../../../records/send-write.ts';
import { startsTimers, type TimerOperation, timerOperations, timerStart } from '../../../records/timers.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { type Printing, printRecord } from '../../../session/print.ts';
import { readEntryWords, refuseTwice } from '../../../time/entry-words.ts';
import { timerPlace } from '../../../time/timer.ts';
import { localMinute } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import { type Confirming, printWritten } from '../../resource/written.ts';
import { fillTarget, findTarget, type Placing, type Target } from '../target.ts';
import { reportUnfinished } from './recovery.ts';
import { describeTimer, type ReadingTimers, type RunningTimer, runningIfShown } from './running.ts';
import { FROM_OPTION, type ReportingStart, readStartTime, reportStart, withoutFrom } from './start-time.ts';

export const START_ARGS = [
  anyWords('words', 'A work item (ABC-12) or a project (project:3, "project:Web shop"), and what you do', {
    records: 'work-items',
    behind: { 'project:': 'projects' },
  }),
] as const;

export const START_OPTIONS = {
  project: text('--project <id|key|name>', 'Start the timer on this project', { type: 'id-or-name', completes: { records: 'projects' } }),
  workItem: text('--work-item <id|key>', 'Start the timer on this work item', { type: 'work-item', completes: { records: 'work-items' } }),
  description: text('--description <string>', 'Set the text of the timer'),
  field: BODY_OPTIONS.field,
  rawField: BODY_OPTIONS.rawField,
} as const;

export type Starting = Placing | 'readFileArgument';

export const startTimer: LoadedCommand<Context> = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc starts a timer on a work item, on a project, or on neither. svc takes missing values from .svc.json and the git branch. If one of your timers runs, svc does not start another. svc timers switch ends the running timer first. The service does not document the fields of a timer; -F sends any other field.',
  args: START_ARGS,
  options: { ...START_OPTIONS, ...FROM_OPTION },
  examples: [
    { args: 'timers start ABC-12 "Review"', does: 'Start a timer on a work item' },
    { args: 'timers start --project "Web shop" --description Planning', does: 'Start a timer on a project' },
    { args: 'timers start ABC-12 --from 9:15', does: 'Start a timer as if you had started it at 9:15 today' },
    { args: 'timers stop', does: 'Log the time of the running timer, and end the timer' },
  ],
  async run(context: Needs<Confirming | Starting | ReadingTimers | 'argv' | 'credentials' | 'dates'>, { args, options }) {
    const { dryRun } = context.globals;
    const [{ write: typed, place }, started, offered, running] = await together(
      readStart(context, args, options),
      readStartTime(context, options.from),
      dryRun ? [] : timerOperations(context),
      dryRun ? [] : runningIfShown(context),
    );
    if (started !== undefined && typed.body?.['started_at'] !== undefined)
      throw new UsageError('There are two starts: --from, and the field started_at.', { hint: 'Use one of the two values.' });
    const write = timerStart({ ...typed.body, ...started });
    if (dryRun) return printRecord(context, await describeWrite(context, await context.catalog.of('timers'), write));
    const { argv } = context;
    await refuseSecond(context, running, write, (verb) => argv.map((word, index) => (index === 1 && word === 'start' ? verb : word)));
    await sendStart(context, offered, { write, place });
  },
});

/**
 * Reads the work of a new timer from words and flags, otherwise from the branch or `.svc.json`. Returns the write, and the name of the work
 * item or project.
 *
 * @throws UsageError for a duration, because a timer measures the time itself. Also for a value both in the words and in a flag.
 */
export async function readStart(context: Needs<Starting>, words: readonly string[], options: OptionValues<typeof START_OPTIONS>) {
  const { minutes, ...typed } = readEntryWords(words);
  refuseTwice(typed.workItem, options.workItem, '--work-item');
  refuseTwice(typed.project, options.project, '--project');
  refuseTwice(typed.description, options.description, '--description');
  const { workItem = typed.workItem, project = typed.project, description = typed.description } = options;
  if (workItem !== undefined && project !== undefined)
    throw new UsageError('A timer runs on a work item or on a project.', {
      hint: 'Name the work item or the project. A work item already belongs to a project.',
    });
  if (minutes !== undefined) {
    throw new UsageError(`A timer measures the time itself, so it takes no duration (${formatDuration(minutes)}).`, {
      hint: `To log time that is over: ${shellCommand(['worklogs', 'add', ...words])}`,
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

export async function sendStart(
  context: Needs<Confirming | ReportingStart | 'catalog'>,
  offered: readonly TimerOperation[],
  { write, place }: Awaited<ReturnType<typeof readStart>>,
): Promise<void> {
  if (offered.length > 0 && !offered.some(startsTimers)) throw notOffered(offered);
  const answer = await sendWrite(context, write).catch((error: unknown) => {
    throw write.body?.['started_at'] === undefined ? error : withoutFrom(error);
  });
  const record = unwrapRecord(answer.body());
  await reportStart(context, write.body ?? {}, record);
  if (record === undefined) return context.notice('Done.');
  const text = scalarText(write.body?.['description']);
  const at = place ?? timerPlace(record);
  const line = `Started ${at === undefined ? 'without a work item or project' : `on ${at}`}${text === '' ? '' : `, ${quote(text)}`}`;
  await printWritten(context, { resource: await context.catalog.of('timers'), record, line });
}

/**
 * Refuses a second timer, but allows a repeated unconfirmed start.
 *
 * @param command Returns the words of the command with a verb: `start`, or `switch` to end the running timer first.
 * @throws ConflictError if one of your timers is running, and svc has not logged the hours of this timer.
 */
export async function refuseSecond(
  context: Needs<Printing | ReadingTimers | 'credentials' | 'dates'>,
  running: readonly RunningTimer[] | undefined,
  write: WriteRequest,
  command: (verb: 'start' | 'switch') => readonly string[],
): Promise<void> {
  if (running === undefined || (running.length > 0 && (await isUnconfirmed(context, write)))) return;
  await reportUnfinished(context, running);
  const [first, ...more] = running.filter(({ worklogId }) => worklogId === undefined);
  if (first === undefined) return;
  const dates = await context.dates();
  const started = Date.parse(scalarText(write.body?.['started_at']));
  // The running timer can end when the new timer starts, so that no time counts twice.
  const endsFirst = first.startedAt !== undefined && first.startedAt < started;
  const stop = ['timers', 'stop', String(first.id), ...(endsFirst ? ['--at', localMinute(new Date(started).toISOString(), dates)] : [])];
  const next = Number.isNaN(started) ? shellCommand(command('switch')) : `${shellCommand(stop)}, then ${shellCommand(command('start'))}`;
  throw new ConflictError(`One of your timers is running: ${first.id}, ${describeTimer(first, dates)}.`, {
    hint: `To log the hours and start the new timer: ${next}. To log the hours only: svc timers stop`,
    details: { lines: more.map((timer) => `And ${timer.id}, ${describeTimer(timer, dates)}.`) },
  });
}

function notOffered(offered: readonly TimerOperation[]): SvcError {
  return new SvcError('Your organisation lists no operation that starts a timer.', {
    hint: 'To send a request yourself: svc api --help',
    details: { lines: offered.map(({ method, path }) => `Listed operation: ${method} ${path.replaceAll('{}', '<id>')}`) },
  });
}
