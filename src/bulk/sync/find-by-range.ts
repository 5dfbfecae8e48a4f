import { pages } from '../../client/pages.ts';
import { PER_PAGE } from '../export/pieces.ts';
import type { Counting } from './count-rows.ts';
import { ascendingIds, compare, type IdDifferences, type Looking, type MirrorRow, placeOf, SUMMARY, type Subject } from './differences.ts';
import { pagesOf } from './run.ts';

/** Rows that were made between two moments. */
interface Range {
  /** Undefined: from the first. */
  readonly from: string | undefined;
  readonly before: string;
  /** Rows that the service has there. */
  readonly rows: number;
  /** Those of the mirror, by when they were made. */
  readonly known: readonly MirrorRow[];
}

/**
 * Finds what differs between the mirror and a collection by what was made before a time, and after it. The first page of the rows that were
 * made since then shows two things: their ids, and how many they are. A range that has as many rows as the mirror has there is left alone;
 * the others are halved until reading their ids costs no more. Rows that are gone here and there take about three pages each, and neighbours
 * a page for each page that they were on.
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
  found: IdDifferences,
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

async function searchOnce(look: Looking, subject: Subject, counting: Counting, whole: Range, found: IdDifferences): Promise<boolean> {
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
    if (middle !== undefined && pagesOf(rows) > counting.units ** 2) {
      if (budget.left() < counting.units) return false;
      const page = await counting.firstPage(filterOf({ from: middle, before }));
      const ids = ascendingIds(page?.rows ?? []);
      if (page?.total === undefined || ids === undefined) return false;
      const place = placeOf(known, ({ made }) => made < middle);
      const last = page.next === undefined ? Number.POSITIVE_INFINITY : (ids.at(-1) ?? 0);
      const newer = known.slice(place);
      const shown = newer.filter(({ id }) => id <= last);
      const after = newer.filter(({ id }) => id > last);
      const seen: IdDifferences = { gone: new Set(), missing: new Set() };
      compare(shown, ids, seen);
      for (const id of seen.gone) found.gone.add(id);
      for (const id of seen.missing) found.missing.add(id);
      ranges.push({ from, before: middle, rows: rows - page.total, known: known.slice(0, place) });
      const next = after[0]?.made ?? '';
      const left = newer.filter(({ id }) => !seen.gone.has(id));
      // What the page showed is done with, where ids follow the times.
      ranges.push(
        shown.every(({ made }) => made < next)
          ? { from: next, before, rows: page.total - ids.length, known: after }
          : { from: middle, before, rows: page.total - seen.missing.size, known: left },
      );
    } else if (!(await walk(look, subject, range, found))) return false;
  }
  return true;
}

/** When to halve rows, so that a page has its middle; the first time after the first row's; undefined where all were made at once. */
function middleOf(known: readonly MirrorRow[]): string | undefined {
  const first = known[0]?.made ?? '';
  const middle = known[Math.max(0, known.length - PER_PAGE) >> 1]?.made ?? '';
  return middle > first ? middle : known[placeOf(known, ({ made }) => made <= first)]?.made;
}

/** Reads the ids of a range, as far as they are needed; false where the budget ended first. */
async function walk({ client, context, budget }: Looking, { path }: Subject, range: Range, found: IdDifferences): Promise<boolean> {
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

function byTime(one: MirrorRow, other: MirrorRow): number {
  return one.made < other.made ? -1 : one.made > other.made ? 1 : one.id - other.id;
}
