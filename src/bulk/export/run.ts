import type { LanedClient } from '../../client/lanes.ts';
import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import type { StatusLine } from '../../session/status-line.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { ExportChoice } from './collections.ts';
import { type ExportState, type FileCheckpoint, type Manifest, readManifest, readState, writeState } from './manifest.ts';
import { PER_PAGE } from './pieces.ts';
import { sharedLine } from './shared-line.ts';

/** What it takes of a context to export. */
export type Exporting =
  | ShowingProgress
  | 'account'
  | 'argv'
  | 'client'
  | 'files'
  | 'globals'
  | 'host'
  | 'notice'
  | 'parallel'
  | 'settings'
  | 'system';

/** How an export is made. */
export interface ExportOptions {
  /** `csv` and `sqlite` are written beside the NDJSON. */
  readonly format: string | undefined;
  readonly since: string | undefined;
  /** Default `detail`. */
  readonly view: string | undefined;
  readonly restart: true | undefined;
  /** What lies below records is left out. */
  readonly noNested: true | undefined;
}

/** One run of an export. */
export interface Run {
  readonly context: Needs<Exporting>;
  readonly client: LanedClient;
  /** A status line for each piece of work; one is seen. */
  readonly line: () => StatusLine;
  /** Requests under way at a time. */
  readonly parallel: number;
  /** Ends everything under way: when one thing fails, the rest is of no use. */
  readonly stop: AbortController;
  /** How many rows collections had, and the answer's time, where that was asked for. */
  readonly counts: Map<string, { readonly total: number; readonly at: number }>;
  readonly directory: string;
  readonly host: string;
  /** The id of the person whose token it is, as far as that can be known. */
  readonly user: number | undefined;
  readonly view: string;
  /** What the directory held before, with `--since last`. */
  readonly last: Manifest | undefined;
  /** It goes on with one that was stopped. */
  readonly goesOn: boolean;
  /** What is done so far; kept on disk after every page. */
  state: ExportState;
  /** The writing of the state that has not begun. */
  nextWrite: Promise<void> | undefined;
  /** The one that has. */
  lastWrite: Promise<void>;
}

/** Begins an export, or goes on with the same one. @throws UsageError where the directory holds another's. */
export async function openRun(
  context: Needs<Exporting>,
  directory: string,
  { choice, user, client }: { readonly choice: ExportChoice; readonly user: number | undefined; readonly client: LanedClient },
  options: ExportOptions,
): Promise<Run> {
  const { files, clock } = context;
  const { name: host } = await context.host();
  const { since, view = 'detail', restart, noNested } = options;
  const last = since === undefined ? undefined : await readManifest(files, directory);
  if (since !== undefined && last === undefined)
    throw new UsageError(`There is no earlier export in ${directory}.`, { hint: 'Leave out --since to make one.' });
  if (last !== undefined && last.host !== host)
    throw new UsageError(`${directory} holds an export of ${last.host}, and this is ${host}.`, { hint: 'Export into another directory.' });
  if (last?.user_id !== undefined && user !== undefined && last.user_id !== user)
    throw new UsageError(`${directory} holds what another person may see.`, { hint: 'Export into another directory.' });
  const nouns = choice.collections.map(({ noun }) => noun);
  const subject = JSON.stringify([host, user ?? '', nouns, view, noNested !== true, last?.started_at ?? '']);
  const all = [...choice.collections, ...choice.nested].map(({ noun }) => noun);
  const unfinished = restart ? undefined : await readState(files, directory, all);
  const goesOn = unfinished?.subject === subject;
  if (goesOn) await context.notice(`Going on with the export of ${unfinished.started_at}.`);
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
  const state = goesOn ? unfinished : fresh;
  await writeState(files, directory, state);
  return {
    context,
    line: sharedLine(context.statusLine),
    client,
    parallel: client.max,
    stop: new AbortController(),
    counts: new Map(),
    directory,
    host,
    user,
    view,
    last,
    goesOn,
    state,
    nextWrite: undefined,
    lastWrite: Promise.resolve(),
  };
}

/** Notes what is done. Several changes that come while the state is being written go to disk together. */
export async function save(run: Run, change: (state: ExportState) => ExportState): Promise<void> {
  run.state = change(run.state);
  run.nextWrite ??= run.lastWrite
    // Whoever waited for that one was told.
    .catch(() => undefined)
    .then(() => {
      run.lastWrite = writeState(run.context.files, run.directory, run.state);
      run.nextWrite = undefined;
      return run.lastWrite;
    });
  await run.nextWrite;
}

/** How far a file is, where the same query filled it. */
export function checkpointAt({ state }: Run, file: string, query: readonly (readonly [string, string])[]): FileCheckpoint | undefined {
  return state.under_way.find((each) => each.file === file && JSON.stringify(each.query) === JSON.stringify(query));
}

/** Notes how far a file is. */
export async function keepCheckpoint(run: Run, checkpoint: FileCheckpoint): Promise<void> {
  await save(run, (state) => ({ ...state, under_way: [...state.under_way.filter(({ file }) => file !== checkpoint.file), checkpoint] }));
}

/** The state without what was under way for a collection: it is over. */
export function withoutWork(state: ExportState, noun: string): ExportState {
  const others = <Each extends { readonly noun: string }>(list: readonly Each[]) => list.filter((each) => each.noun !== noun);
  return { ...state, under_way: others(state.under_way), splits: others(state.splits) };
}

/** The query for all of a collection. */
export function wholeQuery({ view }: Pick<Run, 'view'>): [string, string][] {
  return [
    ['sort', 'id'],
    ['per_page', String(PER_PAGE)],
    ['view', view],
  ];
}
