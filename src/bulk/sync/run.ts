import { requestCost, unitsSpent } from '../../client/cost.ts';
import type { LanedClient } from '../../client/lanes.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import type { Needs } from '../../session/context.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { PER_PAGE } from '../export/pieces.ts';
import { type Exporting, wholeQuery } from '../export/run.ts';

/** What it takes of a context to sync. */
export type Syncing = Exporting | 'catalog' | 'env' | 'paths' | 'signal';

/** One run of a sync. */
export interface SyncRun {
  readonly context: Needs<Syncing>;
  readonly client: LanedClient;
  readonly mirror: Mirror;
  readonly budget: UnitBudget;
  /** Of this mirror, for what is on its way into it. */
  readonly directory: string;
  /** Whether the mirror has, or is to have, what lies below the records of a collection. */
  readonly hasBelow: (noun: string) => boolean;
  /** The columns of a collection. */
  readonly shapeOf: (noun: string, key?: string) => Promise<TableShape>;
}

/** Units of the rate limit that looking for what is gone may take. */
export interface UnitBudget {
  /** What this run has spent so far, on whatever. */
  readonly spent: () => number;
  /** What may still be spent on looking. */
  readonly left: () => number;
  /** Does what looks for what is gone; what it spends comes out of what is left. One at a time. */
  readonly looking: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Counts what a client spends. @param units for looking. */
export function budgetOf(client: LanedClient, units: number): UnitBudget {
  let spent = 0;
  /** What was spent on anything but looking. */
  let other = 0;
  let isLooking = false;
  client.watch((exchange) => {
    const charged = unitsSpent(exchange);
    spent += charged;
    if (!isLooking) other += charged;
  });
  return {
    spent: () => spent,
    left: () => units - (spent - other),
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

/** The service's clock at an answer; this machine's where it tells none. */
export function answerMoment(headers: Readonly<Record<string, string>>, now: number): string {
  return utcSeconds(Date.parse(headers['date'] ?? '') || now);
}

/** Units of a page in the detail view. */
export const PAGE_UNITS = requestCost({ method: 'GET', query: wholeQuery({ view: 'detail' }) });

/** How many pages so many rows take. */
export function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PER_PAGE));
}
