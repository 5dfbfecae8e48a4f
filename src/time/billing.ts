import type { JsonObject, JsonValue } from '../values/json.ts';
import { type Cents, sixtieth } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import { type Entry, readEntry } from './entry.ts';

/**
 * The billing state of an entry; each entry has exactly one.
 *
 * - `billed`: it names an invoice or an invoice row.
 * - `unbilled`: it is billable, within its budget, and names neither.
 * - `unknown`: the record lacks a field that decides (rule 18.33).
 */
export type BillingState = 'billed' | 'not-billable' | 'over-budget' | 'unbilled' | 'unknown';

/** An entry with the fields that billing needs. */
export interface BillingEntry extends Entry {
  readonly state: BillingState;
  /** null: no budget; undefined: not shown. */
  readonly budgetId: number | null | undefined;
}

/** An invoice and its rows: an entry that names one of these is not billed by another. */
export interface OwnInvoice {
  readonly invoice: number;
  readonly rows: ReadonlySet<JsonValue | undefined>;
}

/**
 * Reads a worklog loosely, as {@link readEntry} does.
 *
 * @param own an invoice in preparation: an entry that names it is not billed yet.
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

/** Null in place of a boolean counts as unknown, like an absent field. */
function flag(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Fields that decide whose entries are billed together, and at which rate. */
export interface BillingPlace {
  readonly projectId: number | null | undefined;
  readonly budgetId: number | null | undefined;
  readonly userId: number | null | undefined;
}

/** Minutes by billing state; together they are `minutes`. */
export interface BillingSums {
  readonly minutes: number;
  readonly unbilled: number;
  readonly overBudget: number;
  readonly notBillable: number;
  readonly billed: number;
  readonly unknown: number;
  readonly entries: number;
  /** The first day with an unbilled entry, over budget or not; undefined without one. */
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

/** Adds entries up one by one; memory grows with the places, not with the entries. @param byUser separates people. */
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

/** The record that a group belongs to: `id` is null for none, undefined for unknown. */
export interface BillingKey {
  readonly id: number | null | undefined;
  readonly name: string | undefined;
}

/** A group of parts, with the price of its unbilled minutes. */
export interface BillingGroup extends BillingKey {
  readonly sums: BillingSums;
  /** Undefined if some of the unbilled minutes have no known rate. */
  readonly amount: Cents | undefined;
  /** Unbilled minutes without a known rate. */
  readonly unpriced: number;
}

/** Groups parts: the group with the most unbilled minutes first, an unknown group last. The amount of a group is rounded once. */
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
