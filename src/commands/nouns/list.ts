import type { Resource } from '../../catalog/define.ts';
import { notesOf, reachOf, wordsOf } from '../../catalog/rules.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import { type CommandSpec, defineCommand } from '../../cli/spec.ts';
import { summaryOf } from '../../cli/words.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { requestCost } from '../../client/cost.ts';
import { countRows, type Position } from '../../client/pages.ts';
import { OutputClosed } from '../../deps.ts';
import { SvcError, withMore } from '../../errors.ts';
import { type FilteredRows, filteredRows } from '../../records/filtered-rows.ts';
import { collectionPath, parentArgs, placeOf } from '../../records/paths.ts';
import type { Context } from '../../session/context.ts';
import { printRows, viewOf } from '../../session/print.ts';
import { withProgress } from '../../session/progress.ts';
import type { JsonObject } from '../../values/json.ts';
import { examplesOf } from './examples.ts';
import { type ListOptions, listFlags } from './list-flags.ts';
import { filterName, readListQuery, splitNames } from './query.ts';

/** `svc <noun> list`: every row, streamed as the pages come. */
export function listCommand(resource: Resource): CommandSpec<Context> {
  return defineCommand({
    name: 'list',
    summary: summaryOf(resource, 'list'),
    description: notesOf(resource, 'list').join(' ') || undefined,
    args: parentArgs(resource),
    options: listFlags(resource),
    examples: examplesOf(resource, 'list'),
    run: (context: Context, { args, options }) => list(context, resource, args, options as ListOptions, options),
  });
}

async function list(
  context: Context,
  resource: Resource,
  args: readonly string[],
  options: ListOptions,
  shortcuts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = collectionPath(resource, placeOf(resource, args).parent);
  const { filters, rest } = await readListQuery(context, resource, options, shortcuts);
  if (options.page !== undefined && resource.reorderable && options.sort === undefined)
    await context.notice('People can change the order of this list, so page numbers may skip or repeat rows; --sort id keeps it still.');
  // What the catalog does not know may lead to many records, and cost as much.
  const toMany = new Set(splitNames(options.include).filter((name) => reachOf(resource, name) !== 'one'));
  const client = await context.client();
  const stream = filteredRows({
    client,
    request: (query) => ({ method: 'GET', path, query, cost: requestCost({ method: 'GET', query, collection: true, toMany }) }),
    filters,
    rest,
    limit: options.limit,
    onRefused: ({ field }) =>
      context.notice(`The service does not filter ${wordsOf(resource)} by ${field} in that way; svc reads every row and filters itself.`),
  });
  try {
    const sent = [...filters.map((filter) => [filterName(filter), filter.value] as const), ...rest];
    const count = (signal: AbortSignal) => countRows(client, path, sent, signal);
    await printRows(context, watched(context, client, stream, { ...options, count }), viewOf(resource));
  } catch (error) {
    throw stoppedHalfWay(context, error, stream.position(), options.limit);
  }
  await tellRest(context, stream.position(), options);
}

/** The rows, counted on the status line where they do not go to the terminal themselves. */
function watched(
  context: Context,
  client: ApiClient,
  stream: FilteredRows,
  {
    limit,
    cursor,
    page,
    count,
  }: Pick<ListOptions, 'limit' | 'cursor' | 'page'> & { readonly count: (signal: AbortSignal) => Promise<number | undefined> },
): AsyncGenerator<readonly JsonObject[]> {
  // From the middle on nobody knows how many are left.
  const isFromStart = cursor === undefined && page === undefined;
  const atMost = (total: number | undefined) => (total !== undefined && limit !== undefined ? Math.min(total, limit) : (total ?? limit));
  return withProgress(context, stream.batches(), {
    what: 'rows',
    total: () => (isFromStart ? atMost(stream.position().total) : limit),
    count: isFromStart ? async (signal) => atMost(await count(signal)) : undefined,
    limits: client.limits,
    silent: context.stdio.stdout.isTTY,
  });
}

/** The total, and that the list was cut short, with the command that goes on. */
async function tellRest(context: Context, { rows: count, total, more, cursor, page }: Position, options: ListOptions): Promise<void> {
  if (options.withTotal && total !== undefined) await context.notice(`${total} rows in all.`);
  if (!more) return;
  const onward = resumeCommand(context.argv, { cursor, page });
  const how = onward === undefined ? 'To have them: a larger --limit' : `To go on: ${onward}`;
  await context.notice(`There are more than these ${count}${total === undefined ? '' : ` of ${total}`}. ${how}`);
}

/** A failure that left rows behind says how many, and how to go on. With `--jq` nothing is written before the end. */
function stoppedHalfWay(context: Context, thrown: unknown, position: Position, limit: number | undefined): unknown {
  // Ctrl-C ends the reader of a pipe too, and the pipe may tell of it first.
  const error = thrown instanceof OutputClosed && context.signal.aborted ? context.signal.reason : thrown;
  if (!(error instanceof SvcError) || position.rows === 0 || context.globals.jq !== undefined) return error;
  const left = limit === undefined ? undefined : limit - position.rows;
  const resume = resumeCommand(context.argv, { cursor: position.cursor, page: position.page, limit: left });
  return withMore(error, { lines: [`${position.rows} rows were written before this.`], resume });
}

/** The same command, from a cursor or page on. */
function resumeCommand(
  argv: readonly string[],
  at: { readonly cursor?: string | undefined; readonly page?: string | undefined; readonly limit?: number | undefined },
): string | undefined {
  if (at.cursor === undefined && at.page === undefined) return undefined;
  const replaced = new Set(['--cursor', '--page', ...(at.limit === undefined ? [] : ['--limit', '-L'])]);
  const words: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (replaced.has(word.split('=', 1)[0] ?? word)) index += word.includes('=') ? 0 : 1;
    else words.push(word);
  }
  if (at.limit !== undefined) words.push('--limit', String(at.limit));
  words.push(...(at.cursor === undefined ? ['--page', at.page ?? ''] : ['--cursor', at.cursor]));
  return shellCommand(words);
}
