import { ForbiddenError, NotFoundError, SvcError, undefinedFor } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { requestMe } from '../session/own-record.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { readRecord } from './record-at.ts';

/** Reads the record of the signed-in user in one request (rule 9.10). */
export async function readMe(context: Needs<'client'>): Promise<JsonObject> {
  return readRecord(await requestMe(await context.client()));
}

/** Returns the id of the signed-in user from the sign-in, or else from the service. Only one filter documents the word `me` (rule 9.26). */
export async function ownId(context: Needs<'account' | 'client'>): Promise<number> {
  return (await context.account())?.user_id ?? idOf(await readMe(context), 'you');
}

/** Returns the id of the signed-in user for a write. A dry run sends no request, and uses a placeholder text. */
export async function ownUserId(context: Needs<'account' | 'client' | 'globals'>): Promise<number | string> {
  const known = (await context.account())?.user_id;
  return known ?? (context.globals.dryRun ? '<your id>' : ownId(context));
}

export async function ownUserIdIfKnown(context: Needs<'account' | 'client'>): Promise<number | undefined> {
  const known = (await context.account())?.user_id;
  if (known !== undefined) return known;
  const id = (await readMe(context).catch(undefinedFor(ForbiddenError, NotFoundError)))?.['id'];
  return typeof id === 'number' ? id : undefined;
}

export function idOf(record: JsonObject, what: string): number {
  const id = Number(scalarText(record['id'] ?? null));
  if (!Number.isSafeInteger(id) || id < 1)
    throw new SvcError(`The record of ${what} at the service has no id.`, { hint: 'Use the numeric id instead.' });
  return id;
}
