import { undefinedForRefusal } from '../../client/assumed.ts';
import { requestCost } from '../../client/cost.ts';
import type { Page } from '../../client/pages.ts';
import { pageNumbers } from '../../client/pages-at-once.ts';
import type { Files } from '../../deps.ts';
import { undefinedFor } from '../../errors.ts';
import { scalarText } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { changedSince } from '../changed-since.ts';
import type { Collection } from './collections.ts';
import { type Checkpoint, download } from './download.ts';
import { DisorderedError, damagedFile, fingerprint, mergeById, readExportedRecords } from './lines.ts';
import { dataFile, type ExportedCollection, partFile, type Split } from './manifest.ts';
import { planPieces, putTogether, type ReadInto, readParts } from './read-pieces.ts';
import { checkpointAt, PER_PAGE, type Run, save, storeCheckpoint, wholeQuery, withoutWork } from './run.ts';

export async function readCollection(run: Run, { noun, path }: Collection): Promise<ExportedCollection> {
  const { context, client, directory } = run;
  const { files, clock } = context;
  const file = `${directory}/${dataFile(noun)}`;
  const part = partFile(noun);
  const before = run.last?.collections.find((done) => done.noun === noun);
  const whole = wholeQuery(run);
  const units = requestCost({ method: 'GET', query: whole });
  let first: Page | undefined;
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
      keep: (checkpoint) => storeCheckpoint(run, { noun, file: name, query, ...checkpoint }),
      now: () => clock.now(),
      onStart: (rows) => run.work.setRows(name, rows),
      onPage(page, rows) {
        first ??= page;
        run.work.setRows(name, rows);
        run.work.spend(noun, units);
        run.progress.add(page.rows.length);
      },
    });
  const readAll = (query: Split['query']) => read(part, query, { signal: run.stop.signal });
  const readWhole = async () => {
    const done = await readSideBySide(run, { noun, path, part, whole, read, firstPage: () => first });
    await files.rename(`${directory}/${part}`, file);
    return done;
  };
  const done = before === undefined ? await readWhole() : await readChanges(run, before, { whole, part, read: readAll, readWhole });
  const { rows, bytes, sha256 } = await fingerprint(files, file);
  if (before === undefined && (rows !== done.rows || bytes !== done.bytes)) throw damagedFile(file);
  return { noun, path, query: whole, file: dataFile(noun), rows, bytes, sha256, as_of: done.as_of };
}

interface SideBySide extends Pick<Collection, 'noun' | 'path'> {
  readonly part: string;
  readonly whole: Split['query'];
  readonly read: ReadInto;
  readonly firstPage: () => Page | undefined;
}

/**
 * Reads all records of a resource. If the first page has a row count, svc reads the pages by number. Without a row count, svc reads by
 * cursor from the start, and in parallel reads later records in parts. The read by cursor ends where the parts begin. If the service
 * refuses the filters of the parts, the read by cursor continues to the last page. With one request at a time, svc reads only by cursor.
 */
