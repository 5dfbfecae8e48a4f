import { isOlder } from '../../client/standing.ts';
import type { Files } from '../../deps.ts';
import { RefusedError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Checkpoint } from './download.ts';
import { readLines } from './lines.ts';
import type { FileCheckpoint, Split } from './manifest.ts';
import { PER_PAGE } from './pieces.ts';
import { checkpointAt, keepCheckpoint, type Run } from './run.ts';

/** Reads rows into a file, as far as it does not have them yet; a whole collection's query, or that of a part. */
export type ReadInto = (
  file: string,
  query: Split['query'],
  options: { readonly signal: AbortSignal; readonly limit?: number | undefined },
) => Promise<Checkpoint>;

/** Lines that are written at once. */
const BATCH = 500;

/**
 * Reads the parts of a collection side by side and puts them together, by id, into `part`.
 *
 * @returns undefined where that is not surely all of it: it changed meanwhile, or the service does not take what tells the parts apart.
 */
export async function readPieces(run: Run, split: Split, part: string, read: ReadInto): Promise<Checkpoint | undefined> {
  const { files } = run.context;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.stop.signal, stop.signal]);
  const readPart = async ({ file, query, limit }: Split['parts'][number], atMost = limit): Promise<void> => {
    if (await isDone(run, file, query)) return;
    const { next, ...done } = await read(file, query, { signal, limit: atMost });
    const isAll = atMost === limit || next === undefined;
    if (isAll) await keepCheckpoint(run, { noun: split.noun, file, query, ...done, done: true });
  };
  try {
    // One request tells whether the service takes the filters; the others wait for it.
    const [probe] = split.parts;
    if (!split.has_first && probe !== undefined) await readPart(probe, PER_PAGE);
    await allOrNone(
      split.parts.map((each) => readPart(each)),
      stop,
    );
  } catch (error) {
    if (error instanceof RefusedError && error.details.status === 400) return undefined;
    throw error;
  }
  return putTogether(run, split, part, files);
}

async function isDone(run: Run, file: string, query: Split['query']): Promise<boolean> {
  const known = checkpointAt(run, file, query);
  if (known?.done !== true) return false;
  return ((await run.context.files.stat(`${run.directory}/${file}`))?.size ?? 0) >= known.bytes;
}

/** Waits for all; when one fails the others are ended, and waited for too. */
async function allOrNone(work: readonly Promise<void>[], stop: AbortController): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const ended = work.map((each) =>
    each.catch((error: unknown) => {
      failure ??= { error };
      stop.abort(failure.error);
    }),
  );
  await Promise.all(ended);
  if (failure !== undefined) throw failure.error;
}

async function putTogether(run: Run, split: Split, part: string, files: Files): Promise<Checkpoint | undefined> {
  const { directory } = run;
  const first = split.has_first ? checkpointAt(run, part, split.query) : undefined;
  const sources: readonly (FileCheckpoint | undefined)[] = [
    ...(split.has_first ? [first] : []),
    ...split.parts.map(({ file, query }) => checkpointAt(run, file, query)),
  ];
  if (!sources.every((source) => source !== undefined)) return undefined;
  for (const { file, bytes } of sources) await files.truncate(`${directory}/${file}`, bytes);
  const merged = `${directory}/${part}.merged`;
  const records = sources.map(({ file }) => ({ lines: readLines(files, `${directory}/${file}`), isFirst: file === part }));
  const sum = await mergeInto(files, merged, records, split.before);
  // Each row that counts was there when they were counted, and none is twice: as many as there were are all there were.
  if (sum === undefined || sum.counted !== split.total) return undefined;
  await files.rename(merged, `${directory}/${part}`);
  return { rows: sum.rows, bytes: sum.bytes, as_of: split.as_of };
}

interface Source {
  readonly lines: AsyncGenerator<{ readonly text: string; readonly record: JsonObject }>;
  /** Its rows came with the count. */
  readonly isFirst: boolean;
}

/** Merges files that are in the order of their ids; undefined where one is not, or a record is in two. */
async function mergeInto(files: Files, target: string, sources: readonly Source[], before: string) {
  await files.truncate(target, 0);
  const heads = await Promise.all(sources.map(async (source) => ({ ...source, head: await source.lines.next() })));
  const sum = { rows: 0, bytes: 0, counted: 0 };
  let last = Number.NEGATIVE_INFINITY;
  let texts: string[] = [];
  const flush = async () => {
    const text = texts.join('');
    texts = [];
    sum.bytes += Buffer.byteLength(text);
    if (text !== '') await files.append(target, text);
  };
  for (;;) {
    let least: (typeof heads)[number] | undefined;
    for (const each of heads) if (!each.head.done && (least === undefined || idOf(each.head) < idOf(least.head))) least = each;
    if (least === undefined || least.head.done) break;
    const { text, record } = least.head.value;
    const id = idOf(least.head);
    if (!(id > last)) return undefined;
    last = id;
    texts.push(`${text}\n`);
    sum.rows += 1;
    if (least.isFirst || isOlder(record, 'created_at', before)) sum.counted += 1;
    if (texts.length === BATCH) await flush();
    least.head = await least.lines.next();
  }
  await flush();
  return sum;
}

function idOf({ value }: IteratorResult<{ readonly record: JsonObject }, unknown>): number {
  const id = (value as { readonly record: JsonObject } | undefined)?.record['id'];
  return typeof id === 'number' ? id : Number.NaN;
}
