import { SignInError } from '../../errors.ts';
import type { HostRecord } from '../record.ts';

export interface TokenStore {
  readonly kind: StoreKind;
  readonly where: string;
  /** @throws WithheldError when a locked keychain has the record; SvcError when it is damaged. */
  read(host: string): Promise<HostRecord | undefined>;
  /** Replaces the host's record: a reader sees the old one or the new one. Call it under the host's lock. */
  write(record: HostRecord): Promise<void>;
  /** Deletes the host's record; false without a record. Call it under the host's lock. */
  remove(host: string): Promise<boolean>;
  /** Hosts that have a record here, sorted. Reads no secret and asks nobody to unlock anything. */
  hosts(): Promise<readonly string[]>;
  probe(): Promise<void>;
  /** The file to lock before changing a host here: beside the store, so that all users of the store share the lock. */
  lockPath(host: string): string;
}

export class WithheldError extends SignInError {}

export type StoreKind = 'keychain' | 'file';

/** A file name for a host, without extension, on any file system: `127.0.0.1%3A4010`. {@link hostOfFileName} undoes it. */
export function fileNameOf(host: string): string {
  // encodeURIComponent leaves `*` alone, which Windows does not take.
  return encodeURIComponent(host).replaceAll('*', '%2A');
}

/** The host of a name made by {@link fileNameOf}; undefined for any other name. */
export function hostOfFileName(name: string): string | undefined {
  try {
    const host = decodeURIComponent(name);
    return fileNameOf(host) === name ? host : undefined;
  } catch {
    return undefined;
  }
}
