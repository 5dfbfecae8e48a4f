import type { Mirror } from '../../mirror/mirror.ts';

/** The place of a local database, and its directory on this machine. */
export interface Place {
  /** For people; never with a password. */
  readonly name: string;
  /** For the lock, and for records on their way into the local database. */
  readonly directory: string;
  /** It is the account's own local database, from which `--offline` answers. */
  readonly isOwn: boolean;
  /** Opens or creates the local database. @param user The user whose records it has; undefined if the service does not say. @throws MirrorError */
  open(user: number | undefined): Promise<Mirror>;
}
