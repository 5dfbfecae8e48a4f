import { SvcError } from '../errors.ts';

/**
 * Why the journal cannot be used:
 *
 * - `locked`: another process kept it for too long.
 * - `full`: the disk, or what one may use of it.
 * - `forbidden`: its directory or file may not be written.
 * - `newer`: a newer svc wrote it.
 * - `damaged`: it is no journal, and could not be set aside.
 * - `failed`: anything else of the disk.
 */
export type JournalFault = 'locked' | 'full' | 'forbidden' | 'newer' | 'damaged' | 'failed';

/** The journal cannot be read or written. A write goes on without it, and says so; what needs the journal itself fails with this. */
export class JournalError extends SvcError {
  readonly fault: JournalFault;

  constructor(fault: JournalFault, path: string, cause?: unknown) {
    const [what, hint] = WORDS[fault];
    super(`The journal ${path} ${what}${fault === 'failed' ? `: ${reasonOf(cause)}` : ''}.`, { hint, cause });
    this.fault = fault;
  }
}

const WORDS: Readonly<Record<JournalFault, readonly [what: string, hint: string]>> = {
  locked: ['is in use by another program, which does not let go of it', 'Try again when that has ended.'],
  full: ['cannot be written: the disk is full', 'Make room on it.'],
  forbidden: ['may not be written', 'Give yourself the right to write it and its directory.'],
  newer: ['was written by a newer svc', 'Use that one.'],
  damaged: ['is damaged', 'Move it out of the way while no svc runs; a new one is begun then.'],
  failed: ['cannot be used', 'Its directory must be writable, on a disk that supports file locks.'],
};

/** What SQLite or the file system threw, as a {@link JournalError}; anything that is neither is a mistake in svc, and stays as it is. */
export function journalError(path: string, error: unknown): unknown {
  if (error instanceof JournalError) return error;
  const fault = faultOf(error);
  return fault === undefined ? error : new JournalError(fault, path, error);
}

/** Whether another connection holds what is needed: worth another try. */
export function isBusy(error: unknown): boolean {
  return faultOf(error) === 'locked';
}

/** Whether the file is no database, or no whole one. */
export function isDamaged(error: unknown): boolean {
  return faultOf(error) === 'damaged';
}

/** SQLite's result codes (sqlite.org/rescode.html); the bits above the lowest eight only refine them. */
const BY_SQLITE: Readonly<Record<number, JournalFault>> = {
  3: 'forbidden',
  5: 'locked',
  6: 'locked',
  8: 'forbidden',
  10: 'failed',
  11: 'damaged',
  13: 'full',
  14: 'failed',
  15: 'locked',
  23: 'forbidden',
  26: 'damaged',
};

const BY_SYSTEM: Readonly<Record<string, JournalFault>> = {
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
};

function faultOf(error: unknown): JournalFault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof JournalError) return error.fault;
  if ('errcode' in error && typeof error.errcode === 'number') return BY_SQLITE[error.errcode & 0xff];
  if (!('syscall' in error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return BY_SYSTEM[error.code] ?? 'failed';
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
