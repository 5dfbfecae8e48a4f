import type { LanedClient } from '../../client/lanes.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import type { Needs } from '../../session/context.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { Exporting } from '../export/run.ts';

/** What it takes of a context to sync. */
export type Syncing = Exporting | 'catalog' | 'env' | 'paths' | 'signal';

/** One run of a sync. */
export interface SyncRun {
  readonly context: Needs<Syncing>;
  readonly client: LanedClient;
  readonly mirror: Mirror;
  readonly budget: Budget;
  /** The columns of a collection. */
  readonly shapeOf: (noun: string, key?: string) => Promise<TableShape>;
}

/** Units of the rate limit that may still be spent on looking for what is gone. */
export interface Budget {
  /** What this run has spent so far, on whatever. */
  readonly spent: () => number;
  readonly left: () => number;
}

/** Counts what a client spends. @param units in all. */
export function budgetOf(client: LanedClient, units: number): Budget {
  let spent = 0;
  client.watch(({ status, units: cost }) => {
    // Zero units: no answer, and what the limit refused (rule 15.24).
    if (status === undefined || status === 429) return;
    spent += status >= 200 && status < 300 ? cost : 1;
  });
  return { spent: () => spent, left: () => units - spent };
}

/** The service's clock at an answer; this machine's where it tells none. */
export function momentOf(headers: Readonly<Record<string, string>>, now: number): string {
  return utcSeconds(Date.parse(headers['date'] ?? '') || now);
}
