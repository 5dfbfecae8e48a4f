import { SvcError, undefinedFor } from '../errors.ts';

export type JournalFault = 'locked' | 'full' | 'forbidden' | 'newer' | 'damaged' | 'failed';

/**
 * Reports that svc can’t use the journal. svc sends most writes anyway, with a notice. Commands that need the journal, such as an import,
 * fail with this error.
 */
export class JournalError extends SvcError {
  readonly fault: JournalFault;

  constructor(fault: JournalFault, path: string, cause?: unknown) {
    const [message, hint] = WORDS[fault];
    super(`${message(path)}${fault === 'failed' ? `: ${reasonOf(cause)}` : ''}.`, { hint, cause });
    this.fault = fault;
  }
}

const WORDS: Readonly<Record<JournalFault, readonly [message: (path: string) => string, hint: string]>> = {
  locked: [(path) => `Another program uses the journal ${path} and does not release it`, 'Try again when the other program has ended.'],
  full: [(path) => `svc cannot write the journal ${path}: the disk is full`, 'Free some space on the disk.'],
  forbidden: [
    (path) => `svc has no permission to write the journal ${path}`,
    'Give yourself permission to write the file and its directory.',
  ],
  newer: [(path) => `A newer svc wrote the journal ${path}`, 'Use the newer svc.'],
  damaged: [(path) => `The journal ${path} is damaged`, 'Move the file away while no svc runs; svc then starts a new journal.'],
  failed: [(path) => `svc cannot use the journal ${path}`, 'The directory must be writable, on a disk that supports file locks.'],
};

/**
 * Returns the result of work with the journal. Undefined if svc can’t use the journal. The caller’s next write then reports the
 * JournalError.
 */
export async function ifUsable<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(undefinedFor(JournalError));
}

/** Converts an error of SQLite or the file system to a {@link JournalError}. Returns any other error unchanged, such as a bug in svc. */
export function journalError(path: string, error: unknown): unknown {
  if (error instanceof JournalError) return error;
  const fault = faultOf(error);
  return fault === undefined ? error : new JournalError(fault, path, error);
}

export function isBusy(error: unknown): boolean {
  return faultOf(error) === 'locked';
}

export function isDamaged(error: unknown): boolean {
  return faultOf(error) === 'damaged';
}

/** The faults by the result code of SQLite (sqlite.org/rescode.html). The bits above the lowest eight only refine a code. */
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
