import type { KnownBy, TableState } from '../../database/local-database.ts';
import { withOverlap } from '../changed-since.ts';
import { countingOf } from './count-rows.ts';
import type { IdDifferences, Subject } from './differences.ts';
import { findByRange } from './find-by-range.ts';
import { findInTrash } from './find-in-trash.ts';
import type { SyncRun } from './run.ts';

/** The records that were deleted or became visible again, and the method of proof. */
export interface DeletedRecords extends IdDifferences {
  /** The method that proves the deletions. `changes` means that svc can have missed other deletions. */
  readonly knownBy: KnownBy;
}

export interface Changes {
  readonly since: string;
  /** The ids of all records that changed since `since`. */
  readonly ids: ReadonlySet<number>;
  readonly isCounted: boolean;
  /** The ids of rows that the service no longer lists, according to the changes and the compared pages. */
  readonly gone: ReadonlySet<number>;
  /** The ids of records that differ from the local database, with their creation times. */
  readonly made: ReadonlyMap<number, string | undefined>;
}

/** Finds deleted records among the unchanged rows. svc searches only if the row counts differ and enough rate-limit units are left. */
export async function findDeleted(run: SyncRun, { noun, path, whole_at }: TableState, changes: Changes): Promise<DeletedRecords> {
  const { since, isCounted } = changes;
  const found: IdDifferences = { gone: new Set(), missing: new Set() };
  const done = (knownBy: KnownBy): DeletedRecords => ({ ...found, knownBy });
  const counting = countingOf(run, path, isCounted);
  const filter = [['filter[created_at][lt]', since]] as const;
  const sizes = await knownSizes(run, noun, changes);
  // svc assumes that this filter exists (rule 18.27). If a stored record has no creation time, svc counts by the time of change instead.
  const isDated = sizes.undated === 0;
  let counted = isDated ? await counting.count(filter) : undefined;
  if (counted === sizes.before) return done('counts');
  if (counted === undefined) {
    const unchanged = sizes.all - sizes.checkedPages;
    const isSame = unchanged === (await counting.count([['filter[updated_at][lt]', since]]));
    return done(isSame ? 'counts' : 'changes');
  }
  const known = await run.database.madeRows(noun, { ...changes, before: since });
  try {
    const older: Subject & { readonly before: string } = { noun, path, filter, known, before: since };
    const wanted = (await known.count({ from: undefined, before: since })) - counted;
    if (wanted > 0) {
      await findInTrash(run, { ...older, since: withOverlap(whole_at), wanted }, found);
      if (found.gone.size > 0) counted = (await counting.count(filter)) ?? counted;
      if (counted === (await known.count({ from: undefined, before: since }))) return done('counts');
    }
    const isAll = await findByRange(run, older, { ...counting, counted }, found);
    return done(isAll ? 'counts' : 'changes');
  } finally {
    await known.close();
  }
}

/**
 * Counts the rows that the local database will have after the changes. The count runs in the database, because the table can have millions
 * of rows.
 */
async function knownSizes({ database }: SyncRun, noun: string, { since, ids, gone, made }: Changes) {
  const [stored, rows] = [await database.countMade(noun, since), (await database.states()).get(noun)?.rows ?? 0];
  const other = await database.made(noun, [...gone, ...made.keys()]);
  const later = [...made];
  const isBefore = (timestamp: string) => timestamp !== '' && timestamp < since;
  const count = <T>(all: readonly T[], fits: (each: T) => boolean) => all.filter(fits).length;
  const there = (await database.held(noun, [...ids])).filter((id) => !gone.has(id));
  const seen = new Set([...there, ...[...made.keys()].filter((id) => ids.has(id))]);
  return {
    all: rows - other.length + later.length,
    before: stored.before - count(other, (row) => isBefore(row.made)) + count(later, ([, timestamp = '']) => isBefore(timestamp)),
    undated: stored.undated - count(other, (row) => row.made === '') + count(later, ([, timestamp = '']) => timestamp === ''),
    checkedPages: seen.size,
  };
}
