import type { KnownBy, TableState } from '../../mirror/mirror.ts';
import { earlier } from '../changed-since.ts';
import { countingOf } from './count-rows.ts';
import type { IdDifferences, MirrorRow, Subject } from './differences.ts';
import { findByRange } from './find-by-range.ts';
import { findByWalk, forgetWalk } from './find-by-walk.ts';
import { findInTrash } from './find-in-trash.ts';
import type { PagesLooked } from './look-at-pages.ts';
import type { SyncRun } from './run.ts';

/** What is gone or may be seen again, and how it is known that nothing else is. */
export interface Gone extends IdDifferences {
  /** `changes` where that is not known. */
  readonly knownBy: KnownBy;
  /** When a walk of all ids began. */
  readonly at: string | undefined;
  /** Keeps how far looking came; to be called when the mirror has what was found. */
  readonly keep: () => Promise<void>;
}

/** What changed. */
export interface Changes {
  /** From when on. */
  readonly since: string;
  readonly looked: PagesLooked;
  /** Rows of the mirror that changed lately and are not there. */
  readonly gone: ReadonlySet<number>;
  /** Records that are other than in the mirror, and when they were made. */
  readonly made: ReadonlyMap<number, string | undefined>;
}

/** Looks for what is gone among the rows that did not change, as far as their number gives it away and the budget reaches. */
export async function findGone(run: SyncRun, { noun, path, whole_at }: TableState, changes: Changes): Promise<Gone> {
  const { since, looked } = changes;
  const found: IdDifferences = { gone: new Set(), missing: new Set() };
  const done = (knownBy: KnownBy, at?: string, keep = () => forgetWalk(run, noun)): Gone => ({ ...found, knownBy, at, keep });
  const counting = countingOf(run, path, looked.isCounted);
  const known = await knownRows(run, noun, changes);
  const older: Subject = {
    noun,
    path,
    filter: [['filter[created_at][lt]', since]],
    known: known.filter(({ made }) => made !== '' && made < since),
  };
  const isWhole = (subject: Subject, counted: number | undefined) =>
    counted === subject.known.length - found.gone.size + found.missing.size;
  // That it filters by this is an assumption (rule 18.27), and of no use where records do not say when they were made.
  const isDated = known.every(({ made }) => made !== '');
  let counted = isDated ? await counting.count(older.filter) : undefined;
  if (isWhole(older, counted)) return done('counts');
  if (counted === undefined) {
    const filter = [['filter[updated_at][lt]', since]] as const;
    const unchanged: Subject = { noun, path, filter, known: known.filter(({ id }) => !looked.ids.has(id)) };
    if (isWhole(unchanged, await counting.count(filter))) return done('counts');
    return walk();
  }
  const wanted = older.known.length - counted;
  if (wanted > 0) {
    await findInTrash(run, older, path, { since: earlier(whole_at), wanted }, found);
    if (found.gone.size > 0) counted = (await counting.count(older.filter)) ?? counted;
    if (isWhole(older, counted)) return done('counts');
  }
  const isAll = await findByRange(run, { ...older, before: since }, { ...counting, counted }, found);
  return isAll ? done('counts') : walk();

  async function walk(): Promise<Gone> {
    const { at, keep } = await findByWalk(run, { noun, path, filter: [], known }, found);
    return done(at === undefined ? 'changes' : 'read', at, keep);
  }
}

/** The rows of the mirror as they are with what changed, ascending by id. */
async function knownRows({ mirror }: SyncRun, noun: string, { gone, made }: Changes): Promise<readonly MirrorRow[]> {
  const rows = new Map((await mirror.made(noun)).map((row) => [row.id, row]));
  for (const id of gone) rows.delete(id);
  for (const [id, moment = ''] of made) rows.set(id, { id, made: moment });
  return [...rows.values()].sort((one, other) => one.id - other.id);
}
