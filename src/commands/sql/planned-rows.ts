import { randomUUID } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import { checkComplete, onceEach, type ReadValue } from '../../bulk/import/check-rows.ts';
import { resourceOfTable } from '../../bulk/sync/sync-into.ts';
import type { Field, Resource } from '../../catalog/define.ts';
import { isWritable, METHODS, verbsOf, wordsOf, writableFields } from '../../catalog/rules.ts';
import type { ScratchChange } from '../../database/scratch-changes.ts';
import { UsageError } from '../../errors.ts';
import type { PlannedWrite } from '../../journal/plan-file.ts';
import { readBodyValue } from '../../records/kinds.ts';
import { collectionPath, itemPath } from '../../records/paths.ts';
import type { Context, Needs } from '../../session/context.ts';
import { checkBody, describedBody } from '../../session/described-writes.ts';
import { whatIsWritten } from '../../session/planning.ts';
import { type JsonObject, type JsonValue, ownEntry, scalarText, stringifyJson } from '../../values/json.ts';
import { counted } from '../../values/text.ts';

/** The most problems that an error lists. */
const MOST_LINES = 50;

/**
 * Converts changes of rows to planned writes. Reads each value as the flag of the field would. Leaves out a change whose record already has
 * the values.
 *
 * @throws UsageError that names a resource or column that svc cannot write, or lists up to 50 invalid changes.
 */
export async function plannedWrites(context: Context, changes: readonly ScratchChange[]): Promise<readonly PlannedWrite[]> {
  const read = onceEach((field, text) => readBodyValue(context, field, text));
  const problems: string[] = [];
  const writes: PlannedWrite[] = [];
  for (const change of changes) {
    const resource = await resourceOfTable(context, change.noun);
    const verb = change.action;
    if (resource === undefined || !verbsOf(resource).includes(verb))
      throw new UsageError(`svc cannot ${verb} records of ${change.noun}.`, { hint: 'See the commands of a resource: svc resources' });
    const label = `${change.noun} ${change.id ?? 'new'}`;
    try {
      const write = await plannedWrite(context, resource, change, read);
      if (write !== undefined) writes.push(write);
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof UnwritableError) throw error;
      problems.push(`${label}: ${error.message}`);
    }
  }
  if (problems.length === 0) return writes;
  throw new UsageError(`svc cannot send ${counted(problems.length, 'change')} of ${changes.length}, so svc planned nothing.`, {
    hint: 'Change the statement.',
    details: {
      lines: [...problems.slice(0, MOST_LINES), ...(problems.length > MOST_LINES ? [`… and ${problems.length - MOST_LINES} more.`] : [])],
    },
  });
}

/** Reports a column that no write of a resource can set. */
class UnwritableError extends UsageError {}

/** Returns the write for a change. Undefined if the record already has the new values. */
async function plannedWrite(
  context: Context,
  resource: Resource,
  { action, id, record, values }: ScratchChange,
  read: ReadValue,
): Promise<PlannedWrite | undefined> {
  const body: Record<string, JsonValue> = {};
  const before: Record<string, JsonValue> = {};
  // A child record names its parent in a field. The path of the child record has the value of this field.
  const key = resource.parent && `${resource.parent.parameter.replace(/_id$/, '')}_id`;
  const parent = key === undefined ? undefined : scalarText(record?.[key] ?? String(values.get(key) ?? ''));
  for (const [name, cell] of values) {
    if (action === 'create' && name === key) continue;
    const value = await readCell(writableField(resource, name, action), name, cell, read);
    const old = ownEntry(record ?? {}, name);
    if (action === 'update') {
      if (old === undefined) throw new UsageError(`the service does not show ${name} of this record, so svc cannot compare the field.`);
      if (stringifyJson(old) === stringifyJson(value)) continue;
      before[name] = old;
    }
    body[name] = value;
  }
  if (action === 'update' && Object.keys(body).length === 0) return undefined;
  if (action === 'create') checkComplete(resource, body, 'record');
  if (action !== 'delete') await checkBody(context, resource, action, body);
  const method = METHODS[action];
  const path = await pathOf(context, resource, id, parent);
  return {
    method,
    path,
    body: action === 'delete' ? undefined : stringifyJson(describedBody(resource, method, path, body)),
    key: randomUUID(),
    ifMatch: undefined,
    ...(action === 'update' && { before }),
    ...(action === 'delete' && { before: withoutLinks(record ?? {}) }),
    noun: whatIsWritten(path).noun,
    command: context.argv,
  };
}

function writableField(resource: Resource, name: string, action: ScratchChange['action']): Field {
  const operation = action === 'create' ? 'create' : 'update';
  const field = ownEntry(resource.fields, name);
  if (field !== undefined && isWritable(field, operation)) return field;
  throw new UnwritableError(`The statement sets ${name} of ${wordsOf(resource)}, and svc cannot ${operation} that field.`, {
    hint: `Fields for ${operation}: ${writableFields(resource, operation)
      .map(([each]) => each)
      .join(', ')}`,
    details: { parameter: name },
  });
}

/** Reads a value of SQLite as a flag would, but accepts only ids for references. NULL clears the field. */
async function readCell(field: Field, name: string, cell: SQLOutputValue, read: ReadValue): Promise<JsonValue> {
  if (cell === null) return null;
  if (cell instanceof Uint8Array)
    throw new UsageError(`${name}: the statement sets binary data (BLOB), and no field has binary data.`, {
      hint: 'Write the value as a string.',
    });
  const text = field.kind === 'boolean' && (cell === 0n || cell === 1n) ? String(cell === 1n) : String(cell);
  const isReference = field.kind === 'id' || field.kind === 'user' || field.kind === 'work-item';
  if (isReference && !/^\d+$/.test(text)) throw new UsageError(`${name}: ${stringifyJson(text)} is not an id.`);
  try {
    return await read(field, text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

/** Returns the path of a record, or of the resource for a create. */
async function pathOf(
  { catalog }: Needs<'catalog'>,
  resource: Resource,
  id: number | undefined,
  parent: string | undefined,
): Promise<string> {
  if (id === undefined) return collectionPath(resource, parent);
  const items = resource.itemsOf === undefined ? resource : ((await catalog.find(resource.itemsOf)) ?? resource);
  return itemPath(items, String(id), items.parent === undefined ? undefined : parent);
}

function withoutLinks({ links: _, ...record }: JsonObject): JsonObject {
  return record;
}
