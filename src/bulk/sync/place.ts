/** Where a mirror is, and what of this machine belongs to it. */
export interface Place {
  /** For people; never with a password. */
  readonly name: string;
  /** For the lock, and for what is on its way into the mirror. */
  readonly directory: string;
  /** The file, where it is the account's own copy: that one answers in the service's place, and so learns how the service does. */
  readonly copy?: string;
}

/** The place of a mirror in a file. @param isOwn It is the account's own copy. */
export function placeOfFile(path: string, isOwn: boolean): Place {
  return { name: path, directory: `${path}.sync`, ...(isOwn && { copy: path }) };
}
