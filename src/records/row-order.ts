import type { FieldKind, Resource } from '../catalog/define.ts';
import { UsageError } from '../errors.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';

/** The order of rows. */
export interface RowOrder {
  readonly field: string;
  /** Below zero when the first comes before the second. */
  readonly compare: (one: JsonObject, other: JsonObject) => number;
}

const NUMBERS: ReadonlySet<FieldKind> = new Set(['id', 'user', 'work-item', 'integer', 'duration', 'percentage']);
const TIMES: ReadonlySet<FieldKind> = new Set(['date', 'date-time', 'span-end']);

/**
 * The order of a list, by the typed `--sort`, else as the service documents it. How a descending order is written is not
 * documented (rule 18.5): `-field` and `field:desc` are read as one. A row without a value comes after all rows that have one.
 *
 * @returns undefined where the order is unknown.
 * @throws UsageError for an order that rows do not show: how the service orders strings is its own.
 */
export function rowOrder(resource: Resource, sort: string | undefined): RowOrder | undefined {
  const text = sort ?? resource.defaultSort;
  if (text === undefined) return undefined;
  const [, minus, field = '', suffix] = /^(-?)(\w+)(?::(asc|desc))?$/.exec(text) ?? [];
  const kind = Object.hasOwn(resource.fields, field) ? resource.fields[field]?.kind : undefined;
  if (kind === undefined || !(NUMBERS.has(kind) || TIMES.has(kind))) {
    throw new UsageError(`--sort: these rows come in two walks, which svc can put together by a number or a time, not by "${text}".`, {
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

/** Days and times in their one form compare as strings. */
function byText(one: JsonValue | undefined, other: JsonValue | undefined): number {
  const [first = '', second = ''] = [one, other].map((value) => ((value ?? null) === null ? '￿' : scalarText(value)));
  return first < second ? -1 : first > second ? 1 : 0;
}
