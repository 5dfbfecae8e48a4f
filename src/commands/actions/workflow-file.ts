import { UsageError } from '../../errors.ts';
import { sameName } from '../../records/statuses.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.ts';
import { readYaml, YamlError } from '../../values/read-yaml.ts';
import { nearest } from '../../values/suggest.ts';

/** A workflow as a file describes it. */
export interface WorkflowFile {
  readonly name: string;
  readonly statuses: readonly FileStatus[];
  readonly transitions: readonly FileTransition[];
}

/** A status; `fields` are sent with it as they are, its name among them. */
export interface FileStatus {
  readonly name: string;
  readonly fields: JsonObject;
}

/** A move between two statuses of the file, by name as its status spells it. */
export interface FileTransition {
  readonly from: string;
  readonly to: string;
}

const FORM = 'It has a name, a list of statuses, and a list of transitions such as "New -> Done"; see svc workflows apply --help';

/** Reads a workflow file. @throws UsageError for anything that cannot be meant; nothing has been sent then. */
export async function readWorkflowFile(text: string): Promise<WorkflowFile> {
  let value: JsonValue;
  try {
    value = ((await readYaml(text)) ?? null) as JsonValue;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new UsageError(`This is no YAML: ${error.message}`, { hint: FORM });
  }
  if (!isJsonObject(value)) throw new UsageError('The file does not describe a workflow.', { hint: FORM });
  const unknown = Object.keys(value).find((key) => !['name', 'statuses', 'transitions'].includes(key));
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is nothing that a workflow file has.`, { hint: FORM });
  const name = nameOf(value['name'], 'The workflow');
  const statuses = listOf(value['statuses'], 'statuses').map(readStatus);
  for (const [index, status] of statuses.entries()) {
    if (statuses.slice(0, index).some((before) => sameName(before.name, status.name)))
      throw new UsageError(`The status "${status.name}" is there twice.`, { hint: 'Give each status a name of its own.' });
  }
  const transitions = listOf(value['transitions'], 'transitions').flatMap((entry) => readTransition(entry, statuses));
  return { name, statuses, transitions: withoutDoubles(transitions) };
}

function listOf(value: JsonValue | undefined, what: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new UsageError(`${what} is no list.`, { hint: FORM });
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
    throw new UsageError(`The status "${name}" names its workflow_id.`, { hint: 'Leave it out: it belongs to the workflow of this file.' });
  return { name, fields: { ...entry, name } };
}

/** `New -> Done`, `New -> Doing, Done`, or `from` and `to` with a name or a list of names each. */
function readTransition(entry: JsonValue, statuses: readonly FileStatus[]): FileTransition[] {
  const ends = isJsonObject(entry) ? [entry['from'], entry['to']] : typeof entry === 'string' ? entry.split('->') : [];
  const [from, to] = ends.map((end) => names(end, statuses));
  if (ends.length !== 2 || from === undefined || to === undefined || from.length === 0 || to.length === 0)
    throw new UsageError('A transition does not say from where to where.', { hint: 'Write it as "New -> Done", or as from: and to:.' });
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
      throw new UsageError(`A transition names the status "${text}", which the file does not have.`, {
        hint: `${near === undefined ? '' : `Did you mean "${near}"? `}It has: ${known.join(', ')}.`,
      });
    });
}

function withoutDoubles(transitions: readonly FileTransition[]): FileTransition[] {
  return [...new Map(transitions.map((transition) => [`${transition.from}\0${transition.to}`, transition])).values()];
}
