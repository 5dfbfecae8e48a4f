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
 * Every page, up to the one whose `links.next` is null. svc requests the next page while the caller uses one. It cancels that request when
 * the caller stops. @throws UnavailableError when an answer is not a page, or leads off the host or in a circle. Also after a
 * hundred empty pages; else as `ApiClient.send`.
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

/** Lets the next request leave before svc parses a page, which blocks. undici watches an idle connection for one turn before it writes. */
async function requestIsOut(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface Position {
  readonly rows: number;
  readonly total: number | undefined;
  readonly more: boolean;
  /** The cursor of the page with the next row; undefined for the first page, and in page mode. */
  readonly cursor: string | undefined;
  readonly page: string | undefined;
  /** Rows of that page that svc has already returned: they would come again. */
  readonly skip: number;
  /** Rows of a page, where svc chose the page mode itself. */
  readonly perPage?: number | undefined;
}

export interface RowStream extends AsyncIterable<JsonObject> {
  /** The same rows, those of a page at once: writing a batch costs a fraction of writing row by row. */
  batches(): AsyncGenerator<readonly JsonObject[]>;
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
  let given = 0;
  let skip = 0;
  let total: number | undefined;
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

/** Costs a page of one row and two units more (rules 8.21, 15.22). @throws As `ApiClient.send`, where the service does not count. */
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

/** Finds a circle in constant memory (Brent's method): svc remembers the 1st, 2nd, 4th, 8th … page's address. */
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

/** The cursor after the rows then points exactly there. Page numbers count in pages of one size, so there the size stays. */
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
    throw brokenWalk(url, message, 'To see the answer: svc api <path>', response);
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

const TAIL = 2_048;

/** Reads the end of the body as the service writes it. The parsed page decides: a wrong guess costs one request and nothing else. */
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
  const message = `${name} sent ${MOST_EMPTY} pages in a row without a record, and names yet another.`;
  return brokenWalk(next, message, 'Report this to the operator of the service. A narrower --filter may avoid the empty pages.');
}

function circle({ host: { name } }: ApiClient, next: string): UnavailableError {
  return brokenWalk(next, `${name} leads in a circle: a page comes after itself.`, 'Report this to the operator of the service.');
}
