import type { Applied, TableState } from '../../mirror/mirror.ts';
import { wholeQuery } from '../export/run.ts';
import { lookAtPages } from './look-at-pages.ts';
import { putInPlace } from './put-in-place.ts';
import type { SyncRun } from './run.ts';
import { spoolAt } from './spool.ts';

/** Looks at every page of a table. */
export async function refreshByPages(run: SyncRun, state: TableState): Promise<Applied> {
  const { mirror, context, shapeOf, directory } = run;
  const { noun, path } = state;
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const looked = await lookAtPages(run, state, wholeQuery({ view: 'detail' }), spool);
  if (looked === undefined) return { put: [], gone: [] };
  const { ids, at, keep } = looked;
  const gone = (await mirror.ids(noun)).filter((id) => !ids.has(id));
  return putInPlace(run, await shapeOf(noun), { spool, gone, change: { path, as_of: at, whole_at: at, known_by: 'pages' }, keep });
}
