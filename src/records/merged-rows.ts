import type { FieldKind, Resource } from '../catalog/define.ts';
import { UsageError } from '../errors.ts';
import { sumOf } from '../time/tally.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import type { FilteredRows } from './filtered-rows.ts';
import type { ListFilter } from './list-filter.ts';

export interface MergedRowsOptions {
  readonly valued: FilteredRows;
  /** The rows without a value in the field of the filter, such as running timers. */
  readonly empty: FilteredRows;
  /** The order of both lists. Undefined if unknown: rows without a value then come last. */
  readonly order: RowOrder | undefined;
  readonly limit: number | undefined;
  readonly bound: ListFilter;
  readonly onUnordered: (field: string) => Promise<void>;
  readonly onTouching: (count: number) => Promise<void>;
}

/**
 * Merges two lists of rows. svc reads rows without a value first. A row that gets its value between the reads is in both lists, and svc
 * returns this row once.
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
    // svc reads both lists up to `limit`, because otherwise svc can’t know whether rows are missing.
    for await (const rows of all()) yield bounded(rows);
    cut ||= waiting.length > 0 || valued.position().more || empty.position().more;
    if (touching > 0) await onTouching(touching);
  }

  return {
    batches,
    count: async (signal) => sumOf(await Promise.all([valued.count(signal), empty.count(signal)])),
    position: () => ({
      rows: given,
      total: sumOf([valued.position().total, empty.position().total]),
      more: cut,
      // No cursor can describe a position between two lists.
      cursor: undefined,
      page: undefined,
      skip: 0,
    }),
  };
}

/** Inserts the rows of `waiting` into `rows` by the order, up to the last row of `rows`. Removes the inserted rows from `waiting`. */
function interleaved(rows: readonly JsonObject[], waiting: JsonObject[], order: RowOrder): JsonObject[] {
  return rows.flatMap((row) => {
    const after = waiting.findIndex((other) => order.compare(other, row) > 0);
    return [...waiting.splice(0, after < 0 ? waiting.length : after), row];
  });
}

function idOf(row: JsonObject): JsonValue | undefined {
  return row['id'];
}

export interface RowOrder {
  readonly field: string;
  /** Compares two rows. A negative result means that the first row comes first. */
  readonly compare: (one: JsonObject, other: JsonObject) => number;
}

const NUMBERS: ReadonlySet<FieldKind> = new Set(['id', 'user', 'work-item', 'integer', 'duration', 'percentage']);
const TIMES: ReadonlySet<FieldKind> = new Set(['date', 'date-time', 'span-end']);

/**
 * Reads the order of a list from `sort`. The form of a descending order is not documented (rule 18.5), so `-field` and `field:desc` mean
 * the same. Undefined if the order is unknown.
 * @throws UsageError for a field other than a number or a time. Only the service knows its order of strings.
 */
export function rowOrder(resource: Resource, sort: string | undefined): RowOrder | undefined {
  const text = sort ?? resource.defaultSort;
  if (text === undefined) return undefined;
  const [, minus, field = '', suffix] = /^(-?)(\w+)(?::(asc|desc))?$/.exec(text) ?? [];
  const kind = Object.hasOwn(resource.fields, field) ? resource.fields[field]?.kind : undefined;
  if (kind === undefined || !(NUMBERS.has(kind) || TIMES.has(kind))) {
    throw new UsageError(`--sort: svc merges these rows from two lists, and cannot sort them by "${text}".`, {
      hint: `For example: --sort ${resource.defaultSort ?? 'id'}`,
    });
  }
  const direction = minus === '-' || suffix === 'desc' ? -1 : 1;
  const ascending = NUMBERS.has(kind) ? byNumber : byText;
  return { field, compare: (one, other) => direction * ascending(one[field], other[field]) };
}

function byNumber(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [first, second] = [one, other].map((value) => ((value ?? null) === null ? Number.POSITIVE_INFINITY : Number(scalarText(value))));
  return first === second ? 0 : (first ?? 0) - (second ?? 0);
}

function byText(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [first = '', second = ''] = [one, other].map((value) => ((value ?? null) === null ? '￿' : scalarText(value)));
  return first < second ? -1 : first > second ? 1 : 0;
}
