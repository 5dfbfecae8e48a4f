import { RefusedError } from '../errors.ts';
import type { ApiRequest, ApiResponse } from './api.ts';
import type { LanedClient } from './lanes.ts';
import { requestUrl } from './origin.ts';
import { ABOUT_THE_ROWS, type Page, pages, perPageOf, readPage } from './pages.ts';
import { type Standing, standing } from './standing.ts';

/** Page numbers go so far (rule 8.12). */
const MAX_PAGE = 1000;

/** With fewer pages than this, nothing is gained. */
const MIN_PAGES = 3;

/**
 * Every page of a counted collection (rule 8.27), in order, several of them under way at a time in page mode, each row once.
 *
 * A record that comes meanwhile moves the pages after it. Where a page was answered before it came, and the one before it afterwards, the
 * page is read again: a row may have slipped between the two. At the end the rows are proven to be all ({@link standing}). Where they are
 * not, because a record went or for another reason, the collection is walked by cursor, without the rows that were given out; so is one
 * that does not show what the proof takes.
 *
 * Few requests are under way before anybody took the first pages, so that a reader who stops early has not asked for many.
 */
export async function* pagesAtOnce(client: LanedClient, request: ApiRequest): AsyncGenerator<Page> {
  const stop = new AbortController();
  const signal = request.signal === undefined ? stop.signal : AbortSignal.any([request.signal, stop.signal]);
  const { query: _, ...rest } = request;
  const url = requestUrl(client.host, request.path, request.query);
  const ask = (path: string): Promise<ApiResponse> => {
    const answer = client.send({ ...rest, path, signal });
    // It may fail while nobody waits for it; whoever comes for it sees the failure then.
    answer.catch(() => {});
    return answer;
  };
  try {
    const first = readPage(client, url, await ask(url));
    const total = first.total ?? 0;
    const perPage = perPageOf(new URL(url));
    const proof = isWorthIt(perPage, first) ? proofOf(url, first) : undefined;
    if (proof === undefined) {
      yield first;
      if (first.next !== undefined) yield* pages(client, { ...rest, path: first.next });
      return;
    }
    const addressOf = (number: number) => pageAddress(url, number);
    const under: Promise<ApiResponse>[] = [];
    let count = Math.ceil(total / perPage);
    let asked = 1;
    let given = 0;
    const fill = () => {
      const ahead = Math.min(client.width, 2 ** Math.min(given + 1, 10));
      while (asked < count && under.length < ahead) {
        asked += 1;
        under.push(ask(addressOf(asked)));
      }
    };
    fill();
    yield { ...first, next: addressOf(2) };
    for (let number = 2, before = total; number <= count; number += 1) {
      given += 1;
      fill();
      const page = await answered(client, addressOf(number), under.shift());
      const now = page?.total ?? 0;
      const again = page !== undefined && now < before ? await answered(client, addressOf(number), ask(addressOf(number))) : page;
      const latest = again?.total ?? 0;
      const rows = latest < before ? undefined : proof.take([...(again?.rows ?? []), ...(page?.rows ?? [])]);
      // No more rows than these are left.
      const isProvable = proof.counted + Math.max(0, latest - number * perPage) >= total;
      const isRepeated = rows?.length === 0 && proof.counted < total;
      if (rows === undefined || isRepeated || !isProvable) {
        stop.abort();
        if (rows !== undefined) yield { ...first, rows, next: addressOf(number) };
        yield* without(proof, pages(client, request));
        return;
      }
      before = now;
      count = Math.max(count, Math.ceil(latest / perPage));
      fill();
      yield { ...(again ?? first), rows, next: number < count ? addressOf(number + 1) : undefined };
    }
  } finally {
    stop.abort();
  }
}

/** Whether there are as many pages as page numbers gain something for, and reach. */
function isWorthIt(perPage: number, { next, total = 0, rows }: Page): boolean {
  const count = Math.ceil(total / perPage);
  return next !== undefined && rows.length === perPage && count >= MIN_PAGES && count <= MAX_PAGE;
}

function proofOf(url: string, { rows, response }: Page): Standing | undefined {
  const at = Date.parse(response.headers['date'] ?? '');
  const isChosen = [...new URL(url).searchParams.keys()].some((name) => ABOUT_THE_ROWS.test(name));
  return Number.isNaN(at) ? undefined : standing({ rows, at, isChosen });
}

function pageAddress(first: string, number: number): string {
  const url = new URL(first);
  url.searchParams.set('page', String(number));
  return url.href;
}

/** The page; undefined where the service does not take page numbers here after all. */
async function answered(client: LanedClient, url: string, answer: Promise<ApiResponse> | undefined): Promise<Page | undefined> {
  try {
    return answer && readPage(client, url, await answer);
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return undefined;
    throw error;
  }
}

async function* without(proof: Standing, walk: AsyncGenerator<Page>): AsyncGenerator<Page> {
  for await (const page of walk) yield { ...page, rows: page.rows.filter((row) => !proof.has(row)) };
}
