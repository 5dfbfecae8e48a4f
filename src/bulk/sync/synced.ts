import type { HeldBack, TableState } from '../../database/local-database.ts';

export interface SyncedTable extends TableState {
  /** The number of records that svc wrote to the table. */
  readonly put: number;
  readonly gone: number;
}

export interface Synced {
  readonly tables: readonly SyncedTable[];
  /** The top-level lists that contain child records, by parent resource: `subtasks` for `work-items`. */
  readonly childLists: ReadonlyMap<string, readonly string[]>;
  /** The tables that svc could not update, with the reasons. */
  readonly leftOut: readonly LeftOut[];
  /** The views and columns that svc could not update, because of dependent database objects of other users. */
  readonly heldBack: HeldBack;
  /** The rate-limit units that the sync spent. */
  readonly units: number;
}

export interface LeftOut {
  readonly noun: string;
  readonly reason: string;
}
