import { UnavailableError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import { nextPageUrl, requestUrl } from './origin.ts';

export interface Page {
  readonly rows: readonly JsonObject[];
  /** The cursor this page was asked with; undefined on the first page. */
  readonly cursor: string | undefined;
  /** The address of the page after this one, checked; undefined after the last. */
  readonly next: string | undefined;
  /** Rows of the whole collection, where the service counts them. */
  readonly total: number | undefined;
  readonly response: ApiResponse;
}

export interface PageOptions {
  /** Rows wanted altogether. The last page is asked for with as few rows as are needed; none is asked for beyond. */
  readonly limit?: number | undefined;
}

/** The service's default page size and its largest (rule: per_page). */
const DEFAULT_PER_PAGE = 25;

/**
 * Every page of a collection, from the first to the one whose `links.next` is null. The next page is under way while
 * one is consumed, one ahead and no more; when the consumer stops, it is given up.
 *
 * @throws UnavailableError when an answer is no page, leads off the host, or leads in a circle; else as `ApiClient.send`.
 */
export async function* pages(
  client: ApiClient,
  request: ApiRequest,
  { limit = Number.POSITIVE_INFINITY }: PageOptions = {},
): AsyncGenerator<Page> {
  if (limit <= 0) return;
  const stop = new AbortController();
  const signal = request.signal === undefined ? stop.signal : AbortSignal.any([request.signal, stop.signal]);
  const seen = new Set<string>();
  let url = firstUrl(client, request, limit);
  let rows = 0;
  const ask = () => {
    const { query: _, ...rest } = request;
    return client.send({ ...rest, path: url, signal });
  };
  let pending = ask();
  try {
    for (;;) {
      seen.add(url);
      const page = readPage(client, url, await pending);
      rows += page.rows.length;
      const more = page.next !== undefined && rows < limit;
      if (more) {
        if (seen.has(page.next)) throw circle(client, page.next);
        url = withRowsLeft(page.next, limit - rows);
        pending = ask();
        // It may fail while nobody waits for it; whoever comes for it sees the failure then.
        pending.catch(() => {});
      }
      yield page;
      if (!more) return;
    }
  } finally {
    stop.abort();
  }
}

/** Where a list stands, so that another run can go on from there. */
export interface Position {
  /** Rows given out so far. */
  readonly rows: number;
  /** Rows of the whole collection, where the service counts them. */
  readonly total: number | undefined;
  /** Whether there is anything beyond. */
  readonly more: boolean;
  /** The cursor of the page that holds the next row; undefined for the first page, and in page mode. */
  readonly cursor: string | undefined;
  /** The page number instead, in page mode. */
  readonly page: string | undefined;
  /** Rows of that page that were given out already: they would come again. */
  readonly skip: number;
}

export interface RowStream extends AsyncIterable<JsonObject> {
  /** Where the list stands now: after its end, after a failure, or at any time between. */
  position(): Position;
}

/** Every row of a collection, in order, at most `limit` of them. To be iterated once. */
export function rows(client: ApiClient, request: ApiRequest, { limit = Number.POSITIVE_INFINITY }: PageOptions = {}): RowStream {
  let given = 0;
  let total: number | undefined;
  /** Undefined once the collection has ended. */
  let at: string | undefined = firstUrl(client, request, limit);
  let skip = 0;

  async function* iterate(): AsyncGenerator<JsonObject> {
    for await (const page of pages(client, request, { limit })) {
      total = page.total ?? total;
      for (const row of page.rows) {
        if (given >= limit) return;
        given += 1;
        skip += 1;
        yield row;
      }
      at = page.next;
      skip = 0;
    }
  }

  return {
    [Symbol.asyncIterator]: iterate,
    position() {
      const parameters = at === undefined ? undefined : new URL(at).searchParams;
      return {
        rows: given,
        total,
        more: at !== undefined,
        cursor: parameters?.get('cursor') ?? undefined,
        page: parameters?.get('page') ?? undefined,
        skip,
      };
    },
  };
}

function firstUrl(client: ApiClient, request: ApiRequest, limit: number): string {
  return withRowsLeft(requestUrl(client.host, request.path, request.query), limit);
}

/**
 * Asks for no more rows than are wanted, so that the cursor after them goes on exactly there. Page numbers count in
 * pages of one size, so in page mode the size stays (rule: per_page may change between pages).
 */
function withRowsLeft(address: string, left: number): string {
  const url = new URL(address);
  const perPage = Number(url.searchParams.get('per_page') ?? DEFAULT_PER_PAGE);
  if (url.searchParams.has('page') || !(left < perPage)) return address;
  url.searchParams.set('per_page', String(left));
  return url.href;
}

function readPage(client: ApiClient, url: string, response: ApiResponse): Page {
  const body = response.body();
  const data = Array.isArray(body) ? body : isJsonObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || !data.every(isJsonObject)) throw noPage(url, response);
  const meta = isJsonObject(body) ? member(body['meta'], 'page') : undefined;
  const total = member(meta, 'total');
  return {
    rows: data,
    cursor: new URL(url).searchParams.get('cursor') ?? undefined,
    next: nextOf(client, url, response, member(isJsonObject(body) ? body['links'] : undefined, 'next'), member(meta, 'next_cursor')),
    total: typeof total === 'number' ? total : undefined,
    response,
  };
}

/** `links.next` decides; only where it is missing altogether, the cursor is put into the same query. */
function nextOf(
  client: ApiClient,
  url: string,
  response: ApiResponse,
  link: JsonValue | undefined,
  cursor: JsonValue | undefined,
): string | undefined {
  if (typeof link === 'string' && link !== '') return nextPageUrl(client.host, response.url, link);
  if (link !== undefined || typeof cursor !== 'string' || cursor === '') return undefined;
  const next = new URL(url);
  next.searchParams.set('cursor', cursor);
  return next.href;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function noPage(url: string, response: ApiResponse): UnavailableError {
  return new UnavailableError('The service answered with something that is no page of records.', {
    hint: 'See what it answers with: svc api <path>',
    details: { status: response.status, request: `GET ${url.split('?', 1)[0]}`, request_id: response.requestId },
  });
}

function circle(client: ApiClient, next: string): UnavailableError {
  return new UnavailableError(`${client.host.name} leads in a circle: a page comes after itself.`, {
    hint: 'Tell whoever runs the service.',
    details: { request: `GET ${next.split('?', 1)[0]}` },
  });
}
