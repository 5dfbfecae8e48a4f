import type { ApiResponse } from '../client/api-client.ts';
import { recordIdIn } from '../client/record.ts';
import type { Network, NetworkRequest, NetworkResponse } from '../deps.ts';
import { NetworkError, SvcError } from '../errors.ts';
import type { JsonValue } from '../values/json.ts';
import type { JournalEntry, Resolution } from './entry.ts';
import { apiPath } from './request-digest.ts';

export function outcomeOfResponse(
  response: ApiResponse,
  { method, path }: Pick<JournalEntry, 'method' | 'path'>,
  mayHaveRun: boolean,
): Resolution {
  const { status, error, etag } = response;
  if (error !== undefined) return outcomeOfError(error, mayHaveRun);
  if (status < 200 || status > 299) return { outcome: 'unknown', status };
  const body = readBody(response);
  // A 2xx answer with an unreadable body probably comes from a proxy or a sign-in page.
  if (body === 'unreadable') return { outcome: 'unknown', status };
  return { outcome: 'done', status, recordId: recordIdIn(body) ?? idInPath(method, path), etagLeft: etag };
}

/** Returns the outcome of a failed write. @param mayHaveRun true if an earlier attempt may have run. */
export function outcomeOfError(error: unknown, mayHaveRun: boolean): Resolution {
  if (!(error instanceof SvcError)) return { outcome: 'unknown' };
  const { status } = error.details;
  if (status !== undefined && JUDGEMENTS.has(status)) return { outcome: 'refused', status };
  // An early failure, such as a failed sign-in or the rate limit, does not show the result of earlier attempts.
  if (mayHaveRun) return { outcome: 'unknown', status };
  if (status === 401 || status === 429) return { outcome: 'dropped' };
  if (status !== undefined) return status >= 400 && status < 500 ? { outcome: 'refused', status } : { outcome: 'unknown', status };
  if (error instanceof NetworkError) return { outcome: error.ran === 'no' ? 'dropped' : 'unknown' };
  return { outcome: NEVER_SENT.has(error.name) ? 'dropped' : 'unknown' };
}

/**
 * The status codes that prove that no earlier attempt succeeded. After a success, the service would repeat its first answer for the key
 * (rule 6.12).
 */
const JUDGEMENTS: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 412, 413, 415, 422]);

/** The errors without a status that svc throws before sending: an invalid address, no suitable token, or a long wait. */
const NEVER_SENT: ReadonlySet<string> = new Set(['UsageError', 'SignInError', 'ForbiddenError', 'RateLimitError']);

function readBody(response: ApiResponse): JsonValue | undefined | 'unreadable' {
  try {
    return response.body();
  } catch {
    return 'unreadable';
  }
}

/**
 * Returns the record id from a path, for an answer without a record. The id is the last part of a delete’s path, or the part before
 * `actions`.
 */
function idInPath(method: string, path: string): string | undefined {
  const parts = (path.split('?', 1)[0] ?? '').split('/').slice(1);
  if (method !== 'POST') return parts.at(-1);
  const at = parts.indexOf('actions');
  return at > 0 ? parts[at - 1] : undefined;
}

export type AttemptWatch = ReturnType<typeof watchAttempts>;

/**
 * Tracks the attempts of each write. The client repeats a POST or a DELETE, and the last failure does not show whether an earlier attempt
 * ran.
 */
export function watchAttempts(network: Pick<Network, 'request'>) {
  const suspects = new Set<string>();
  return {
    network: {
      async request(request: NetworkRequest): Promise<NetworkResponse> {
        const key = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
        const method = request.method.toUpperCase();
        if (method === 'GET' || method === 'HEAD') return network.request(request);
        const name = writeName(method, request.url, key);
        try {
          const response = await network.request(request);
          if (!surelyDidNotRun(response)) suspects.add(name);
          return response;
        } catch (error) {
          if (!(error instanceof NetworkError && error.ran === 'no')) suspects.add(name);
          throw error;
        }
      },
    },
    /** Returns true if an attempt at the write with this name ({@link writeName}) may have run. Forgets the attempts afterwards. */
    mayHaveRun: (name: string) => suspects.delete(name),
  };
}

/** Returns the name of a write that svc is sending: the key. The name of a write without a key is its method and path. */
export function writeName(method: string, path: string, key: string | undefined): string {
  return key ?? `${method} ${apiPath(path)}`;
}

/** Returns true if the write certainly did not run: for any 4xx answer, including 429 (rule 14.29). */
function surelyDidNotRun({ status }: NetworkResponse): boolean {
  return status >= 400 && status < 500;
}
