import { type Cents, sixtieth } from '../values/amount.ts';
import { compareTexts } from '../values/compare.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { type Entry, readEntry } from './entry.ts';

/**
 * How an entry stands towards an invoice; each is in exactly one of these. `billed`: it names an invoice or a row of one. `unbilled` is
 * billable, within its budget, and names neither. `unknown`: the record does not show what decides it (rule 18.33).
 */
export type BillingState = 'billed' | 'not-billable' | 'over-budget' | 'unbilled' | 'unknown';

/** An entry with what billing asks of it. */
export interface BillingEntry extends Entry {
  readonly state: BillingState;
  /** null: it has none; undefined: not shown. */
  readonly budgetId: number | null | undefined;
}

/** An invoice, and its rows, that an entry may name without being billed by another. */
export interface OwnInvoice {
  readonly invoice: number;
  readonly rows: ReadonlySet<JsonValue | undefined>;
}

/**
 * Reads a worklog loosely, as {@link readEntry} does.
 *
 * @param own an invoice that is being made: what names that one is not billed yet.
 * @throws UnavailableError without a day or minutes.
 */
export function readBillingEntry(record: JsonObject, own?: OwnInvoice): BillingEntry {
  const { budget_id: budget } = record;
  return {
    ...readEntry(record),
    state: stateOf(record, own),
    budgetId: budget === null ? null : typeof budget === 'number' ? budget : undefined,
  };
}

function stateOf(record: JsonObject, own: OwnInvoice | undefined): BillingState {
  const { sales_invoice_row_id: row, invoice_id: invoice } = record;
  const named = [own?.rows.has(row) ? null : row, own !== undefined && invoice === own.invoice ? null : invoice];
  if (named.some((value) => value !== undefined && value !== null)) return 'billed';
  if (named.includes(undefined)) return 'unknown';
  const notBillable = flag(record['is_not_billable']);
  if (notBillable !== false) return notBillable === undefined ? 'unknown' : 'not-billable';
  const exceeded = flag(record['exceeded_budget']);
  return exceeded === undefined ? 'unknown' : exceeded ? 'over-budget' : 'unbilled';
}

/** A boolean that is null says as little as one that is absent. */
function flag(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** What entries have in common that decides whose they are to bill, and at which rate. */
export interface BillingPlace {
  readonly projectId: number | null | undefined;
  readonly budgetId: number | null | undefined;
  readonly userId: number | null | undefined;
}

/** Minutes by how they stand; they make up `minutes`. */
export interface BillingSums {
  readonly minutes: number;
  readonly unbilled: number;
  readonly overBudget: number;
  readonly notBillable: number;
  readonly billed: number;
  readonly unknown: number;
  readonly entries: number;
  /** The first day with an unbilled entry, over budget or not; undefined where there is none. */
  readonly oldest: string | undefined;
}

/** The sums of one place. */
export interface BillingPart extends BillingPlace {
  readonly sums: BillingSums;
}

const FIGURES = {
  unbilled: 'unbilled',
  'over-budget': 'overBudget',
  'not-billable': 'notBillable',
  billed: 'billed',
  unknown: 'unknown',
} as const satisfies Readonly<Record<BillingState, keyof BillingSums>>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING: BillingSums = {
  minutes: 0,
  unbilled: 0,
  overBudget: 0,
  notBillable: 0,
  billed: 0,
  unknown: 0,
  entries: 0,
  oldest: undefined,
};

/** Adds entries up as they come; holds places, never entries. @param byUser whether people are told apart. */
export function createBillingTally(byUser: boolean): { add(entry: BillingEntry): void; parts(): readonly BillingPart[] } {
  const parts = new Map<string, BillingPlace & { readonly sums: Mutable<BillingSums> }>();
  return {
    add({ projectId, budgetId, userId, state, minutes, date }) {
      const place = { projectId, budgetId, userId: byUser ? userId : undefined };
      const key = `${place.projectId} ${place.budgetId} ${place.userId}`;
      const part = parts.get(key) ?? { ...place, sums: { ...NOTHING } };
      parts.set(key, part);
      const { sums } = part;
      sums.minutes += minutes;
      sums[FIGURES[state]] += minutes;
      sums.entries += 1;
      if (state === 'unbilled' || state === 'over-budget') sums.oldest = earlier(sums.oldest, date);
    },
    parts: () => [...parts.values()],
  };
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}

/** Where a part belongs: `id` null for nothing, undefined for what is not known. */
export interface BillingKey {
  readonly id: number | null | undefined;
  readonly name: string | undefined;
}

/** Parts that belong together, and what their unbilled minutes come to. */
export interface BillingGroup extends BillingKey {
  readonly sums: BillingSums;
  /** Undefined where some of the unbilled minutes have no known rate. */
  readonly amount: Cents | undefined;
  /** Unbilled minutes without a known rate. */
  readonly unpriced: number;
}

/**
 * Puts parts into groups: those with the most to bill first, what is not known where it belongs last. An amount is rounded once for its
 * whole group.
 */
export function groupParts(
  parts: readonly BillingPart[],
  keyOf: (place: BillingPlace) => BillingKey,
  rateOf: (place: BillingPlace) => Cents | undefined,
): readonly BillingGroup[] {
  const groups = new Map<string, BillingKey & { sums: Mutable<BillingSums>; worth: bigint; unpriced: number }>();
  for (const part of parts) {
    const key = keyOf(part);
    const group = groups.get(String(key.id)) ?? { ...key, sums: { ...NOTHING }, worth: 0n, unpriced: 0 };
    groups.set(String(key.id), group);
    addTo(group.sums, part.sums);
    const rate = rateOf(part);
    if (rate === undefined) group.unpriced += part.sums.unbilled;
    else group.worth += BigInt(part.sums.unbilled) * rate;
  }
  return [...groups.values()]
    .map(({ worth, ...group }) => ({ ...group, amount: group.unpriced > 0 ? undefined : sixtieth(worth) }))
    .sort(
      (one, other) =>
        Number(one.id === undefined) - Number(other.id === undefined) ||
        other.sums.unbilled - one.sums.unbilled ||
        compareTexts(one.name ?? '', other.name ?? '') ||
        (one.id ?? 0) - (other.id ?? 0),
    );
}

function addTo(sums: Mutable<BillingSums>, more: BillingSums): void {
  for (const name of ['minutes', 'unbilled', 'overBudget', 'notBillable', 'billed', 'unknown', 'entries'] as const)
    sums[name] += more[name];
  sums.oldest = earlier(sums.oldest, more.oldest);
}
