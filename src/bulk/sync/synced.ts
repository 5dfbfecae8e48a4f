import type { HeldBack, TableState } from '../../mirror/mirror.ts';

/** The result of a sync for one table. */
export interface SyncedTable extends TableState {
  /** Records that were read and put in place. */
  readonly put: number;
  readonly gone: number;
}

/** The result of a sync. */
export interface Synced {
  readonly tables: readonly SyncedTable[];
  /** The top-level lists with child records, by the resource of the parents: `subtasks` of `work-items`. */
  readonly childLists: ReadonlyMap<string, readonly string[]>;
  /** Tables that svc could not update, which are unchanged. */
  readonly leftOut: readonly LeftOut[];
  /** Views and columns that svc could not update, because objects of someone else depend on them. */
  readonly heldBack: HeldBack;
  /** Units of the rate limit that it took. */
  readonly units: number;
}

/** A table that could not be brought up to date, and why. */
export interface LeftOut {
  readonly noun: string;
  readonly reason: string;
}
