import type { Account } from '../auth/record.ts';
import type { ApiClient, ApiResponse } from '../client/api-client.ts';
import { unwrapRecord } from '../client/record.ts';
import { isTimeZone } from '../values/dates.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';

export interface OwnAccount {
  read(): Promise<Account | undefined>;
  write(account: Account): Promise<void>;
  notify(line: string): void;
}

/**
 * Returns a client that reads the user’s own record in an answer. The client stores the account if the account or its time zone is new.
 * Sends no further request.
 */
export function watchingOwnRecord(client: ApiClient, own: OwnAccount): ApiClient {
  return {
    ...client,
    async send(request) {
      const response = await client.send(request);
      const path = new URL(response.url).pathname;
      if (/\/(?:me|users\/\d+)$/.test(path)) await checkAnswer(response, path, own);
      return response;
    },
  };
}

export function readAccount(record: JsonObject | undefined): Account {
  const { id, name, timezone } = record ?? {};
  const organisation = nameOf(record?.['organisation'] ?? record?.['organization'] ?? record?.['company']);
  return {
    ...(typeof id === 'number' && { user_id: id }),
    ...(typeof name === 'string' && { user_name: name }),
    ...(organisation !== undefined && { organisation }),
    ...(typeof timezone === 'string' && isTimeZone(timezone) && { timezone }),
  };
}

async function checkAnswer(response: ApiResponse, path: string, { read, write, notify }: OwnAccount): Promise<void> {
  const record = recordOf(response);
  if (record === undefined) return;
  const known = await read();
  const id = record['id'];
  const isOwn = path.endsWith('/me') ? known?.user_id === undefined || id === known.user_id : id !== undefined && id === known?.user_id;
  if (!isOwn) return;
  const before = known?.timezone;
  // Most answers have the stored zone, and need no check.
  if (known !== undefined && record['timezone'] === before) return;
  const { timezone, ...seen } = readAccount(record);
  // A record without `timezone` does not show whether the zone has changed (rule 18.36).
  const now = record['timezone'] === undefined ? before : timezone;
  if (known !== undefined && now === before) return;
  const { timezone: _old, ...rest } = known ?? {};
  await write({ ...rest, ...seen, ...(now !== undefined && { timezone: now }) });
  if (known === undefined || now === before) return;
  notify(
    now === undefined
      ? `Your user record no longer names a time zone that svc knows (it was ${before}). svc now uses the setting timezone, or the zone of this machine.`
      : `Your time zone is now ${now}${before === undefined ? '' : ` (it was ${before})`}. svc uses the new time zone from the next command.`,
  );
}

function recordOf({ status, body }: ApiResponse): JsonObject | undefined {
  if (status < 200 || status > 299) return undefined;
  try {
    return unwrapRecord(body());
  } catch {
    return undefined;
  }
}

function nameOf(value: JsonValue | undefined): string | undefined {
  const name = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject)['name'] : value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Requests `GET /me` (rule 9.10). @param keepProblem true to return an error answer instead of throwing its error. */
export async function requestMe(client: Pick<ApiClient, 'send'>, keepProblem = false): Promise<ApiResponse> {
  return client.send({ method: 'GET', path: '/me', ...(keepProblem && { keepProblem }) });
}
