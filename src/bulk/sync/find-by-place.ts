import { type Page, readPage } from '../../client/pages.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { ascendingIds, compare, type Found, type KnownRow, type Looking, placeOf, SUMMARY, type Subject } from './differences.ts';

/** Page numbers go so far (rule 8.12). */
export const MAX_PAGE = 1000;

interface Span {
  /** Pages of the service, both included. */
  readonly first: number;
  readonly last: number;
  /** Rows that the service has on them. */
  readonly rows: number;
  /** Rows of the mirror that belong there: from, and before which, in the list of all. */
  readonly from: number;
  readonly to: number;
}

/**
 * Finds what differs between a counted collection and the mirror, in the order of ids. A page by its number tells two things: the ids on
 * it, and by its place how many come before. So a part of the collection that has as many rows as the mirror has there is left alone,
 * and the rest is halved. For rows that are gone here and there, about three pages each, no choice of pages does better than one in
 * fifty; for neighbours it is a page for each page that they were on.
 *
 * Two that cancel each other within a part, one gone and one that may be seen again, are not found. What is found stays found when the
 * budget ends, or something changes meanwhile: then the places of what comes after are others, and it begins anew with what is left.
 *
 * @returns whether that was all.
 */
export async function findByPlace(look: Looking, subject: Subject, found: Found): Promise<boolean> {
  for (;;) {
    const outcome = await searchOnce(look, subject, found);
    if (outcome !== 'disturbed') return outcome === 'whole';
  }
}

async function searchOnce(
  { client, budget, context }: Looking,
  { path, filter, known: all }: Subject,
  found: Found,
): Promise<'whole' | 'disturbed' | 'ended'> {
  const known = withFound(all, found);
  const pageAt = async (number: number): Promise<Page | undefined> => {
    if (budget.left() < 1) return undefined;
    const query = [...SUMMARY, ...filter, ['page', String(number)] as const];
    return readPage(client, path, await client.send({ method: 'GET', path, query, signal: context.signal }));
  };
  const first = await pageAt(1);
  const total = first?.total;
  if (first === undefined || total === undefined) return 'ended';
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  if (last > MAX_PAGE) return 'ended';
  const spans: Span[] = [];
  const look = (page: Page, number: number, span: Span): 'disturbed' | 'ended' | undefined => {
    const ids = ascendingIds(page.rows);
    if (page.total !== total) return 'disturbed';
    // A page that is not full though rows follow: numbers do not lead to all of them.
    if (ids === undefined || ids.length !== Math.min(PER_PAGE, total - (number - 1) * PER_PAGE)) return 'ended';
    // Rows before the first of this page belong to the pages before it; what comes after the last of all is on no page.
    const from = number === 1 ? 0 : placeOf(known, ({ id }) => id < (ids[0] ?? 0));
    const to = number === last ? known.length : placeOf(known, ({ id }) => id <= (ids.at(-1) ?? 0));
    compare(known.slice(from, to), ids, found);
    const before = (number - span.first) * PER_PAGE;
    spans.push({ first: span.first, last: number - 1, rows: before, from: span.from, to: Math.max(span.from, from) });
    spans.push({ first: number + 1, last: span.last, rows: span.rows - before - ids.length, from: Math.min(to, span.to), to: span.to });
    return undefined;
  };
  const unfit = look(first, 1, { first: 1, last, rows: total, from: 0, to: known.length });
  if (unfit !== undefined) return unfit;
  // The last part first: what was made lately is deleted the most.
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    if (span.rows === span.to - span.from) continue;
    if (span.rows === 0) {
      compare(known.slice(span.from, span.to), [], found);
      continue;
    }
    const number = Math.floor((span.first + span.last) / 2);
    const page = await pageAt(number);
    const ended = page === undefined ? 'ended' : look(page, number, span);
    if (ended !== undefined) return ended;
  }
  return 'whole';
}

/** The rows of the mirror as they will be. */
function withFound(known: readonly KnownRow[], { gone, missing }: Found): readonly KnownRow[] {
  if (gone.size === 0 && missing.size === 0) return known;
  const rest = known.filter(({ id }) => !gone.has(id) && !missing.has(id));
  return [...rest, ...[...missing].map((id) => ({ id, made: '' }))].sort((one, other) => one.id - other.id);
}
