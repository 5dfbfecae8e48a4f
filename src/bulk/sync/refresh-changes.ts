import { RefusedError } from '../../errors.ts';
import type { Applied, TableChange, TableState } from '../../mirror/mirror.ts';
import { integerId } from '../../mirror/record-id.ts';
import { readRecord } from '../../records/read-record.ts';
import { changedSince } from '../changed-since.ts';
import { wholeQuery } from '../export/run.ts';
import { findGone, type Gone } from './find-gone.ts';
import { isHidden } from './is-hidden.ts';
import { addChanged, lookAtPages, type PagesLooked } from './look-at-pages.ts';
import { putInPlace } from './put-in-place.ts';
import { refreshByPages } from './refresh-pages.ts';
import { PAGE_UNITS, pagesOf, type SyncRun } from './run.ts';
import { type Spool, spoolAt } from './spool.ts';

/**
 * Brings a long table up to date: the records that changed, by `updated_at`, and what is gone or may be seen again, as far as the number of
 * rows gives it away and the budget reaches; all of it at once.
 *
 * What changed lately must be in the answer, so what is not is gone. Of the rest, made before, there are as many as before unless
 * something is gone: they are counted, and looked for only where the number is another.
 *
 * @returns undefined where the service does not filter by `updated_at`, or not every record has it: then it is read whole or not at all.
 */
export async function refreshByChanges(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { mirror, context, shapeOf, directory, budget } = run;
  const { noun, path } = state;
  const countSince = async (moment: string) => (await mirror.idsSince(noun, moment)).length;
  const since = await changedSince({ asOf: state.as_of, lastChange: await mirror.lastChange(noun), countSince });
  if (since === undefined) return undefined;
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const looked = await lookAtChanges(run, state, since, spool);
  if (looked === undefined) return undefined;
  const gone = new Set((await mirror.idsSince(noun, since)).filter((id) => !looked.ids.has(id)));
  const found = await budget.looking(() => findGone(run, state, { since, looked, gone, made: spool.made }));
  // One by one they cost a unit each.
  if (found.missing.size > pagesOf(state.rows + found.missing.size) * PAGE_UNITS) {
    await spool.clear();
    return refreshByPages(run, state);
  }
  await readMissing(run, state, found.missing, spool);
  const change: TableChange = { path, as_of: looked.at, whole_at: wholeAt(state, looked, found), known_by: found.knownBy };
  const keep = async () => {
    await looked.keep();
    await found.keep();
  };
  return putInPlace(run, await shapeOf(noun), { spool, gone: [...gone, ...found.gone], change, keep });
}

/** The records that changed; undefined where the service does not filter by that. */
async function lookAtChanges(run: SyncRun, state: TableState, since: string, spool: Spool): Promise<PagesLooked | undefined> {
  const query = [...wholeQuery({ view: 'detail' }), ['filter[updated_at][gte]', since] as const];
  try {
    return await lookAtPages(run, state, query, spool, ({ updated_at: at }) => typeof at === 'string' && at >= since);
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return undefined;
    throw error;
  }
}

/** What was made after the look is not here yet, whenever the rest was found. */
function wholeAt({ whole_at }: TableState, { at }: PagesLooked, { knownBy, at: began = at }: Gone): string {
  const known = knownBy === 'changes' ? whole_at : began < at ? began : at;
  return known > whole_at ? known : whole_at;
}

/** Records that the mirror lacks though they did not change: rights that came back, or a clock that went wrong. */
async function readMissing(run: SyncRun, { noun, path }: TableState, ids: Iterable<number>, spool: Spool): Promise<void> {
  const { client, context } = run;
  for (const id of ids) {
    try {
      const record = readRecord(await client.send({ method: 'GET', path: `${path}/${id}`, signal: context.signal }));
      if (integerId(record) === id) await addChanged(run, noun, [record], spool);
    } catch (error) {
      // Gone between the two looks, or listed and not shown.
      if (!isHidden(error)) throw error;
    }
  }
}
