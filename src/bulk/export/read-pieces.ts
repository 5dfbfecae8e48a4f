import { isOlder } from '../../client/standing.ts';
import type { Files } from '../../deps.ts';
import { RefusedError } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Checkpoint, Download } from './download.ts';
import { type Line, readLines } from './lines.ts';
import { partFile, type Split } from './manifest.ts';
import { PER_PAGE } from './pieces.ts';
import { checkpointAt, keepCheckpoint, type Run } from './run.ts';

/** Reads rows into a file, as far as it does not have them yet; a whole collection's query, or that of a part. */
export type ReadInto = (
  file: string,
  query: Split['query'],
  options: { readonly signal: AbortSignal } & Pick<Download, 'limit' | 'isEnough'>,
) => Promise<Checkpoint>;

/** Lines that are written at once. */
const BATCH = 500;

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
  const readPart = async ({ query, limit }: Split['parts'][number], index: number, atMost = limit): Promise<void> => {
    const file = partFile(split.noun, index);
    if (!(await isDone(run, file, query))) {
      const { next, ...done } = await read(file, query, { signal, limit: atMost });
      const isAll = atMost === limit || next === undefined;
      if (isAll) await keepCheckpoint(run, { noun: split.noun, file, query, ...done, done: true });
    }
    for await (const { record } of readLines(files, `${run.directory}/${file}`)) return onFirst(idOf(record));
  };
  try {
    // One request tells whether the service takes the filters; the others wait for it.
    const [probe] = split.parts;
    if (split.by === 'created_at' && probe !== undefined) await readPart(probe, 0, PER_PAGE);
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

/**
 * Puts a collection's own file and its parts together, by id, into the own file.
 *
 * @returns undefined, and leaves them, where that is not surely all of it: something changed meanwhile.
 */
export async function putTogether(run: Run, split: Split, own: string): Promise<Checkpoint | undefined> {
  const { directory } = run;
  const { files } = run.context;
  const sources = [
    checkpointAt(run, own, split.query),
    ...split.parts.map(({ query }, index) => checkpointAt(run, partFile(split.noun, index), query)),
  ];
  if (!sources.every((source) => source !== undefined)) return undefined;
  for (const { file, bytes } of sources) await files.truncate(`${directory}/${file}`, bytes);
  const merged = `${directory}/${own}.merged`;
  const readers = sources.map(({ file }) => ({ lines: readLines(files, `${directory}/${file}`), isOwn: file === own }));
  const sum = await mergeInto(files, merged, readers, split);
  // Each row that counts was there when they were counted, and none is twice: as many as there were are all there were.
  if (sum?.counted !== split.total) return undefined;
  await files.rename(merged, `${directory}/${own}`);
  return { rows: sum.rows, bytes: sum.bytes, as_of: split.as_of };
}

interface Source {
  readonly lines: AsyncGenerator<Line>;
  /** It is the collection's own file. */
  readonly isOwn: boolean;
}

/**
 * Merges files that are in the order of their ids; undefined where one is not. By page numbers no record may be in two; the walk by
 * cursor reaches into the first range before it notices.
 */
async function mergeInto(files: Files, target: string, sources: readonly Source[], { by, before }: Split) {
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
    const least = heads.reduce<(typeof heads)[number] | undefined>(
      (found, each) => (headOf(each) < headOf(found) ? each : found),
      undefined,
    );
    if (least === undefined || least.head.done) break;
    const { text, record } = least.head.value;
    const id = idOf(record);
    if (Number.isNaN(id) || id < last || (id === last && by === 'page')) return undefined;
    if (id > last) {
      texts.push(`${text}\n`);
      sum.rows += 1;
      // The first page came with the count.
      if ((by === 'page' && least.isOwn) || isOlder(record, 'created_at', before)) sum.counted += 1;
    }
    last = id;
    if (texts.length === BATCH) await flush();
    least.head = await least.lines.next();
  }
  await flush();
  return sum;
}

function headOf(source: { readonly head: IteratorResult<Line, unknown> } | undefined): number {
  return source === undefined || source.head.done ? Number.POSITIVE_INFINITY : idOf(source.head.value.record);
}

function idOf({ id }: JsonObject): number {
  return typeof id === 'number' ? id : Number.NaN;
}
