import type { JsonObject, JsonValue } from '../values/json.ts';
import { type Cents, sixtieth } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import { booleanIn, type Entry, readEntry } from './entry.ts';
import type { Mutable } from './totals.ts';

/**
 * The billing state of an entry. Each entry has exactly one state. `not-billable` and `over-budget` are the service’s own marks.
 *
 * - `billed`: the entry names an invoice or an invoice row.
 * - `unbilled`: the entry is billable and within its budget, and names neither.
 * - `unknown`: the record lacks a field that decides (rule 18.33).
 */
export type BillingState = 'billed' | 'not-billable' | 'over-budget' | 'unbilled' | 'unknown';

export interface BillingEntry extends Entry {
  readonly state: BillingState;
}

/** An invoice in preparation, with the ids of its rows. Entries that name this invoice do not count as billed by another invoice. */
export interface OwnInvoice {
  readonly invoice: number;
  readonly rows: ReadonlySet<JsonValue | undefined>;
}

/** Reads a worklog for billing. @param own an invoice in preparation. An entry that names this invoice is not billed yet. */
export function readBillingEntry(record: JsonObject, own?: OwnInvoice): BillingEntry {
  return {
    ...readEntry(record),
    state: stateOf(record, own),
  };
}

function stateOf(record: JsonObject, own: OwnInvoice | undefined): BillingState {
  const { sales_invoice_row_id: row, invoice_id: invoice } = record;
  const named = [own?.rows.has(row) ? null : row, own !== undefined && invoice === own.invoice ? null : invoice];
  if (named.some((value) => value !== undefined && value !== null)) return 'billed';
  if (named.includes(undefined)) return 'unknown';
  const notBillable = booleanIn(record['is_not_billable']);
  if (notBillable !== false) return notBillable === undefined ? 'unknown' : 'not-billable';
  const exceeded = booleanIn(record['exceeded_budget']);
  return exceeded === undefined ? 'unknown' : exceeded ? 'over-budget' : 'unbilled';
}

/** The fields that decide which entries are billed together, and at which rate. Null means none; undefined means unknown. */
export interface BillingPlace {
  readonly projectId: number | null | undefined;
  readonly budgetId: number | null | undefined;
  readonly userId: number | null | undefined;
}

/** The minutes in each billing state. The states add up to `minutes`. */
export interface BillingSums {
  readonly minutes: number;
  readonly unbilled: number;
  readonly overBudget: number;
  readonly notBillable: number;
  readonly billed: number;
  readonly unknown: number;
  readonly entries: number;
  /** The first day (`YYYY-MM-DD`) with an entry that is not billed yet. Undefined if there is none. */
  readonly oldest: string | undefined;
}

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

/** The record that a group is named after. An `id` of null means no record; undefined means an unknown record. */
export interface BillingKey {
  readonly id: number | null | undefined;
  readonly name: string | undefined;
}

export interface BillingGroup extends BillingKey {
  readonly sums: BillingSums;
  /** The price of the unbilled minutes. Undefined if some of these minutes have no known rate. */
  readonly amount: Cents | undefined;
  readonly unpriced: number;
}

/** Groups the unbilled minutes, the largest group first, an unknown group last. svc rounds the amount of a group once. */
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
