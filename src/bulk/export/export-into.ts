import { shellCommand } from '../../cli/shell-word.ts';
import { uncached } from '../../client/cached-send.ts';
import { laned } from '../../client/lanes.ts';
import { PartialError, SvcError, withMore } from '../../errors.ts';
import { discover } from '../../records/discovery.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import { inOrder } from '../import/in-order.ts';
import { isDeclined } from '../is-declined.ts';
import { leftOut } from '../left-out.ts';
import { childrenPath } from '../read-below.ts';
import { type Collection, chooseCollections, type NestedCollection, tellUnknownLeftOut } from './collections.ts';
import { withDirectoryLock } from './directory-lock.ts';
import { tellCost } from './estimate.ts';
import { fingerprint } from './lines.ts';
import { dataFile, type ExportedCollection, type ExportState, partFile, removeState, writeManifest } from './manifest.ts';
import { noCollection } from './no-collection.ts';
import { readCollection, spoiled } from './read-collection.ts';
import { readNested, readParents } from './read-nested.ts';
import { type Exporting, type ExportOptions, openRun, type Run, save, withoutWork } from './run.ts';

/**
 * Exports the collections that are named, or all, and what lies below their records, into a directory; goes on with an export
 * that was stopped there.
 *
 * @throws UsageError where the directory holds something else, PartialError where some collections could not be read.
 */
export async function exportInto(
  context: Needs<Exporting | 'catalog'>,
  directory: string,
  nouns: readonly string[],
  options: ExportOptions,
): Promise<void> {
  const parallel = await context.parallel();
  const client = laned(uncached(await context.client()), parallel);
  const { entries, user } = await lookAround(context, parallel);
  const without = await leftOut(context);
  await tellUnknownLeftOut(context, entries, without);
  const choice = chooseCollections(entries, nouns, without);
  const nested = options.noNested ? [] : choice.nested;
  await withDirectoryLock(directory, context.system.pid, async () => {
    const run = await openRun(context, directory, { choice: { ...choice, nested }, user, client }, options);
    try {
      if (!run.goesOn && run.last === undefined) await tellCost(run, choice.collections, nested);
      await exportAll(run, choice.collections, nested);
      await finish(run, choice.collections, nested, options.format ?? 'ndjson');
    } catch (error) {
      throw stopped(error, context, run.state);
    }
  });
}

/** What there is, and who asks; neither needs the other's answer. */
async function lookAround(context: Needs<'account' | 'client'>, parallel: number) {
  const user = () => ownUserIdIfKnown(context);
  if (parallel === 1) return { entries: await discover(context), user: await user() };
  const [entries, id] = await Promise.all([discover(context), user()]);
  return { entries, user: id };
}

/** Several collections side by side; what lies below records as soon as these are there. When one fails, all are ended. */
export async function exportAll(run: Run, collections: readonly Collection[], nested: readonly NestedCollection[]): Promise<void> {
  const over = new Map(collections.map(({ noun }) => [noun, Promise.withResolvers<void>()]));
  // What may be none takes a request more to know, and would be waited for at the end.
  const doubtfulFirst = collections.toSorted((one, other) => Number(one.hasItems) - Number(other.hasItems));
  const top = doubtfulFirst.map((collection) => async () => {
    await exportOne(run, collection, () => readCollection(run, collection));
    over.get(collection.noun)?.resolve();
  });
  const below = nested.map((collection) => async () => {
    const { signal } = run.stop;
    const ended = Promise.all([collection.parent, collection.sameAs].map((noun) => over.get(noun ?? '')?.promise));
    await Promise.race([ended, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))]);
    signal.throwIfAborted();
    await exportBelow(run, collection);
  });
  const work = (task: () => Promise<void>) =>
    task().catch((error: unknown) => {
      run.stop.abort(error);
      throw run.stop.signal.reason;
    });
  for await (const _ of inOrder([...top, ...below], run.parallel, work));
}

const holds = ({ state }: Run, wanted: string | undefined) => state.collections.some(({ noun }) => noun === wanted);

/**
 * Reads one collection, unless the state says that this was done.
 *
 * @param probe What to ask to learn whether it is a collection at all; default its path.
 */
async function exportOne(
  run: Run,
  { noun, path, probe = path }: Pick<Collection, 'noun' | 'path'> & { readonly probe?: string | undefined },
  read: () => Promise<ExportedCollection>,
): Promise<void> {
  if (holds(run, noun) || run.state.left_out.some((left) => left.noun === noun)) return;
  if (run.state.not_collections.some((other) => other.path === path)) return;
  const over = (change: (state: ExportState) => ExportState) => save(run, (state) => change(withoutWork(state, noun)));
  try {
    const done = await read();
    await over((state) => ({ ...state, collections: [...state.collections, done] }));
  } catch (error) {
    run.stop.signal.throwIfAborted();
    const reason = await noCollection(run.client, probe, error);
    if (reason !== undefined) {
      await run.context.files.remove(`${run.directory}/${partFile(noun)}`);
      return over((state) => ({ ...state, not_collections: [...state.not_collections, { path, reason }] }));
    }
    if (!isDeclined(error)) throw error;
    await run.context.notice(`Left out: ${noun}. ${error.message}`);
    await over((state) => ({ ...state, left_out: [...state.left_out, { noun, reason: error.message }] }));
  }
}

