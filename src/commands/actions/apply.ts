import { createHash } from 'node:crypto';
import { AT_ONCE, inOrder } from '../../bulk/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { shellWord } from '../../cli/shell-word.ts';
import { defineCommand, type LoadedCommand } from '../../cli/spec.ts';
import { SvcError, UsageError, withMore } from '../../errors.ts';
import { collectRows } from '../../records/all-rows.ts';
import { readRecord, recordThere } from '../../records/record-at.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import { sameName, statusesOfWorkflow, WORKFLOW_PATHS } from '../../records/workflows.ts';
import type { Context, Needs } from '../../session/context.ts';
import { type Printing, printRecords, printRows } from '../../session/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, readYaml, scalarText, stringifyJson, YamlError } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';
import { counted, were } from '../../values/text.ts';
import { together } from '../../values/together.ts';

/**
 * Defines `svc workflows apply <file>` (rules 5.11 to 5.13, 9.32 to 9.45). The command creates a workflow with its statuses and
 * transitions.
 */
export function applyCommand(resource: Resource): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['host', 'output', 'dryRun'],
    description: [
      'svc reads a YAML file such as:',
      '  name: Support\n  statuses: [New, Doing, Done]\n  transitions:\n    - New -> Doing\n    - Doing -> New, Done',
      'svc creates the missing parts step by step, and leaves existing parts (by name) unchanged. svc renames and deletes nothing. Run the command again after a failure, or after you add statuses or transitions to the file. A status can be an object with a name and other fields, which svc sends unchanged.',
    ].join('\n\n'),
    args: [{ name: 'file', summary: 'A YAML file; - reads standard input' }],
    examples: [
      { args: 'workflows apply support.yaml --dry-run', does: 'Print every request, and send nothing' },
      { args: 'workflows apply support.yaml', does: 'Create the workflow' },
    ],
    async run(context: Needs<Printing | 'client' | 'host' | 'plan' | 'readFileArgument'>, { args: [path = ''] }) {
      if (context.plan !== undefined)
        throw new UsageError('svc cannot plan a workflow: each step needs the id of the step before.', {
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
        if (!(error instanceof SvcError) || done === 0) throw error;
        throw withMore(error, {
          lines: [`${counted(done, 'step')} ${were(done)} done before the failure. Run the same command again to continue.`],
          resume: path === '-' ? undefined : `svc workflows apply ${shellWord(path)}`,
        });
      }
    },
  });
}

/** Lists the requests that create the whole workflow. A placeholder replaces each unknown id. */
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

async function* apply(context: Needs<'client' | 'host'>, file: WorkflowFile): AsyncGenerator<JsonObject> {
  const workflows = (await collectRows(context, WORKFLOW_PATHS.workflow)).filter((row) => sameName(scalarText(row['name']), file.name));
  if (workflows.length > 1) {
    throw new UsageError(`There are ${workflows.length} workflows called "${file.name}".`, {
      hint: 'Rename all but one of these workflows.',
    });
  }
  const [known] = workflows;
  const workflow = known ?? (await create(context, WORKFLOW_PATHS.workflow, { name: file.name }));
  yield { step: 'workflow', id: idOf(workflow), name: file.name, result: known === undefined ? 'created' : 'exists already' };

  const [there, moves] =
    known === undefined
      ? [[], []]
      : await together(statusesOfWorkflow(context, idOf(workflow)), collectRows(context, WORKFLOW_PATHS.transition));
  const ids = new Map<string, JsonValue>();
  for (const { name, fields } of file.statuses) {
    const before = there.find((row) => sameName(scalarText(row['name']), name));
    const status = before ?? (await create(context, WORKFLOW_PATHS.status, { workflow_id: idOf(workflow), ...fields }));
    ids.set(name, idOf(status));
    yield { step: 'status', id: idOf(status), name, result: before === undefined ? 'created' : 'exists already' };
  }

  const makeMove = async ({ from, to }: WorkflowFile['transitions'][number]): Promise<JsonObject> => {
    const body = { from_status_id: ids.get(from) ?? null, to_status_id: ids.get(to) ?? null };
    const before = moves.find((row) => same(row['from_status_id'], body.from_status_id) && same(row['to_status_id'], body.to_status_id));
    const move = before ?? (await create(context, WORKFLOW_PATHS.transition, body));
    return { step: 'transition', id: idOf(move), name: `${from} -> ${to}`, result: before === undefined ? 'created' : 'exists already' };
  };
  // The service keeps statuses in the order of their creation. Transitions have no order, so svc creates several transitions in parallel.
  yield* inOrder(file.transitions, AT_ONCE, makeMove);
}

/**
 * Creates a record, and returns the record. The Idempotency-Key depends on host, path and body, so that parallel runs create one record. If
 * the replayed answer shows a deleted record, svc creates another record.
 */
