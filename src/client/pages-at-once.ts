import type { JsonObject } from '../values/json.ts';
import type { ApiClient, ApiRequest, ApiResponse } from './api.ts';
import { undefinedForRefusal } from './assumed.ts';
import type { LanedClient } from './lanes.ts';
import { requestUrl } from './origin.ts';
import { ABOUT_THE_ROWS, type Page, pages, perPageOf, readPage, requestsOf } from './pages.ts';
import { rowsAtStart } from './rows-at-start.ts';

/** The highest page number that the service accepts (rule 8.12). */
const MAX_PAGE = 1000;

const MIN_PAGES = 3;

export interface Counted {
  readonly total: number;
  readonly at: number;
}

export interface Walked {
  readonly counted: Counted;
  readonly next: string;
  readonly rows: Iterable<JsonObject> | AsyncIterable<JsonObject>;
}

/** Reports that a resumed read by page numbers possibly lacks rows. svc must then read all rows again. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError';
}

/**
 * Reads every page of a counted list (rule 8.27), in order and each row once. With page numbers, svc reads several pages in parallel.
 *
 * A new record shifts the later pages. If a new record appears between two answers, a row can move from one page to the next. svc then
 * reads the page again. At the end, svc proves that no row is missing ({@link rowsAtStart}). The proof fails if, for example, somebody
 * deleted a record, or a row has no id or no timestamp. svc then reads the list by cursor, without the rows that svc already returned.
 *
 * svc sends few parallel requests until the reader has taken the first pages, because the reader can stop early.
 *
 * @param walked The state of an earlier read to resume. Default: svc starts with the first page.
 * @throws UnprovenError if svc cannot prove a resumed read.
 */
export async function* pagesAtOnce(client: LanedClient, request: ApiRequest, walked?: Walked): AsyncGenerator<Page> {
  const { ask, stop } = requestsOf(client, request);
  const { query: _, ...rest } = request;
  try {
    const url = requestUrl(client.host, request.path, request.query);
    const first = walked === undefined ? readPage(client, url, await ask(url)) : undefined;
    const started = walked ?? (first && pageNumbers(client, request, first));
    const proof = started && (await proofOf(url, started));
    if (started === undefined || proof === undefined) {
      if (first === undefined) throw new UnprovenError();
      yield first;
      if (first.next !== undefined) yield* pages(client, { ...rest, path: first.next });
      return;
    }
    const { total } = started.counted;
    const perPage = perPageOf(new URL(url));
    const addressOf = (number: number) => pageAddress(url, number);
    const start = Number(new URL(started.next).searchParams.get('page'));
    const under: Promise<ApiResponse>[] = [];
    let count = Math.ceil(total / perPage);
    let requested = start - 1;
    let given = 0;
    const fill = () => {
      const ahead = Math.min(client.width, 2 ** Math.min(given + 1, 10));
      while (requested < count && under.length < ahead) {
        requested += 1;
        under.push(ask(addressOf(requested)));
      }
    };
    fill();
    if (first !== undefined) yield { ...first, next: started.next };
    for (let number = start, before = first?.total ?? 0; number <= count; number += 1) {
      given += 1;
      fill();
      const page = await answered(client, addressOf(number), under.shift());
      const now = page?.total ?? 0;
      const again = page !== undefined && now < before ? await answered(client, addressOf(number), ask(addressOf(number))) : page;
      const latest = again?.total ?? 0;
      const rows = again === undefined || latest < before ? undefined : proof.take([...again.rows, ...(page?.rows ?? [])]);
      // The list has at most `latest - number * perPage` further rows.
      const isProvable = proof.counted + Math.max(0, latest - number * perPage) >= total;
      const isRepeated = rows?.length === 0 && proof.counted < total;
      if (again === undefined || rows === undefined || isRepeated || !isProvable) {
        stop();
        if (walked !== undefined) throw new UnprovenError();
        if (again !== undefined && rows !== undefined) yield { ...again, rows, next: addressOf(number) };
        for await (const each of pages(client, request)) yield { ...each, rows: each.rows.filter((row) => !proof.has(row)) };
        return;
      }
      before = now;
      count = Math.max(count, Math.ceil(latest / perPage));
      fill();
      yield { ...again, rows, next: number < count ? addressOf(number + 1) : undefined };
    }
  } finally {
    stop();
  }
}

/**
 * Returns the state from which svc reads the list by page numbers, after the first page. Returns undefined if page numbers save no time, or
 * do not reach the end.
 */
export function pageNumbers(
  client: Pick<ApiClient, 'host'>,
  { path, query }: ApiRequest,
  { next, total = 0, rows, response }: Page,
): Walked | undefined {
  const url = requestUrl(client.host, path, query);
  const perPage = perPageOf(new URL(url));
  const count = Math.ceil(total / perPage);
  const at = Date.parse(response.headers['date'] ?? '');
  const isWorthIt = next !== undefined && rows.length === perPage && count >= MIN_PAGES && count <= MAX_PAGE && !Number.isNaN(at);
  return isWorthIt ? { counted: { total, at }, next: pageAddress(url, 2), rows } : undefined;
}

async function proofOf(url: string, { counted: { at }, rows }: Walked) {
  const isChosen = [...new URL(url).searchParams.keys()].some((name) => ABOUT_THE_ROWS.test(name));
  const proof = rowsAtStart({ at, isChosen, firstPage: perPageOf(new URL(url)) });
  for await (const row of rows) if (proof.take([row])?.length !== 1) return undefined;
  return proof;
}

function pageAddress(first: string, number: number): string {
  const url = new URL(first);
  url.searchParams.set('page', String(number));
  return url.href;
}

async function answered(client: LanedClient, url: string, answer: Promise<ApiResponse> | undefined): Promise<Page | undefined> {
  return answer?.then((response) => readPage(client, url, response)).catch(undefinedForRefusal);
}
