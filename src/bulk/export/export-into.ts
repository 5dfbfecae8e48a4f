import { shellCommand } from '../../cli/shell-word.ts';
import { uncached } from '../../client/cached-send.ts';
import { laned } from '../../client/lanes.ts';
import { PartialError, SvcError, withMore } from '../../errors.ts';
import { discover } from '../../records/discovery.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { counted } from '../../values/text.ts';
import { inOrder } from '../in-order.ts';
import { childrenPath } from '../read-children.ts';
import { type ChildCollection, type Collection, chooseCollections, leftOut, warnUnknownExcluded, withTopLevel } from './collections.ts';
import { confirmCollections } from './confirm-collections.ts';
import { withDirectoryLock } from './directory-lock.ts';
import { printEstimate } from './estimate.ts';
import { exportChildRecords, readParents } from './export-children.ts';
import { DamagedFileError, damagedFile, fingerprint } from './lines.ts';
import { dataFile, type ExportedCollection, type ExportState, partFile, removeState, writeManifest } from './manifest.ts';
import { isDeclined, noCollection } from './no-collection.ts';
import { readCollection } from './read-collection.ts';
import { type Exporting, type ExportOptions, openRun, type Run, save, withoutWork } from './run.ts';

/**
 * Exports the named resources, or all resources, with their child records unless `noChildren` is set. Resumes an interrupted export in the
 * directory.
 *
 * @throws UsageError for an unknown or excluded resource, and for an unsuitable directory.
 * @throws PartialError after the export if svc could not read all records of a resource.
 */
export async function exportInto(
  context: Needs<Exporting>,
  directory: string,
  nouns: readonly string[],
  options: ExportOptions,
): Promise<void> {
  context.putPeopleFirst(options.rate);
  const parallel = await context.parallel();
  const client = laned(uncached(await context.client()), parallel);
  const readUser = () => ownUserIdIfKnown(context);
  const [entries, user] = parallel === 1 ? [await discover(context), await readUser()] : await Promise.all([discover(context), readUser()]);
  const without = await leftOut(context);
  await warnUnknownExcluded(context, entries, without);
  const chosen = chooseCollections(entries, nouns, withTopLevel(entries, without));
  const nested = options.noChildren ? [] : chosen.nested;
  await withDirectoryLock(directory, context.system.pid, async () => {
    const confirming = { names: nouns, isKnown: () => false, hasChildren: !options.noChildren };
    const choice = await confirmCollections(context, client, chosen, confirming);
    const run = await openRun(context, directory, { choice: { ...choice, nested }, user, client }, options);
    try {
      // When an export resumes without a terminal, svc does not print the cost a second time.
      const isShown = !run.isResumed || context.statusLine.isThere;
      if (run.last === undefined && isShown) await printEstimate(run, choice.collections, nested, !run.isResumed);
      await exportAll(run, choice.collections, nested);
      await finish(run, choice.collections, nested, options.format ?? 'ndjson');
    } catch (error) {
      throw withResume(error, context, run.state);
    }
  });
}

/** Reads several resources in parallel, and child records after their parents. A failure stops all reads. */
export async function exportAll(run: Run, collections: readonly Collection[], nested: readonly ChildCollection[]): Promise<void> {
  const ended = new Map(collections.map(({ noun }) => [noun, Promise.withResolvers<void>()]));
  // A path without single records is possibly not a list, and a test costs one request. svc reads such paths first.
  const sorted = collections.toSorted((one, other) => Number(one.hasItems) - Number(other.hasItems));
  const top = sorted.map((collection) => async () => {
    await exportOne(run, collection, () => readCollection(run, collection));
    ended.get(collection.noun)?.resolve();
  });
  const children = nested.map((collection) => async () => {
    const { signal } = run.stop;
    const before = Promise.all([collection.parent, collection.sameAs].map((noun) => ended.get(noun ?? '')?.promise));
    await Promise.race([before, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))]);
    signal.throwIfAborted();
    await exportChildren(run, collection);
  });
  const work = (task: () => Promise<void>) =>
    task().catch((error: unknown) => {
      run.stop.abort(error);
      throw run.stop.signal.reason;
    });
  try {
    for await (const _ of inOrder([...top, ...children], run.parallel, work));
  } finally {
    run.progress.end();
  }
}

const has = ({ state }: Run, wanted: string | undefined) => state.collections.some(({ noun }) => noun === wanted);

/**
 * Exports one resource, or stores the reason why svc leaves out the resource.
 *
 * @param probe The path that shows if the resource is a list. Default: the path of the resource.
 */
