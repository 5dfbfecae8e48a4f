import { SignInError } from '../../errors.ts';
import type { HostRecord } from '../record.ts';

export interface TokenStore {
  readonly kind: StoreKind;
  readonly where: string;
  /**
   * Reads the host’s sign-in record. Returns undefined without a record.
   *
   * @throws WithheldError if a locked keychain has the record; SvcError if the record is damaged.
   */
  read(host: string): Promise<HostRecord | undefined>;
  /** Replaces the host’s sign-in record atomically. Call this method under the host’s lock. */
  write(record: HostRecord): Promise<void>;
  /** Deletes the host’s sign-in record. Returns false without a record. Call this method under the host’s lock. */
  remove(host: string): Promise<boolean>;
  /** Returns the hosts that have a sign-in record in this store, sorted. Reads no secret and never asks the user to unlock a keychain. */
  hosts(): Promise<readonly string[]>;
  probe(): Promise<void>;
  /** Returns the file to lock before changing a host. The file is next to the store, so that all processes share the lock. */
  lockPath(host: string): string;
}

export class WithheldError extends SignInError {}

export type StoreKind = 'keychain' | 'file';

/**
 * Returns a file name for a host, without extension, that every file system accepts: `127.0.0.1%3A4010`. {@link hostOfFileName} reverses
 * the conversion.
 */
export function fileNameOf(host: string): string {
  // encodeURIComponent does not encode `*`, which Windows refuses in a file name.
  return encodeURIComponent(host).replaceAll('*', '%2A');
}

/** Returns the host of a name from {@link fileNameOf}. Returns undefined for any other name. */
export function hostOfFileName(name: string): string | undefined {
  try {
    const host = decodeURIComponent(name);
    return fileNameOf(host) === name ? host : undefined;
  } catch {
    return undefined;
  }
}
