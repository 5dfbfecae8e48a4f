import { defineCommand, type LoadedCommand } from '../../../cli/spec.ts';
import { ConflictError, NotFoundError, UsageError } from '../../../errors.ts';
import { describeWrite } from '../../../records/send-write.ts';
import { timerOperations, timerStart } from '../../../records/timers.ts';
import { lastWorklog } from '../../../records/worklogs.ts';
import type { Context, Needs } from '../../../session/context.ts';
import { printRecord } from '../../../session/print.ts';
import { flagWords } from '../../../session/printed-command.ts';
import { placeOfTimer, timerPlace } from '../../../time/timer.ts';
import { type JsonObject, scalarText } from '../../../values/json.ts';
import { quote } from '../../../values/text.ts';
import { together } from '../../../values/together.ts';
import type { Confirming } from '../../resource/written.ts';
import { copyFields } from '../like.ts';
import { findUnfinished } from './recovery.ts';
import { type ReadingTimers, type RunningTimer, runningIfShown } from './running.ts';
import { refuseSecond, sendStart } from './start.ts';
import { FROM_OPTION, readStartTime, workFlags } from './start-time.ts';

export const continueTimer: LoadedCommand<Context> = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'svc starts a timer on the work item or project of your last entry, with its text. The service only shows running timers. The hours of an ended timer are an entry, so svc reads your last entry. If one of your timers runs, svc does not start another.',
  options: FROM_OPTION,
  examples: [
    { args: 'timers continue', does: 'Start a timer like your last entry' },
    { args: 'timers continue --from 13:00', does: 'Start the timer at 13:00 today' },
    { args: 'timers continue --dry-run', does: 'Print the request, and start no timer' },
  ],
  async run(context: Needs<Confirming | ReadingTimers | 'dates'>, { options }) {
    const [started, last, offered, running] = await together(
      readStartTime(context, options.from),
      lastWorklog(context, ['project', 'work_item']),
      timerOperations(context),
      runningIfShown(context),
    );
    if (last === undefined)
      throw new NotFoundError('You have no entry yet that svc can continue.', { hint: 'Name the work: svc timers start ABC-12 "Review"' });
    const write = timerStart({ ...(await workOf(context, last)), ...started });
    await refuseSecond(context, running, write, (verb) => [
      ...['timers', verb, ...workFlags(write.body ?? {})],
      ...(options.from === undefined ? [] : flagWords('from', options.from)),
    ]);
    await refuseUnfinished(context, running);
    await context.notice(`Your last entry (${scalarText(last['date'])}): ${describeWork(last)}.`);
    if (context.globals.dryRun) return printRecord(context, await describeWrite(context, await context.catalog.of('timers'), write));
    await sendStart(context, offered, { write, place: timerPlace(last) });
  },
});

/**
 * Returns the fields of a timer for the work of an entry. For an entry with a work item, svc leaves out the project.
 *
 * @throws UsageError for an entry that hides its work.
 */
async function workOf({ notice }: Needs<'notice'>, last: JsonObject): Promise<JsonObject> {
  const { fields, hidden } = copyFields(last);
  const id = scalarText(last['id']);
  const { work_item_id: item, project_id: project, description } = fields;
  // An entry without a visible work item can still have a work item that the service hides.
  if (item === undefined && (hidden.includes('work_item_id') || (project === undefined && hidden.includes('project_id'))))
    throw new UsageError(`The service does not show the work item or project of entry ${id}.`, {
      hint: 'Name the work: svc timers start ABC-12 "Review"',
    });
  if (hidden.includes('description')) await notice(`The service does not show the text of entry ${id}, so svc does not copy the text.`);
  return {
    ...(item !== undefined ? { work_item_id: item } : project !== undefined && { project_id: project }),
    ...(description !== undefined && { description }),
  };
}

/** Describes the work of an entry: `ABC-12 Login, project Web shop, "Review"`. */
function describeWork(last: JsonObject): string {
  const { work_item_id: item, project } = placeOfTimer(last);
  const text = scalarText(last['description']).trim();
  return [
    timerPlace(last) ?? 'no work item or project',
    ...(item !== null && typeof project === 'string' ? [`project ${project}`] : []),
    ...(text === '' ? ['no text'] : [quote(text)]),
  ].join(', ');
}

/** @throws ConflictError if the hours of an ended timer are possibly not logged. svc then does not know your last entry. */
async function refuseUnfinished(context: Needs<'journal'>, running: readonly RunningTimer[] | undefined): Promise<void> {
  const [first] = running === undefined ? [] : (await findUnfinished(context, running)).interrupted;
  if (first === undefined) return;
  throw new ConflictError(
    `svc does not know whether the hours of timer ${first.timerId} are logged, so svc does not know your last entry.`,
    {
      hint: 'To log these hours: svc timers stop, then svc timers continue',
    },
  );
}
