import type { Resource } from '../../catalog/define.ts';
import { reachOf, wordsOf } from '../../catalog/rules.ts';
import type { TypedInput } from '../../cli/spec.ts';
import { pluralOf } from '../../cli/words.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { assumedIn } from '../../client/assumed.ts';
import { type Query, requestCost } from '../../client/cost.ts';
import type { Position, Walk } from '../../client/pages.ts';
import { OutputClosed } from '../../deps.ts';
import { SvcError, UsageError, withMore } from '../../errors.ts';
import { type FilteredRows, filteredRows } from '../../records/filtered-rows.ts';
import { type ListFilter, listQuery, walksOf } from '../../records/list-filter.ts';
import { namedParent } from '../../records/named-place.ts';
import { collectionPath } from '../../records/paths.ts';
import { readsService } from '../../records/record-at.ts';
import type { Context, Needs } from '../../session/context.ts';
import { type Printing, printOneOrMany, printRows, viewOf } from '../../session/print.ts';
import { type ShowingProgress, withProgress } from '../../session/progress.ts';
import { presentDay } from '../../session/time-zone.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import type { StartedList } from './continue-list.ts';
import { openOnly, printClosedCount } from './open-items.ts';
import { largestPage, readListQuery } from './query.ts';
import { type ListOptions, type listOptions, splitNames } from './read-flags.ts';
import type { TableView } from './table-view.ts';

export async function listRecords(
  context: Context,
  resource: Resource,
  { args, options, given: shortcuts }: TypedInput<ReturnType<typeof listOptions>>,
): Promise<void> {
  const path = collectionPath(resource, (await namedParent(context, resource, args)).parent);
  const { filters, rest: requested } = await readListQuery(context, resource, options, shortcuts);
  const open = await openOnly(context, resource, options, shortcuts);
  const walks = walksOf(open === undefined ? filters : [...filters, open]);
  const two = walks.second === undefined ? undefined : await import('./two-walks.ts');
  if (walks.second !== undefined) two?.checkTwoWalks(resource, walks.second.bound, options);
  if (options.page !== undefined && resource.reorderable && options.sort === undefined)
    await context.notice('People can reorder this list, so pages may skip or repeat rows. To fix the order: --sort id');
  // An unknown relation can lead to many records, which cost more.
  const include = splitNames(options.include);
  const toMany = new Set(include.filter((name) => reachOf(resource, name) !== 'one'));
  const started = { ...options, sort: options.sort ?? resource.defaultSort, largest: largestPage(resource, include) };
  const cost = (query: Query) => requestCost({ method: 'GET', query, collection: true, toMany });
  const table = await tableOf(context, resource, options, include, filters);
  const { described } = resource;
  const rest =
    described === undefined ? requested : (await import('./described-list.ts')).inView(context, described, options, requested, table);
  if (context.globals.dryRun) {
    const { describeList } = await import('../../records/named-rows.ts');
    const chosen = [walks.filters, ...(walks.second === undefined ? [] : [walks.second.filters])];
    const names = { path, references: table?.references ?? [], requested: include, isContinued: options.cursor !== undefined };
    const queries = (added: readonly string[]) => chosen.map((some) => listQuery(some, including(rest, include, added)));
    const requests = await describeList(context, { resource, path, cost, names, queries });
    await printOneOrMany(context, requests, requests.length > 1);
    return context.notice('svc sent nothing. Each further page costs the same.');
  }
  const client = await context.client();
  const { isScreen } = await context.presentation();
  const pager = isScreen ? await (await import('../../session/paging.ts')).pagerCommand(context) : undefined;
  const left = new AbortController();
  // With a pager, svc reads a page only when the user scrolls to that page.
  const walk = pager === undefined ? await sideBySide(context, resource, client, options) : undefined;
  const reported = new Set<string>();
  const openWith = (some: readonly ListFilter[], added: readonly string[]) =>
    filteredRows({
      client,
      path,
      cost,
      filters: some,
      rest: including(rest, include, added),
      assumed: assumedIn(added),
      limit: options.limit,
      walk,
      ...(pager !== undefined && { patient: true, signal: left.signal }),
      async onRefused({ field }) {
        if (reported.has(field)) return;
        reported.add(field);
        await context.noticeToday(
          `The service does not filter ${wordsOf(resource)} by ${field} in that way, so svc filters all rows itself.`,
        );
      },
    });
  const relations = new Set<string>();
  const openNamed = async (some: readonly ListFilter[]): Promise<FilteredRows> => {
    if (table === undefined) return openWith(some, []);
    const { namedRows } = await import('../../records/named-rows.ts');
    return namedRows(context, {
      path,
      references: table.references,
      requested: include,
      isContinued: options.cursor !== undefined,
      open: (added) => openWith(some, added),
      onIncluded(added) {
        if (added.length > 0) for (const relation of [...include, ...added]) relations.add(relation);
      },
    });
  };
  const stream = await (walks.second === undefined || two === undefined
    ? openNamed(walks.filters)
    : two.bothWalks(context, resource, walks.second, options, openNamed, walks.filters));
  const isWhole = () => options.cursor === undefined && options.page === undefined && !stream.position().more;
  const view = { ...(table?.view ?? viewOf(resource)), pager, ...(table !== undefined && { isWhole }) };
  try {
    const isDetail = rest.some(([name, value]) => name === 'view' && value === 'detail') && (await readsService(context, rest));
    const batches = isDetail ? seeing(context, path, stream, () => [...include, ...relations]) : stream.batches();
    if (!(await printRows(context, watched(context, client, stream, batches, options), view))) return left.abort();
  } catch (error) {
    throw await stoppedHalfWay(context, error, stream.position(), started, [...relations]);
  }
  const { rows, more } = stream.position();
  const total = await printRest(context, stream, started, [...relations]);
  if (open !== undefined && (await printClosedCount(context, client, { path, filters, open: more ? total : rows }))) return;
  if (rows === 0) await printEmpty(context, resource, filters, options);
}

