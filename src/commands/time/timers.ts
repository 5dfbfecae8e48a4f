import type { Resource } from '../../catalog/define.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { unwrapRecord } from '../../client/record.ts';
import { findDirectoryFile, namesWork } from '../../config/directory-file.ts';
import { NotFoundError, SvcError, UsageError } from '../../errors.ts';
import { readFields } from '../../records/body.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import {
  ownTimers,
  startsTimers,
  stopsTimers,
  type TimerOperation,
  timerOperations,
  timerStart,
  timerStop,
  timers,
} from '../../records/timers.ts';
import type { Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRecord, viewOf } from '../../session/print.ts';
import { understandWords } from '../../time/words.ts';
import { formatDuration } from '../../values/duration.ts';
import { parseId } from '../../values/integer.ts';
import { scalarText } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import type { Placing } from './target.ts';
import { fillTarget, findTarget } from './target.ts';

const FIELDS = { field: BODY_OPTIONS.field, rawField: BODY_OPTIONS.rawField };

/** `svc timers start ABC-12 "Review"`: begins a timer, where this organisation's discovery shows that timers can be made. */
export const startTimer: CommandSpec<Context> = defineCommand({
  name: 'start',
  summary: 'Start a timer',
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'Begins to count on a work item, a project, or nothing in particular; what is not typed comes from .svc.json and the git branch. The service does not document the fields of a timer: -F sends any other.',
  args: [
    {
      name: 'words',
      summary: 'A work item (ABC-12) or a project (project:3, "project:Web shop"), and what you do',
      optional: true,
      variadic: true,
      completes: { records: 'work-items', behind: { 'project:': 'projects' } },
    },
  ],
  options: FIELDS,
  examples: [
    { args: 'timers start ABC-12 "Review"', does: 'Begin' },
    { args: 'timers stop', does: 'Stop what runs' },
  ],
  async run(context: Needs<Printing | Placing | 'readFileArgument'>, { args, options }) {
    const { minutes, workItem, project, description } = understandWords(args);
    if (minutes !== undefined) {
      throw new UsageError(`A timer counts by itself; ${formatDuration(minutes)} were understood.`, {
        hint: 'To log a time that is over: svc worklogs add',
      });
    }
    const fields = await readFields(context, options.rawField, options.field);
    const { files, system } = context;
    const findPlace = async () => {
      if (workItem !== undefined) return findTarget(context, { workItem });
      if (project !== undefined) return findTarget(context, { project });
      if (fields['work_item_id'] !== undefined || fields['project_id'] !== undefined) return undefined;
      return fillTarget(context, await findDirectoryFile(files, system.cwd, namesWork));
    };
    const [target, offered] = await together(findPlace(), context.globals.dryRun ? [] : timerOperations(context));
    const body = { ...target?.fields, ...(description !== undefined && { description }), ...fields };
    const resource = await timers();
    const write = timerStart(body);
    if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
    if (offered.length > 0 && !offered.some(startsTimers)) throw notOffered('starts a timer', offered);
    await print(context, resource, (await sendWrite(context, write)).body());
  },
});

/** `svc timers stop [id]`: sends the operation that stops a timer, where discovery shows one. */
export const stopTimer: CommandSpec<Context> = defineCommand({
  name: 'stop',
  summary: 'Stop a timer',
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'Asks discovery which operation stops a timer here, and sends it. The service does not document one: where there is none, svc says what there is instead. -F sends fields with it.',
  args: [{ name: 'id', summary: 'Its id; your running timer if there is only one', optional: true }],
  options: FIELDS,
  examples: [
    { args: 'timers stop', does: 'Stop what runs' },
    { args: 'timers stop 12', does: 'Stop this one' },
  ],
  async run(context: Needs<Printing | 'account' | 'client' | 'host' | 'readFileArgument'>, { args: [typed], options }) {
    const body = await readFields(context, options.rawField, options.field);
    const given = typed === undefined ? undefined : parseId(typed);
    const stopping = timerOperations(context).then((offered) => {
      const stop = offered.find(stopsTimers);
      if (stop === undefined) throw notOffered('stops a timer', offered);
      return stop;
    });
    const [stop, id] = await together(stopping, given ?? runningTimer(context));
    const resource = await timers();
    const write = timerStop(stop, id, body);
    if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
    await print(context, resource, (await sendWrite(context, write)).body());
  },
});

function notOffered(what: string, offered: readonly TimerOperation[]): SvcError {
  return new SvcError(`Discovery shows no operation that ${what}.`, {
    hint: 'svc api sends any request; svc timers delete <id> removes a timer, with a personal token.',
    details: { lines: offered.map(({ method, path }) => `It shows: ${method} ${path.replaceAll('{}', '<id>')}`) },
  });
}

/** The id of one's own timer. @throws UsageError when there are several, NotFoundError when there is none. */
async function runningTimer(context: Needs<'account' | 'client'>): Promise<number> {
  const found = await ownTimers(context);
  const [only] = found;
  if (only === undefined) throw new NotFoundError('No timer of yours is running.', { hint: 'svc timers list shows those of others.' });
  if (found.length > 1) {
    throw new UsageError(`${found.length} timers of yours are running.`, {
      hint: `Say which: ${found.map(({ id }) => scalarText(id ?? null)).join(', ')}.`,
    });
  }
  return parseId(scalarText(only['id'] ?? null));
}

async function print(context: Needs<Printing>, resource: Resource, body: Parameters<typeof unwrapRecord>[0]): Promise<void> {
  const record = unwrapRecord(body);
  if (record === undefined) await context.notice('Done.');
  else await printRecord(context, record, viewOf(resource));
}
