import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/values/json.ts';

/** A service with long lists, whose records it creates on request. */
export interface RowsService {
  /** The host: `127.0.0.1:port`. */
  readonly host: string;
  /** Returns the number of requests so far. */
  readonly requests: () => number;
  /** Resolves at a request for records of a resource. */
  asked(noun: string): Promise<void>;
  /** Resolves after this number of requests. */
  reached(requests: number): Promise<void>;
  /** Holds requests for records until the test calls the returned function. */
  hold(): () => void;
  /** Deletes records. */
  remove(noun: string, ids: Iterable<number>): void;
  /** Moves the clock of the service forward, which its Date header shows. */
  advance(days: number): void;
  close(): Promise<void>;
}

/** The time of the first record. Records are a second apart. */
const START = Date.UTC(2020, 0, 1);
const stampOf = (id: number) => `${new Date(START + id * 1_000).toISOString().slice(0, 19)}Z`;
const ME = { id: 1, name: 'Ada Lovelace', email: 'ada@example.com', time_zone: 'UTC', organization: { id: 1, name: 'Acme' } };

/** Counts the ascending ids that are less than an id. */
function placeIn(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the record with an id. */
function recordOf(id: number): JsonObject {
  return {
    ...{ id, date: stampOf(id).slice(0, 10), minutes: 1 + (id % 480), description: `Work ${id}`, user_id: 1 + (id % 10) },
    ...{ project_id: 1 + (id % 200), created_at: stampOf(id), updated_at: stampOf(id) },
  };
}

/**
 * Starts a service in the order of id, with ETags and without deleted records. The service counts rows only on request.
 * @param sizes number of records per resource.
 */
export async function startRowsService(sizes: Readonly<Record<string, number>>, port = 0): Promise<RowsService> {
  const goneOf = new Map(Object.keys(sizes).map((noun) => [noun, new Set<number>()]));
  let requests = 0;
  let released = Promise.resolve();
  const asked = new Map(Object.keys(sizes).map((noun) => [noun, Promise.withResolvers<void>()]));
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let ahead = 0;
  const idAt = (stamp: string | null) => (stamp === null ? undefined : Math.ceil((Date.parse(stamp) - START) / 1_000));
  const sortedGone = new Map<string, readonly number[]>();
  /** Counts the deleted ids from one id to before another. */
  const goneBetween = (noun: string, from: number, below: number) => {
    const sorted = sortedGone.get(noun) ?? [...(goneOf.get(noun) ?? [])].sort((one, other) => one - other);
    sortedGone.set(noun, sorted);
    return Math.max(0, placeIn(sorted, below) - placeIn(sorted, from));
  };
  const page = (noun: string, url: URL) => {
    const query = url.searchParams;
    const { [noun]: rows = 0 } = sizes;
    const gone = goneOf.get(noun) ?? new Set();
    const filters = ['created_at', 'updated_at'].flatMap((field) => [
      { least: idAt(query.get(`filter[${field}][gte]`)), most: undefined },
      { least: undefined, most: idAt(query.get(`filter[${field}][lt]`)) },
    ]);
    const from = Math.max(1, Number(query.get('cursor') ?? 0) + 1, ...filters.flatMap(({ least = [] }) => least));
    const below = Math.min(rows + 1, ...filters.flatMap(({ most = [] }) => most));
    const data: object[] = [];
    let id = from;
    for (const size = Number(query.get('per_page') ?? 25); id < below && data.length < size; id += 1)
      if (!gone.has(id)) data.push(recordOf(id));
    const next = new URL(url);
    next.searchParams.set('cursor', String(id - 1));
    const isCounted = query.get('with_total') === '1';
    const total = isCounted ? Math.max(0, below - from) - goneBetween(noun, from, below) : null;
    return { data, meta: { page: { total } }, links: { next: id < below ? next.href : null } };
  };
  const server = createServer(async (request, response) => {
    requests += 1;
    for (const [count, { resolve }] of waiting) if (requests >= count) resolve();
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const noun = url.pathname.replace(/^\/api\/v2\//, '');
    const answers: Readonly<Record<string, () => object>> = {
      '': () => ({ data: Object.keys(sizes).map((name) => ({ name, path: `/${name}` })), links: { next: null } }),
      me: () => ({ data: ME }),
      ...Object.fromEntries(Object.keys(sizes).map((name) => [name, () => page(name, url)])),
    };
    asked.get(noun)?.resolve();
    if (noun in sizes) await released;
    const answer = url.searchParams.has('trashed') ? undefined : answers[noun];
    const body = JSON.stringify(answer?.() ?? { type: 'invalid-request', title: 'Not here', status: 400 });
    const etag = `"${body.length}-${Buffer.from(body).subarray(0, 60).toString('hex')}"`;
    const isSame = answer !== undefined && request.headers['if-none-match'] === etag;
    response.setHeader('Date', new Date(Date.now() + ahead).toUTCString());
    response.writeHead(isSame ? 304 : answer === undefined ? 400 : 200, { 'Content-Type': 'application/json', ETag: etag });
    response.end(isSame ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    asked: async (noun) => asked.get(noun)?.promise,
    async reached(count) {
      const waits = Promise.withResolvers<void>();
      waiting.set(count, waits);
      await waits.promise;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    remove: (noun, ids) => {
      for (const id of ids) goneOf.get(noun)?.add(id);
      sortedGone.delete(noun);
    },
    advance: (days) => {
      ahead += days * 86_400_000;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
