import { type Answer, json } from './http-server.ts';

/** A record of the resource. */
interface Row {
  readonly id: number;
  /** The name, which decides the order unless the request has `sort=id`. */
  readonly name: string;
  readonly created_at: string;
  updated_at: string;
  /** True if a search finds the record. */
  found: boolean;
}

export interface ChangingOptions {
  readonly path: string;
  readonly rows: number;
  /** True if the list counts its rows and accepts page numbers. Otherwise it counts rows on request. */
  readonly counted: boolean;
  readonly random: () => number;
}

/** A resource that changes between any two answers, and answers in any order. */
export interface ChangingService {
  readonly answer: Answer;
  /** Returns the ids of rows that existed from the start and did not change. With `searched`, returns only rows that a search finds. */
  standing(searched: boolean): number[];
}

const HOUR = 3_600_000;
const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/**
 * Creates a service that holds requests for a few turns of the event loop, and then answers a random one.
 * Before each answer, rows may appear, disappear, or change their match with a search. A change may replace one row by another, which no
 * total shows.
 */
export function changingService({ path, rows: size, counted, random }: ChangingOptions): ChangingService {
  const pick = (below: number) => Math.floor(random() * below);
  const began = Date.now();
  let nextId = 1;
  const make = (at: number, found: boolean): Row => {
    nextId += 1 + pick(3);
    return { id: nextId, name: String(pick(100_000)).padStart(6, '0'), created_at: stamp(at), updated_at: stamp(at), found };
  };
  // The records were created one after another, over weeks.
  const rows = Array.from({ length: size }, (_, index) => make(began - (size - index + 1) * HOUR, random() < 0.9));
  const first = rows.map((row) => ({ id: row.id, found: row.found }));
  const touched = new Set<number>();

  const removeOne = () => {
    const [gone] = rows.splice(pick(rows.length), 1);
    if (gone !== undefined) touched.add(gone.id);
  };
  const addOne = () => void rows.push(make(Date.now(), true));
  const turn = (found: boolean) => {
    const those = rows.filter((row) => row.found === !found);
    const row = those[pick(those.length)];
    if (row === undefined) return;
    touched.add(row.id);
    row.found = found;
    row.updated_at = stamp(Date.now());
  };
  const findOne = () => turn(true);
  const loseOne = () => turn(false);
  const CHANGES = [[removeOne], [addOne], [removeOne, addOne], [addOne, removeOne], [findOne, loseOne], [loseOne], [findOne, removeOne]];
  /** The probability of a change. Some resources hardly change, some change at every answer. */
  const restless = random() < 0.3 ? 0 : random() * 0.6;
  /** True if changes keep the total, as most dangerous changes do. */
  const onlyPairs = random() < 0.6;

  function evaluate(query: URLSearchParams, origin: string): unknown {
    const from = query.get('filter[created_at][gte]') ?? '';
    const before = query.get('filter[created_at][lt]') ?? '~';
    const isUndated = query.get('filter[created_at][null]') === 'true';
    const chosen = rows.filter((row) => !isUndated && (!query.has('q') || row.found) && row.created_at >= from && row.created_at < before);
    const key = (row: Row) => (query.get('sort') === 'id' ? String(row.id).padStart(9, '0') : `${row.name} ${row.id}`);
    const sorted = chosen.map((row) => [key(row), row] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    const perPage = Number(query.get('per_page') ?? 25);
    const page = query.get('page');
    const cursor = query.get('cursor');
    const start = page !== null ? (Number(page) - 1) * perPage : cursor === null ? 0 : sorted.findIndex(([name]) => name > cursor);
    const shown = start < 0 ? [] : sorted.slice(start, start + perPage);
    const isMore = start >= 0 && start + perPage < sorted.length;
    const next = new URL(`${path}?${query}`, origin);
    if (page === null) next.searchParams.set('cursor', shown.at(-1)?.[0] ?? '');
    else next.searchParams.set('page', String(Number(page) + 1));
    const total = counted || query.get('with_total') === '1' ? sorted.length : null;
    return { data: shown.map(([, row]) => row), meta: { page: { per_page: perPage, total } }, links: { next: isMore ? next.href : null } };
  }

  const waiting: (() => void)[] = [];
  function release(): void {
    if (waiting.length === 0) return;
    const [go] = waiting.splice(pick(waiting.length), 1);
    while (random() < restless) for (const change of CHANGES[onlyPairs ? 2 + pick(3) : pick(CHANGES.length)] ?? []) change();
    go?.();
  }
  return {
    answer(request, response, socket) {
      waiting.push(() => {
        const body = evaluate(request.query, `http://${request.headers.host}`);
        json(200, body, { date: new Date().toUTCString() })(request, response, socket);
      });
      let turns = 1 + pick(6);
      const wait = () => {
        turns -= 1;
        if (turns > 0) setImmediate(wait);
        else release();
      };
      setImmediate(wait);
    },
    standing: (searched) => first.filter(({ id, found }) => !touched.has(id) && (found || !searched)).map(({ id }) => id),
  };
}
