import type { ApiClient } from '../client/api-client.ts';
import { isAboutValue, isRefusal, refusedIn } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import { countRows, type Position, type RowStream, rows, type Walk } from '../client/pages.ts';
import { OtherFormError, RefusedError } from '../errors.ts';
import { type JsonObject, type JsonValue, ownEntry, scalarText } from '../values/json.ts';
import { compareTexts } from '../values/text.ts';
import { filterName, type ListFilter, listQuery } from './list-filter.ts';

export interface FilteredRowsOptions {
  readonly client: ApiClient;
  readonly path: string;
  /** Returns the rate-limit units that a page costs with the given query parameters. Default: calculated from the query. */
  readonly cost?: ((query: Query) => number) | undefined;
  readonly filters: readonly ListFilter[];
  readonly rest: Query;
  readonly assumed?: readonly string[];
  readonly limit: number | undefined;
  /** The function that reads all pages, if the list has no limit. Default: one page after another, by cursor. */
  readonly walk?: Walk | undefined;
  readonly patient?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onRefused?: ((filter: ListFilter) => Promise<void>) | undefined;
}

export interface FilteredRows extends Pick<RowStream, 'batches' | 'position'> {
  /**
   * Returns the number of rows, with at most one small extra request. Undefined if the service does not count the rows, or if svc filters
   * the rows.
   */
  count(signal: AbortSignal): Promise<number | undefined>;
}

/**
 * Reads rows with filters. If the service refuses or ignores an undocumented filter, svc removes the filter and filters the rows itself.
 * svc does the same for a documented filter with a flag of its own, such as `--project`. If a summary lacks the field and the user chose no
 * view, svc reads the detail view. If the service refuses a documented filter of `--filter`, or the value of a documented filter, svc throws
 * the refusal.
 */
export function filteredRows({ client, path, cost, filters, rest, limit, walk, onRefused, ...how }: FilteredRowsOptions): FilteredRows {
  const { patient = false, signal, assumed = [] } = how;
  const refused = new Map<ListFilter, RefusedError>();
  let passed = 0;
  let cut = false;
  let isAtEnd = false;
  let detail = rest.some(([name]) => name === 'view');
  let stream: RowStream = open();

  /** Starts a read with the filters that the service accepts. If svc filters rows itself, svc reads the largest pages. */
  function open(): RowStream {
    const some = filters.filter((filter) => !refused.has(filter));
    const query = queryOf(some);
    // A refusal of an enum’s value does not concern the filter itself.
    const guesses = some.filter((filter) => filter.assumed && filter.kind !== 'enum').map(filterName);
    const request = {
      method: 'GET',
      path,
      query,
      assumed: [...assumed, ...guesses],
      ...(cost !== undefined && { cost: cost(query) }),
      ...(signal !== undefined && { signal }),
    };
    return rows(client, request, { walk, patient, ...(refused.size === 0 && { limit }) });
  }

  function queryOf(some: readonly ListFilter[]): Query {
    const view = detail && !rest.some(([name]) => name === 'view') ? [['view', 'detail'] as const] : [];
    return listQuery(some, [...rest, ...view]);
  }

  async function* batches(): AsyncGenerator<readonly JsonObject[]> {
    for (;;) {
      let started = false;
      try {
        for await (const batch of stream.batches()) {
          const passedOver = started ? undefined : filters.find((filter) => !refused.has(filter) && isPassedOver(filter, batch));
          if (passedOver !== undefined) throw new PassedOver(passedOver);
          started = true;
          const wanted = batch.filter((row) => [...refused].every(([filter, error]) => passes(filter, row, error)));
          const left = (limit ?? Number.POSITIVE_INFINITY) - passed;
          cut = refused.size > 0 && wanted.length > left;
          const given = cut ? wanted.slice(0, left) : wanted;
          passed += given.length;
          yield given;
          isAtEnd = !cut && stream.isAtEnd();
          if (refused.size > 0 && passed === limit) return;
        }
        return;
      } catch (error) {
        if (!started && error instanceof OtherFormError) {
          stream = open();
          continue;
        }
        // A summary may lack the field that svc filters by (rule 18.23).
        if (passed === 0 && !detail && [...refused.values()].some((refusal) => refusal === error)) {
          detail = true;
          stream = open();
          continue;
        }
        const guess = started ? undefined : error instanceof PassedOver ? error.filter : refusedGuess(error, filters, refused);
        if (guess === undefined) throw error;
        refused.set(guess, error as RefusedError);
        await onRefused?.(guess);
        stream = open();
      }
    }
  }

  return {
    batches,
    // The service refuses the same filters in a count. The service also refuses to count a list whose pages already have a total (rule
    // 8.24).
    count: async (signal) =>
      refused.size > 0 ? undefined : (stream.position().total ?? (await countRows(client, path, queryOf(filters), signal))),
    position(): Position {
      const at = stream.position();
      if (refused.size === 0) return at;
      // The total counts rows that svc left out. No cursor continues from the middle of a page.
      const isMore = at.more && !isAtEnd;
      return { ...at, rows: passed, total: undefined, more: isMore, ...(cut && { cursor: undefined, page: undefined }) };
    },
  };
}

