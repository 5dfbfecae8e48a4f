import type { ApiClient } from '../../client/api-client.ts';
import { UsageError } from '../../errors.ts';
import { ownUserIdIfKnown } from '../../records/me.ts';
import type { Needs } from '../../session/context.ts';
import type { ShowingProgress } from '../../session/progress.ts';
import { utcSeconds } from '../../values/utc-seconds.ts';
import type { Choice } from './collections.ts';
import { type ExportState, type Manifest, readManifest, readState, writeState } from './manifest.ts';

/** What it takes of a context to export. */
export type Exporting = ShowingProgress | 'account' | 'argv' | 'client' | 'files' | 'globals' | 'host' | 'notice';

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
  readonly client: ApiClient;
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
}

/** Begins an export, or goes on with the same one. @throws UsageError where the directory holds another's. */
export async function openRun(context: Needs<Exporting>, directory: string, choice: Choice, options: ExportOptions): Promise<Run> {
  const { files, clock } = context;
  const { name: host } = await context.host();
  const { since, view = 'detail', restart, noNested } = options;
  const client = await context.client();
  const user = await ownUserIdIfKnown(context);
  const last = since === undefined ? undefined : await readManifest(files, directory);
  if (since !== undefined && last === undefined)
    throw new UsageError(`There is no earlier export in ${directory}.`, { hint: 'Leave out --since to make one.' });
  if (last !== undefined && last.host !== host)
    throw new UsageError(`${directory} holds an export of ${last.host}, and this is ${host}.`, { hint: 'Export into another directory.' });
  if (last?.user_id !== undefined && user !== undefined && last.user_id !== user)
    throw new UsageError(`${directory} holds what another person may see.`, { hint: 'Export into another directory.' });
  const nouns = choice.collections.map(({ noun }) => noun);
  const subject = JSON.stringify([host, user ?? '', nouns, view, noNested !== true, last?.started_at ?? '']);
  const unfinished = restart ? undefined : await readState(files, directory);
  const goesOn = unfinished?.subject === subject;
  if (goesOn) await context.notice(`Going on with the export of ${unfinished.started_at}.`);
  const fresh: ExportState = {
    version: 1,
    subject,
    started_at: utcSeconds(clock.now()),
    collections: [],
    left_out: choice.outOfReach.map(({ path, reason }) => ({ noun: path, reason })),
    not_collections: [...choice.notCollections],
  };
  const state = goesOn ? unfinished : fresh;
  await writeState(files, directory, state);
  return { context, client, directory, host, user, view, last, goesOn, state };
}

/** Notes what is done; the page under way is over unless it says otherwise. */
export async function save(run: Run, change: Partial<ExportState>, current?: 'keeps current'): Promise<void> {
  const { current: _, ...done } = run.state;
  run.state = { ...(current === undefined ? done : run.state), ...change };
  await writeState(run.context.files, run.directory, run.state);
}

/** The query for all of a collection. */
export function wholeQuery({ view }: Pick<Run, 'view'>): [string, string][] {
  return [
    ['sort', 'id'],
    ['per_page', '100'],
    ['view', view],
  ];
}