async function exportOne(
  run: Run,
  { noun, path, probe = path }: Pick<Collection, 'noun' | 'path'> & { readonly probe?: string | undefined },
  read: () => Promise<ExportedCollection>,
): Promise<void> {
  if (has(run, noun) || run.state.left_out.some((left) => left.noun === noun)) return;
  if (run.state.not_collections.some((other) => other.path === path)) return;
  const end = (change: (state: ExportState) => ExportState) => {
    run.work.end(noun);
    return save(run, (state) => change(withoutWork(state, noun)));
  };
  try {
    const done = await read();
    await end((state) => ({ ...state, collections: [...state.collections, done] }));
  } catch (error) {
    run.stop.signal.throwIfAborted();
    const reason = await noCollection(run.client, probe, error);
    if (reason !== undefined) {
      await run.context.files.remove(`${run.directory}/${partFile(noun)}`);
      return end((state) => ({ ...state, not_collections: [...state.not_collections, { path, reason }] }));
    }
    if (!isDeclined(error)) throw error;
    await run.context.notice(`Left out: ${noun}. ${error.message}`);
    await end((state) => ({ ...state, left_out: [...state.left_out, { noun, reason: error.message }] }));
  }
}

/**
 * Reads the child records of a resource. Skips the resource if svc could not read its parents. Also skips the resource if a top-level list
 * in the export has the same records.
 */
async function exportChildren(run: Run, collection: ChildCollection): Promise<void> {
  const { noun, parent, sameAs } = collection;
  if (!has(run, parent) || (sameAs !== undefined && has(run, sameAs))) return;
  const parents = await readParents(run, collection);
  const probe = parents[0] === undefined ? undefined : childrenPath(collection, parents[0].id);
  await exportOne(run, { ...collection, probe }, () => exportChildRecords(run, collection, parents));
  const below = run.state.collections.find((done) => done.noun === noun)?.below;
  if (below === undefined || below.refused === 0 || run.state.left_out.some((left) => left.noun === noun)) return;
  const reason = `${below.refused} of ${below.asked} ${parent} did not show their child records. ${below.reason ?? ''}`.trim();
  await save(run, (state) => ({ ...state, left_out: [...state.left_out, { noun, reason }] }));
}

async function finish(run: Run, collections: readonly Collection[], nested: readonly ChildCollection[], format: string): Promise<void> {
  const { context, directory, host, user } = run;
  const { files, clock } = context;
  const { started_at, collections: exported, left_out, not_collections } = sortState([...collections, ...nested], run.state);
  const sources = exported.map(({ noun, sha256 }) => ({ noun, sha256, path: `${directory}/${dataFile(noun)}` }));
  for (const { path, sha256 } of sources) if ((await fingerprint(files, path)).sha256 !== sha256) throw damagedFile(path);
  if (format !== 'ndjson') {
    const { writeCsv, writeSqlite } = await import('./other-formats.ts');
    if (format === 'csv') for (const { noun, path } of sources) await writeCsv(files, path, `${directory}/${noun}.csv`);
    else await writeSqlite(files, sources, `${directory}/export.sqlite`);
  }
  await writeManifest(files, directory, {
    version: 1,
    host,
    ...(user !== undefined && { user_id: user }),
    started_at,
    finished_at: utcSeconds(clock.now()),
    collections: exported,
    left_out,
    not_collections,
    held_elsewhere: nested.flatMap(({ path, sameAs }) => (sameAs !== undefined && has(run, sameAs) ? [{ path, in: sameAs }] : [])),
  });
  await removeState(files, directory);
  for (const name of await files.list(directory)) if (PART.test(name)) await files.remove(`${directory}/${name}`);
  const rows = exported.reduce((sum, done) => sum + done.rows, 0);
  await context.notice(`${rows} rows of ${counted(exported.length, 'resource')} are in ${directory}.`);
  if (left_out.length === 0) return;
  const all = new Set([...exported, ...left_out].map(({ noun }) => noun)).size;
  throw new PartialError(`svc could not read all records of ${left_out.length} of ${all} resources.`, {
    hint: 'The other resources are complete. manifest.json lists every resource.',
    details: { lines: left_out.map(({ noun, reason }) => `${noun}: ${reason}`) },
  });
}

const PART = /\.ndjson\.part(-\d+|\.merged)$/;

function sortState(all: readonly { readonly noun: string; readonly path: string }[], state: ExportState): ExportState {
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

/** Adds to an error the command that resumes the export. After damage to a file, the command has `--restart`, and reads all rows again. */
export function withResume(error: unknown, { argv }: Needs<'argv'>, { collections }: ExportState): unknown {
  if (!(error instanceof SvcError) || error instanceof PartialError) return error;
  const words = argv.filter((word) => word !== '--restart');
  if (error instanceof DamagedFileError) return withMore(error, { resume: shellCommand([...words, '--restart']) });
  const lines = [`${counted(collections.length, 'resource')} complete. The next run resumes the other resources at the last page.`];
  return withMore(error, { lines, resume: shellCommand(words) });
}
