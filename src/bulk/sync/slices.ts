import type { TableState } from '../../database/local-database.ts';
import { pagesOf } from '../export/run.ts';
import { PAGE_UNITS } from './run.ts';

/** The number of syncs that together compare every page of a table. */
const SYNCS = 30;

/** The longest time within which svc compares every page of a table, in milliseconds. */
const DAYS = 30 * 86_400_000;

/** The fewest rate-limit units for the slices of one sync. The search for deleted records gets the same number. */
const LEAST = 100;

/**
 * Plans the slice of each table that a sync compares. The slice is a thirtieth of the table, or more if the last sync was more than a day
 * ago. For a child table, the slice depends on the time since the last sync, because each parent costs a request. A sync compares a small
 * database completely. With `--max-units`, half of the rate-limit units are for slices.
 *
 * @param given value of `--max-units`.
 * @param atMost most rate-limit units for all slices together, for syncs that quickly follow each other.
 * @returns the units for the slice of each table (`sliceOf`), and the units for slices and deleted records together.
 */
export function planSlices(states: ReadonlyMap<string, TableState>, now: number, given?: number, atMost = Number.POSITIVE_INFINITY) {
  const tables = [...states.values()];
  const isChild = ({ noun }: TableState) => noun.includes('.');
  const parentOf = ({ noun }: TableState) => states.get(noun.split('.')[0] ?? '');
  // Unchanged children cost one rate-limit unit per parent with an ETag. Without an ETag, the children of a parent cost as much as a page.
  const perParent = ({ verified_at }: TableState) => (verified_at === null ? 1 : 1 / PAGE_UNITS);
  const pagesIn = (state: TableState) => (isChild(state) ? (parentOf(state)?.rows ?? 0) * perParent(state) : pagesOf(state.rows));
  const shareOf = (state: TableState) => (isChild(state) ? part(parentOf(state) ?? state, now, 0) : part(state, now, 1 / SYNCS));
  const due = (state: TableState) => pagesIn(state) * shareOf(state);
  const sumOf = (of: (state: TableState) => number) => tables.reduce((sum, state) => sum + of(state), 0);
  const [all, allDue] = [sumOf(pagesIn), sumOf(due)];
  const needed = Math.ceil(allDue) * PAGE_UNITS;
  const forSlices = Math.min(atMost, given === undefined ? Math.max(LEAST, needed) : Math.floor(given / 2));
  const forDue = Math.min(needed, forSlices);
  // A missing table needs no slice, because this sync reads the whole table. Repeated checks leave the children of unchanged parents to the
  // next sync.
  const isLeft = (state: TableState) => !states.has(state.noun) || (isChild(state) && Number.isFinite(atMost));
  const sliceOf = (state: TableState) =>
    isLeft(state) ? 0 : Math.ceil((forDue * due(state)) / (allDue || 1) + ((forSlices - forDue) * pagesIn(state)) / (all || 1));
  return { sliceOf, units: given ?? forSlices + LEAST };
}

/** Returns the fraction of 30 days since the last check, between `least` and 1. */
function part({ as_of }: TableState, now: number, least: number): number {
  return Math.min(1, Math.max(least, (now - Date.parse(as_of)) / DAYS || 0));
}
