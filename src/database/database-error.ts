import { SvcError } from '../errors.ts';
import { isBusy } from '../journal/journal-error.ts';

type DatabaseFault = 'made-anew' | 'newer' | 'no-mirror' | 'of-another' | 'no-ids' | 'pruned' | 'pruned-moment' | 'refused' | 'unusable';

/** Reports that svc can’t read or write a local database or team database. The rows are unchanged. */
export class DatabaseError extends SvcError {
  readonly fault: DatabaseFault;
  /** The next step for the user, which every fault has. */
  declare readonly hint: string;

  /**
   * Creates the error for a fault.
   * @param what path of the file, or address of the team database. For `no-ids`, the resource. For `pruned` and `pruned-moment`, the
   * requested position or time.
   * @param advice next step for the user. Default: the next step for a local database.
   */
  constructor(fault: DatabaseFault, what: string, cause?: unknown, advice?: string) {
    const [said, hint] =
      fault === 'unusable' && isBusy(cause) ? lockedWords(what) : WORDS[fault](what, cause instanceof Error ? cause.message : '');
    super(said, { hint: advice ?? hint, cause });
    this.fault = fault;
  }
}

/** Returns true if SQLite reports an error, such as a full disk, a locked file or a damaged file. */
export function isOfSqlite(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error;
}

/** The parts of the error text for a database that another program has locked. */
const lockedWords = (path: string) =>
  [`Another program uses the local database ${path} and does not release it.`, 'Try again after the other program has ended.'] as const;

const WORDS: Readonly<Record<DatabaseFault, (what: string, reason: string) => readonly [said: string, hint: string]>> = {
  'made-anew': (path) => [
    `Somebody removed the local database ${path} and created it again. The new log does not have the earlier changes.`,
    'Read the current rows with a query or an export. Then continue from now: svc changes --since now',
  ],
  newer: (path) => [
    `A newer svc created the local database ${path}.`,
    'Use the newer svc, or start a new local database: svc sync --forget, then svc sync',
  ],
  'no-mirror': (path) => [
    `${path} is not a local database of svc, so svc did not change it.`,
    'Name another file, or remove this file yourself.',
  ],
  'of-another': (path) => [`${path} belongs to another user or organisation.`, 'Name another file.'],
  'no-ids': (noun) => [`Records of ${noun} have no ids, so svc cannot store them.`, 'To save the records in files: svc export <directory>'],
  pruned: (position) => [
    `The log no longer has the next changes after position ${position}.`,
    'Read the current rows with a query or an export. Then continue from now: svc changes --since now',
  ],
  'pruned-moment': (timestamp) => [
    `The log no longer has all changes since ${timestamp}.`,
    'Read the current rows with a query or an export. To print the changes in the log: svc changes --since 0',
  ],
  // PostgreSQL only: the server refuses one table, but may accept the next table.
  refused: (name, reason) => [
    `${name} refused a change of a table: ${reason}.`,
    'The table is unchanged. The reason is a message of the server.',
  ],
  unusable: (path, reason) => [
    `svc cannot use the local database ${path}: ${reason}.`,
    'Make sure that the disk is writable and has space. To remove a damaged database: svc sync --forget',
  ],
};
