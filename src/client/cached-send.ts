import type { ApiClient, ApiClientOptions, ApiRequest, ApiResponse } from './api.ts';
import type { WholeAnswer } from './exchange.ts';
import { urlOf } from './prepare-request.ts';

interface CachedSendOptions extends Pick<ApiClientOptions, 'clock' | 'host'>, Pick<ApiClient, 'send'> {
  readonly openCache: ApiClientOptions['cache'] & object;
  readonly respond: (answer: WholeAnswer) => ApiResponse;
}

/**
 * Returns a function that sends requests through the cache. A fresh stored answer needs no request, and svc revalidates an older answer.
 * After a write, svc removes the stored answers of the written resource.
 */
export function cachedSend({ clock, host, openCache, send, respond }: CachedSendOptions): ApiClient['send'] {
  return async (request) => {
    const url = urlOf(host, request);
    if (request.method.toUpperCase() !== 'GET') {
      try {
        return await send(request);
      } finally {
        // The service possibly ran a write without an answer.
        await (await openCache())?.forget(url);
      }
    }
    const cache = mayBeCached(request, url) ? await openCache() : undefined;
    if (cache === undefined) return send(request);
    const cached = await cache.find(url);
    const bytes = () => Buffer.from(cached?.body ?? '');
    if (cached !== undefined && clock.now() < cached.freshUntil) return respond({ ...cached, status: 200, bytes: bytes() });
    const etag = cached?.headers['etag'];
    const response = await send(etag === undefined ? request : { ...request, ifNoneMatch: etag });
    if (response.status === 304 && cached !== undefined) {
      const headers = { ...cached.headers, ...response.headers };
      await cache.keep(url, { ...cached, headers });
      return respond({ url: cached.url, headers, status: 200, bytes: bytes() });
    }
    if (response.status === 200) await cache.keep(url, { url: response.url, headers: response.headers, body: response.text() });
    return response;
  };
}

/** Returns a client whose requests bypass the cache. svc uses such a client for records that it stores or compares with a row. */
export function uncached(client: ApiClient): ApiClient {
  return { ...client, send: (request) => client.send({ ...request, uncached: true }) };
}

/**
 * Returns true if svc can cache the answer to a GET. svc does not cache a request with headers, If-None-Match, `keepProblem` or `uncached`.
 * svc caches only the first page of a list, because mixing stored and new pages could leave rows out.
 */
function mayBeCached({ headers, ifNoneMatch, keepProblem, uncached }: ApiRequest, address: string): boolean {
  const { searchParams } = new URL(address);
  const isFirstPage = !searchParams.has('cursor') && !searchParams.has('page');
  return isFirstPage && headers === undefined && ifNoneMatch === undefined && !keepProblem && !uncached;
}
