import { resolve } from 'node:path';
import type { DatabaseCheck, Feed, Feeding } from '../bulk/changes/feed.ts';
import type { ReadingRecorded } from '../bulk/changes/recorded.ts';
import type { Running } from '../bulk/changes/run-each.ts';
import { shellWord } from '../cli/shell-word.ts';
import { defineCommand, type OptionValues, text, toggle } from '../cli/spec.ts';
import { PartialError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { requireService, type UsingServiceOnly } from '../session/offline.ts';
import { presentingAs } from '../session/presentation.ts';
import { type Printing, printRowsOr, type View } from '../session/print.ts';
import { isDatabaseAddress, withoutPassword } from '../values/addresses.ts';
import type { JsonObject } from '../values/json.ts';
import { budgetOption, givenBudget, namingDatabase, syncPlace } from './sync-place.ts';

const BATCH_SIZE = 100;

/** The most changes that svc writes to files before it stores its position. */
const SPLIT_SIZE = 500;

const COLUMNS: NonNullable<View['columns']> = [
  { path: 'seen_at', kind: 'date-time' },
  ...['kind', 'noun', 'record_id', 'changed'].map((path) => ({ path })),
];

const options = {
  since: text('--since <where>', 'Start after this change: last (default), now, an id, a position or a time'),
  follow: toggle('--follow', 'Continue until Ctrl-C'),
  exec: text('--exec <command>', 'Run this command for each change, with the change as JSON on its standard input'),
  consumer: text('--consumer <name>', 'Store a separate position for this reader'),
  split: text('--split <dir>', 'Append the changes to one NDJSON file for each resource in this directory', { completes: 'directory' }),
  to: text('--to <file>', 'Use this SQLite file (default: the local database of your account)', { completes: 'file' }),
  budget: budgetOption,
} as const;

type Options = OptionValues<typeof options>;

export const changes = defineCommand({
  showsGlobals: ['host', 'output', 'fields', 'quiet', 'maxWait', 'offline', 'database'],
  description:
    'svc updates the local database and prints each difference, in the order in which svc found it. Each change has a kind (created, updated or deleted), and the record before and after the change. In a pipe each change is a line of JSON. Without a local database, the first run creates the database. Later runs print changes. If another svc updates the local database, svc waits for the other svc, at most for --max-wait.\n\nEach change has a fixed id. svc prints each change at least once. svc stores your position after it prints a change. With --exec, svc stores the position after the command exits with 0. The next run starts at this position. With --since, svc stores no position, unless --consumer names a reader. svc keeps changes for 30 days.\n\nWith --split, svc appends each change once to the file of its resource, such as worklogs.ndjson. Each line of a file has the same fields in the same order, and a missing field is null. svc stores the position in the directory. With --database or --offline, svc prints the changes that earlier syncs recorded, and sends no request. Both options need a start: type --since, or use --split.\n\nWith --follow, svc looks for changes until you stop svc. svc checks resources with many changes more often. The checks use at most a tenth of the rate limit. If the command of --exec fails, svc runs the command again after a growing delay. Later changes wait until the command succeeds. Without --follow, svc stops at the first failure, and exits with 10.',
  args: [
    {
      name: 'resource',
      summary: 'The resources to show, with their child records (default: all in the local database)',
      optional: true,
      variadic: true,
    },
  ],
  fields: ['id', 'position', 'kind', 'noun', 'record_id', 'seen_at', 'changed', 'before', 'after'],
  options,
  examples: [
    { args: 'changes', does: 'Show the changes since the last run' },
    { args: 'changes work-items --since yesterday', does: 'Show the changes since yesterday, without storing a position' },
    { args: 'changes --follow > changes.ndjson', does: 'Write each change as a line of a file' },
    { args: 'changes --split warehouse/changes', does: 'Append the changes to files for DuckDB, ClickHouse or BigQuery' },
    { args: 'changes --since yesterday --database postgres://ada@db.example.com/reports', does: 'Show the changes in a team database' },
    {
      args: 'changes absences --follow --exec ./tell-the-team --consumer team',
      does: 'Run a command for each change, instead of a webhook',
    },
  ],
  async run(context: Needs<Changing>, { args: nouns, options }) {
    const { exec, split, to } = options;
    if (to !== undefined && isDatabaseAddress(to))
      throw new UsageError('--to takes an SQLite file, and svc changes does not update a team database.', {
        hint: `To print the changes of the team database: svc changes --since 0 --database ${shellWord(withoutPassword(to))}`,
      });
    await namingDatabase(to, () => check(context, options));
    // These flags read from the service, or store a position in the database.
    const online = (['follow', 'consumer', 'budget', 'to'] as const).find((name) => options[name] !== undefined);
    const isRecorded = online === undefined && (await context.isOffline());
    if (!isRecorded) await requireService(context, `svc changes ${online === undefined ? '' : `${FLAGS[online]} `}reads from the service`);
    const read = (size: number, position: Position) =>
      isRecorded ? recorded(context, nouns, position, size) : changesIn(context, nouns, options, position, size);
    const work = async () => {
      if (split !== undefined) await writeSplit(context, split, { nouns, since: options.since }, read);
      else if (exec !== undefined) await runEach(context, exec, read(1, options), options);
      else await print(context, read(BATCH_SIZE, options), options.since);
    };
    await namingDatabase(to, work, isRecorded ? context.globals.database : undefined);
  },
});

type Changing = UsingServiceOnly | Feeding | Printing | ReadingRecorded | Running | 'files' | 'notify' | 'timeZone';

const FLAGS = { follow: '--follow', consumer: '--consumer', budget: '--max-units', to: '--to' } as const;

/** The start of the read, and the function that stores the position. Without the function, svc can store the position in the database. */
interface Position {
  readonly since?: string | undefined;
  readonly keepPosition?: (change: string) => Promise<void>;
}

async function* recorded(
  context: Needs<ReadingRecorded>,
  nouns: readonly string[],
  { since = 'last', keepPosition }: Position,
  size: number,
) {
  const { recordedChanges } = await import('../bulk/changes/recorded.ts');
  yield* recordedChanges(context, { nouns, since, keepPosition }, size);
}

/** Updates the local database, once or repeatedly, and yields the changes in batches. */
async function* changesIn(
  context: Needs<Changing>,
  nouns: readonly string[],
  { follow, consumer, budget, to }: Options,
  { since = 'last', keepPosition }: Position,
  size: number,
): AsyncGenerator<readonly JsonObject[]> {
  const [{ openFeed }, { FOLLOWING_RATE, checkRepeatedly }] = await Promise.all([
    import('../bulk/changes/feed.ts'),
    import('../bulk/changes/follow.ts'),
  ]);
  const feed = await openFeed(context, {
    ...{ place: await syncPlace(context, to), nouns, budget: givenBudget(budget), since, consumer, keepPosition },
    rate: follow ? FOLLOWING_RATE : undefined,
    isPositionStored: keepPosition === undefined && (since === 'last' || consumer !== undefined),
  });
  const checks = follow ? checkRepeatedly(context, feed) : checkOnce(context, feed);
  for await (const _ of checks) yield* feed.news(size);
}

/** Appends the changes to the files of a directory. Only one svc process at a time writes to the directory. */
async function writeSplit(
  context: Needs<Changing>,
  typed: string,
  start: { readonly nouns: readonly string[]; readonly since: string | undefined },
  read: (size: number, position: Position) => AsyncIterable<readonly JsonObject[]>,
): Promise<void> {
  const [{ openSplit }, { withDirectoryLock }] = await Promise.all([
    import('../bulk/changes/split.ts'),
    import('../bulk/export/directory-lock.ts'),
  ]);
  const directory = resolve(context.system.cwd, typed);
  const work = async () => {
    const split = await openSplit(context, directory, start);
    for await (const piece of read(SPLIT_SIZE, { since: split.since, keepPosition: split.keepPosition })) await split.write(piece);
    await split.printSummary();
  };
  await withDirectoryLock(directory, context.system.pid, work, {
    does: `writes to ${directory}`,
    instead: 'name another directory',
  });
}

async function check(context: Needs<Feeding | Printing>, { follow, exec, budget, consumer, split }: Options): Promise<void> {
  const { dryRun, fields, jq, output } = context.globals;
  if (dryRun) throw new UsageError('You can use --dry-run only with writes, and svc changes only reads.', { hint: 'Leave out --dry-run.' });
  givenBudget(budget);
  if (consumer?.trim() === '') throw new UsageError('--consumer: the name is empty.', { hint: 'For example: --consumer team' });
  if (split !== undefined && (exec ?? consumer) !== undefined)
    throw new UsageError('--split writes the changes to files, and stores the position beside the files.', {
      hint: 'Leave out --exec and --consumer.',
    });
  if (split?.trim() === '') throw new UsageError('--split: the name is empty.', { hint: 'For example: --split changes' });
  if ((exec ?? split) !== undefined && (output ?? fields ?? jq) !== undefined)
    throw new UsageError(`With --${split === undefined ? 'exec the command gets' : 'split files get'} the changes, and svc prints none.`, {
      hint: 'Leave out --output, --fields and --jq.',
    });
  if (follow && (jq !== undefined || output === 'json'))
    throw new UsageError('--follow never ends, so svc cannot print one JSON document.', {
      hint: 'Use --output ndjson, and a pipe: svc changes --follow | jq …',
    });
}

/**
 * Compares the local database with the service once, and yields the result.
 *
 * @throws PartialError, after the changes, for tables that svc could not read.
 */
async function* checkOnce(context: Needs<'notice'>, feed: Feed): AsyncGenerator<DatabaseCheck> {
  const checked = await feed.check();
  yield checked;
  const { leftOut, tables } = checked;
  const open = tables.filter(({ known_by }) => known_by === 'changes').map(({ noun }) => noun);
  if (open.length > 0)
    await context.notice(`svc does not know whether records were deleted in: ${open.join(', ')}. Use a larger --max-units.`);
  if (leftOut.length > 0)
    throw new PartialError(`svc could not read ${leftOut.length} of ${leftOut.length + tables.length} tables.`, {
      hint: 'svc printed the changes of the other tables.',
      details: { lines: leftOut.map(({ noun, reason }) => `${noun}: ${reason}`) },
    });
}

/** Prints each change immediately. By default, a pipe gets a line of JSON for each change. */
async function print(context: Needs<Printing>, pieces: AsyncIterable<readonly JsonObject[]>, since = 'last'): Promise<void> {
  const isChosen = context.globals.output !== undefined || context.globals.jq !== undefined;
  const { format } = await context.presentation();
  const printing = !isChosen && format === 'json' ? presentingAs(context, 'ndjson') : context;
  const none =
    since === 'last' || since === 'now'
      ? 'Nothing has changed.'
      : 'svc recorded no change. svc records the changes of a table after its first read.';
  await printRowsOr(printing, pieces, { columns: COLUMNS, atOnce: true }, none);
}

async function runEach(
  context: Needs<Running>,
  command: string,
  pieces: AsyncIterable<readonly JsonObject[]>,
  { follow, since }: Options,
): Promise<void> {
  const { runnerOf, runUntilDone } = await import('../bulk/changes/run-each.ts');
  const run = runnerOf(context, command);
  let done = 0;
  for await (const [change = {}] of pieces) {
    context.signal.throwIfAborted();
    if (follow) await runUntilDone(context, run, change);
    else {
      const code = await run(change);
      if (code !== 0) context.signal.throwIfAborted();
      if (code !== 0)
        throw new PartialError(`The command exited with ${code} for change ${change['id']}, after ${done} other changes.`, {
          hint:
            since === undefined || since === 'last'
              ? 'The same command continues with that change.'
              : `To continue with that change: --since ${Number(change['position']) - 1}`,
        });
    }
    done += 1;
  }
}
