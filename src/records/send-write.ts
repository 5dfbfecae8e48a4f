import type { Resource } from '../catalog/define.ts';
import { abilitiesFor } from '../catalog/rules.ts';
import type { ApiResponse } from '../client/api-client.ts';
import { type Query, requestCost } from '../client/cost.ts';
import { requestUrl } from '../client/origin.ts';
import { SignInError } from '../errors.ts';
import type { WriteDetails } from '../journal/journaled-client.ts';
import type { Needs } from '../session/context.ts';
import { describedBody, type OperationsOf } from '../session/described-writes.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';

export interface WriteRequest {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The query that selects the view of the record in the answer (rule 3.4). Default: no query. */
  readonly query?: Query;
  readonly body?: JsonObject | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly note?: WriteDetails | undefined;
}

type Deleting = Needs<'credentials'> & Partial<Needs<'signal'>>;

/** Checks that a token can delete records. Sends no request. @throws SignInError if svc has no such token. */
export async function checkMayDelete({ credentials, signal }: Deleting): Promise<void> {
  await (await credentials())({ method: 'DELETE', upload: false, signal });
}

/** Returns true if svc has a token that can delete. svc knows the scope of a personal access token only after its first use. */
export async function canDelete(context: Deleting): Promise<boolean> {
  try {
    await checkMayDelete(context);
    return true;
  } catch (error) {
    if (error instanceof SignInError) return false;
    throw error;
  }
}

export async function sendWrite(context: Needs<'client'>, write: WriteRequest): Promise<ApiResponse> {
  const { method, path, query, body, idempotencyKey, ifMatch, note } = write;
  return (await context.client()).send({ method, path, query, body: body && { json: body }, idempotencyKey, ifMatch, note });
}

/**
 * Describes a write for `--dry-run`: the request, its cost in rate-limit units, and the ability that the write needs. Does not sign in, and
 * sends no request.
 */
export async function describeWrite(
  context: Needs<'host'>,
  resource: (Pick<Resource, 'ability'> & OperationsOf) | undefined,
  write: Omit<WriteRequest, 'method'> & { readonly method: string },
): Promise<JsonObject> {
  const headers: Record<string, JsonValue> = {
    ...(write.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(write.method === 'POST' && { 'Idempotency-Key': write.idempotencyKey ?? '<new for this request>' }),
    ...(write.ifMatch !== undefined && { 'If-Match': write.ifMatch }),
  };
  return {
    method: write.method,
    url: requestUrl(await context.host(), write.path, write.query),
    headers,
    ...(write.body !== undefined && { body: describedBody(resource ?? {}, write.method, write.path, write.body) }),
    cost: { write: requestCost({ method: write.method, query: write.query ?? [] }), read: 1 },
    ...(resource !== undefined && { ability: abilitiesFor(resource, write.method).join(' or ') }),
  };
}
