import type { Resource } from '../../catalog/define.ts';
import { findResource } from '../../catalog/index.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { rows } from '../../client/pages.ts';
import { unwrapRecord } from '../../client/record.ts';
import { findDirectoryFile, namesWork } from '../../config/directory-file.ts';
import { NotFoundError, SvcError, UsageError } from '../../errors.ts';
import { BODY_OPTIONS, readFields } from '../../records/body.ts';
import { discover } from '../../records/discovery.ts';
import { entryOf, operationsOf, pathOf } from '../../records/discovery-entry.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Context } from '../../session/context.ts';
import { printRecord, viewOf } from '../../session/print.ts';
import { understandWords } from '../../time/words.ts';
import { formatDuration } from '../../values/duration.ts';
import { parseId } from '../../values/integer.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { fillTarget, findTarget } from './target.ts';

const FIELDS = { field: BODY_OPTIONS.field, rawField: BODY_OPTIONS.rawField };

/** `svc timers start ABC-12 "Review"`: begins a timer, where this organisation's discovery shows that timers can be made. */
export const startTimer: CommandSpec<Context> = defineCommand({
  name: 'start',
  summary: 'Start a timer',
  showsGlobals: ['host', 'output', 'dryRun'],
  description:
    'Begins to count on a work item, a project, or nothing in particular; what is not typed comes from .svc.json and the git branch. The service does not document the fields of a timer: -F sends any other.',
  args: [{ name: 'words', summary: 'A work item (ABC-12) or project:3, and what you do', optional: true, variadic: true }],
  options: FIELDS,
  examples: [
    { args: 'timers start ABC-12 "Review"', does: 'Begin' },
    { args: 'timers stop', does: 'Stop what runs' },
  ],
  async run(context: Context, { args, options }) {
    const { minutes, workItem, project, description } = understandWords(args);
    if (minutes !== undefined) {
      throw new UsageError(`A timer counts by itself; ${formatDuration(minutes)} were understood.`, {
        hint: 'To log a time that is over: svc worklogs add',
      });
    }
    const fields = await readFields(context, options.rawField, options.field);
    const { files, system } = context;
    const target =
      workItem !== undefined
        ? await findTarget(context, { workItem })
        : project !== undefined
          ? await findTarget(context, { project: String(project) })
          : fields['work_item_id'] === undefined && fields['project_id'] === undefined
            ? await fillTarget(context, await findDirectoryFile(files, system.cwd, namesWork))
            : undefined;
    const body = { ...target?.fields, ...(description !== undefined && { description }), ...fields };
    const resource = await timers();
    const write = { method: 'POST', path: '/timers', body } as const;
    if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
    const offered = await operations(context);
    if (offered.length > 0 && !offered.some(({ method, path }) => method === 'POST' && path === '/timers'))
      throw notOffered('starts a timer', offered);
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
  async run(context: Context, { args: [typed], options }) {
    const body = await readFields(context, options.rawField, options.field);
    const given = typed === undefined ? undefined : parseId(typed);
    const offered = await operations(context);
    const stop = offered.find(({ method, path }) => method !== 'GET' && method !== 'DELETE' && STOPS.test(path));
    if (stop === undefined) throw notOffered('stops a timer', offered);
    const id = given ?? (await runningTimer(context));
    const resource = await timers();
    const write = { method: stop.method === 'PATCH' ? 'PATCH' : 'POST', path: stop.path.replace('{}', String(id)), body } as const;
    if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, write));
    await print(context, resource, (await sendWrite(context, write)).body());
  },
});

/** The path of an operation that stops a timer, its placeholder nameless. */
const STOPS = /^\/timers\/\{\}\/(?:actions\/)?(?:stop|finish|end|complete)$/;

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** What discovery shows of timers; empty when it does not say. */
async function operations(context: Context): Promise<readonly Operation[]> {
  const entry = entryOf(await discover(context), 'timers');
  if (entry === undefined)
    throw new NotFoundError('Timers are not enabled for this organisation.', { hint: 'What there is: svc resources' });
  return operationsOf(entry).flatMap((text) => {
    const [, method, written] = /^([A-Z]+) (\S+)$/.exec(text) ?? [];
    const path = pathOf(written);
    return method === undefined || path === undefined ? [] : [{ method, path }];
  });
}

function notOffered(what: string, offered: readonly Operation[]): SvcError {
  return new SvcError(`Discovery shows no operation that ${what}.`, {
    hint: 'svc api sends any request; svc timers delete <id> removes a timer, with a personal token.',
    details: { lines: offered.map(({ method, path }) => `It shows: ${method} ${path.replaceAll('{}', '<id>')}`) },
  });
}

/** The id of one's own timer. @throws UsageError when there are several, NotFoundError when there is none. */
async function runningTimer(context: Context): Promise<number> {
  const own = ['filter[user_id]', String((await context.account())?.user_id ?? 'me')] as const;
  const found: JsonObject[] = [];
  for await (const record of rows(await context.client(), { method: 'GET', path: '/timers', query: [own, ['per_page', '100']] }))
    found.push(record);
  const [only] = found;
  if (only === undefined) throw new NotFoundError('No timer of yours is running.', { hint: 'svc timers list shows those of others.' });
  if (found.length > 1) {
    throw new UsageError(`${found.length} timers of yours are running.`, {
      hint: `Say which: ${found.map(({ id }) => scalarText(id ?? null)).join(', ')}.`,
    });
  }
  return parseId(scalarText(only['id'] ?? null));
}

async function print(context: Context, resource: Resource, body: Parameters<typeof unwrapRecord>[0]): Promise<void> {
  const record = unwrapRecord(body);
  if (record === undefined) await context.notice('Done.');
  else await printRecord(context, record, viewOf(resource));
}

async function timers(): Promise<Resource> {
  const resource = await findResource('timers');
  if (resource === undefined) throw new Error('The catalog has no timers.');
  return resource;
}
