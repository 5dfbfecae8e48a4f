import { pages } from '../../client/pages.ts';
import { BEFORE_ALL, LAST_OF_ALL } from '../../database/compared-pages.ts';
import type { MadeRange, MadeRows } from '../../database/made-rows.ts';
import { PER_PAGE, pagesOf } from '../export/run.ts';
import type { Counting } from './count-rows.ts';
import { ascendingIds, type FindingDifferences, type IdDifferences, SUMMARY, type Subject } from './differences.ts';
import { MOST_GONE } from './run.ts';

interface Range extends MadeRange {
  /** The number of rows that the service has in this range, without the missing ids that the search has found. */
  readonly rows: number;
}

/**
 * Finds the differences between the local database and a resource, by ranges of creation time. If the local database and the service have
 * the same number of rows in a range, svc skips the range. If the numbers differ, svc halves the range, until the ids of the range cost
 * less than a further halving. The first page of the newer half has ids and the number of rows. A scattered deletion costs about three
 * pages. Several deletions on one page cost one page together.
 *
 * The search also ends when the rate-limit units run out, or after {@link MOST_GONE} deletions. svc misses two differences that cancel each
 * other out within a range.
 *
 * @param subject Rows that were created before `before`.
 * @param counting The counter of the resource, with the service’s number of these rows.
 * @returns true if the row counts are equal after the search.
 */
export async function findByRange(
  finding: FindingDifferences,
  subject: Subject & { readonly before: string },
  counting: Counting & { readonly counted: number },
  found: IdDifferences,
): Promise<boolean> {
  const { budget } = finding;
  const { known, before, filter } = subject;
  const all = { from: undefined, before };
  for (let rows = counting.counted; ; ) {
    const size = found.gone.size + found.missing.size;
    const isThrough = await searchOnce(finding, subject, counting, { ...all, rows: rows - found.missing.size }, found);
    if (!isThrough || budget.left() < counting.units) return false;
    // svc counts again after each search, because a deletion during the search can make two halves seem equal.
    const again = await counting.count(filter);
    if (again === (await known.count(all)) + found.missing.size) return true;
    if (again === undefined || found.gone.size + found.missing.size === size) return false;
    rows = again;
  }
}

async function searchOnce(
  finding: FindingDifferences,
  subject: Subject,
  counting: Counting,
  whole: Range,
  found: IdDifferences,
): Promise<boolean> {
  const { budget } = finding;
  const { known } = subject;
  const ranges: Range[] = [whole];
  // svc starts with the newest range, because people mostly delete recent records.
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    if (found.gone.size >= MOST_GONE) return false;
    const { from, before, rows } = range;
    const size = await known.count(range);
    if (rows === size) continue;
    if (rows <= 0) {
      const gone = await known.others(range, BEFORE_ALL, LAST_OF_ALL, [], MOST_GONE);
      await addDeleted(known, gone, found);
      continue;
    }
    const middle = pagesOf(rows) > counting.units ** 2 ? await middleOf(known, range, size) : undefined;
    if (middle !== undefined) {
      if (budget.left() < counting.units) return false;
      const page = await counting.firstPage(filterOf({ from: middle, before }));
      const ids = ascendingIds(page?.rows ?? []);
      if (page?.total === undefined || ids === undefined) return false;
      const newer = { from: middle, before };
      const last = page.next === undefined ? LAST_OF_ALL : (ids.at(-1) ?? BEFORE_ALL);
      const next = (await known.firstMade(newer, last)) ?? '';
      // If the ids ascend with the creation time, the rest of the range starts after this page.
      const isInOrder = ((await known.lastMade(newer, last)) ?? '') < next;
      const missing = await compare(known, newer, { after: BEFORE_ALL, upto: last, ids }, found);
      ranges.push({ from, before: middle, rows: rows - page.total });
      ranges.push(isInOrder ? { from: next, before, rows: page.total - ids.length } : { ...newer, rows: page.total - missing });
    } else if (!(await walk(finding, subject, range, found))) return false;
  }
  return true;
}

/**
 * Returns the time that halves a range. The middle row is then on the first page of the newer half. Returns undefined if all rows have the
 * same time.
 */
async function middleOf(known: MadeRows, range: Range, size: number): Promise<string | undefined> {
  const first = (await known.madeAt(range, 0)) ?? '';
  const middle = (await known.madeAt(range, Math.max(0, size - PER_PAGE) >> 1)) ?? '';
  return middle > first ? middle : known.madeAfter(range, first);
}

/** The ids that the service has in a range of ids. */
interface Shown {
  readonly after: number;
  readonly upto: number;
  readonly ids: readonly number[];
}

/**
 * Records the differences between rows of the local database and the service’s ids. @returns the number of ids that only the service has.
 */
async function compare(known: MadeRows, range: MadeRange, { after, upto, ids }: Shown, found: IdDifferences): Promise<number> {
  const held = new Set(await known.held(range, ids));
  const missing = ids.filter((id) => !held.has(id));
  for (const id of missing) found.missing.add(id);
  await addDeleted(known, await known.others(range, after, upto, ids, MOST_GONE), found);
  return missing.length;
}

async function addDeleted(known: MadeRows, gone: readonly number[], found: IdDifferences): Promise<void> {
  for (const id of gone) found.gone.add(id);
  await known.remove(gone);
}

/**
 * Reads the ids of a range until the remaining row counts are equal.
 *
 * @returns false if the rate-limit units ran out first, or if the ids do not ascend.
 */
async function walk(
  { client, context, budget }: FindingDifferences,
  { path, known }: Subject,
  range: Range,
  found: IdDifferences,
): Promise<boolean> {
  if (budget.left() < 1) return false;
  const query = [...SUMMARY, ...filterOf(range)];
  const shown: Shown[] = [];
  const done = async () => {
    for (const each of shown) await compare(known, range, each, found);
  };
  let seen = 0;
  let last = BEFORE_ALL;
  for await (const { rows, next } of pages(client, { method: 'GET', path, query, signal: context.signal }, { patient: true })) {
    const ids = ascendingIds(rows);
    // If the ids do not ascend, another id could lie between two rows.
    if (ids === undefined || (ids[0] ?? LAST_OF_ALL) <= last) return false;
    const upto = next === undefined ? LAST_OF_ALL : (ids.at(-1) ?? last);
    shown.push({ after: last, upto, ids });
    seen += ids.length;
    last = upto;
    // The local database and the service have the same number of rows in the rest of the range.
    const isAll = next === undefined || (await known.count(range, last)) === range.rows - seen;
    if (!isAll && budget.left() >= 1) continue;
    await done();
    return isAll;
  }
  return false;
}

function filterOf({ from, before }: MadeRange): [string, string][] {
  return [...(from === undefined ? [] : [['filter[created_at][gte]', from] as [string, string]]), ['filter[created_at][lt]', before]];
}
