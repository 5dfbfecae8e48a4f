import type { ApiResponse } from '../client/api-client.ts';
import type { Unsettled } from '../journal/entry.ts';
import { resendRequest } from '../journal/resend-request.ts';
import type { UndoRequest } from '../journal/undo-plan.ts';
import type { Asking, Needs } from '../session/context.ts';
import { settleLostChange } from '../session/lost-change.ts';

/**
 * Sends an unconfirmed or waiting entry of the journal: the same bytes under the same key. If its key may be forgotten by now, svc
 * looks for the record first. It also looks first for a change that depended on an ETag.
 *
 * @throws ConflictError when another svc has sent it since, or nobody can answer about a lapsed one.
 */
export async function sendEntry(
  context: Needs<Asking | 'account' | 'client' | 'journal' | 'notice'>,
  unsettled: Unsettled,
): Promise<ApiResponse> {
  const client = await context.client();
  const { entry } = unsettled;
  if (entry.outcome === 'unknown' && entry.method === 'PATCH') {
    const found = await settleLostChange(context, client, entry);
    if (found !== undefined) return found;
  }
  if (unsettled.lapsed && unsettled.entry.method === 'POST') {
    const { settleLapsed } = await import('../session/lapsed.ts');
    const found = await settleLapsed(context, client, unsettled);
    if (found !== undefined) return found;
  }
  return client.send(resendRequest(entry));
}

/** Undoes a write. @throws ConflictError with status 412 when the record was changed since. */
export async function sendUndo(
  context: Needs<'client'>,
  { entry, method, path, body, ifMatch, before }: UndoRequest,
): Promise<ApiResponse> {
  const client = await context.client();
  return client.send({
    method,
    path,
    ...(body !== undefined && { body: { json: body } }),
    ...(ifMatch !== undefined && { ifMatch }),
    note: { undoes: entry.number, ...(before !== undefined && { before }) },
  });
}
