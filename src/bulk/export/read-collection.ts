import { countRows, type Page } from '../../client/pages.ts';
import { pageNumbers } from '../../client/pages-at-once.ts';
import type { Files } from '../../deps.ts';
import { RefusedError, type SvcError, UnavailableError } from '../../errors.ts';
import { startProgress } from '../../session/progress.ts';
import { scalarText } from '../../values/json.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { changedSince } from '../changed-since.ts';
import type { Collection } from './collections.ts';
import { type Checkpoint, download } from './download.ts';
import { fingerprint, readExportedRecords } from './lines.ts';
import { dataFile, type ExportedCollection, partFile, type Split } from './manifest.ts';
import { DisorderedError, mergeById } from './merge.ts';
import { PER_PAGE, planPieces } from './pieces.ts';
import { putTogether, type ReadInto, readParts } from './read-pieces.ts';
import { checkpointAt, keepCheckpoint, type Run, save, wholeQuery, withoutWork } from './run.ts';

/** Reads one collection at the top into `<noun>.ndjson`: all of it, or what changed. */
export async function readCollection(run: Run, { noun, path }: Collection): Promise<ExportedCollection> {
  const { context, client, directory } = run;
  const { files, clock } = context;
  const file = `${directory}/${dataFile(noun)}`;
  const part = partFile(noun);
  const before = run.last?.collections.find((done) => done.noun === noun);
  const whole = wholeQuery(run);
  let asked: Split['query'] = whole;
  let begun = 0;
  let total: number | undefined;
  let first: Page | undefined;
  const progress = startProgress(
    { ...context, statusLine: run.line() },
    {
      what: `rows of ${noun}`,
      total: () => total ?? run.counts.get(noun)?.total,
      count: (signal) => countRows(client, path, asked, signal),
      before: () => begun,
      limits: client.limits,
    },
  );
  const read: ReadInto = (name, query, { signal, limit, isEnough }) =>
    download({
      client,
      files,
      path,
      query,
      file: `${directory}/${name}`,
      from: checkpointAt(run, name, query),
      limit,
      isEnough,
      signal,
      keep: (checkpoint) => keepCheckpoint(run, { noun, file: name, query, ...checkpoint }),
      now: () => clock.now(),
      onStart(rows) {
        if (name === part) begun = rows;
      },
      onPage(page) {
        first ??= page;
        if (name === part) total = page.total;
        progress.add(page.rows.length);
      },
    });
  const readAll = (query: Split['query']) => {
    asked = query;
    return read(part, query, { signal: run.stop.signal });
  };
  const readWhole = async () => {
    const done = await readSideBySide(run, { noun, path, part, whole, read, firstPage: () => first });
    await files.rename(`${directory}/${part}`, file);
    return done;
  };
  try {
    const done = before === undefined ? await readWhole() : await readChanges(run, before, { whole, part, read: readAll, readWhole });
    const { rows, bytes, sha256 } = await fingerprint(files, file);
    if (before === undefined && (rows !== done.rows || bytes !== done.bytes)) throw spoiled(file);
    return { noun, path, query: whole, file: dataFile(noun), rows, bytes, sha256, as_of: done.as_of };
  } finally {
    progress.end();
  }
}

interface SideBySide extends Pick<Collection, 'noun' | 'path'> {
  /** The file that it goes to. */
  readonly part: string;
  readonly whole: Split['query'];
  readonly read: ReadInto;
  /** The first page that was read. */
  readonly firstPage: () => Page | undefined;
}

/**
 * Reads all of a collection: by page numbers where it counts its rows; else by cursor from the first page on, and meanwhile in parts side
 * by side, where that can be done. The walk by cursor ends where it meets the parts; where they come to nothing, it goes on to the end.
 */
