import { z } from 'zod';
import type { Applied, Look } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import { pagesName } from './look-at-pages.ts';
import type { SyncRun } from './run.ts';
import type { Spool } from './spool.ts';

/** What was found of a table, gathered. */
export interface Gathered {
  readonly spool: Spool;
  readonly gone: Iterable<number>;
  readonly change: Look;
  /** Keeps how the pages were that were looked at. */
  readonly keep?: () => Promise<void>;
}

/**
 * Puts what was found into its table, in one transaction. What else the mirror keeps of it is such, before and after, that svc may be
 * killed at any step: pages are taken for as they were only where the table is as it was then, and what lies below the records is
 * asked for by the next run where this one does not come to it.
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

/** Records that changed, or are gone, and below which nobody has looked since. */
export async function touchedOf({ mirror }: Pick<SyncRun, 'mirror'>, noun: string): Promise<readonly number[]> {
  try {
    return ids.parse(JSON.parse((await mirror.kept(touchedName(noun))) ?? '[]'));
  } catch {
    return [];
  }
}

/** What lies below the records of a table was read. */
export async function forgetTouched({ mirror }: Pick<SyncRun, 'mirror'>, noun: string): Promise<void> {
  await mirror.keep(touchedName(noun), undefined);
}

/** Notes records before they change, so that it is known whatever ends svc. */
export async function noteTouched(run: Pick<SyncRun, 'mirror' | 'hasBelow'>, noun: string, touched: readonly number[]): Promise<void> {
  if (!run.hasBelow(noun)) return;
  const all = new Set([...(await touchedOf(run, noun)), ...touched]);
  await run.mirror.keep(touchedName(noun), JSON.stringify([...all]));
}

function touchedName(noun: string): string {
  return `touched ${noun}`;
}
