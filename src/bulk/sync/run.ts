import { requestCost, unitsSpent } from '../../client/cost.ts';
import type { LanedClient } from '../../client/lanes.ts';
import type { Mirror, TableState } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import type { Needs } from '../../session/context.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { type Exporting, PER_PAGE, wholeQuery } from '../export/run.ts';

/** The parts of a context that a sync needs. */
export type Syncing = Exporting | 'env' | 'paths' | 'signal';

/** One run of a sync. */
export interface SyncRun {
  readonly context: Needs<Syncing>;
  readonly client: LanedClient;
  readonly mirror: Mirror;
  readonly budget: UnitBudget;
  /** The directory for records on their way into this local database. */
  readonly directory: string;
  /** How much of each table this run compares with the service, whether it changed or not. */
  readonly slices: Slices;
  /** Whether the local database has, or will have, the child records of a resource. */
  readonly hasBelow: (noun: string) => boolean;
  /** The columns of a collection. */
  readonly shapeOf: (noun: string, key?: string) => Promise<TableShape>;
}

/** Child records that a sync reads: of every parent, of none, or of parents that changed and of a part of the others. */
export type Children = 'all' | 'none' | 'changed';

/** The part of the tables that one run compares. */
export interface Slices {
  /** Every id and every ETag is compared. */
  readonly isAll: boolean;
  /** Rate-limit units for the slice of a table. */
  readonly unitsFor: (state: TableState) => number;
}

/** Rate-limit units for finding deleted records. */
export interface UnitBudget {
  /** All units that this run has spent so far. */
  readonly spent: () => number;
  /** Sets the units for the search. */
  readonly allow: (units: number) => void;
  /** Keeps units for tables that come later. */
  readonly reserve: (units: number) => void;
  /** The units left for the search, without the reserved ones. */
  readonly left: () => number;
  /** Runs a search for deleted records, and counts its units. One at a time. */
  readonly looking: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Counts the units of a client. The search has no units before `allow`. */
export function budgetOf(client: LanedClient): UnitBudget {
  let units = 0;
  let kept = 0;
  let spent = 0;
  /** Units spent on everything but the search. */
  let other = 0;
  let isLooking = false;
  client.watch((exchange) => {
    const charged = unitsSpent(exchange);
    spent += charged;
    if (!isLooking) other += charged;
  });
  return {
    spent: () => spent,
    allow(given) {
      units = given;
    },
    reserve(later) {
      kept = later;
    },
    left: () => units - (spent - other) - kept,
    async looking(work) {
      isLooking = true;
      try {
        return await work();
      } finally {
        isLooking = false;
      }
    },
  };
}

/** Returns the service's time at an answer; this machine's time if the answer has none. */
export function answerMoment(headers: Readonly<Record<string, string>>, now: number): string {
  return utcSeconds(Date.parse(headers['date'] ?? '') || now);
}

/** Units of a page in the detail view. */
export const PAGE_UNITS = requestCost({ method: 'GET', query: wholeQuery({ view: 'detail' }) });

/** How many pages so many rows take. */
export function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PER_PAGE));
}

/** svc compares a table of so many pages whole: one unit for each page that has not changed. */
const SHORT_PAGES = 3;

export function isShort({ rows }: TableState): boolean {
  return pagesOf(rows + 1) <= SHORT_PAGES;
}
