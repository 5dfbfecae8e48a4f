import { createHash } from 'node:crypto';
import { AT_ONCE, inOrder } from '../../bulk/import/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { shellWord } from '../../cli/shell-word.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { SvcError, UsageError, withMore } from '../../errors.ts';
import { readRecord } from '../../records/read-record.ts';
import { isThere } from '../../records/record-at.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import { sameName } from '../../records/statuses.ts';
import { readTransitions, readWorkflows, statusesOfWorkflow, WORKFLOW_PATHS } from '../../records/workflows.ts';
import type { Context, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { printRecords, printRows } from '../../session/print.ts';
import { counted, were } from '../../values/counted.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { readWorkflowFile, type WorkflowFile } from './workflow-file.ts';

/** `svc workflows apply <file>`: a workflow with its statuses and transitions (rules 5.11 to 5.13, 9.32 to 9.45). */
export function applyCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    name: 'apply',
    summary: 'Create a workflow with its statuses and transitions from a file',
    description: [
      'svc reads a YAML file such as:',
      '  name: Support\n  statuses: [New, Doing, Done]\n  transitions:\n    - New -> Doing\n    - Doing -> New, Done',
      'svc creates the missing parts step by step, and leaves existing parts (by name) unchanged. It renames and deletes nothing. Run the command again after a failure, or after you add to the file. A status can be an object with a name and other fields, which svc sends unchanged.',
    ].join('\n\n'),
    args: [{ name: 'file', summary: 'A YAML file; - reads standard input' }],
    examples: [
      { args: 'workflows apply support.yaml --dry-run', does: 'Print every request, and send nothing' },
      { args: 'workflows apply support.yaml', does: 'Create the workflow' },
    ],
    async run(context: Needs<Printing | 'client' | 'host' | 'plan' | 'readFileArgument'>, { args: [path = ''] }) {
      if (context.plan !== undefined)
        throw new UsageError('A workflow is made step by step, each with the id of the one before, so it cannot be planned.', {
          hint: 'See every request first with --dry-run.',
        });
      const file = await readWorkflowFile(await context.readFileArgument(path));
      if (context.globals.dryRun) return printRecords(context, await plan(context, resource, file), ['step', 'name', 'method', 'url']);
      let done = 0;
      const steps = async function* () {
        for await (const step of apply(context, file)) {
          done += 1;
          yield step;
        }
      };
      try {
        await printRows(context, steps(), { columns: ['step', 'id', 'name', 'result'].map((column) => ({ path: column })) });
      } catch (error) {
        throw stopped(error, done, path);
      }
    },
  });
}

/** Every request that would be sent if nothing of it were there yet; ids that are not known yet are named. */
async function plan(context: Needs<'host'>, resource: Resource, file: WorkflowFile): Promise<JsonObject[]> {
  const id = (name: string) => `<id of ${name}>`;
  const request = async (step: string, name: string, path: string, body: JsonObject): Promise<JsonObject> => ({
    step,
    name,
    ...(await describeWrite(context, resource, { method: 'POST', path, body })),
  });
  return Promise.all([
    request('workflow', file.name, WORKFLOW_PATHS.workflow, { name: file.name }),
    ...file.statuses.map(({ name, fields }) => request('status', name, WORKFLOW_PATHS.status, { workflow_id: id(file.name), ...fields })),
    ...file.transitions.map(({ from, to }) =>
      request('transition', `${from} -> ${to}`, WORKFLOW_PATHS.transition, { from_status_id: id(from), to_status_id: id(to) }),
    ),
  ]);
}

/** Makes what is missing, step by step. */
async function* apply(context: Needs<'client' | 'host'>, file: WorkflowFile): AsyncGenerator<JsonObject> {
  const workflows = (await readWorkflows(context)).filter((row) => sameName(scalarText(row['name']), file.name));
  if (workflows.length > 1) {
    throw new UsageError(`There are ${workflows.length} workflows called "${file.name}".`, {
      hint: 'svc cannot tell which is meant: rename all but one.',
    });
  }
  const [known] = workflows;
  const workflow = known ?? (await create(context, WORKFLOW_PATHS.workflow, { name: file.name }));
  yield { step: 'workflow', id: idOf(workflow), name: file.name, result: known === undefined ? 'created' : 'there already' };

  const [there, moves] =
    known === undefined ? [[], []] : await together(statusesOfWorkflow(context, idOf(workflow)), readTransitions(context));
  const ids = new Map<string, JsonValue>();
  for (const { name, fields } of file.statuses) {
    const before = there.find((row) => sameName(scalarText(row['name']), name));
    const status = before ?? (await create(context, WORKFLOW_PATHS.status, { workflow_id: idOf(workflow), ...fields }));
    ids.set(name, idOf(status));
    yield { step: 'status', id: idOf(status), name, result: before === undefined ? 'created' : 'there already' };
  }

  const makeMove = async ({ from, to }: WorkflowFile['transitions'][number]): Promise<JsonObject> => {
    const body = { from_status_id: ids.get(from) ?? null, to_status_id: ids.get(to) ?? null };
    const before = moves.find((row) => same(row['from_status_id'], body.from_status_id) && same(row['to_status_id'], body.to_status_id));
    const move = before ?? (await create(context, WORKFLOW_PATHS.transition, body));
    return { step: 'transition', id: idOf(move), name: `${from} -> ${to}`, result: before === undefined ? 'created' : 'there already' };
  };
  // Statuses stand in the order in which they were made; transitions have none.
  yield* inOrder(file.transitions, AT_ONCE, makeMove);
}

/**
 * Creates one record. Its key is the same whenever the same thing is made in the same place, so that two runs at once, or
 * one whose answer was lost, make it once. The answer to an earlier time may be of a record that was deleted since; then it
 * is made anew.
 */
async function create(context: Needs<'client' | 'host'>, path: string, body: JsonObject): Promise<JsonObject> {
  const { name: host } = await context.host();
  const key = createHash('sha256')
    .update([host, path, stringifyJson(body)].join('\0'))
    .digest('hex')
    .slice(0, 40);
  const response = await sendWrite(context, { method: 'POST', path, body, idempotencyKey: `svc-apply-${key}` });
  const record = readRecord(response);
  if (response.headers['idempotency-replayed'] !== 'true' || (await isThere(context, `${path}/${scalarText(idOf(record))}`))) return record;
  return readRecord(await sendWrite(context, { method: 'POST', path, body }));
}

function idOf(record: JsonObject): JsonValue {
  return record['id'] ?? null;
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return scalarText(one) !== '' && scalarText(one) === scalarText(other);
}

/** A failure half way says that nothing is lost. */
function stopped(error: unknown, done: number, path: string): unknown {
  if (!(error instanceof SvcError) || done === 0) return error;
  const resume = path === '-' ? undefined : `svc workflows apply ${shellWord(path)}`;
  return withMore(error, {
    lines: [`${counted(done, 'step')} ${were(done)} done before this; running it again goes on from here.`],
    resume,
  });
}
