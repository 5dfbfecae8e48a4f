import type { Mirror } from '../../mirror/mirror.ts';

/** Where a mirror is, and what of this machine belongs to it. */
export interface Place {
  /** For people; never with a password. */
  readonly name: string;
  /** For the lock, and for what is on its way into the mirror. */
  readonly directory: string;
  /** It is the account's own local database, from which `--offline` answers. */
  readonly isOwn: boolean;
  /** Opens the mirror, or begins it. @param user whose sight it holds; undefined where the service would not say. @throws MirrorError */
  open(user: number | undefined): Promise<Mirror>;
}
