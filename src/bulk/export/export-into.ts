import { shellCommand } from '../../cli/shell-word.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { countRows } from '../../client/pages.ts';
import {
  ForbiddenError,
  NotFoundError,
  PartialError,
  RefusedError,
  SvcError,
  UnavailableError,
  UsageError,
  withMore,
} from '../../errors.ts';
import { discover } from '../../records/discovery.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import { type ShowingProgress, startProgress } from '../../session/progress.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { type Collection, chooseCollections } from './collections.ts';
import { download } from './download.ts';
import { fingerprint } from './lines.ts';
import {
  type ExportedCollection,
  type ExportState,
  type Manifest,
  readManifest,
  readState,
  removeState,
  writeManifest,
  writeState,
} from './manifest.ts';
import { mergeById } from './merge.ts';

/** What it takes of a context to export. */
export type Exporting = ShowingProgress | 'account' | 'argv' | 'client' | 'files' | 'host' | 'notice';

/** How an export is made. */
export interface ExportOptions {
  /** `csv` and `sqlite` are written beside the NDJSON. */
  readonly format: string | undefined;
  readonly since: string | undefined;
  readonly view: string | undefined;
  readonly restart: true | undefined;
}

/**
 * Exports the collections that are named, or all, into a directory; goes on with an export that was stopped there.
 *
 * @throws UsageError where the directory holds something else, PartialError where some collections could not be read.
 */
export async function exportInto(
  context: Needs<Exporting>,
  directory: string,
  nouns: readonly string[],
  options: ExportOptions,
): Promise<void> {
  const collections = chooseCollections(await discover(context), nouns);
  const run = await openRun(context, directory, collections, options);
  try {
    for (const collection of collections) await exportOne(run, collection);
    await finish(run, collections, options.format ?? 'ndjson');
  } catch (error) {
    throw stopped(error, context, run.state);
  }
}

/** One run of an export. */
interface Run {
  readonly context: Needs<Exporting>;
  readonly client: ApiClient;
  readonly directory: string;
  readonly host: string;
  /** The id of the person whose token it is, as far as that can be known. */
  readonly user: number | undefined;
  readonly view: string | undefined;
  /** What the directory held before, with `--since last`. */
  readonly last: Manifest | undefined;
  /** What is done so far; kept on disk after every page. */
  state: ExportState;
}

async function openRun(
  context: Needs<Exporting>,
  directory: string,
  collections: readonly Collection[],
  options: ExportOptions,
): Promise<Run> {
  const { files, clock } = context;
  const { name: host } = await context.host();
  const { since, view, restart } = options;
  const client = await context.client();
  const user = await ownUserIdIfKnown(context);
  const last = since === undefined ? undefined : await readManifest(files, directory);
  if (since !== undefined && last === undefined)
    throw new UsageError(`There is no earlier export in ${directory}.`, { hint: 'Leave out --since to make one.' });
  if (last !== undefined && last.host !== host)
    throw new UsageError(`${directory} holds an export of ${last.host}, and this is ${host}.`, { hint: 'Export into another directory.' });
  if (last?.user_id !== undefined && user !== undefined && last.user_id !== user)
    throw new UsageError(`${directory} holds what another person may see.`, { hint: 'Export into another directory.' });
  const subject = JSON.stringify([host, user ?? '', collections.map(({ noun }) => noun), view ?? '', last?.started_at ?? '']);
  const unfinished = restart ? undefined : await readState(files, directory);
  const goesOn = unfinished?.subject === subject;
  if (goesOn) await context.notice(`Going on with the export of ${unfinished.started_at}.`);
  const fresh = { version: 1, subject, started_at: utcSeconds(clock.now()), collections: [], left_out: [] } as const;
  const state: ExportState = goesOn ? unfinished : { ...fresh, collections: [], left_out: [] };
  await writeState(files, directory, state);
  return { context, client, directory, host, user, view, last, state };
}

/** Reads one collection into `<noun>.ndjson`, unless the state says that this was done. */
async function exportOne(run: Run, collection: Collection): Promise<void> {
  const { noun } = collection;
  const { state } = run;
  if (state.collections.some((done) => done.noun === noun) || state.left_out.some((left) => left.noun === noun)) return;
  try {
    await save(run, { collections: [...state.collections, await readCollection(run, collection)] });
  } catch (error) {
    if (!isAboutOne(error)) throw error;
    await run.context.notice(`Left out: ${noun}. ${error.message}`);
    await save(run, { left_out: [...state.left_out, { noun, reason: error.message }] });
  }
}

