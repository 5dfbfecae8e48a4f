import { z } from 'zod';
import type { Applied, Look } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import { pagesName } from './look-at-pages.ts';
import type { SyncRun } from './run.ts';
import type { Spool } from './spool.ts';

/** The changes that svc has gathered for one table. */
export interface Gathered {
  readonly spool: Pick<Spool, 'made' | 'records' | 'clear'>;
  readonly gone: Iterable<number>;
  readonly change: Look;
  /** Stores the state of the checked pages. */
  readonly keep?: () => Promise<void>;
}

/**
 * Writes the gathered changes to the table in one transaction. svc can be killed before any step. svc therefore deletes the stored state of
 * pages before the transaction. It also stores the ids of changed records, so that the next run reads their children.
 */
export async function putInPlace(run: SyncRun, shape: TableShape, { spool, gone, change, keep }: Gathered): Promise<Applied> {
  const { mirror } = run;
  const { noun } = shape;
  const taken = [...gone];
  if (spool.made.size > 0 || taken.length > 0) {
    await mirror.keep(pagesName(noun), undefined);
    await noteTouched(run, noun, [...spool.made.keys(), ...taken]);
  }
  const applied = await mirror.update(shape, spool.records(), taken, change);
  await keep?.();
  await spool.clear();
  return applied;
}

const ids = z.array(z.number());

/** Returns the ids of records that changed or were deleted, and whose child records svc has not read since. */
export async function touchedOf({ mirror }: Pick<SyncRun, 'mirror'>, noun: string): Promise<readonly number[]> {
  try {
    return ids.parse(JSON.parse((await mirror.kept(touchedName(noun))) ?? '[]'));
  } catch {
    return [];
  }
}

/** Removes the stored ids after svc has read the child records. */
export async function forgetTouched({ mirror }: Pick<SyncRun, 'mirror'>, noun: string): Promise<void> {
  await mirror.keep(touchedName(noun), undefined);
}

/** Stores the ids of records before they change. If svc is killed, the next run still reads their child records. */
export async function noteTouched(run: Pick<SyncRun, 'mirror' | 'hasBelow'>, noun: string, touched: readonly number[]): Promise<void> {
  if (!run.hasBelow(noun)) return;
  const all = new Set([...(await touchedOf(run, noun)), ...touched]);
  await run.mirror.keep(touchedName(noun), JSON.stringify([...all]));
}

function touchedName(noun: string): string {
  return `touched ${noun}`;
}