class PassedOver extends RefusedError {
  readonly filter: ListFilter;

  constructor(filter: ListFilter) {
    super(`The service accepts ${filterName(filter)}, but returns other rows too.`, {
      hint: 'Leave out the filter.',
      details: { status: 400 },
    });
    this.filter = filter;
  }
}

/**
 * Returns true if rows show that the service ignored an undocumented filter. Strings prove nothing, because the service compares strings in
 * its own way.
 */
function isPassedOver(filter: ListFilter, rows: readonly JsonObject[]): boolean {
  if (!filter.assumed || TEXTS.has(filter.kind)) return false;
  return rows.some((row) => Object.hasOwn(row, filter.field) && !passes(filter, row, new PassedOver(filter)));
}

function refusedGuess(error: unknown, filters: readonly ListFilter[], refused: ReadonlyMap<ListFilter, unknown>): ListFilter | undefined {
  if (!isRefusal(error)) return undefined;
  const { type, code } = error.details;
  if (type !== 'unsupported-parameter' && type !== 'invalid-query-parameter') return undefined;
  // An organisation may lack a documented filter. For a flag such as `--project`, svc then filters the rows itself.
  const mayLack = (filter: ListFilter) => filter.assumed || (!isAboutValue(error) && filter.flag !== '--filter');
  const guesses = filters.filter((filter) => mayLack(filter) && !refused.has(filter));
  const [name] = refusedIn(error, guesses.map(filterName));
  const guess = guesses.find((filter) => filterName(filter) === name);
  // A wrong enum value is a typing error, and shows that the filter exists (rule 2.35).
  return guess?.kind === 'enum' && (code === 'invalid_format' || code === 'in') ? undefined : guess;
}

function passes({ field, operator, value, kind }: ListFilter, row: JsonObject, refusal: RefusedError): boolean {
  const actual = ownEntry(row, field);
  if (actual === undefined) throw refusal;
  switch (operator) {
    case undefined:
      return compare(actual, value, kind) === 0;
    case 'null':
      return (actual === null) === (value === 'true');
    case 'in':
      return value.split(',').some((one) => compare(actual, one, kind) === 0);
    case 'gte':
      return (compare(actual, value, kind) ?? -1) >= 0;
    case 'gt':
      return (compare(actual, value, kind) ?? -1) > 0;
    case 'lte':
      return (compare(actual, value, kind) ?? 1) <= 0;
    case 'lt':
      return (compare(actual, value, kind) ?? 1) < 0;
    default:
      throw refusal;
  }
}

const TEXTS: ReadonlySet<ListFilter['kind']> = new Set(['string', 'html', 'markdown', 'enum', 'time', 'boolean', 'json']);

function compare(actual: JsonValue, wanted: string, kind: ListFilter['kind']): number | undefined {
  if (actual === null) return undefined;
  const text = scalarText(actual);
  if (kind === 'date' || kind === 'date-time' || kind === 'span-end') {
    // If one text is a day and the other text is a time, svc compares both texts as days.
    const length = Math.min(text.length, wanted.length);
    return compareTexts(text.slice(0, length), wanted.slice(0, length));
  }
  return TEXTS.has(kind) ? compareTexts(text, wanted) : Number(text) - Number(wanted);
}
