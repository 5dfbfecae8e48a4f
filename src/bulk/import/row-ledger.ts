import { type Comparison, compareRows } from '../../journal/compare-rows.ts';
import type { ImportRow, KnownRow } from '../../journal/import-row.ts';
import type { AdoptedRow } from '../../journal/journal.ts';
import type { Needs } from '../../session/context.ts';

/** The rows that an account has logged in a collection, against those of one file. A dry run learns as much, and notes nothing. */
export interface RowLedger {
  /** How the rows of the file stand now. */
  compare(): Comparison;
  /** Takes rows as logged that no import has logged. */
  adopt(rows: readonly Omit<AdoptedRow, 'source'>[]): Promise<void>;
  /** Takes rows as gone from the service. */
  forget(rows: readonly KnownRow[]): Promise<void>;
  /** The file's number, for the rows that are noted under it. */
  source(): Promise<number>;
  /** Reads the journal again. */
  refresh(): Promise<void>;
}

/** A number that no file has. */
const NO_FILE = -1;

/**
 * @param path the collection that the rows go into.
 * @param recordsAt the one under which their records are reached.
 */
export async function openLedger(
  context: Needs<'argv' | 'globals' | 'journal'>,
  { path, recordsAt }: { readonly path: string; readonly recordsAt: string },
  rows: readonly ImportRow[],
): Promise<RowLedger> {
  const { dryRun, again } = context.globals;
  const journal = await context.journal();
  let known: readonly KnownRow[] = [];
  let fresh = NO_FILE;
  const compare = () => compareRows(known, rows, fresh);

  async function refresh(): Promise<void> {
    const found = await journal.rows(path, recordsAt);
    // Whoever wants a second one of what nobody saw the end of counts the first as none.
    known = again ? found.map((row) => (isOpenCreate(row) ? { ...row, state: 'undone' } : row)) : found;
  }

  async function source(): Promise<number> {
    const { source } = compare();
    if (source !== NO_FILE || dryRun) return source;
    fresh = await journal.newGroup(context.argv);
    return fresh;
  }

  /** What a dry run would have noted. */
  function imagined(row: AdoptedRow): KnownRow {
    const { digest, likeness, twin, day, source, recordId, entry, replaces } = row;
    return { digest, likeness, twin, day, source, recordId, entry, replaces, number: NO_FILE, key: undefined, state: 'there' };
  }

  await refresh();
  return {
    compare,
    refresh,
    source,
    async adopt(adopted) {
      if (adopted.length === 0) return;
      const under = await source();
      const complete = adopted.map((row) => ({ ...row, source: under }));
      if (!dryRun) {
        await journal.adoptRows(path, complete);
        return refresh();
      }
      const past = new Set(adopted.map(({ replaces }) => replaces));
      known = [...known.map((row): KnownRow => (past.has(row.number) ? { ...row, state: 'past' } : row)), ...complete.map(imagined)];
    },
    async forget(gone) {
      if (gone.length === 0) return;
      if (!dryRun) {
        await journal.forgetRows(gone.map(({ number }) => number));
        return refresh();
      }
      known = known.map((row): KnownRow => (gone.includes(row) ? { ...row, state: 'undone' } : row));
    },
  };
}

/** A correction is no second record, however its answer was lost. */
function isOpenCreate({ state, replaces }: KnownRow): boolean {
  return state === 'unsettled' && replaces === undefined;
}