/** What lies below records: nothing where the records could not be read, or where a collection at the top has the same ones. */
async function exportBelow(run: Run, collection: NestedCollection): Promise<void> {
  const { noun, parent, sameAs } = collection;
  if (!holds(run, parent) || (sameAs !== undefined && holds(run, sameAs))) return;
  const parents = await readParents(run, collection);
  const probe = parents[0] === undefined ? undefined : childrenPath(collection, parents[0].id);
  await exportOne(run, { ...collection, probe }, () => readNested(run, collection, parents));
  const below = run.state.collections.find((done) => done.noun === noun)?.below;
  if (below === undefined || below.refused === 0 || run.state.left_out.some((left) => left.noun === noun)) return;
  const reason = `${below.refused} of ${below.asked} ${parent} did not show what lies below them. ${below.reason ?? ''}`.trim();
  await save(run, (state) => ({ ...state, left_out: [...state.left_out, { noun, reason }] }));
}

/** Checks every file once more, writes the other formats, then the manifest. */
async function finish(run: Run, collections: readonly Collection[], nested: readonly NestedCollection[], format: string): Promise<void> {
  const { context, directory } = run;
  const { files, clock } = context;
  const state = inOrderOf([...collections, ...nested], run.state);
  const sources = state.collections.map(({ noun, sha256 }) => ({ noun, sha256, path: `${directory}/${dataFile(noun)}` }));
  for (const { path, sha256 } of sources) if ((await fingerprint(files, path)).sha256 !== sha256) throw spoiled(path);
  if (format === 'csv') {
    const { writeCsv } = await import('./to-csv.ts');
    for (const { noun, path } of sources) await writeCsv(files, path, `${directory}/${noun}.csv`);
  } else if (format === 'sqlite') {
    await (await import('./to-sqlite.ts')).writeSqlite(files, sources, `${directory}/export.sqlite`);
  }
  const { started_at, collections: exported, left_out, not_collections } = state;
  const finished_at = utcSeconds(clock.now());
  const { host, user } = run;
  const whose = { host, ...(user !== undefined && { user_id: user }) };
  const held_elsewhere = nested.flatMap(({ path, sameAs }) => (sameAs !== undefined && holds(run, sameAs) ? [{ path, in: sameAs }] : []));
  await writeManifest(files, directory, {
    version: 1,
    ...whose,
    started_at,
    finished_at,
    collections: exported,
    left_out,
    not_collections,
    held_elsewhere,
  });
  await removeState(files, directory);
  for (const name of await files.list(directory)) if (PIECE.test(name)) await files.remove(`${directory}/${name}`);
  const rows = exported.reduce((sum, done) => sum + done.rows, 0);
  const many = exported.length === 1 ? 'collection' : 'collections';
  await context.notice(`${rows} rows of ${exported.length} ${many} are in ${directory}.`);
  if (left_out.length === 0) return;
  const all = new Set([...exported, ...left_out].map(({ noun }) => noun)).size;
  throw new PartialError(`${left_out.length} of ${all} collections could not be read, or not whole.`, {
    hint: 'The others are whole; manifest.json names them all.',
    details: { lines: left_out.map(({ noun, reason }) => `${noun}: ${reason}`) },
  });
}

/** What a collection was read in, side by side. */
const PIECE = /\.ndjson\.part(-\d+|\.merged)$/;

/** The state with what is in it in the order of discovery, whatever was over first. */
function inOrderOf(all: readonly { readonly noun: string; readonly path: string }[], state: ExportState): ExportState {
  const nouns = all.map(({ noun }) => noun);
  const paths = all.map(({ path }) => path);
  const by = <Each>(order: readonly string[], list: readonly Each[], nameOf: (each: Each) => string) =>
    list.toSorted((one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)));
  return {
    ...state,
    collections: by(nouns, state.collections, ({ noun }) => noun),
    left_out: by(nouns, state.left_out, ({ noun }) => noun),
    not_collections: by(paths, state.not_collections, ({ path }) => path),
  };
}

function stopped(error: unknown, { argv }: Needs<'argv'>, { collections }: ExportState): unknown {
  if (!(error instanceof SvcError) || error instanceof PartialError) return error;
  const resume = shellCommand(argv.filter((word) => word !== '--restart'));
  return withMore(error, { lines: [`${collections.length} collections are whole; the rest goes on where it stopped.`], resume });
}
