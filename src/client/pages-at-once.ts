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
 * Every page of a counted collection (rule 8.27), in order, several of them under way at a time in page mode. A collection that changes
 * meanwhile, so that a page number may skip or repeat rows, is walked by cursor from then on, without the rows that were given out;
 * so is one that does not show what it takes to know.
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
    const count = pagesToAsk(url, first);
    const proof = count === undefined ? undefined : proofOf(url, first);
    if (count === undefined || proof === undefined) {
      yield first;
      if (first.next !== undefined) yield* pages(client, { ...rest, path: first.next });
      return;
    }
    const under: Promise<ApiResponse>[] = [];
    let asked = 1;
    let given = 0;
    const fill = () => {
      const ahead = Math.min(client.width, 2 ** Math.min(given + 1, 10));
      while (asked < count && under.length < ahead) {
        asked += 1;
        under.push(ask(addressOf(url, asked)));
      }
    };
    fill();
    yield { ...first, next: addressOf(url, 2) };
    for (let number = 2; number <= count; number += 1) {
      given += 1;
      fill();
      const page = await answered(client, addressOf(url, number), under.shift());
      if (page === undefined || !isAsCounted(page, first, number === count) || !proof.see(page.rows)) {
        stop.abort();
        yield* without(proof, pages(client, request));
        return;
      }
      fill();
      yield { ...page, next: number < count ? addressOf(url, number + 1) : undefined };
    }
  } finally {
    stop.abort();
  }
}

/** How many pages there are, where they can be had by their numbers and it is worth it. */
function pagesToAsk(url: string, { next, total = 0, rows }: Page): number | undefined {
  const perPage = perPageOf(new URL(url));
  const count = Math.ceil(total / perPage);
  return next !== undefined && rows.length === perPage && count >= MIN_PAGES && count <= MAX_PAGE ? count : undefined;
}

function proofOf(url: string, { rows, response }: Page): Standing | undefined {
  const at = Date.parse(response.headers['date'] ?? '');
  const isChosen = [...new URL(url).searchParams.keys()].some((name) => ABOUT_THE_ROWS.test(name));
  return Number.isNaN(at) ? undefined : standing({ rows, at, isChosen });
}

function addressOf(first: string, number: number): string {
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

/** Whether a page is as long as it has to be where there are as many rows as the first answer counted. */
function isAsCounted({ rows, total = 0 }: Page, first: Page, isLast: boolean): boolean {
  const perPage = first.rows.length;
  return total === first.total && rows.length === (isLast ? total - Math.floor((total - 1) / perPage) * perPage : perPage);
}

async function* without(proof: Standing, walk: AsyncGenerator<Page>): AsyncGenerator<Page> {
  for await (const page of walk) yield { ...page, rows: page.rows.filter((row) => !proof.has(row)) };
}
