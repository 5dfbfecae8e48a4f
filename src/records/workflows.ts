import type { Needs } from '../session/context.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { collectRows } from './all-rows.ts';

/** The collections that take a new workflow, its statuses and its transitions, one request each (rules 5.11 to 5.13). */
export const WORKFLOW_PATHS = { workflow: '/workflows', status: '/workflow-statuses', transition: '/workflow-transitions' } as const;

export async function readWorkflows(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  return collectRows(context, WORKFLOW_PATHS.workflow);
}

/** The statuses of one workflow. That they can be filtered by it is not documented, so they are picked out here. */
export async function statusesOfWorkflow(context: Needs<'client'>, id: JsonValue): Promise<readonly JsonObject[]> {
  const wanted = scalarText(id);
  const statuses = await collectRows(context, WORKFLOW_PATHS.status);
  return wanted === '' ? [] : statuses.filter((status) => scalarText(status['workflow_id']) === wanted);
}

/** Every transition of every workflow. */
export async function readTransitions(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  return collectRows(context, WORKFLOW_PATHS.transition);
}
