import type { ApiClient } from '../../client/api-client.ts';
import { isRefusal } from '../../client/assumed.ts';
import { countPage, countRows, type Page } from '../../client/pages.ts';
import { isOlder, stampBefore } from '../../client/rows-at-start.ts';
import { RefusedError, undefinedFor } from '../../errors.ts';
import { utcSeconds } from '../../values/temporal.ts';
import type { Collection } from './collections.ts';
import type { Checkpoint, Download } from './download.ts';
import { DisorderedError, mergeById, readExportedRecords } from './lines.ts';
import { partFile, type Split } from './manifest.ts';
import { checkpointAt, PER_PAGE, type Run, storeCheckpoint } from './run.ts';

/** The fewest pages in a part. The incomplete last page of a part then costs at most a seventh of the part. */
const MIN_RANGE_PAGES = 7;

/**
 * Plans to read the rest of a long resource in several parts by creation time. The filters are assumed (rule 18.27), and {@link readParts}
 * tests the filters. svc does not split a resource whose pages have a row count. The count on a filtered page can cover only the filtered
 * rows (rule 8.24).
 *
 * @returns undefined for a short resource, or if svc could not prove later that the parts are complete.
 */
export async function planPieces(
  { client, counts, parallel, stop: { signal } }: Run,
  { noun, path }: Pick<Collection, 'noun' | 'path'>,
  query: Split['query'],
  first: Page,
): Promise<Split | undefined> {
  const asOf = Date.parse(first.response.headers['date'] ?? '');
  const oldest = first.rows[0]?.['created_at'];
  const isCounted = first.total !== undefined;
  if (isCounted || Number.isNaN(asOf) || typeof oldest !== 'string' || first.rows.length < PER_PAGE) return undefined;
  const { total, at } = counts.get(noun) ?? (await count(client, path, signal));
  const pieces = Math.min(parallel, Math.floor((total ?? 0) / PER_PAGE / MIN_RANGE_PAGES));
  const [from, to] = [Date.parse(oldest), at];
  if (total === undefined || pieces < 3 || !(from < to)) return undefined;
  const bounds = Array.from({ length: pieces - 1 }, (_, index) => utcSeconds(from + ((to - from) * (index + 1)) / pieces));
  // The read by cursor covers the time before the first bound.
  const parts = bounds.map((start, index) => ({ query: [...query, ...bound('gte', start), ...bound('lt', bounds[index + 1])] }));
  return { noun, query, total, before: stampBefore(at), as_of: utcSeconds(asOf), parts };
}

function bound(operator: string, time: string | undefined): [string, string][] {
  return time === undefined ? [] : [[`filter[created_at][${operator}]`, time]];
}

/** Counts the rows. `total`: undefined if the service refuses. `at`: the time of the answer, in milliseconds since 1970. */
async function count(client: ApiClient, path: string, signal: AbortSignal) {
  const page = await countPage(client, path, [], signal).catch(undefinedFor(RefusedError));
  return { total: page?.total, at: Date.parse(page?.response.headers['date'] ?? '') };
}

export type ReadInto = (
  file: string,
  query: Split['query'],
  options: { readonly signal: AbortSignal } & Pick<Download, 'limit' | 'isEnough'>,
) => Promise<Checkpoint>;

/** Reads each part into its own file. `onFirst` gets the lowest id of each part. Returns false if the service refuses the filters. */
export async function readParts(run: Run, split: Split, read: ReadInto, onFirst: (id: number) => void): Promise<boolean> {
  const { files } = run.context;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.stop.signal, stop.signal]);
  const readPart = async ({ query }: Split['parts'][number], index: number, limit?: number): Promise<void> => {
    const file = partFile(split.noun, index);
    if (!(await isDone(run, file, query))) {
      const { next, ...done } = await read(file, query, { signal, limit });
      if (next === undefined) await storeCheckpoint(run, { noun: split.noun, file, query, ...done, done: true });
    }
    for await (const record of readExportedRecords(files, `${run.directory}/${file}`))
      return onFirst(typeof record['id'] === 'number' ? record['id'] : Number.NaN);
  };
  try {
    // One request tests if the service accepts the filters. The other requests wait for the answer.
    const [probe] = split.parts;
    if (probe !== undefined) await readPart(probe, 0, PER_PAGE);
    await allOrNone(
      split.parts.map((each, index) => readPart(each, index)),
      stop,
    );
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

async function isDone(run: Run, file: string, query: Split['query']): Promise<boolean> {
  const known = checkpointAt(run, file, query);
  if (known?.done !== true) return false;
  return ((await run.context.files.stat(`${run.directory}/${file}`))?.size ?? 0) >= known.bytes;
}

/** Waits for all promises. Aborts the other work after the first failure, and waits for the end of that work. @throws the first failure. */
async function allOrNone(work: readonly Promise<void>[], stop: AbortController): Promise<void> {
  await Promise.all(work.map((each) => each.catch((error: unknown) => stop.abort(error))));
  stop.signal.throwIfAborted();
}

/**
 * Merges the resource’s own file and the files of its parts by id. Returns undefined if rows can be missing. svc then does not replace the
 * resource’s own file.
 */
export async function putTogether(run: Run, split: Split, path: string, own: string): Promise<Checkpoint | undefined> {
  const { directory } = run;
  const { files } = run.context;
  const sources = [
    checkpointAt(run, own, split.query),
    ...split.parts.map(({ query }, index) => checkpointAt(run, partFile(split.noun, index), query)),
  ];
  if (!sources.every((source) => source !== undefined)) return undefined;
  for (const { file, bytes } of sources) await files.truncate(`${directory}/${file}`, bytes);
  const merged = `${directory}/${own}.merged`;
  // svc counts only the rows that existed at the first count, and compares the number with that count.
  let counted = 0;
  const paths = sources.map(({ file }) => `${directory}/${file}`);
  const merging = mergeById(files, paths, merged, (record) => {
    if (isOlder(record, 'created_at', split.before)) counted += 1;
  });
  const sum = await merging.catch(undefinedFor(DisorderedError));
  if (sum === undefined || (counted !== split.total && !(await isCounted(run, split, path, counted)))) return undefined;
  await files.rename(merged, `${directory}/${own}`);
  return { ...sum, as_of: split.as_of };
}

/**
 * Returns true if the parts are complete although the first count differs. Somebody possibly created or deleted rows since the count. Each
 * part has all rows of its range, so two conditions are sufficient. Every row has a creation time, and the number of rows from before the
 * first count equals a new count.
 */
async function isCounted({ client, stop: { signal } }: Run, { before }: Split, path: string, counted: number): Promise<boolean> {
  const count = (operator: string, value: string) =>
    countRows(client, path, [[`filter[created_at][${operator}]`, value]], signal).catch(undefinedFor(RefusedError));
  return (await count('null', 'true')) === 0 && (await count('lt', `${before}Z`)) === counted;
}