async function printEmpty(
  context: Needs<Printing>,
  resource: Resource,
  filters: readonly ListFilter[],
  { search }: Pick<ListOptions, 'search'>,
): Promise<void> {
  if (!(await context.presentation()).isScreen) return;
  const flags = [...new Set([...filters.map(({ flag }) => flag), ...(search === undefined ? [] : ['--search'])])];
  const none = `No ${pluralOf(resource)}`;
  await context.notice(flags.length === 0 ? `${none}.` : `${none} match ${flags.join(', ')}. Leave out a flag to see more.`);
}

/** Chooses the columns of a table. Returns undefined for other formats. @throws UsageError for `--columns` without a table. */
async function tableOf(
  context: Needs<Printing | 'clock'>,
  resource: Resource,
  { columns }: ListOptions,
  include: readonly string[],
  filters: readonly ListFilter[],
): Promise<TableView | undefined> {
  const { reader, isSpoken, width } = await context.presentation();
  if (columns !== undefined && reader === 'program')
    throw new UsageError('You can use --columns only with tables.', { hint: 'For other formats: --fields' });
  if (reader === 'program') return undefined;
  const { tableView } = await import('./table-view.ts');
  const day = context.stdio.stdout.isTTY && resource.fields['due_date'] !== undefined ? await presentDay(context) : undefined;
  const isSame = ({ operator, value }: ListFilter) => operator === undefined || (operator === 'in' && !value.includes(','));
  const same = new Set(context.stdio.stdout.isTTY ? filters.filter(isSame).map(({ field }) => field) : []);
  // For a screen reader, svc gives no width, so the table shortens no text.
  return tableView(resource, { columns, include, same, width: isSpoken ? undefined : width, day });
}

function including(rest: Query, requested: readonly string[], added: readonly string[]): Query {
  if (added.length === 0) return rest;
  return [...rest.filter(([name]) => name !== 'include'), ['include', [...requested, ...added].join(',')]];
}

/**
 * Returns a walk that reads pages in parallel, for a complete list with page numbers and a fixed order. svc reads a limited list by cursor,
 * so that the next command can continue the list. Undefined for any other list, and for `--parallel 1`.
 */
async function sideBySide(
  context: Needs<'parallel'>,
  { counted, reorderable }: Resource,
  client: ApiClient,
  { page, cursor, limit, sort }: ListOptions,
): Promise<Walk | undefined> {
  const isWhole = page === undefined && cursor === undefined && limit === undefined;
  if (!counted || !isWhole || (reorderable && sort === undefined)) return undefined;
  const most = await context.parallel();
  if (most === 1) return undefined;
  const [{ laned }, { pagesAtOnce }] = await Promise.all([import('../../client/lanes.ts'), import('../../client/pages-at-once.ts')]);
  const lanes = laned(client, most);
  return (request) => pagesAtOnce(lanes, request);
}