async function readSideBySide(run: Run, { noun, path, part, whole, read, firstPage }: SideBySide): Promise<Checkpoint> {
  const { client, parallel, stop } = run;
  const { signal } = stop;
  const readRest = () => read(part, whole, { signal });
  let split = run.state.splits.find((each) => each.noun === noun && JSON.stringify(each.query) === JSON.stringify(whole));
  // A read that started without parts also resumes without parts.
  if (split === undefined && (parallel === 1 || checkpointAt(run, part, whole) !== undefined)) return readRest();
  let started: Checkpoint | undefined;
  if (split === undefined) {
    started = await read(part, whole, { signal, limit: PER_PAGE });
    if (started.next === undefined) return started;
    const first = firstPage();
    const numbers = first && pageNumbers(client, { method: 'GET', path, query: whole }, first);
    if (numbers !== undefined) {
      const { next, counted } = numbers;
      await storeCheckpoint(run, { noun, file: part, query: whole, ...started, next, counted });
      return readRest();
    }
  }
  let met: number | undefined;
  const meet = (id: number) => {
    met = Math.min(met ?? id, id);
  };
  const parts = async () => {
    const first = firstPage();
    split ??= first && (await planPieces(run, { noun, path }, whole, first));
    if (split === undefined) return false;
    const planned = split;
    if (started !== undefined) await save(run, (state) => ({ ...state, splits: [...state.splits, planned] }));
    return readParts(run, planned, read, meet);
  };
  const isEnough = ({ rows }: Page) => met !== undefined && Number(scalarText(rows.at(-1)?.['id'])) >= met;
  const [own, isRead] = await Promise.all([read(part, whole, { signal, isEnough }), parts()]);
  if (own.next === undefined) return own;
  const done = split !== undefined && isRead ? await putTogether(run, split, path, part) : undefined;
  if (done !== undefined) return done;
  // The read by cursor resumes in the resource’s own file.
  const at = checkpointAt(run, part, whole);
  await save(run, (state) => {
    const rest = withoutWork(state, noun);
    return { ...rest, under_way: [...rest.under_way, ...(at === undefined ? [] : [at])] };
  });
  return readRest();
}

interface Reading {
  readonly whole: Split['query'];
  readonly part: string;
  read(query: Split['query']): ReturnType<typeof download>;
  /** Reads all records of the resource and replaces the resource’s file. */
  readWhole(): ReturnType<typeof download>;
}

/** Merges the changed records into the resource’s file. If svc cannot read only the changes, svc reads all records. */
async function readChanges(run: Run, before: ExportedCollection, { whole, part, read, readWhole }: Reading): ReturnType<typeof download> {
  const { files } = run.context;
  const file = `${run.directory}/${dataFile(before.noun)}`;
  if ((await fingerprint(files, file).catch(() => undefined))?.sha256 !== before.sha256) {
    await run.context.notice(`${file} has changed since the last export, so svc reads all ${before.noun}.`);
    return readWhole();
  }
  // Views have different fields. A merge of two views would therefore appear to clear fields.
  if (JSON.stringify(before.query) !== JSON.stringify(whole)) {
    await run.context.notice(`The last export has ${before.noun} in another view, so svc reads all records again.`);
    return readWhole();
  }
  const countSince = async (time: string) => (await changesIn(files, file, time)).count;
  const since = await changedSince({ asOf: before.as_of, lastChange: await changesIn(files, file), countSince });
  if (since === undefined) return readWhole();
  const done = await read([...whole, ['filter[updated_at][gte]', since]]).catch(undefinedForRefusal);
  if (done === undefined) return readWhole();
  const changed = `${run.directory}/${part}`;
  const merged = await mergeById(files, [changed, file], `${file}.merged`).catch(undefinedFor(DisorderedError));
  if (merged === undefined) {
    await files.remove(`${file}.merged`);
    await run.context.notice(`${file} has a repeated or misplaced row, so svc reads all ${before.noun}.`);
    return readWhole();
  }
  // If svc is killed after the rename, the next run detects the changed file and reads all records.
  await files.rename(`${file}.merged`, file);
  await files.remove(changed);
  return done;
}

/**
 * Returns the latest change in an exported file (`at`), and the number of records without a time (`unknown`).
 *
 * @param since The time from which to count changed records (`count`). Default: `count` is 0.
 */
async function changesIn(files: Files, file: string, since?: string) {
  let [last, unknown, count] = [Number.NEGATIVE_INFINITY, 0, 0];
  for await (const { updated_at: text } of readExportedRecords(files, file)) {
    const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at)) unknown += 1;
    else last = Math.max(last, at);
    if (since !== undefined && at >= Date.parse(since)) count += 1;
  }
  return { at: last === Number.NEGATIVE_INFINITY ? undefined : utcSeconds(last), unknown, count };
}