async function create(context: Needs<'client' | 'host'>, path: string, body: JsonObject): Promise<JsonObject> {
  const { name: host } = await context.host();
  const key = createHash('sha256')
    .update([host, path, stringifyJson(body)].join('\0'))
    .digest('hex')
    .slice(0, 40);
  const response = await sendWrite(context, { method: 'POST', path, body, idempotencyKey: `svc-apply-${key}` });
  const record = readRecord(response);
  if (
    response.headers['idempotency-replayed'] !== 'true' ||
    (await recordThere(context, `${path}/${scalarText(idOf(record))}`)) !== undefined
  )
    return record;
  return readRecord(await sendWrite(context, { method: 'POST', path, body }));
}

function idOf(record: JsonObject): JsonValue {
  return record['id'] ?? null;
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return scalarText(one) !== '' && scalarText(one) === scalarText(other);
}

export interface WorkflowFile {
  readonly name: string;
  /** The statuses of the workflow. svc sends `fields` unchanged, and `fields` includes the name. */
  readonly statuses: readonly { readonly name: string; readonly fields: JsonObject }[];
  /** The transitions of the workflow. `from` and `to` have the spelling of the list of statuses. */
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
}

type FileStatus = WorkflowFile['statuses'][number];

const FORM = 'A workflow file has a name, statuses, and transitions such as "New -> Done". See: svc workflows apply --help';

/**
 * Parses and checks the text of a workflow file.
 *
 * @throws UsageError for a file that does not describe a workflow.
 */
export async function readWorkflowFile(text: string): Promise<WorkflowFile> {
  let value: JsonValue;
  try {
    value = ((await readYaml(text)) ?? null) as JsonValue;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new UsageError(`The file is not YAML: ${error.message}`, { hint: FORM });
  }
  if (!isJsonObject(value)) throw new UsageError('The file does not describe a workflow.', { hint: FORM });
  const unknown = Object.keys(value).find((key) => !['name', 'statuses', 'transitions'].includes(key));
  if (unknown !== undefined) throw new UsageError(`A workflow file has no field "${unknown}".`, { hint: FORM });
  const name = nameOf(value['name'], 'The workflow');
  const statuses = listOf(value['statuses'], 'statuses').map(readStatus);
  for (const [index, status] of statuses.entries()) {
    if (statuses.slice(0, index).some((before) => sameName(before.name, status.name)))
      throw new UsageError(`The file has the status "${status.name}" twice.`, { hint: 'Give each status a name of its own.' });
  }
  const transitions = listOf(value['transitions'], 'transitions').flatMap((entry) => readTransition(entry, statuses));
  const once = new Map(transitions.map((transition) => [`${transition.from}\0${transition.to}`, transition]));
  return { name, statuses, transitions: [...once.values()] };
}

function listOf(value: JsonValue | undefined, what: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new UsageError(`${what} is not a list.`, { hint: FORM });
}

function nameOf(value: JsonValue | undefined, what: string): string {
  if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') return String(value).trim();
  throw new UsageError(`${what} has no name.`, { hint: FORM });
}

function readStatus(entry: JsonValue): FileStatus {
  if (!isJsonObject(entry)) {
    const name = nameOf(entry, 'A status');
    return { name, fields: { name } };
  }
  const name = nameOf(entry['name'], 'A status');
  if (Object.hasOwn(entry, 'workflow_id'))
    throw new UsageError(`The status "${name}" has a workflow_id.`, {
      hint: 'Leave out workflow_id: the status belongs to the workflow of this file.',
    });
  return { name, fields: { ...entry, name } };
}

/**
 * Returns the transitions of an entry: `New -> Done`, `New -> Doing, Done`, or an object with `from` and `to`. `from` and `to` are names or
 * lists of names.
 */
function readTransition(entry: JsonValue, statuses: readonly FileStatus[]): WorkflowFile['transitions'][number][] {
  const ends = isJsonObject(entry) ? [entry['from'], entry['to']] : typeof entry === 'string' ? entry.split('->') : [];
  const [from, to] = ends.map((end) => names(end, statuses));
  if (ends.length !== 2 || from === undefined || to === undefined || from.length === 0 || to.length === 0)
    throw new UsageError('A transition needs two statuses.', { hint: 'Write "New -> Done", or from: and to:.' });
  return from.flatMap((one) => to.map((other) => ({ from: one, to: other })));
}

function names(end: JsonValue | undefined, statuses: readonly FileStatus[]): string[] {
  const texts = typeof end === 'string' ? end.split(',') : Array.isArray(end) ? end : typeof end === 'number' ? [end] : [];
  return texts
    .map((text: JsonValue) => String(text).trim())
    .filter((text) => text !== '')
    .map((text) => {
      const found = statuses.find(({ name }) => sameName(name, text));
      if (found !== undefined) return found.name;
      const known = statuses.map(({ name }) => name);
      const near = nearest(text, known);
      throw new UsageError(`A transition names the status "${text}", and the file does not have that status.`, {
        hint: `${near === undefined ? '' : `Did you mean "${near}"? `}Statuses in the file: ${known.join(', ')}.`,
      });
    });
}