async function readSideBySide(run: Run, { noun, path, part, whole, read, firstPage }: SideBySide): Promise<Checkpoint> {
  const { client, parallel, stop } = run;
  const { signal } = stop;
  const readOn = () => read(part, whole, { signal });
  let split = run.state.splits.find((each) => each.noun === noun && JSON.stringify(each.query) === JSON.stringify(whole));
  // What was begun page after page goes on so.
  if (split === undefined && (parallel === 1 || checkpointAt(run, part, whole) !== undefined)) return readOn();
  let begun: Checkpoint | undefined;
  if (split === undefined) {
    begun = await read(part, whole, { signal, limit: PER_PAGE });
    if (begun.next === undefined) return begun;
    const first = firstPage();
    const numbers = first && pageNumbers(client, { method: 'GET', path, query: whole }, first);
    if (numbers !== undefined) {
      const { next, counted } = numbers;
      await keepCheckpoint(run, { noun, file: part, query: whole, ...begun, next, counted });
      return readOn();
    }
  }
  let met: number | undefined;
  const meet = (id: number) => {
    met = Math.min(met ?? id, id);
  };
  const parts = async () => {
    const first = firstPage();
    const counted = run.counts.get(noun);
    split ??= first && (await planPieces({ client, noun, path, query: whole, first, most: parallel, counted, signal }));
    if (split === undefined) return false;
    const planned = split;
    if (begun !== undefined) await save(run, (state) => ({ ...state, splits: [...state.splits, planned] }));
    return readParts(run, planned, read, meet);
  };
  const isEnough = ({ rows }: Page) => met !== undefined && Number(scalarText(rows.at(-1)?.['id'])) >= met;
  const [own, isRead] = await Promise.all([read(part, whole, { signal, isEnough }), parts()]);
  if (own.next === undefined) return own;
  const done = split !== undefined && isRead ? await putTogether(run, split, path, part) : undefined;
  if (done !== undefined) return done;
  // Its own file goes on where it is.
  const at = checkpointAt(run, part, whole);
  await save(run, (state) => {
    const rest = withoutWork(state, noun);
    return { ...rest, under_way: [...rest.under_way, ...(at === undefined ? [] : [at])] };
  });
  return readOn();
}

/** The two ways to read a collection. */
interface Reading {
  /** The query for all of it. */
  readonly whole: Split['query'];
  /** The name of the file where `read` puts what it reads. */
  readonly part: string;
  read(query: Split['query']): ReturnType<typeof download>;
  /** Reads all of it, and puts it in its place. */
  readWhole(): ReturnType<typeof download>;
}

/** The records that changed since `before`, merged into what it holds; everything anew where the service cannot tell. */
async function readChanges(run: Run, before: ExportedCollection, { whole, part, read, readWhole }: Reading): ReturnType<typeof download> {
  const { files } = run.context;
  const file = `${run.directory}/${dataFile(before.noun)}`;
  if ((await fingerprint(files, file).catch(() => undefined))?.sha256 !== before.sha256) {
    await run.context.notice(`${file} is not as the last export left it, so ${before.noun} is read whole.`);
    return readWhole();
  }
  // Records in two views beside each other would look as if fields had been emptied.
  if (JSON.stringify(before.query) !== JSON.stringify(whole)) {
    await run.context.notice(`The last export holds ${before.noun} in another view, so it is read whole.`);
    return readWhole();
  }
  const countSince = async (moment: string) => (await changesIn(files, file, moment)).count;
  const since = await changedSince({ asOf: before.as_of, lastChange: await changesIn(files, file), countSince });
  if (since === undefined) return readWhole();
  let done: Awaited<ReturnType<typeof download>>;
  try {
    done = await read([...whole, ['filter[updated_at][gte]', since]]);
  } catch (error) {
    const cannotTell = error instanceof RefusedError && error.details.status === 400;
    if (!cannotTell) throw error;
    return readWhole();
  }
  const changed = `${run.directory}/${part}`;
  try {
    await mergeById(files, [changed, file], `${file}.merged`);
  } catch (error) {
    if (!(error instanceof DisorderedError)) throw error;
    await files.remove(`${file}.merged`);
    await run.context.notice(`${file} has a row twice, or out of its place, so ${before.noun} is read whole.`);
    return readWhole();
  }
  // Killed after this, the next run finds another file than the last export left, and reads it whole.
  await files.rename(`${file}.merged`, file);
  await files.remove(changed);
  return done;
}

/** The last change of the records of a file, how many tell none, and how many changed from a moment on. */
async function changesIn(files: Files, file: string, moment?: string) {
  let [last, unknown, count] = [Number.NEGATIVE_INFINITY, 0, 0];
  for await (const { updated_at: text } of readExportedRecords(files, file)) {
    const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at)) unknown += 1;
    else last = Math.max(last, at);
    if (moment !== undefined && at >= Date.parse(moment)) count += 1;
  }
  return { at: last === Number.NEGATIVE_INFINITY ? undefined : utcSeconds(last), unknown, count };
}

export function spoiled(file: string): SvcError {
  return new UnavailableError(`${file} is not what was written to it.`, {
    hint: 'Something else changes it, or the disk fails; export with --restart.',
  });
}