async function readCollection(run: Run, { noun, path }: Collection): Promise<ExportedCollection> {
  const { context, client, directory, view } = run;
  const { files, clock } = context;
  const file = `${directory}/${noun}.ndjson`;
  const part = `${file}.part`;
  const before = run.last?.collections.find((done) => done.noun === noun);
  const whole: [string, string][] = [
    ['sort', 'id'],
    ['per_page', '100'],
    ...(view === undefined ? [] : [['view', view] as [string, string]]),
  ];
  const { current } = run.state;
  let asked = whole;
  let begun = 0;
  let total: number | undefined;
  const progress = startProgress(context, {
    what: `rows of ${noun}`,
    total: () => total,
    count: (signal) => countRows(client, path, asked, signal),
    before: () => begun,
    limits: client.limits,
  });
  const read = (query: [string, string][]) => {
    asked = query;
    return download({
      client,
      files,
      path,
      query,
      file: part,
      from: current?.noun === noun && JSON.stringify(current.query) === JSON.stringify(query) ? current : undefined,
      keep: (checkpoint) => save(run, { current: { noun, query, ...checkpoint } }, 'keeps current'),
      now: () => clock.now(),
      onStart(rows) {
        begun = rows;
      },
      onRows(count, all) {
        total = all;
        progress.add(count);
      },
    });
  };
  const readWhole = async () => {
    const done = await read(whole);
    await files.rename(part, file);
    return done;
  };
  try {
    const done = before === undefined ? await readWhole() : await readChanges(run, before, { whole, part, read, readWhole });
    const { rows, bytes, sha256 } = await fingerprint(files, file);
    if (before === undefined && (rows !== done.rows || bytes !== done.bytes)) throw spoiled(file);
    return { noun, path, query: whole, file: `${noun}.ndjson`, rows, bytes, sha256, as_of: done.as_of };
  } finally {
    progress.end();
  }
}

/** The two ways to read a collection. */
interface Reading {
  /** The query for all of it. */
  readonly whole: [string, string][];
  /** Where `read` puts what it reads. */
  readonly part: string;
  read(query: [string, string][]): ReturnType<typeof download>;
  /** Reads all of it, and puts it in its place. */
  readWhole(): ReturnType<typeof download>;
}

/** The records that changed since `before`, merged into what it holds; everything anew where the service cannot tell. */
async function readChanges(run: Run, before: ExportedCollection, { whole, part, read, readWhole }: Reading): ReturnType<typeof download> {
  const { files } = run.context;
  const file = `${run.directory}/${before.file}`;
  if ((await fingerprint(files, file).catch(() => undefined))?.sha256 !== before.sha256) {
    await run.context.notice(`${file} is not as the last export left it, so ${before.noun} is read whole.`);
    return readWhole();
  }
  let done: Awaited<ReturnType<typeof download>>;
  try {
    done = await read([...whole, ['filter[updated_at][gte]', before.as_of]]);
  } catch (error) {
    const cannotTell = error instanceof RefusedError && error.details.status === 400;
    if (!cannotTell) throw error;
    return readWhole();
  }
  await mergeById(files, file, part, `${file}.merged`);
  // Killed after this, the next run finds another file than the last export left, and reads it whole.
  await files.rename(`${file}.merged`, file);
  await files.remove(part);
  return done;
}

/** Checks every file once more, writes the other formats, then the manifest. */
async function finish(run: Run, collections: readonly Collection[], format: string): Promise<void> {
  const { context, directory, state } = run;
  const { files, clock } = context;
  for (const { file, sha256 } of state.collections) {
    if ((await fingerprint(files, `${directory}/${file}`)).sha256 !== sha256) throw spoiled(`${directory}/${file}`);
  }
  const sources = state.collections.map(({ noun, file }) => ({ noun, path: `${directory}/${file}` }));
  if (format === 'csv') {
    const { writeCsv } = await import('./to-csv.ts');
    for (const { noun, path } of sources) await writeCsv(files, path, `${directory}/${noun}.csv`);
  } else if (format === 'sqlite') {
    await (await import('./to-sqlite.ts')).writeSqlite(files, sources, `${directory}/export.sqlite`);
  }
  const { started_at, collections: exported, left_out } = state;
  const finished_at = utcSeconds(clock.now());
  const { host, user } = run;
  const whose = { host, ...(user !== undefined && { user_id: user }) };
  await writeManifest(files, directory, { version: 1, ...whose, started_at, finished_at, collections: exported, left_out });
  await removeState(files, directory);
  const rows = exported.reduce((sum, done) => sum + done.rows, 0);
  const many = exported.length === 1 ? 'collection' : 'collections';
  await context.notice(`${rows} rows of ${exported.length} ${many} are in ${directory}.`);
  if (left_out.length === 0) return;
  throw new PartialError(`${left_out.length} of ${collections.length} collections could not be read.`, {
    hint: 'The others are whole; manifest.json names them all.',
    details: { lines: left_out.map(({ noun, reason }) => `${noun}: ${reason}`) },
  });
}

/** Notes what is done; the page under way is over unless it says otherwise. */
async function save(run: Run, change: Partial<ExportState>, current?: 'keeps current'): Promise<void> {
  const { current: _, ...done } = run.state;
  run.state = { ...(current === undefined ? done : run.state), ...change };
  await writeState(run.context.files, run.directory, run.state);
}

/** What keeps one collection from being read, and may well not keep the next. */
function isAboutOne(error: unknown): error is SvcError {
  return error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError;
}

function spoiled(file: string): SvcError {
  return new UnavailableError(`${file} is not what was written to it.`, {
    hint: 'Something else changes it, or the disk fails; export with --restart.',
  });
}

function stopped(error: unknown, { argv }: Needs<'argv'>, { collections }: ExportState): unknown {
  if (!(error instanceof SvcError) || error instanceof PartialError) return error;
  const resume = shellCommand(argv.filter((word) => word !== '--restart'));
  return withMore(error, { lines: [`${collections.length} collections are whole; the rest goes on where it stopped.`], resume });
}
