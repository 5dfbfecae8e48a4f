import { type Comparison, compareRows } from '../../journal/compare-rows.ts';
import type { AdoptedRow, ImportRow, KnownRow } from '../../journal/entry.ts';
import type { Needs } from '../../session/context.ts';
import type { ImportTarget } from './row-records.ts';

export type RowLedger = Awaited<ReturnType<typeof openLedger>>;

const NO_FILE = -1;

/**
 * Opens a ledger, which compares the rows of one file with the rows that svc imported for this account. In a dry run, the ledger stores
 * nothing.
 */
export async function openLedger(
  context: Needs<'argv' | 'globals' | 'journal'>,
  { path, recordsAt }: Pick<ImportTarget, 'path' | 'recordsAt'>,
  rows: readonly ImportRow[],
) {
  const { dryRun, again } = context.globals;
  const journal = await context.journal();
  let known: readonly KnownRow[] = [];
  let fresh = NO_FILE;
  const compare = (): Comparison => compareRows(known, rows, fresh);

  async function refresh(): Promise<void> {
    const found = await journal.rows(path, recordsAt);
    // With --again, svc treats an unconfirmed create as undone. Repeating a correction never creates a second record.
    known = again
      ? found.map((row) => (row.state === 'unconfirmed' && row.replaces === undefined ? { ...row, state: 'undone' } : row))
      : found;
  }

  async function source(): Promise<number> {
    const { source } = compare();
    if (source !== NO_FILE || dryRun) return source;
    fresh = await journal.newGroup(context.argv);
    return fresh;
  }

  await refresh();
  return {
    compare,
    refresh,
    /** Returns the number of the file. svc logs the new rows of the file under this number. In a dry run, a new file has the number -1. */
    source,
    /** Logs rows that already have a record, so that svc creates no second record. */
    async adopt(adopted: readonly Omit<AdoptedRow, 'source'>[]) {
      if (adopted.length === 0) return;
      const under = await source();
      const complete = adopted.map((row) => ({ ...row, source: under }));
      if (!dryRun) {
        await journal.adoptRows(path, complete);
        return refresh();
      }
      const past = new Set(adopted.map(({ replaces }) => replaces));
      known = [...known.map((row): KnownRow => (past.has(row.number) ? { ...row, state: 'past' } : row)), ...complete.map(asLogged)];
    },
    /** Logs that the records of these rows were deleted at the service. */
    async forget(deleted: readonly KnownRow[]) {
      if (deleted.length === 0) return;
      if (!dryRun) {
        await journal.forgetRows(deleted.map(({ number }) => number));
        return refresh();
      }
      known = known.map((row): KnownRow => (deleted.includes(row) ? { ...row, state: 'undone' } : row));
    },
  };
}

/** Returns a row in the form of the journal, for a dry run. */
function asLogged({ digest, likeness, twin, day, source, recordId, entry, replaces }: AdoptedRow): KnownRow {
  return { digest, likeness, twin, day, source, recordId, entry, replaces, number: NO_FILE, key: undefined, state: 'there' };
}
