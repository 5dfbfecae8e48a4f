import type { DatabaseCheck, Feed, Feeding } from '../bulk/changes/feed.ts';
import type { Running } from '../bulk/changes/run-each.ts';
import { defineCommand, type OptionValues, text, toggle } from '../cli/spec.ts';
import { PartialError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { requireService, type UsingServiceOnly } from '../session/offline.ts';
import { presentingAs } from '../session/presentation.ts';
import { type Printing, printRows, type View } from '../session/print.ts';
import { isDatabaseAddress } from '../values/addresses.ts';
import type { JsonObject } from '../values/json.ts';
import { budgetOption, givenBudget, namingDatabase, syncPlace } from './sync-place.ts';

const BATCH_SIZE = 100;

const COLUMNS: NonNullable<View['columns']> = [
  { path: 'seen_at', kind: 'date-time' },
  ...['kind', 'noun', 'record_id', 'changed'].map((path) => ({ path })),
];

const options = {
  since: text('--since <where>', 'Start after this change: last (default), now, an id, a position or a time'),
  follow: toggle('--follow', 'Continue until Ctrl-C'),
  exec: text('--exec <command>', 'Run this command for each change, with the change as JSON on its standard input'),
  consumer: text('--consumer <name>', 'Store a separate position for this reader'),
  to: text('--to <file>', 'Use this SQLite file (default: the local database of your account)', { completes: 'file' }),
  budget: budgetOption,
} as const;

type Options = OptionValues<typeof options>;

export const changes = defineCommand({
  showsGlobals: ['host', 'output', 'fields', 'quiet', 'maxWait'],
  description:
    'svc updates the local database and prints each difference, in the order in which svc found it. A change is created, updated or deleted, with the record before and after. In a pipe each change is a line of JSON. Without a local database, the first run creates the database. Later runs print changes. If another svc updates the local database, svc waits for it, at most for --max-wait.\n\nEach change has a fixed id. svc prints each change at least once. svc stores your position after it prints a change, or after the command of --exec exits with 0. The next run starts at this position. With --since, svc stores no position, unless --consumer names a reader. svc keeps changes for 30 days.\n\nWith --follow, svc looks for changes until you stop svc. svc checks resources with many changes more often. svc spends at most a tenth of the rate limit on these reads. If the command of --exec fails, svc runs the command again after a growing delay. Later changes wait. Without --follow, svc stops at the first failure, and exits with 10.',
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
    { args: 'changes --follow > changes.ndjson', does: 'Write each change as a line, as svc finds it' },
    {
      args: 'changes absences --follow --exec ./tell-the-team --consumer team',
      does: 'Run a command for each change, instead of a webhook',
    },
  ],
  async run(context: Needs<UsingServiceOnly | Feeding | Printing | Running | 'timeZone'>, { args: nouns, options }) {
    await namingDatabase(options.to, () => check(context, options));
    await requireService(context, 'svc changes reads from the service');
    const [{ openFeed }, { FOLLOWING_RATE, checkRepeatedly }] = await Promise.all([
      import('../bulk/changes/feed.ts'),
      import('../bulk/changes/follow.ts'),
    ]);
    const { since = 'last', consumer } = options;
    await namingDatabase(options.to, async () => {
      const feed = await openFeed(context, {
        ...{ place: await syncPlace(context, options.to), nouns, budget: givenBudget(options.budget), since, consumer },
        rate: options.follow ? FOLLOWING_RATE : undefined,
        isPositionStored: since === 'last' || consumer !== undefined,
      });
      const checks = options.follow ? checkRepeatedly(context, feed) : checkOnce(context, feed);
      if (options.exec === undefined) await print(context, changesIn(feed, checks, BATCH_SIZE));
      else await runEach(context, options.exec, changesIn(feed, checks, 1), options);
    });
  },
});

async function check(context: Needs<Feeding | Printing>, { follow, exec, budget, consumer, to = '' }: Options): Promise<void> {
  if (isDatabaseAddress(to))
    throw new UsageError('svc changes reads an SQLite file.', {
      hint: 'In a team database, the table svc_changes has the changes that svc sync found.',
    });
  const { dryRun, fields, jq, output } = context.globals;
  if (dryRun) throw new UsageError('--dry-run is for writes, and svc changes only reads.', { hint: 'Leave out --dry-run.' });
  givenBudget(budget);
  if (consumer?.trim() === '') throw new UsageError('--consumer: the name is empty.', { hint: 'For example: --consumer team' });
  if (exec !== undefined && (output ?? fields ?? jq) !== undefined)
    throw new UsageError('With --exec the command gets the changes, and svc prints none.', {
      hint: 'Leave out --output, --fields and --jq.',
    });
  if (follow && (jq !== undefined || output === 'json'))
    throw new UsageError('--follow never ends, so svc cannot print one JSON document.', {
      hint: 'Use --output ndjson, and a pipe: svc changes --follow | jq …',
    });
}

async function* changesIn(feed: Feed, checks: AsyncIterable<DatabaseCheck>, size: number): AsyncGenerator<readonly JsonObject[]> {
  for await (const _ of checks) yield* feed.news(size);
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

/** Prints the changes. For a pipe, svc prints each change immediately as a line of JSON. */
async function print(context: Needs<Printing>, pieces: AsyncIterable<readonly JsonObject[]>): Promise<void> {
  const isChosen = context.globals.output !== undefined || context.globals.jq !== undefined;
  const { format } = await context.presentation();
  const printing = !isChosen && format === 'json' ? presentingAs(context, 'ndjson') : context;
  let found = 0;
  const counted = async function* () {
    for await (const piece of pieces) {
      found += piece.length;
      yield piece;
    }
  };
  await printRows(printing, counted(), { columns: COLUMNS, atOnce: true });
  if (found === 0 && format === 'table') await context.notice('Nothing has changed.');
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
