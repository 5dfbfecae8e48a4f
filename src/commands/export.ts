import { type Collection, chooseCollections } from '../bulk/export/collections.ts';
import { download, utcSecond } from '../bulk/export/download.ts';
import { fingerprint } from '../bulk/export/lines.ts';
import {
  type ExportedCollection,
  type ExportState,
  type Manifest,
  readManifest,
  readState,
  removeState,
  writeManifest,
  writeState,
} from '../bulk/export/manifest.ts';
import { mergeById } from '../bulk/export/merge.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, text, toggle } from '../cli/spec.ts';
import type { ApiClient } from '../client/api-client.ts';
import { countRows } from '../client/pages.ts';
import { ForbiddenError, NotFoundError, PartialError, RefusedError, SvcError, UnavailableError, UsageError, withMore } from '../errors.ts';
import { discover } from '../records/discovery.ts';
import { readRecord } from '../records/read-record.ts';
import type { Context } from '../session/context.ts';
import { startProgress } from '../session/progress.ts';

const FORMATS = ['ndjson', 'csv', 'sqlite'] as const;

/** `svc export <dir> [noun…]`: everything the organisation has, or some of it, into files. */
export const exportCommand = defineCommand({
  name: 'export',
  showsGlobals: ['host', 'quiet', 'maxWait'],
  summary: 'Save every collection, or some, into files',
  description:
    'Writes each collection as NDJSON (a record a line, in the order of their ids) into a directory, with a manifest: rows, time, query and SHA-256 of each. Stopped at any moment, the same command goes on where it was. With --since last, what an earlier export holds is brought up to date: only records that changed are read, where the service can tell; deleted ones stay. With --format csv or sqlite, these are written beside the NDJSON.',
  args: [
    { name: 'dir', summary: 'The directory; made if it is missing' },
    { name: 'noun', summary: 'What to export; everything if not given', optional: true, variadic: true },
  ],
  options: {
    format: text('--format <format>', 'What to write', { choices: FORMATS }),
    since: text('--since <when>', 'Only what changed since the last export into this directory', { choices: ['last'] }),
    view: text('--view <view>', 'How much of each record (detail costs 3 units a page)', { choices: ['summary', 'detail'] }),
    restart: toggle('--restart', 'Begin anew instead of going on with an unfinished export'),
  },
  examples: [
    { args: 'export backup', does: 'Everything' },
    { args: 'export hours worklogs projects --format sqlite', does: 'Hours and projects, ready for SQL' },
    { args: 'export backup --since last', does: 'Bring it up to date' },
  ],
  async run(context: Context, { args: [dir = '', ...nouns], options }) {
    if (context.globals.dryRun)
      throw new UsageError('--dry-run is for what changes something; an export only reads.', { hint: 'Leave it out.' });
    const directory = dir.replace(/(?<=.)[\\/]+$/, '');
    const collections = chooseCollections(await discover(context), nouns);
    const run = await openRun(context, directory, collections, options);
    try {
      for (const collection of collections) await exportOne(run, collection);
      await finish(run, collections, options.format ?? 'ndjson');
    } catch (error) {
      throw stopped(error, context, run.state);
    }
  },
});

interface ExportOptions {
  readonly since: string | undefined;
  readonly view: string | undefined;
  readonly restart: true | undefined;
}

/** One run of an export. */
interface Run {
  readonly context: Context;
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

async function openRun(context: Context, directory: string, collections: readonly Collection[], options: ExportOptions): Promise<Run> {
  const { files, clock } = context;
  const { name: host } = await context.host();
  const { since, view, restart } = options;
  const client = await context.client();
  const user = await personOf(context, client);
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
  const fresh = { version: 1, subject, started_at: utcSecond(clock.now()), collections: [], left_out: [] } as const;
  const state: ExportState = goesOn ? unfinished : { ...fresh, collections: [], left_out: [] };
  await writeState(files, directory, state);
  return { context, client, directory, host, user, view, last, state };
}

/** Known from the sign-in; of a token in the environment only the service knows. */
async function personOf(context: Context, client: ApiClient): Promise<number | undefined> {
  const known = (await context.account())?.user_id;
  if (known !== undefined) return known;
  try {
    const id = readRecord(await client.send({ method: 'GET', path: '/me' }))['id'];
    return typeof id === 'number' ? id : undefined;
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
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
    const { writeCsv } = await import('../bulk/export/to-csv.ts');
    for (const { noun, path } of sources) await writeCsv(files, path, `${directory}/${noun}.csv`);
  } else if (format === 'sqlite') {
    await (await import('../bulk/export/to-sqlite.ts')).writeSqlite(files, sources, `${directory}/export.sqlite`);
  }
  const { started_at, collections: exported, left_out } = state;
  const finished_at = utcSecond(clock.now());
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

function stopped(error: unknown, { argv }: Context, { collections }: ExportState): unknown {
  if (!(error instanceof SvcError) || error instanceof PartialError) return error;
  const resume = shellCommand(argv.filter((word) => word !== '--restart'));
  return withMore(error, { lines: [`${collections.length} collections are whole; the rest goes on where it stopped.`], resume });
}
