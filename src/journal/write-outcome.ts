import type { ApiResponse } from '../client/api-client.ts';
import { recordIdIn } from '../client/record.ts';
import type { Network, NetworkResponse } from '../deps.ts';
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
  // A 2xx with another body comes from a proxy or a sign-in page on the way.
  if (body === 'unreadable') return { outcome: 'unknown', status };
  return { outcome: 'done', status, recordId: recordIdIn(body) ?? idInPath(method, path), etagLeft: etag };
}

/** The outcome of a write, from its failure. @param mayHaveRun Whether an attempt before the last one may have run. */
export function outcomeOfError(error: unknown, mayHaveRun: boolean): Resolution {
  if (!(error instanceof SvcError)) return { outcome: 'unknown' };
  const { status } = error.details;
  if (status !== undefined && JUDGEMENTS.has(status)) return { outcome: 'refused', status };
  // A failure before the service's judgement (the sign-in, the rate limit) says nothing of earlier attempts.
  if (mayHaveRun) return { outcome: 'unknown', status };
  if (status === 401 || status === 429) return { outcome: 'dropped' };
  if (status !== undefined) return status >= 400 && status < 500 ? { outcome: 'refused', status } : { outcome: 'unknown', status };
  if (error instanceof NetworkError) return { outcome: error.ran === 'no' ? 'dropped' : 'unknown' };
  return { outcome: NEVER_SENT.has(error.name) ? 'dropped' : 'unknown' };
}

/** After a successful earlier attempt under its key the service would have repeated that answer (rule 6.12). */
const JUDGEMENTS: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 412, 413, 415, 422]);

/** Without a status these come from svc itself, before it sends anything: a wrong address, no suitable token, too long a wait. */
const NEVER_SENT: ReadonlySet<string> = new Set(['UsageError', 'SignInError', 'ForbiddenError', 'RateLimitError']);

function readBody(response: ApiResponse): JsonValue | undefined | 'unreadable' {
  try {
    return response.body();
  } catch {
    return 'unreadable';
  }
}

/** The record of an answer without one: the last part of a delete's path, or the part before `actions`. */
function idInPath(method: string, path: string): string | undefined {
  const parts = (path.split('?', 1)[0] ?? '').split('/').slice(1);
  if (method !== 'POST') return parts.at(-1);
  const at = parts.indexOf('actions');
  return at > 0 ? parts[at - 1] : undefined;
}

/** The client sends a POST or a DELETE again. The last failure alone does not show that an earlier attempt may have run. */
export interface AttemptWatch {
  readonly network: Pick<Network, 'request'>;
  /** Whether any attempt at the write of this name ({@link writeName}) may have run; reading forgets it. */
  mayHaveRun(name: string): boolean;
}

export function watchAttempts(network: Pick<Network, 'request'>): AttemptWatch {
  const suspects = new Set<string>();
  return {
    network: {
      async request(request) {
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
    mayHaveRun: (name) => suspects.delete(name),
  };
}

/** The name of a write on its way: its key, or its record where it is sent without one. */
export function writeName(method: string, path: string, key: string | undefined): string {
  return key ?? `${method} ${apiPath(path)}`;
}

/** Whether the write surely did not run: a 4xx says so, a 429 too (rule 14.29). */
function surelyDidNotRun({ status }: NetworkResponse): boolean {
  return status >= 400 && status < 500;
}
