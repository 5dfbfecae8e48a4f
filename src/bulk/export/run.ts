import type { LanedClient } from '../../client/lanes.ts';
import { bulkLimits } from '../../client/rate-book.ts';
import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { type Progress, type ShowingProgress, startProgress } from '../../session/progress.ts';
import { utcSeconds } from '../../values/temporal.ts';
import type { ExportChoice } from './collections.ts';
import { type ExportState, type FileCheckpoint, type Manifest, readManifest, readState, SPLIT_STATE, writeState } from './manifest.ts';
import { createWorkLeft, type WorkLeft } from './work-left.ts';

export type Exporting =
  | ShowingProgress
  | 'account'
  | 'argv'
  | 'catalog'
  | 'client'
  | 'files'
  | 'globals'
  | 'host'
  | 'notice'
  | 'parallel'
  | 'putPeopleFirst'
  | 'settings'
  | 'share'
  | 'system';

export interface ExportOptions {
  readonly format: string | undefined;
  readonly since: string | undefined;
  /** The view of the records. Default: `detail`. */
  readonly view: string | undefined;
  readonly restart: true | undefined;
  readonly noChildren: true | undefined;
  /** The highest percentage of each rate limit that the export may use. Default: everything except the share for interactive commands. */
  readonly rate?: number | undefined;
}

export interface Run {
  readonly context: Needs<Exporting>;
  readonly client: LanedClient;
  readonly work: WorkLeft;
  readonly progress: Progress;
  readonly parallel: number;
  readonly stop: AbortController;
  /** The row counts from the estimate, by resource. `at` is the time of the answer, in milliseconds since 1970. */
  readonly counts: Map<string, { readonly total: number; readonly at: number }>;
  readonly directory: string;
  readonly host: string;
  /** The id of the signed-in user. Undefined if the service does not show the id. */
  readonly user: number | undefined;
  readonly view: string;
  /** The manifest of the last export. Only set with `--since last`. */
  readonly last: Manifest | undefined;
  readonly isResumed: boolean;
  state: ExportState;
  /** The write of the state that has not started yet. */
  nextWrite: Promise<void> | undefined;
  /** The latest write of the state that has started. */
  lastWrite: Promise<void>;
}

/**
 * Starts an export, or resumes the same export.
 *
 * @throws UsageError if `svc changes --split` uses the directory. With `since`: UsageError if the directory has no export of this host and
 * user.
 */
export async function openRun(
  context: Needs<Exporting>,
  directory: string,
  { choice, user, client }: { readonly choice: ExportChoice; readonly user: number | undefined; readonly client: LanedClient },
  options: ExportOptions,
): Promise<Run> {
  const { files, clock } = context;
  const { name: host } = await context.host();
  const { since, view = 'detail', restart, noChildren } = options;
  if ((await files.stat(`${directory}/${SPLIT_STATE}`)) !== undefined)
    throw new UsageError(`${directory} has the files of svc changes --split.`, { hint: 'Export into another directory.' });
  const last = since === undefined ? undefined : await readManifest(files, directory);
  if (since !== undefined && last === undefined)
    throw new UsageError(`${directory} contains no earlier export.`, { hint: 'To export everything, leave out --since.' });
  if (last !== undefined && last.host !== host)
    throw new UsageError(`${directory} contains an export of ${last.host}, not of ${host}.`, { hint: 'Export into another directory.' });
  if (last?.user_id !== undefined && user !== undefined && last.user_id !== user)
    throw new UsageError(`${directory} contains an export of another user.`, { hint: 'Export into another directory.' });
  const nouns = choice.collections.map(({ noun }) => noun);
  const subject = JSON.stringify([host, user ?? '', nouns, view, noChildren !== true, last?.started_at ?? '']);
  const all = [...choice.collections, ...choice.nested].map(({ noun }) => noun);
  const unfinished = restart ? undefined : await readState(files, directory, all);
  const isResumed = unfinished?.subject === subject;
  if (isResumed) await context.notice(`svc resumes the export of ${unfinished.started_at}.`);
  const fresh: ExportState = {
    version: 3,
    subject,
    started_at: utcSeconds(clock.now()),
    collections: [],
    left_out: choice.outOfReach.map(({ path, reason }) => ({ noun: path, reason })),
    not_collections: [...choice.notCollections],
    under_way: [],
    splits: [],
  };
  const state = isResumed ? unfinished : fresh;
  await writeState(files, directory, state);
  const work = createWorkLeft();
  let added = 0;
  const line = startProgress(context, {
    what: 'rows',
    total: work.allRows,
    before: () => work.rows() - added,
    limits: () => bulkLimits(client.limits(), context.share()),
    unitsLeft: work.units,
  });
  const progress: Progress = {
    ...line,
    add(count) {
      added += count;
      line.add(count);
    },
  };
  return {
    context,
    work,
    progress,
    client,
    parallel: client.max,
    stop: new AbortController(),
    counts: new Map(),
    directory,
    host,
    user,
    view,
    last,
    isResumed,
    state,
    nextWrite: undefined,
    lastWrite: Promise.resolve(),
  };
}

/** Stores the progress of an export. Changes that arrive during a write share the next write. */
export async function save(run: Run, change: (state: ExportState) => ExportState): Promise<void> {
  run.state = change(run.state);
  run.nextWrite ??= run.lastWrite
    // The caller that started the earlier write gets that write’s error.
    .catch(() => undefined)
    .then(() => {
      run.lastWrite = writeState(run.context.files, run.directory, run.state);
      run.nextWrite = undefined;
      return run.lastWrite;
    });
  await run.nextWrite;
}

/** Returns the progress of a file. Returns undefined without progress, or if another query filled the file. */
export function checkpointAt({ state }: Run, file: string, query: readonly (readonly [string, string])[]): FileCheckpoint | undefined {
  return state.under_way.find((each) => each.file === file && JSON.stringify(each.query) === JSON.stringify(query));
}

export async function storeCheckpoint(run: Run, checkpoint: FileCheckpoint): Promise<void> {
  await save(run, (state) => ({ ...state, under_way: [...state.under_way.filter(({ file }) => file !== checkpoint.file), checkpoint] }));
}

export function withoutWork(state: ExportState, noun: string): ExportState {
  const others = <Each extends { readonly noun: string }>(list: readonly Each[]) => list.filter((each) => each.noun !== noun);
  return { ...state, under_way: others(state.under_way), splits: others(state.splits) };
}

/** The number of rows on a page: the most that the service sends. */
export const PER_PAGE = 100;

export function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PER_PAGE));
}

export function wholeQuery({ view }: Pick<Run, 'view'>): [string, string][] {
  return [
    ['sort', 'id'],
    ['per_page', String(PER_PAGE)],
    ['view', view],
  ];
}
