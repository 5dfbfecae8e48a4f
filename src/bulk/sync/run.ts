import { requestCost, unitsSpent } from '../../client/cost.ts';
import type { LanedClient } from '../../client/lanes.ts';
import type { LocalDatabase, TableState } from '../../database/local-database.ts';
import type { TableShape } from '../../database/table-shape.ts';
import type { Needs } from '../../session/context.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { type Exporting, pagesOf, wholeQuery } from '../export/run.ts';
import type { Verification } from './verification.ts';

export type Syncing = Exporting | 'env' | 'paths' | 'signal';

export interface SyncRun {
  readonly context: Needs<Syncing>;
  readonly client: LanedClient;
  readonly database: LocalDatabase;
  readonly budget: ReturnType<typeof budgetOf>;
  /** The directory for records that svc has not yet written to this local database. */
  readonly directory: string;
  /** Returns the rate-limit units for the slice of a table that this run compares completely, including unchanged rows. */
  readonly sliceOf: (state: TableState) => number;
  /** The progress of `--verify`. Undefined without `--verify`. */
  readonly verification: Verification | undefined;
  /** Returns true if the local database has, or will have, the child records of a resource. */
  readonly hasChildRecords: (noun: string) => boolean;
  readonly shapeOf: (noun: string, key?: string) => Promise<TableShape>;
}

/** The parents whose child records a sync reads: none, all, or changed parents and a slice of the other parents. */
export const CHILDREN = ['none', 'changed', 'all'] as const;
export type Children = (typeof CHILDREN)[number];

/**
 * Creates a budget that counts the rate-limit units of a client, and limits the search for deleted records. The search gets rate-limit units
 * only through `allow`.
 */
export function budgetOf(client: LanedClient) {
  let units = 0;
  let reserved = 0;
  let spent = 0;
  /** The rate-limit units of all requests outside the search. */
  let other = 0;
  let isSearching = false;
  client.watch((exchange) => {
    const charged = unitsSpent(exchange);
    spent += charged;
    if (!isSearching) other += charged;
  });
  return {
    spent: () => spent,
    /** Sets the rate-limit units that the search can spend. */
    allow(given: number) {
      units = given;
    },
    /** Reserves rate-limit units for tables that svc updates later. */
    reserve(later: number) {
      reserved = later;
    },
    /** Returns the rate-limit units that are left for the search, without the reserved units. */
    left: () => units - (spent - other) - reserved,
    /** Runs a search for deleted records and counts its rate-limit units. Only one search can run at a time. */
    async searching<T>(work: () => Promise<T>) {
      isSearching = true;
      try {
        return await work();
      } finally {
        isSearching = false;
      }
    },
  };
}

/**
 * Returns the time of an answer by the service’s clock, as `YYYY-MM-DDTHH:MM:SSZ`. Returns this machine’s time if the answer has no date.
 *
 * @param now this machine’s time in milliseconds since 1970.
 */
export function answerTime(headers: Readonly<Record<string, string>>, now: number): string {
  return utcSeconds(Date.parse(headers['date'] ?? '') || now);
}

/** The rate-limit units of a page in the detail view. */
export const PAGE_UNITS = requestCost({ method: 'GET', query: wholeQuery({ view: 'detail' }) });

/** The highest number of pages of a short table. svc compares a short table completely, for one rate-limit unit per unchanged page. */
const SHORT_PAGES = 3;

export function isShort({ rows }: TableState): boolean {
  return pagesOf(rows + 1) <= SHORT_PAGES;
}

/**
 * The most deleted rows whose ids svc keeps in memory. At this number, a comparison writes the deletions, and a search ends. The limit is
 * much larger than one page.
 */
export const MOST_GONE = 50_000;
