import { UnavailableError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './api-client.ts';
import type { Query } from './cost.ts';
import { nextPageUrl, requestUrl } from './origin.ts';

export interface Page {
  readonly rows: readonly JsonObject[];
  readonly next: string | undefined;
  readonly total: number | undefined;
  readonly response: ApiResponse;
}

export interface PageOptions {
  /** The most rows to read. The last request is for the missing rows only, except with page numbers. Default: all rows. */
  readonly limit?: number | undefined;
  /** True to request a page only after the caller has finished the page before, because the caller can stop early. */
  readonly patient?: boolean | undefined;
}

/** The service’s default number of rows on a page (rule 8.2). */
const DEFAULT_PER_PAGE = 25;

/** The most consecutive empty pages before svc reports an error. A service that filters after reading a page can send some empty pages. */
const MOST_EMPTY = 100;

/**
 * Yields the pages of a list, up to the last page or `limit` rows. svc requests the next page while the caller uses the current page, and
 * cancels that request when the caller stops.
 *
 * @throws UnavailableError for an invalid page, a link to another host, a cycle, or too many empty pages.
 * @throws the errors of `ApiClient.send`.
 */
export async function* pages(
  client: ApiClient,
  request: ApiRequest,
  { limit = Number.POSITIVE_INFINITY, patient = false }: PageOptions = {},
): AsyncGenerator<Page> {
  if (limit <= 0) return;
  const { ask, stop } = requestsOf(client, request);
  const isCircle = circleWatch();
  let url = firstUrl(client, request, limit);
  let rows = 0;
  let empty = 0;
  let pending = ask(url);
  try {
    for (;;) {
      const response = await pending;
      // Parsing a page takes longer than reading its end, so svc requests the next page first. With a limit, only the parsed rows show the
      // size of the last two pages.
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
    stop();
  }
}

/** Returns functions that request an address of a list, and that cancel the pending requests. */
export function requestsOf(client: Pick<ApiClient, 'send'>, { query: _, ...request }: ApiRequest) {
  const stop = new AbortController();
  const signal = request.signal === undefined ? stop.signal : AbortSignal.any([request.signal, stop.signal]);
  const ask = (path: string): Promise<ApiResponse> => {
    const answer = client.send({ ...request, path, signal });
    // The request can fail before the reader waits for the answer. The reader then gets the failure.
    answer.catch(() => {});
    return answer;
  };
  return { ask, stop: () => stop.abort() };
}

/**
 * Resolves after svc has sent the next request. Parsing a page would delay the request, because undici watches an idle connection for one
 * turn before writing.
 */
async function requestIsOut(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface Position {
  readonly rows: number;
  readonly total: number | undefined;
  readonly more: boolean;
  /** The cursor of the page with the next row. Undefined for the first page, and with page numbers. */
  readonly cursor: string | undefined;
  readonly page: string | undefined;
  /** The number of rows of that page that svc has already returned. */
  readonly skip: number;
  /** The rows on a page, if svc itself chose page numbers. */
  readonly perPage?: number | undefined;
}

export type RowStream = ReturnType<typeof rows>;

/** An alternative to {@link pages} that yields all pages of a list in the same order. */
export type Walk = (request: ApiRequest) => AsyncGenerator<Page>;

/** Yields the rows of a list in order, at most `limit` rows. `walk` reads the pages instead of {@link pages}, without a limit. */
export function rows(
  client: ApiClient,
  request: ApiRequest,
  { limit = Number.POSITIVE_INFINITY, patient, walk }: PageOptions & { readonly walk?: Walk | undefined } = {},
) {
  let given = 0;
  let skip = 0;
  let total: number | undefined;
  let at: string | undefined = firstUrl(client, request, limit);
  let isAtEnd = false;

  async function* batches(): AsyncGenerator<readonly JsonObject[]> {
    for await (const page of walk?.(request) ?? pages(client, request, { limit, patient })) {
      total = page.total ?? total;
      const left = limit - given;
      const isCut = page.rows.length > left;
      isAtEnd = !isCut && page.next === undefined;
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
    /** Yields the rows of the list, a page at a time. Writing a whole page takes much less time than writing row by row. */
    batches,
    /** Returns true if no rows follow the batch that the stream yielded last. */
    isAtEnd: () => isAtEnd,
    position(): Position {
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

/** Matches the parameters that choose the rows of a list. Other parameters affect the pages, the order or the form of the rows. */
export const ABOUT_THE_ROWS = /^(filter\[|q$|trashed$)/;

/**
 * Counts the rows of a query. Returns undefined if the answer has no total. A count costs two rate-limit units more than a page of one row
 * (rules 8.21, 15.22).
 *
 * @throws as `ApiClient.send`, for example if the service refuses to count.
 */
export async function countRows(client: ApiClient, path: string, query: Query, signal: AbortSignal): Promise<number | undefined> {
  return (await countPage(client, path, query, signal)).total;
}

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

/** Detects a cycle of pages in constant memory (Brent’s method). svc remembers the address of the 1st, 2nd, 4th, 8th … page. */
function circleWatch(): (url: string, next: string) => boolean {
  let page = 0;
  let rememberAt = 1;
  let remembered: string | undefined;
  return (url, next) => {
    page += 1;
    if (page === rememberAt) {
      remembered = url;
      rememberAt *= 2;
    }
    return next === remembered;
  };
}

function firstUrl(client: ApiClient, request: ApiRequest, limit: number): string {
  return withRowsLeft(requestUrl(client.host, request.path, request.query), limit);
}

/**
 * Limits the page size to the missing rows, so that the cursor then points after the last row. Keeps the size of numbered pages, because
 * page numbers require a constant size.
 */
function withRowsLeft(address: string, left: number): string {
  if (left === Number.POSITIVE_INFINITY) return address;
  const url = new URL(address);
  if (url.searchParams.has('page') || !(left < perPageOf(url))) return address;
  url.searchParams.set('per_page', String(left));
  return url.href;
}

export function perPageOf(url: URL): number {
  return Number(url.searchParams.get('per_page') ?? DEFAULT_PER_PAGE);
}

export function readPage(client: ApiClient, url: string, response: ApiResponse): Page {
  const body = response.body();
  const data = Array.isArray(body) ? body : isJsonObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || !data.every(isJsonObject)) {
    const message = 'The answer of the service is not a page of records.';
    throw brokenWalk(url, message, 'To see the answer, request this path with svc api.', response);
  }
  const meta = isJsonObject(body) ? member(body['meta'], 'page') : undefined;
  const total = member(meta, 'total');
  return {
    rows: data,
    next: nextOf(client, url, response, member(isJsonObject(body) ? body['links'] : undefined, 'next'), member(meta, 'next_cursor')),
    total: typeof total === 'number' ? total : undefined,
    response,
  };
}

/** Returns the address of the next page from `links.next`. Without that member, svc puts the cursor into the same query. */
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

const TAIL = 2_048;

/**
 * Returns the probable address of the next page, from the end of the unparsed body. A wrong guess only costs one request, because svc
 * compares the guess with the parsed page.
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

function brokenWalk(url: string, message: string, hint: string, { status, requestId }: Partial<ApiResponse> = {}): UnavailableError {
  return new UnavailableError(message, { hint, details: { status, request: `GET ${url.split('?', 1)[0]}`, request_id: requestId } });
}

function endless({ host: { name } }: ApiClient, next: string): UnavailableError {
  const message = `${name} sent ${MOST_EMPTY} pages in a row without a record, and another link.`;
  return brokenWalk(next, message, 'Report the problem to the operator of the service. A narrower --filter may avoid the empty pages.');
}

function circle({ host: { name } }: ApiClient, next: string): UnavailableError {
  return brokenWalk(next, `The links between the pages of ${name} form a loop.`, 'Report the problem to the operator of the service.');
}
