import { SvcError } from '../errors.ts';
import { isBusy } from '../journal/journal-error.ts';

/** The reasons why svc can’t use a local database. */
type MirrorFault = 'made-anew' | 'newer' | 'no-mirror' | 'of-another' | 'no-ids' | 'pruned' | 'pruned-moment' | 'refused' | 'unusable';

/** Reports that svc can’t read or write a local database. The rows are unchanged. */
export class MirrorError extends SvcError {
  readonly fault: MirrorFault;

  /**
   * @param what path of the file, or address of the team database. For `no-ids`, the resource. For `pruned` and `pruned-moment`, the
   * requested position or time.
   * @param advice next step for the user. Default: the next step for a local database.
   */
  constructor(fault: MirrorFault, what: string, cause?: unknown, advice?: string) {
    const [said, hint] =
      fault === 'unusable' && isBusy(cause) ? heldWords(what) : WORDS[fault](what, cause instanceof Error ? cause.message : '');
    super(said, { hint: advice ?? hint, cause });
    this.fault = fault;
  }
}

/** The words for a database that another program has locked. */
const heldWords = (path: string) =>
  [`Another program uses the local database ${path}, and does not release it.`, 'Try again when that has ended.'] as const;

const WORDS: Readonly<Record<MirrorFault, (what: string, reason: string) => readonly [said: string, hint: string]>> = {
  'made-anew': (path) => [
    `The local database ${path} was removed and created again; no log has the changes in between.`,
    'Take the rows as they are now (svc sql, svc export), and continue from here: svc changes --since now',
  ],
  newer: (path) => [
    `A newer svc made the local database ${path}.`,
    'Use that svc, or start a new local database: svc sync --forget, then svc sync',
  ],
  'no-mirror': (path) => [
    `${path} is no copy that svc sync made, and stays as it is.`,
    'Name another file; remove this one yourself if it is in the way.',
  ],
  'of-another': (path) => [`${path} holds what another person or organisation may see.`, 'Name another file.'],
  'no-ids': (noun) => [`Records of ${noun} have no ids, so nothing can be kept of them.`, 'svc export saves them.'],
  pruned: (position) => [
    `The log no longer has the changes right after position ${position}.`,
    'Take the rows as they are now (svc sql, svc export), and continue from here: svc changes --since now',
  ],
  'pruned-moment': (moment) => [
    `Not everything that changed since ${moment} is held any more.`,
    'Take the rows as they are now (svc sql, svc export). To print the changes in the log: svc changes --since 0',
  ],
  // PostgreSQL only: the server refuses one table, but may accept the next table.
  refused: (name, reason) => [
    `${name} refuses what a table needs: ${reason}.`,
    'svc knows only the words of the server; the table is as it was.',
  ],
  unusable: (path, reason) => [
    `svc cannot use the local database ${path}: ${reason}.`,
    'Its disk must be writable and have room; a damaged one goes with svc sync --forget.',
  ],
};
