import type { LocalDatabase } from '../../database/local-database.ts';
import type { SyncTurn } from '../../database/postgres/sync-turn.ts';

/** The location of a local database or a team database, and its directory on this machine. */
export interface Place {
  /** The location for messages. Never contains a password. */
  readonly name: string;
  /** The directory of the lock, and of records that svc has not yet written to the local database. */
  readonly directory: string;
  /** True for the account’s own local database. `--offline` queries only this database. */
  readonly isOwn: boolean;
  /**
   * Returns the state of a team database before a sync, such as the svc process that syncs. Undefined for a file, which other machines do
   * not share.
   */
  readonly turn?: () => Promise<SyncTurn>;
  /**
   * Opens or creates the local database.
   *
   * @param user id of the user who can see the records in the database. Undefined if the service does not show the id.
   * @throws DatabaseError if svc can’t open the database.
   */
  open(user: number | undefined): Promise<LocalDatabase>;
}
