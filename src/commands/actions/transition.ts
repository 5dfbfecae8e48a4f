import { workItems } from '../../catalog/work-items.ts';
import { rows } from '../../client/pages.ts';
import { ConflictError, UsageError } from '../../errors.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { nearest } from '../../values/suggest.ts';
import type { Context } from '../context.ts';
import { defineCommand, text, toggle } from '../define.ts';
import { printRecord, viewOf } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { itemPath } from '../resource/item-path.ts';
import { describeWrite, sendWrite } from '../resource/send-write.ts';

/** A workflow status, as far as a transition needs it. */
interface Status {
  readonly id: number;
  readonly name: string;
  readonly workflowId: string;
}

/** `svc work-items transition <id> --to <status>` (rules 5.2 to 5.10). The same status is a success. */
export const transition = defineCommand({
  name: 'transition',
  summary: 'Move a work item to another workflow status',
  description:
    'Moves it along its workflow. A move the workflow does not have is refused, and svc names the ones it has. Moving it to where it is already is a success.',
  args: [{ name: 'id', summary: 'Its id or key' }],
  options: {
    to: text('--to <status>', 'The status, by id or name (required)'),
    ifMatch: text('--if-match <etag>', 'Only if the work item still has this ETag', { group: 'Request' }),
    ifUnchanged: toggle('--if-unchanged', 'Only if nobody changes it meanwhile', { group: 'Request' }),
    idempotencyKey: text('--idempotency-key <k>', 'Sent twice with the same key, it is done once', { group: 'Request' }),
  },
  examples: [
    { args: 'work-items transition ABC-12 --to Done', does: 'It is done' },
    { args: 'work-items transition ABC-12 --to 7 --if-unchanged', does: 'To status 7, unless somebody else moved it' },
  ],
  async run(context, { args: [id = ''], options }) {
    if (options.to === undefined)
      throw new UsageError('"svc work-items transition" needs --to <status>.', {
        hint: `For example: svc work-items transition ${id} --to Done`,
      });
    if (options.ifMatch !== undefined && options.ifUnchanged)
      throw new UsageError('--if-match and --if-unchanged cannot be used together.', { hint: 'Use one of them.' });
    const path = `${itemPath(workItems, id)}/actions/transition`;
    const numeric = /^\d+$/.test(options.to) ? Number(options.to) : undefined;
    if (context.globals.dryRun) {
      const body = { workflow_status_id: numeric ?? `<id of ${options.to}>` };
      const ifMatch = options.ifUnchanged ? '<its ETag now>' : options.ifMatch;
      return printRecord(
        context,
        await describeWrite(context, workItems, { method: 'POST', path, body, ifMatch, idempotencyKey: options.idempotencyKey }),
      );
    }
    const before = numeric === undefined || options.ifUnchanged ? await currentState(context, id) : undefined;
    const target = numeric ?? (await statusNamed(context, options.to, before?.statusId));
    const ifMatch = options.ifUnchanged ? before?.etag : options.ifMatch;
    const request = {
      method: 'POST',
      path,
      body: { workflow_status_id: target },
      ifMatch,
      idempotencyKey: options.idempotencyKey,
    } as const;
    try {
      await printRecord(context, readRecord(await sendWrite(context, request)), viewOf(workItems));
    } catch (error) {
      throw error instanceof ConflictError && error.details.status === 409 ? await withLegalTargets(context, error, id) : error;
    }
  },
});

interface State {
  readonly statusId: number;
  readonly etag: string | undefined;
}

async function currentState(context: Context, id: string): Promise<State> {
  const client = await context.client();
  const response = await client.send({ method: 'GET', path: itemPath(workItems, id) });
  return { statusId: Number(scalarText(readRecord(response)['workflow_status_id'])), etag: response.etag };
}

/** The status of a name; of several workflows' the one in the work item's own. @throws UsageError naming what there is. */
async function statusNamed(context: Context, name: string, currentId: number | undefined): Promise<number> {
  const statuses = await allStatuses(context);
  const own = statuses.find(({ id }) => id === currentId)?.workflowId;
  const candidates = own === undefined ? statuses : statuses.filter(({ workflowId }) => workflowId === own);
  const found = candidates.filter((status) => status.name.toLowerCase() === name.trim().toLowerCase());
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  const names = candidates.map((status) => status.name);
  if (found.length > 1)
    throw new UsageError(`Several statuses are called "${name}".`, { hint: `Use an id: ${found.map(({ id }) => id).join(', ')}.` });
  const near = nearest(name, names);
  throw new UsageError(`This work item's workflow has no status "${name}".`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}It has: ${names.join(', ')}.`,
  });
}

/** The same failure, with the moves that the workflow has from here. */
async function withLegalTargets(context: Context, error: ConflictError, id: string): Promise<ConflictError> {
  const { statusId } = await currentState(context, id);
  const targets = await collect(context, '/workflow-transitions', [['filter[from_status_id]', String(statusId)]]);
  const names = new Map((await allStatuses(context)).map((status) => [status.id, status.name]));
  const legal = targets
    .map((row) => Number(scalarText(row['to_status_id'])))
    .map((target) => `${names.get(target) ?? 'status'} (${target})`);
  const from = names.get(statusId) ?? String(statusId);
  const hint = legal.length === 0 ? `From ${from} the workflow leads nowhere.` : `From ${from} it can go to: ${legal.join(', ')}.`;
  return new ConflictError(error.message, { hint, details: error.details, cause: error });
}

async function allStatuses(context: Context): Promise<readonly Status[]> {
  const records = await collect(context, '/workflow-statuses', []);
  return records.map((row) => ({
    id: Number(scalarText(row['id'])),
    name: scalarText(row['name']),
    workflowId: scalarText(row['workflow_id']),
  }));
}

async function collect(context: Context, path: string, query: readonly (readonly [string, string])[]): Promise<JsonObject[]> {
  const client = await context.client();
  const found: JsonObject[] = [];
  for await (const row of rows(client, { method: 'GET', path, query: [...query, ['per_page', '100']] })) found.push(row);
  return found;
}