async function* seeing(
  { seen }: Needs<'seen'>,
  path: string,
  stream: FilteredRows,
  included: () => readonly string[],
): AsyncGenerator<readonly JsonObject[]> {
  for await (const rows of stream.batches()) {
    for (const record of rows) seen.see({ path: `${path}/${scalarText(record['id'])}`, record, included: included() });
    yield rows;
  }
}

/** Yields the rows of a list. If the output is not the terminal, svc shows the number of rows on the status line. */
function watched(
  context: Needs<ShowingProgress | 'stdio'>,
  client: ApiClient,
  stream: FilteredRows,
  batches: AsyncIterable<readonly JsonObject[]>,
  { limit, cursor, page }: Pick<ListOptions, 'limit' | 'cursor' | 'page'>,
): AsyncGenerator<readonly JsonObject[]> {
  // A list that starts at a cursor or page has an unknown number of remaining rows.
  const isFromStart = cursor === undefined && page === undefined;
  const atMost = (total: number | undefined) => (total !== undefined && limit !== undefined ? Math.min(total, limit) : (total ?? limit));
  return withProgress(context, batches, {
    what: 'rows',
    total: () => (isFromStart ? atMost(stream.position().total) : limit),
    count: isFromStart ? async (signal) => atMost(await stream.count(signal)) : undefined,
    limits: client.limits,
    silent: context.stdio.stdout.isTTY,
  });
}

/**
 * Prints the total number of rows, and for a limited list the command that continues the list.
 *
 * @returns The total. Undefined if unknown.
 */
async function printRest(
  context: Needs<Printing | 'argv' | 'isOffline' | 'signal'>,
  stream: FilteredRows,
  started: StartedList & Pick<ListOptions, 'cursor' | 'sort' | 'withTotal'>,
  include: readonly string[],
): Promise<number | undefined> {
  const position = stream.position();
  const { rows: count, more } = position;
  const isFromStart = started.page === undefined && started.cursor === undefined;
  const isShort = more && isFromStart && started.limit !== undefined && (await context.presentation()).isScreen;
  const total = position.total ?? (isShort ? await stream.count(context.signal).catch(() => undefined) : undefined);
  if (started.withTotal && total !== undefined) await context.notice(`${total} rows in all.`);
  if (!more) return total;
  if (isShort) {
    // The order of the service is usually another one, and not documented.
    const order = started.sort === undefined && (await context.isOffline()) ? ', lowest id first' : '';
    await context.notice(
      `${total === undefined ? `The first ${count}` : `${count} of ${total}`}${order}. More: -L ${(started.limit ?? count) * 10}`,
    );
    return total;
  }
  const { continueCommand, nextRowsAfter } = await import('./continue-list.ts');
  const onward = continueCommand(context.argv, { ...nextRowsAfter(position, started), include });
  const how = onward === undefined ? 'For more, use a larger --limit.' : `To continue: ${onward}`;
  const these = count === 1 ? 'There are more rows than this one' : `There are more rows than these ${count}`;
  await context.notice(`${these}${total === undefined ? '' : `, ${total} in all`}. ${how}`);
  return total;
}

/** Adds the command that continues the list to a failure. With `--jq` svc prints no rows before the end, so the failure stays unchanged. */
async function stoppedHalfWay(
  context: Needs<'argv' | 'globals' | 'signal'>,
  thrown: unknown,
  position: Position,
  started: StartedList,
  include: readonly string[],
): Promise<unknown> {
  // Ctrl-C also stops the program that reads the pipe. svc can therefore get the error of the closed pipe before the interrupt.
  const error = thrown instanceof OutputClosed && context.signal.aborted ? context.signal.reason : thrown;
  if (!(error instanceof SvcError) || position.rows === 0 || context.globals.jq !== undefined) return error;
  const { continueCommand, nextRowsAfter } = await import('./continue-list.ts');
  const left = started.limit === undefined ? undefined : started.limit - position.rows;
  const resume = continueCommand(context.argv, { ...nextRowsAfter(position, started), include }, left);
  return withMore(error, { lines: [`${position.rows} rows were written before the failure.`], resume });
}
