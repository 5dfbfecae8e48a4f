import type { TableState } from '../../mirror/mirror.ts';
import { PAGE_UNITS, pagesOf, type Slices } from './run.ts';

/** Every table is compared wholly within so many syncs, … */
const SYNCS = 30;

/** … and within so many days, in milliseconds. */
const DAYS = 30 * 86_400_000;

/** Rate-limit units for slices and as many for finding deleted records, unless a 30th of all tables costs more. */
const LEAST = 100;

/**
 * Plans how much of each table a sync compares: a thirtieth, or more if the last sync was more than a day ago. Of a child table it is the
 * part of 30 days since the last sync: each parent costs a request. Small databases are compared wholly in each sync. With
 * `--max-units`, half of it is for slices.
 *
 * @param given `--max-units`. @param atMost Units for all slices together, for syncs that follow one another closely.
 * @returns the units that finding deleted records and slices may spend together.
 */
export function planSlices(
  states: ReadonlyMap<string, TableState>,
  { now, given, isAll, atMost = Number.POSITIVE_INFINITY }: PlanOptions,
): { readonly slices: Slices; readonly units: number } {
  const tables = [...states.values()];
  const isChild = ({ noun }: TableState) => noun.includes('.');
  const parentOf = ({ noun }: TableState) => states.get(noun.split('.')[0] ?? '');
  // Unchanged children cost a unit a parent. Before svc has their ETags, they cost as much as a page.
  const perParent = ({ verified_at }: TableState) => (verified_at === null ? 1 : 1 / PAGE_UNITS);
  const pagesIn = (state: TableState) => (isChild(state) ? (parentOf(state)?.rows ?? 0) * perParent(state) : pagesOf(state.rows));
  const shareOf = (state: TableState) => (isChild(state) ? part(parentOf(state) ?? state, now, 0) : part(state, now, 1 / SYNCS));
  const due = (state: TableState) => pagesIn(state) * shareOf(state);
  const sumOf = (of: (state: TableState) => number) => tables.reduce((sum, state) => sum + of(state), 0);
  const [all, allDue] = [sumOf(pagesIn), sumOf(due)];
  const needed = Math.ceil(allDue) * PAGE_UNITS;
  const forSlices = Math.min(atMost, given === undefined ? Math.max(LEAST, needed) : Math.floor(given / 2));
  const forDue = Math.min(needed, forSlices);
  // This sync reads a missing table whole, also if an earlier one began to read it. Checks that follow one another leave
  // the children of parents that did not change to the next sync.
  const isLeft = (state: TableState) => !states.has(state.noun) || (isChild(state) && Number.isFinite(atMost));
  const unitsFor = (state: TableState) =>
    isLeft(state) ? 0 : Math.ceil((forDue * due(state)) / (allDue || 1) + ((forSlices - forDue) * pagesIn(state)) / (all || 1));
  return {
    slices: { isAll, unitsFor },
    units: given ?? forSlices + LEAST,
  };
}

/** How a sync is limited. */
export interface PlanOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly given: number | undefined;
  readonly isAll: boolean;
  readonly atMost?: number | undefined;
}

/** The part of 30 days since the last check, at least `least` and at most 1. */
function part({ as_of }: TableState, now: number, least: number): number {
  return Math.min(1, Math.max(least, (now - Date.parse(as_of)) / DAYS || 0));
}
