import { countRows } from '../../client/pages.ts';
import { isOlder } from '../../client/standing.ts';
import { RefusedError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Checkpoint, Download } from './download.ts';
import { readExportedRecords } from './lines.ts';
import { partFile, type Split } from './manifest.ts';
import { DisorderedError, mergeById } from './merge.ts';
import { PER_PAGE } from './pieces.ts';
import { checkpointAt, keepCheckpoint, type Run } from './run.ts';

/** Reads rows into a file, as far as it does not have them yet; a whole collection's query, or that of a part. */
export type ReadInto = (
  file: string,
  query: Split['query'],
  options: { readonly signal: AbortSignal } & Pick<Download, 'limit' | 'isEnough'>,
) => Promise<Checkpoint>;

/**
 * Reads the parts of a collection side by side, whose own file somebody else fills.
 *
 * @param onFirst Told of the least id of each part.
 * @returns false where the service does not take what tells the parts apart.
 */
export async function readParts(run: Run, split: Split, read: ReadInto, onFirst: (id: number) => void): Promise<boolean> {
  const { files } = run.context;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.stop.signal, stop.signal]);
  const readPart = async ({ query }: Split['parts'][number], index: number, limit?: number): Promise<void> => {
    const file = partFile(split.noun, index);
    if (!(await isDone(run, file, query))) {
      const { next, ...done } = await read(file, query, { signal, limit });
      if (next === undefined) await keepCheckpoint(run, { noun: split.noun, file, query, ...done, done: true });
    }
    for await (const record of readExportedRecords(files, `${run.directory}/${file}`)) return onFirst(idOf(record));
  };
  try {
    // One request tells whether the service takes the filters; the others wait for it.
    const [probe] = split.parts;
    if (probe !== undefined) await readPart(probe, 0, PER_PAGE);
    await allOrNone(
      split.parts.map((each, index) => readPart(each, index)),
      stop,
    );
    return true;
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return false;
    throw error;
  }
}

async function isDone(run: Run, file: string, query: Split['query']): Promise<boolean> {
  const known = checkpointAt(run, file, query);
  if (known?.done !== true) return false;
  return ((await run.context.files.stat(`${run.directory}/${file}`))?.size ?? 0) >= known.bytes;
}

/** Waits for all; when one fails the others are ended, and waited for too. */
async function allOrNone(work: readonly Promise<void>[], stop: AbortController): Promise<void> {
  await Promise.all(work.map((each) => each.catch((error: unknown) => stop.abort(error))));
  stop.signal.throwIfAborted();
}

/**
 * Puts a collection's own file and its parts together, by id, into the own file.
 *
 * @returns undefined, and leaves them, where that is not surely all of it: something changed meanwhile.
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
  // The walk by cursor reaches into the first part before it notices. Rows that were there when they were counted count.
  let counted = 0;
  try {
    const paths = sources.map(({ file }) => `${directory}/${file}`);
    const sum = await mergeById(files, paths, merged, (record) => {
      if (isOlder(record, 'created_at', split.before)) counted += 1;
    });
    if (counted !== split.total && !(await isCounted(run, split, path, counted))) return undefined;
    await files.rename(merged, `${directory}/${own}`);
    return { ...sum, as_of: split.as_of };
  } catch (error) {
    if (error instanceof DisorderedError) return undefined;
    throw error;
  }
}

/**
 * Whether the parts have all there is, though another number was counted at first: a record that was made just before then may not have been
 * among them, and one may have been deleted since. Each part has all that was made in its time, so that this is left to show: no record
 * is without a time, and there are as many as were read of those from before.
 */
async function isCounted({ client, stop: { signal } }: Run, { before }: Split, path: string, counted: number): Promise<boolean> {
  const count = (operator: string, value: string) => countRows(client, path, [[`filter[created_at][${operator}]`, value]], signal);
  try {
    return (await count('null', 'true')) === 0 && (await count('lt', `${before}Z`)) === counted;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

function idOf({ id }: JsonObject): number {
  return typeof id === 'number' ? id : Number.NaN;
}
