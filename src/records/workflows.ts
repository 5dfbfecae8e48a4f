import { ForbiddenError, NotFoundError, RefusedError, UsageError, undefinedFor } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { nearest } from '../values/suggest.ts';
import { collectRows } from './all-rows.ts';

/** The paths that create a workflow, its statuses and its transitions, with one request each (rules 5.11 to 5.13). */
export const WORKFLOW_PATHS = { workflow: '/workflows', status: '/workflow-statuses', transition: '/workflow-transitions' } as const;

/** Reads the statuses of one workflow. svc filters the statuses itself, because no such filter is documented. */
export async function statusesOfWorkflow(context: Needs<'client'>, id: JsonValue): Promise<readonly JsonObject[]> {
  const wanted = scalarText(id);
  const statuses = await collectRows(context, WORKFLOW_PATHS.status);
  return wanted === '' ? [] : statuses.filter((status) => scalarText(status['workflow_id']) === wanted);
}

export interface Status {
  readonly id: number;
  readonly name: string;
  readonly workflowId: string;
}

export async function allStatuses(context: Needs<'client'>): Promise<readonly Status[]> {
  const records = await collectRows(context, '/workflow-statuses');
  return records.map((row) => ({
    id: Number(scalarText(row['id'])),
    name: scalarText(row['name']),
    workflowId: scalarText(row['workflow_id']),
  }));
}

/**
 * Returns the ids of the statuses that a text names: the id itself, or each status of that name. @throws UsageError if no status has the
 * name.
 */
export async function statusIds(context: Needs<'client' | 'globals' | 'notifyOnce'>, text: string): Promise<readonly (number | string)[]> {
  if (/^\d+$/.test(text.trim())) return [Number(text)];
  if (context.globals.dryRun) return [(await import('./placeholder-id.ts')).placeholderId(context, text)];
  const statuses = await allStatuses(context);
  const found = statuses.filter((status) => sameName(status.name, text));
  if (found.length > 0) return found.map(({ id }) => id);
  throw noSuchStatus(`No workflow has a status "${text}".`, text, statuses);
}

export function statusNamed(statuses: readonly Status[], name: string): number {
  const found = statuses.filter((status) => sameName(status.name, name));
  if (found.length > 1)
    throw new UsageError(`Several statuses have the name "${name}".`, { hint: `Use an id: ${found.map(({ id }) => id).join(', ')}.` });
  const [only] = found;
  if (only === undefined) throw noSuchStatus(`The workflow of this work item has no status "${name}".`, name, statuses);
  return only.id;
}

/** Returns the ids of the statuses that a workflow allows after a status (rules 5.10, 9.31). */
export async function allowedTargets(context: Needs<'client'>, statusId: number): Promise<readonly number[]> {
  const moves = await collectRows(context, '/workflow-transitions', [['filter[from_status_id]', String(statusId)]]);
  return moves.map((row) => Number(scalarText(row['to_status_id'])));
}

/** Returns true if a workflow allows the transition. Undefined without permission to read the transitions. */
export async function allowsTransition(context: Needs<'client'>, from: number, to: number): Promise<boolean | undefined> {
  const allowed = await allowedTargets(context, from).catch(undefinedFor(ForbiddenError, NotFoundError, RefusedError));
  return allowed?.includes(to);
}

export function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function noSuchStatus(message: string, name: string, statuses: readonly Status[]): UsageError {
  const names = [...new Set(statuses.map((status) => status.name))];
  const near = nearest(name, names);
  return new UsageError(message, { hint: `${near === undefined ? '' : `Did you mean "${near}"? `}The statuses are ${names.join(', ')}.` });
}
