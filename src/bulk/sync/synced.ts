import type { TableState } from '../../mirror/mirror.ts';

/** What a sync did to one table. */
export interface SyncedTable extends TableState {
  /** Records that were read and put in place. */
  readonly put: number;
  readonly gone: number;
}

/** What a sync came to. */
export interface Synced {
  readonly tables: readonly SyncedTable[];
  /** What could not be brought up to date, and is as it was. */
  readonly leftOut: readonly LeftOut[];
  /** Views that are as they were, since something of another's stands on them. */
  readonly staleViews: readonly string[];
  /** Units of the rate limit that it took. */
  readonly units: number;
}

/** A table that could not be brought up to date, and why. */
export interface LeftOut {
  readonly noun: string;
  readonly reason: string;
}
