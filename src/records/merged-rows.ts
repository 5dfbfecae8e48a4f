import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import type { FilteredRows } from './filtered-rows.ts';
import type { ListFilter } from './list-filter.ts';
import type { RowOrder } from './row-order.ts';

export interface MergedRowsOptions {
  /** Rows with a value of the field that the list is chosen by. */
  readonly valued: FilteredRows;
  /** Rows without one: those that still run. */
  readonly empty: FilteredRows;
  /** The order of both; undefined where it is unknown: rows without a value then come last. */
  readonly order: RowOrder | undefined;
  readonly limit: number | undefined;
  /** The filter that chose the first rows. */
  readonly bound: ListFilter;
  /** Reports that the rows lack the field that they are ordered by. */
  readonly onUnordered: (field: string) => Promise<void>;
  /** Reports rows that end exactly on the bound. */
  readonly onTouching: (count: number) => Promise<void>;
}

/**
 * Two walks as one list, in the order of both, no row twice. Rows without a value are read first and whole, at most `limit` of
 * them. A row that gets its value between the walks is then in both. In the other order it would be in neither.
 */
export function mergedRows({ valued, empty, order, limit, bound, onUnordered, onTouching }: MergedRowsOptions): FilteredRows {
  let given = 0;
  let cut = false;

  async function* batches(): AsyncGenerator<readonly JsonObject[]> {
    const waiting: JsonObject[] = [];
    for await (const batch of empty.batches()) waiting.push(...batch);
    const seen = new Set(waiting.map(idOf));
    let ordered = order;
    let touching = 0;
    const bounded = (rows: readonly JsonObject[]): readonly JsonObject[] => {
      const left = (limit ?? Number.POSITIVE_INFINITY) - given;
      cut ||= rows.length > left;
      const some = rows.slice(0, left);
      given += some.length;
      touching += some.filter((row) => scalarText(row[bound.field]) === bound.value).length;
      return some;
    };
    const all = async function* () {
      for await (const batch of valued.batches()) {
        const fresh = batch.filter((row) => !seen.has(idOf(row)));
        if (ordered !== undefined && [...waiting, ...fresh].some((row) => row[ordered?.field ?? ''] === undefined)) {
          await onUnordered(ordered.field);
          ordered = undefined;
        }
        yield ordered === undefined ? fresh : interleaved(fresh, waiting, ordered);
      }
      yield waiting.splice(0);
    };
    // Reads both to the end, which `limit` bounds too: only there it shows whether anything was left out.
    for await (const rows of all()) yield bounded(rows);
    cut ||= waiting.length > 0 || valued.position().more || empty.position().more;
    if (touching > 0) await onTouching(touching);
  }

  return {
    batches,
    async count(signal) {
      const counts = await Promise.all([valued.count(signal), empty.count(signal)]);
      return sum(counts);
    },
    position: () => ({
      rows: given,
      total: sum([valued.position().total, empty.position().total]),
      more: cut,
      // No cursor stands between the rows of two walks.
      cursor: undefined,
      page: undefined,
      skip: 0,
    }),
  };
}

/** The rows, each after those of `waiting` that come before it; these are taken out. */
function interleaved(rows: readonly JsonObject[], waiting: JsonObject[], order: RowOrder): JsonObject[] {
  return rows.flatMap((row) => {
    const after = waiting.findIndex((other) => order.compare(other, row) > 0);
    return [...waiting.splice(0, after < 0 ? waiting.length : after), row];
  });
}

function idOf(row: JsonObject): JsonValue | undefined {
  return row['id'];
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((total, count) => (total === undefined || count === undefined ? undefined : total + count), 0);
}
