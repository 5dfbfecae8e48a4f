import { UnavailableError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import type { Query } from './cost.ts';
import { nextPageUrl, requestUrl } from './origin.ts';

export interface Page {
  readonly rows: readonly JsonObject[];
  /** The address of the page after this one, checked; undefined after the last. */
  readonly next: string | undefined;
  /** Rows of the whole collection, where the service counts them. */
  readonly total: number | undefined;
  readonly response: ApiResponse;
}

export interface PageOptions {
  /** Rows wanted altogether. svc asks for the last page with only the rows that it needs, and for no page beyond. */
  readonly limit?: number | undefined;
  /** Asks for a page only after the caller has finished the one before: the walk may end before. */
  readonly patient?: boolean | undefined;
}

/** The service's default page size and its largest (rule: per_page). */
const DEFAULT_PER_PAGE = 25;

/** A service that filters a page after reading it may send some empty ones; this many in a row lead nowhere. */
const MOST_EMPTY = 100;

/**
 * Every page of a collection, from the first to the one whose `links.next` is null. svc requests the next page while the caller uses one,
 * and no further page. It cancels that request when the caller stops.
 *
 * @throws UnavailableError when an answer is no page, leads off the host or in a circle. UnavailableError too after a hundred empty pages
 * in a row; else as `ApiClient.send`.
 */
export async function* pages(
  client: ApiClient,
  request: ApiRequest,
  { limit = Number.POSITIVE_INFINITY, patient = false }: PageOptions = {},
): AsyncGenerator<Page> {
  if (limit <= 0) return;
  const stop = new AbortController();
  const signal = request.signal === undefined ? stop.signal : AbortSignal.any([request.signal, stop.signal]);
  const isCircle = circleWatch();
  let url = firstUrl(client, request, limit);
  let rows = 0;
  /** Empty pages in a row, up to this one. */
  let empty = 0;
  const ask = (address: string) => {
    const { query: _, ...rest } = request;
    const answer = client.send({ ...rest, path: address, signal });
    // The request may fail while nobody waits for it; the later reader sees the failure then.
    answer.catch(() => {});
    return answer;
  };
  let pending = ask(url);
  try {
    for (;;) {
      const response = await pending;
      // Parsing a page takes longer than looking at its end, and the service need not wait for that. Not for the last two pages of a limit:
      // only the parsed page shows how many rows to ask for.
      const guess = !patient && limit - rows >= 2 * perPageOf(new URL(url)) ? guessNext(client, response) : undefined;
      const ahead = guess === undefined || isCircle(url, guess) ? undefined : ask(guess);
      if (ahead !== undefined) await requestIsOut();
      const page = readPage(client, url, response);
      rows += page.rows.length;
      empty = page.rows.length === 0 ? empty + 1 : 0;
      const more = page.next !== undefined && rows < limit;
      if (more) {
        if (empty === MOST_EMPTY) throw endless(client, page.next);
        if (isCircle(url, page.next)) throw circle(client, page.next);
        url = withRowsLeft(page.next, limit - rows);
        if (ahead !== undefined && url === guess) pending = ahead;
        else if (!patient) {
          pending = ask(url);
          await requestIsOut();
        }
      }
      yield page;
      if (!more) return;
      if (patient) pending = ask(url);
    }
  } finally {
    stop.abort();
  }
}

/**
 * Lets the next request leave before svc parses and writes a page, which blocks everything else. undici watches an idle connection for one
 * turn of the event loop before it writes. svc does not wait for a request that the rate limit holds longer.
 */
async function requestIsOut(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The present position in a list, so that another run can resume there. */
export interface Position {
  /** Rows returned so far. */
  readonly rows: number;
  /** Rows of the whole collection, where the service counts them. */
  readonly total: number | undefined;
  /** Whether there are more rows. */
  readonly more: boolean;
  /** The cursor of the page with the next row; undefined for the first page, and in page mode. */
  readonly cursor: string | undefined;
  /** The page number instead, in page mode. */
  readonly page: string | undefined;
  /** Rows of that page that svc has already returned: they would come again. */
  readonly skip: number;
  /** Rows of a page, where svc chose the page mode itself. */
  readonly perPage?: number | undefined;
}

/** Rows to be iterated once, row by row or in batches. */
export interface RowStream extends AsyncIterable<JsonObject> {
  /** The same rows, those of a page at once: writing a batch costs a fraction of writing row by row. */
  batches(): AsyncGenerator<readonly JsonObject[]>;
  /** The present position in the list: after its end, after a failure, or at any time between. */
  position(): Position;
}

/** Another way to walk all pages of a collection than {@link pages}, in the same order. */
export type Walk = (request: ApiRequest) => AsyncGenerator<Page>;

/** Every row of a collection, in order, at most `limit` of them; with `walk`, which knows no limit, all of them. */
export function rows(
  client: ApiClient,
  request: ApiRequest,
  { limit = Number.POSITIVE_INFINITY, patient, walk }: PageOptions & { readonly walk?: Walk | undefined } = {},
): RowStream {
  /** Rows of the finished pages. */
  let given = 0;
  /** Rows of the present page that svc has returned. */
  let skip = 0;
  let total: number | undefined;
  /** Undefined once the collection has ended. */
  let at: string | undefined = firstUrl(client, request, limit);

  async function* batches(): AsyncGenerator<readonly JsonObject[]> {
    for await (const page of walk?.(request) ?? pages(client, request, { limit, patient })) {
      total = page.total ?? total;
      const left = limit - given;
      const isCut = page.rows.length > left;
      yield isCut ? page.rows.slice(0, left) : page.rows;
      if (isCut) {
        skip = left;
        return;
      }
      given += page.rows.length;
      skip = 0;
      at = page.next;
    }
  }

  async function* iterate(): AsyncGenerator<JsonObject> {
    for await (const batch of batches()) {
      for (const row of batch) {
        skip += 1;
        yield row;
      }
    }
  }

  return {
    [Symbol.asyncIterator]: iterate,
    batches,
    position() {
      const parameters = at === undefined ? undefined : new URL(at).searchParams;
      const page = parameters?.get('page') ?? undefined;
      return {
        rows: given + skip,
        total,
        more: at !== undefined,
        cursor: parameters?.get('cursor') ?? undefined,
        page,
        skip,
        ...(page !== undefined && walk !== undefined && { perPage: Number(parameters?.get('per_page')) }),
      };
    },
  };
}

/** Matches the parameters that choose rows; the rest of a query is about their form. */
export const ABOUT_THE_ROWS = /^(filter\[|q$|trashed$)/;

/**
 * Counts the rows of a collection. The request costs a page of one row and two units more (rules 8.21, 15.22).
 *
 * @throws As `ApiClient.send`, where the service does not count.
 */
export async function countRows(client: ApiClient, path: string, query: Query, signal: AbortSignal): Promise<number | undefined> {
  return (await countPage(client, path, query, signal)).total;
}

/**
 * Does the same, and returns the answer that counted. @param isAsked False for a page of one row that has a total where the collection
 * counts anyway.
 */
export async function countPage(
  client: ApiClient,
  path: string,
  query: Query,
  signal: AbortSignal | undefined,
  isAsked = true,
): Promise<Page> {
  const chosen = query.filter(([name]) => ABOUT_THE_ROWS.test(name));
  const counting: Query = isAsked ? [['with_total', '1']] : [];
  const request = { method: 'GET', path, query: [...chosen, ['per_page', '1'] as const, ...counting] };
  return readPage(client, path, await client.send({ ...request, ...(signal !== undefined && { signal }) }));
}

/**
 * Whether a walk has come back to an earlier page, in constant memory. svc remembers one address, that of the 1st, 2nd, 4th, 8th … page
 * (Brent's method). It notices a circle on its third round at the latest.
 */
function circleWatch(): (url: string, next: string) => boolean {
  let page = 0;
  let keepAt = 1;
  let kept: string | undefined;
  return (url, next) => {
    page += 1;
    if (page === keepAt) {
      kept = url;
      keepAt *= 2;
    }
    return next === kept;
  };
}

function firstUrl(client: ApiClient, request: ApiRequest, limit: number): string {
  return withRowsLeft(requestUrl(client.host, request.path, request.query), limit);
}

/**
 * Asks for no more rows than the caller wants, so that the cursor after them points exactly there. Page numbers count in pages of one size,
 * so in page mode the size stays (rule: per_page may change between pages).
 */
function withRowsLeft(address: string, left: number): string {
  if (left === Number.POSITIVE_INFINITY) return address;
  const url = new URL(address);
  if (url.searchParams.has('page') || !(left < perPageOf(url))) return address;
  url.searchParams.set('per_page', String(left));
  return url.href;
}

/** Rows of a page, as an address asks for them. */
export function perPageOf(url: URL): number {
  return Number(url.searchParams.get('per_page') ?? DEFAULT_PER_PAGE);
}

/** Reads the page in an answer. @throws UnavailableError when it is no page. */
export function readPage(client: ApiClient, url: string, response: ApiResponse): Page {
  const body = response.body();
  const data = Array.isArray(body) ? body : isJsonObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || !data.every(isJsonObject)) throw noPage(url, response);
  const meta = isJsonObject(body) ? member(body['meta'], 'page') : undefined;
  const total = member(meta, 'total');
  return {
    rows: data,
    next: nextOf(client, url, response, member(isJsonObject(body) ? body['links'] : undefined, 'next'), member(meta, 'next_cursor')),
    total: typeof total === 'number' ? total : undefined,
    response,
  };
}

/** `links.next` decides; only where it is missing altogether, svc puts the cursor into the same query. */
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

/** The number of bytes at the end of a page that hold its links. */
const TAIL = 2_048;

/**
 * The address of the next page, where `links` ends the body as the service writes it; else undefined. The parsed page decides afterwards: a
 * wrong guess costs one request and nothing else.
 */
function guessNext(client: ApiClient, response: ApiResponse): string | undefined {
  const bytes = response.bytes();
  const tail = new TextDecoder().decode(bytes.subarray(Math.max(0, bytes.length - TAIL)));
  const literal = /"links":\{[^{}]*?"next":("[^"\\]*(?:\\.[^"\\]*)*")[^{}]*\}\}\s*$/.exec(tail)?.[1];
  if (literal === undefined) return undefined;
  try {
    return nextPageUrl(client.host, response.url, JSON.parse(literal) as string);
  } catch {
    return undefined;
  }
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function noPage(url: string, response: ApiResponse): UnavailableError {
  return new UnavailableError('The answer of the service is not a page of records.', {
    hint: 'To see the answer: svc api <path>',
    details: { status: response.status, request: `GET ${url.split('?', 1)[0]}`, request_id: response.requestId },
  });
}

function endless(client: ApiClient, next: string): UnavailableError {
  return new UnavailableError(
    `${client.host.name} sent ${MOST_EMPTY} pages without a record, one after the other, and names another page.`,
    {
      hint: 'Report this to the operator of the service. A narrower --filter may avoid the empty pages.',
      details: { request: `GET ${next.split('?', 1)[0]}` },
    },
  );
}

function circle(client: ApiClient, next: string): UnavailableError {
  return new UnavailableError(`The pages of ${client.host.name} lead in a circle: a page names itself as a later page.`, {
    hint: 'Report this to the operator of the service.',
    details: { request: `GET ${next.split('?', 1)[0]}` },
  });
}
