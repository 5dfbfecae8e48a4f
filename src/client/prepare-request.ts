import { UsageError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { stringifyJson } from '../values/json.ts';
import { parseIdempotencyKey } from '../values/request-headers.ts';
import type { ApiBody, ApiClientOptions, ApiRequest } from './api.ts';
import { requestCost } from './cost.ts';
import { namedUrl, requestUrl } from './origin.ts';
import { isRepeatable } from './retry.ts';

export type PreparedRequest = ReturnType<typeof prepareRequest>;

type Preparation = Pick<ApiClientOptions, 'host' | 'userAgent' | 'signal'> & { readonly newId: () => string };

/** The headers that only svc sets. These headers decide the sender, the receiver and the length of a request, or concern the connection. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(['authorization', 'host', 'content-length', 'transfer-encoding', 'connection']);

export function urlOf(host: Host, { path, query, ownOrigin }: ApiRequest): string {
  return ownOrigin === true ? namedUrl(host, path) : requestUrl(host, path, query);
}

export function prepareRequest(request: ApiRequest, { host, userAgent, newId, signal }: Preparation) {
  const method = request.method.toUpperCase();
  const url = urlOf(host, request);
  const key = request.idempotencyKey ?? (method === 'POST' ? newId() : undefined);
  if (key !== undefined) parseIdempotencyKey(key);
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    'accept-encoding': 'gzip, br',
    'user-agent': userAgent,
  };
  const body = request.body && encodeBody(request.body);
  if (body !== undefined) headers['content-type'] = body.contentType;
  if (key !== undefined) headers['idempotency-key'] = key;
  if (request.ifMatch !== undefined) headers['if-match'] = request.ifMatch;
  if (request.ifNoneMatch !== undefined) headers['if-none-match'] = request.ifNoneMatch;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (RESERVED_HEADERS.has(lower)) throw new UsageError(`svc itself sets the header "${name}".`, { hint: 'Leave out the header.' });
    headers[lower] = value;
  }
  const reads = method === 'GET' || method === 'HEAD';
  return {
    method,
    url,
    headers,
    body: body?.content,
    kind: reads ? ('read' as const) : ('write' as const),
    cost: request.cost ?? requestCost({ method, query: [...new URL(url).searchParams] }),
    repeatable: isRepeatable(method, headers),
    upload: request.upload ?? false,
    uploadStep: isUploadStep(method, url),
    transfer: request.transfer ?? false,
    receive: request.receive,
    hidesQuery: request.ownOrigin ?? false,
    keepProblem: request.keepProblem ?? false,
    signal,
  };
}

function encodeBody(body: ApiBody) {
  if ('json' in body) return { content: stringifyJson(body.json), contentType: 'application/json' };
  if ('source' in body) return { content: body.source, contentType: body.contentType };
  return { content: body.raw, contentType: body.contentType ?? 'application/json' };
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns true for a step of an upload. Such a step can need a personal access token (rule 13.75). The documentation does not list all
 * these paths (rule 18.21). svc recognises the documented paths, `/upload-tickets`, uploads within a record, and any path that ends in
 * `content`.
 *
 * @param method The HTTP method in upper case.
 */
function isUploadStep(method: string, url: string): boolean {
  if (READS.has(method)) return false;
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  return segments.some((segment) => segment === 'uploads' || segment === 'upload-tickets') || segments.at(-1) === 'content';
}
