import type { Applied, TableCheck } from '../../database/local-database.ts';
import type { TableShape } from '../../database/table-shape.ts';
import { pagesName } from './check-pages.ts';
import type { SyncRun } from './run.ts';
import type { Spool } from './spool.ts';

export interface TableChanges {
  readonly spool: Pick<Spool, 'made' | 'records' | 'clear'>;
  readonly gone: Iterable<number>;
  readonly change: TableCheck;
  readonly keep?: () => Promise<void>;
}

/** The number of changes above which svc sets V8 to use less memory. */
const MANY = 1_000;

/**
 * Writes the gathered changes to the table in one transaction. svc can be killed before any step, so svc deletes the stored state of pages
 * before the transaction. svc also stores the ids of changed records, so that this run or the next run reads the child records.
 */
export async function writeChanges(run: SyncRun, shape: TableShape, { spool, gone, change, keep }: TableChanges): Promise<Applied> {
  const { context, database, hasChildRecords } = run;
  const { noun } = shape;
  const taken = [...gone];
  if (spool.made.size + taken.length > MANY) context.system.saveMemory();
  if (spool.made.size > 0 || taken.length > 0) {
    await database.keep(pagesName(noun), undefined);
    if (hasChildRecords(noun)) await database.touch(noun, [...spool.made.keys(), ...taken]);
  }
  const applied = await database.update(shape, spool.records(), taken, change);
  await keep?.();
  await spool.clear();
  return applied;
}
