import type { Resource } from '../../catalog/define.ts';
import { naming } from '../../cli/naming.ts';
import { defineCommand, type LoadedCommand, type OptionValues, text } from '../../cli/spec.ts';
import { itsId } from '../../cli/words.ts';
import { UsageError } from '../../errors.ts';
import { readBody } from '../../records/body.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { readRecord, withEtag } from '../../records/record-at.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Context, Needs } from '../../session/context.ts';
import { keepsBefore } from '../../session/environment.ts';
import { printRecord } from '../../session/print.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { parseWorkItem } from '../../values/scalars.ts';
import { CONDITION_OPTIONS, checkConditions, conditionOf, KEY_OPTION, VIEW_OPTION, viewQuery } from '../resource/write-flags.ts';
import { type Confirming, calledIn, printWritten } from '../resource/written.ts';

export const ACTION_OPTIONS = {
  ...VIEW_OPTION,
  ...CONDITION_OPTIONS,
  ...KEY_OPTION,
} as const;

export type ActionOptions = OptionValues<typeof ACTION_OPTIONS>;

export interface RecordAction {
  readonly resource: Resource;
  readonly id: string;
  /** The name of the action, and the last part of the path: `transition`. */
  readonly name: string;
  readonly body: JsonObject;
  readonly options: ActionOptions;
  readonly line: (record: JsonObject, before: JsonObject | undefined) => string;
  /** True if the workflow allows the transition back, or if svc does not need to know. Undefined for an action that svc can never undo. */
  readonly leadsBack?: boolean | undefined;
}

type Acting = Confirming | ReadingValues | FindingRecords | 'env' | 'host' | 'plan' | 'readFileArgument' | 'seen' | 'notifyOnce';

/** Reads the id of the record for an action, and the body of the action from -F, -f and --data. */
async function readAction(
  context: Needs<Acting>,
  resource: Resource,
  typed: string,
  options: ActionOptions & OptionValues<typeof BODY_OPTIONS>,
): Promise<{ readonly id: string; readonly body: Record<string, JsonValue> }> {
  checkConditions(options);
  const id = await namedRecord(context, resource, typed);
  itemPath(resource, id);
  const { body } = await readBody(context, { ...resource, fields: {} }, 'update', options);
  return { id, body };
}

/** Sends an action of one record, `POST <item>/actions/<name>`, and prints the record in the response. In a dry run, prints the request. */
export async function act(
  context: Needs<Confirming | 'env' | 'host' | 'interactive' | 'plan' | 'seen'>,
  { resource, id, name, body, options, line, leadsBack }: RecordAction,
): Promise<void> {
  const item = itemPath(resource, id);
  const write = {
    method: 'POST',
    path: `${item}/actions/${name}`,
    query: viewQuery(options),
    body,
    idempotencyKey: options.idempotencyKey,
  } as const;
  const ifMatch = await conditionOf(context, options, item, [resource.noun, 'get', id]);
  if (context.globals.dryRun) return printRecord(context, await describeWrite(context, resource, { ...write, ifMatch }));
  if (!leadsBack && keepsBefore(context) && context.plan === undefined)
    await context.notice(`svc cannot undo this action${leadsBack === false ? ': the workflow has no transition back' : ''}.`);
  const record = readRecord(
    await sendWrite(context, { ...write, ifMatch }).catch(async (error: unknown) => {
      throw await withEtag(context, error, item);
    }),
  );
  await printWritten(context, { resource, record, line: (before) => line(record, before), leadsBack });
}

/** Defines `svc work-items move` (rules 9.58, 9.59). No other action accepts a work item key in its body (rule 2.14). */
export function moveCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: 'svc moves the work item, as dragging does in the web app. -F sends any other field.',
    args: [{ name: 'id', summary: itsId(resource) }],
    options: {
      after: text('--after <id|key>', 'Place the work item after the given work item', {
        type: 'work-item',
        completes: { records: 'work-items' },
      }),
      ...BODY_OPTIONS,
      ...ACTION_OPTIONS,
    },
    examples: [
      { args: 'work-items move ABC-12 --after ABC-7', does: 'Place ABC-12 right after ABC-7' },
      { args: 'work-items move ABC-12 --after 4711 --dry-run', does: 'Show what svc would send' },
    ],
    async run(context: Needs<Acting>, { args: [typed = ''], options }) {
      const { id, body } = await readAction(context, resource, typed, options);
      const { after } = options;
      if (after !== undefined) {
        const ref = await naming('--after', () => parseWorkItem(after));
        body['after_work_item_id'] = ref.kind === 'id' ? ref.id : ref.key;
      }
      if (Object.keys(body).length === 0)
        throw new UsageError('"svc work-items move" needs --after <id|key>.', {
          hint: `For example: svc work-items move ${id} --after ABC-7`,
        });
      await act(context, {
        resource,
        id,
        name: 'move',
        body,
        options,
        line: (record) => `Moved ${calledIn(record, id)}${after === undefined ? '' : ` after ${after}`}`,
      });
    },
  });
}

/** Defines `svc sprints complete` (rule 9.60). The service documents no fields of the body, so the default body is empty. */
export function completeCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: 'svc ends a sprint, and sends no fields. If your service needs a field, add -F.',
    args: [{ name: 'id', summary: itsId(resource) }],
    options: { ...BODY_OPTIONS, ...ACTION_OPTIONS },
    examples: [
      { args: 'sprints complete 14', does: 'Complete sprint 14' },
      { args: 'sprints complete 14 --if-unchanged', does: 'Complete the sprint, unless somebody changed it since you read it' },
    ],
    async run(context: Needs<Acting>, { args: [typed = ''], options }) {
      const { id, body } = await readAction(context, resource, typed, options);
      await act(context, { resource, id, name: 'complete', body, options, line: (record) => `Completed ${calledIn(record, id)}` });
    },
  });
}
