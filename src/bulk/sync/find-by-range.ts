import { pages } from '../../client/pages.ts';
import type { Counting } from './count-rows.ts';
import { ascendingIds, compare, type Found, type KnownRow, type Looking, placeOf, SUMMARY, type Subject } from './differences.ts';
import { pagesOf } from './run.ts';

/** Rows that were made between two moments. */
interface Range {
  /** Undefined: from the first. */
  readonly from: string | undefined;
  readonly before: string;
  /** Rows that the service has there. */
  readonly rows: number;
  /** Those of the mirror, by when they were made. */
  readonly known: readonly KnownRow[];
}

/**
 * Finds what differs between the mirror and a collection without page numbers, or with more rows than these reach: by counting what was
 * made before a moment. A range that has as many rows as the mirror has there is left alone; the others are halved until reading their
 * ids costs no more than counting on.
 *
 * What is found stays found when the budget ends. Two that cancel each other within a range are not found.
 *
 * @param subject Its rows are those that were made before `before`.
 * @param counting `counted` rows the service has of them.
 * @returns whether that was all.
 */
export async function findByRange(
  look: Looking,
  subject: Subject & { readonly before: string },
  counting: Counting & { readonly counted: number },
  found: Found,
): Promise<boolean> {
  const { budget } = look;
  const { before } = subject;
  const { counted } = counting;
  for (let rows = counted; ; ) {
    const known = subject.known.filter(({ id }) => !found.gone.has(id)).toSorted(byTime);
    const size = found.gone.size + found.missing.size;
    const whole = { from: undefined, before, rows: rows - found.missing.size, known };
    const isThrough = await searchOnce(look, subject, counting, whole, found);
    if (!isThrough || budget.left() < counting.units) return false;
    // Counted again after each round: rows that go meanwhile would make one half look whole for the other.
    const again = await counting.count(subject.filter);
    if (again === subject.known.length - found.gone.size + found.missing.size) return true;
    if (again === undefined || found.gone.size + found.missing.size === size) return false;
    rows = again;
  }
}

async function searchOnce(look: Looking, subject: Subject, counting: Counting, whole: Range, found: Found): Promise<boolean> {
  const { budget } = look;
  const ranges: Range[] = [whole];
  // The last first: what was made lately is deleted the most.
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const { from, before, rows, known } = range;
    if (rows === known.length) continue;
    if (rows <= 0) {
      compare(known, [], found);
      continue;
    }
    const middle = middleOf(known);
    if (middle !== undefined && pagesOf(rows) > counting.units * WALKS) {
      if (budget.left() < counting.units) return false;
      const older = await counting.count(filterOf({ from, before: middle }));
      if (older === undefined) return false;
      const place = placeOf(known, ({ made }) => made < middle);
      ranges.push({ from, before: middle, rows: older, known: known.slice(0, place) });
      ranges.push({ from: middle, before, rows: rows - older, known: known.slice(place) });
    } else if (!(await walk(look, subject, range, found))) return false;
  }
  return true;
}

/** When to halve rows: the middle one was made, or the first that was made after most; undefined where all were made at once. */
function middleOf(known: readonly KnownRow[]): string | undefined {
  const first = known[0]?.made ?? '';
  const middle = known[known.length >> 1]?.made ?? '';
  return middle > first ? middle : known[placeOf(known, ({ made }) => made <= first)]?.made;
}

/** So many pages of ids, for each unit that counting takes, cost less than halving on does. */
const WALKS = 3;

/** Reads the ids of a range, as far as they are needed; false where the budget ended first. */
async function walk({ client, context, budget }: Looking, { path }: Subject, range: Range, found: Found): Promise<boolean> {
  const { from, before, known } = range;
  if (budget.left() < 1) return false;
  const there = new Set<number>();
  const byId = known.toSorted((one, other) => one.id - other.id);
  const query = [...SUMMARY, ...filterOf({ from, before })];
  let last = Number.NEGATIVE_INFINITY;
  for await (const { rows, next } of pages(client, { method: 'GET', path, query, signal: context.signal }, { patient: true })) {
    const ids = ascendingIds(rows);
    // In another order nothing is known of what lies between two ids.
    if (ids === undefined || (ids[0] ?? Number.POSITIVE_INFINITY) <= last) return false;
    for (const id of ids) there.add(id);
    last = next === undefined ? Number.POSITIVE_INFINITY : (ids.at(-1) ?? last);
    const place = placeOf(byId, ({ id }) => id <= last);
    // The rest has as many rows as the mirror has there.
    const isAll = next === undefined || byId.length - place === range.rows - there.size;
    if (!isAll && budget.left() >= 1) continue;
    compare(byId.slice(0, place), there, found);
    return isAll;
  }
  return false;
}

function filterOf({ from, before }: Pick<Range, 'from' | 'before'>): [string, string][] {
  return [...(from === undefined ? [] : [['filter[created_at][gte]', from] as [string, string]]), ['filter[created_at][lt]', before]];
}

function byTime(one: KnownRow, other: KnownRow): number {
  return one.made < other.made ? -1 : one.made > other.made ? 1 : one.id - other.id;
}
