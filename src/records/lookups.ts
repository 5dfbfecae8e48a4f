import { SvcError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { parseWorkItem } from '../values/work-item.ts';
import { readRecord } from './read-record.ts';

/**
 * The numeric id of a work item that was typed as an id or a key: bodies and filters take ids only, paths take either
 * (rule 2.13). A key costs one request; in a dry run, which sends nothing, a text stands in for the answer.
 */
export async function workItemId(context: Context, text: string): Promise<number | string> {
  const typed = parseWorkItem(text);
  if (typed.kind === 'id') return typed.id;
  if (context.globals.dryRun) return `<id of ${typed.key}>`;
  const client = await context.client();
  const response = await client.send({ method: 'GET', path: `/work-items/${typed.key}`, query: [['view', 'summary']] });
  return idOf(readRecord(response), typed.key);
}

/** The numeric id of the signed-in user, known from the sign-in, else asked for. */
export async function ownUserId(context: Context): Promise<number | string> {
  const known = (await context.account())?.user_id;
  if (known !== undefined) return known;
  if (context.globals.dryRun) return '<your id>';
  const client = await context.client();
  return idOf(readRecord(await client.send({ method: 'GET', path: '/me' })), 'you');
}

function idOf(record: JsonObject, what: string): number {
  const id = Number(scalarText(record['id'] ?? null));
  if (!Number.isSafeInteger(id) || id < 1)
    throw new SvcError(`The service's record of ${what} has no id.`, { hint: 'Use the numeric id instead.' });
  return id;
}
