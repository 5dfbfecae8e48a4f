import type { JsonObject, JsonValue } from '../values/json.ts';
import { amountFor, type Cents, divideRounded, formatAmount } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import { booleanIn, type Entry, minutesIn, readEntry } from './entry.ts';
import { amountOfSteps, type FigureStep, worklogStep } from './figure-step.ts';

/**
 * The billing state of an entry. Each entry has exactly one state. `not-billable` and `over-budget` are the service’s own marks.
 *
 * - `billed`: the entry names an invoice or an invoice row.
 * - `unbilled`: the entry is billable, is within its budget, and names neither an invoice nor an invoice row.
 * - `unknown`: the record lacks a field that decides the state (rule 18.33).
 */
type BillingState = 'billed' | 'not-billable' | 'over-budget' | 'unbilled' | 'unknown';

export type BillingEntry = Readonly<ReturnType<typeof readBillingEntry>>;

/** An invoice in preparation, with the ids of its rows. Entries that name this invoice do not count as billed by another invoice. */
export interface OwnInvoice {
  readonly invoice: number;
  readonly rows: ReadonlySet<JsonValue | undefined>;
}

/**
 * Reads a worklog for billing. @param own an invoice in preparation. An entry that names this invoice counts as not billed yet. @throws
 * UnavailableError for a record without a day or without minutes.
 */
export function readBillingEntry(record: JsonObject, own?: OwnInvoice) {
  return { ...readEntry(record), state: stateOf(record, own) };
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

/** The fields that decide which entries are billed together, and at which rate. Null means no record; undefined means unknown. */
export type BillingPlace = Pick<Entry, 'projectId' | 'budgetId' | 'userId'>;

/** The record that a group is named after. An `id` of null means no record; undefined means an unknown record. */
export interface BillingKey {
  readonly id: number | null | undefined;
  readonly name: string | undefined;
}

export type BillingGroup = ReturnType<typeof groupOf>;

/**
 * Groups entries. The group with the most unbilled minutes comes first, and an unknown group last. svc rounds the amount of a group once.
 */
export function groupEntries(
  entries: readonly BillingEntry[],
  keyOf: (place: BillingPlace) => BillingKey,
  rateOf: (place: BillingPlace) => Cents | undefined,
) {
  return [...Map.groupBy(entries, (entry) => String(keyOf(entry).id)).values()]
    .map((some) => groupOf(keyOf(some[0] as BillingEntry), some, rateOf))
    .sort(
      (one, other) =>
        Number(one.id === undefined) - Number(other.id === undefined) ||
        other.sums.unbilled - one.sums.unbilled ||
        compareTexts(one.name ?? '', other.name ?? '') ||
        (one.id ?? 0) - (other.id ?? 0),
    );
}

function groupOf(key: BillingKey, entries: readonly BillingEntry[], rateOf: (place: BillingPlace) => Cents | undefined) {
  const inOrder = entries.toSorted((one, other) => compareTexts(one.date, other.date) || (one.id ?? 0) - (other.id ?? 0));
  const priced = inOrder.map((entry) => ({ entry, rate: rateOf(entry) }));
  const steps = priced.map(({ entry, rate }) => billingStep(entry, rate));
  const minutesOf = (state: BillingState) => minutesIn(entries.filter((entry) => entry.state === state));
  const open = inOrder.find(({ state }) => state === 'unbilled' || state === 'over-budget');
  const all = [...steps, ...roundingStep(priced, steps)];
  return {
    ...key,
    /** The minutes in each billing state. The states add up to `minutes`. */
    sums: {
      minutes: minutesIn(entries),
      unbilled: minutesOf('unbilled'),
      overBudget: minutesOf('over-budget'),
      notBillable: minutesOf('not-billable'),
      billed: minutesOf('billed'),
      unknown: minutesOf('unknown'),
      entries: entries.length,
      /** The first day with an unbilled entry or an entry over the budget. */
      oldest: open?.date,
    },
    /** The price of the unbilled minutes. Undefined if some of these minutes have no known rate, or if the state of an entry is unknown. */
    amount: amountOfSteps(all),
    unpriced: priced.reduce((sum, { entry, rate }) => sum + (rate === undefined && entry.state === 'unbilled' ? entry.minutes : 0), 0),
    /** A step for each entry, and a step if rounding changes the amount. The steps add up to the unbilled minutes, and to `amount`. */
    steps: all,
  };
}

const REASONS = {
  billed: 'On an invoice',
  'not-billable': 'Not billable',
  'over-budget': 'Over the budget',
  unknown: 'The service does not show whether this entry is billable or billed',
} as const;

function billingStep(entry: BillingEntry, rate: Cents | undefined): FigureStep {
  const { state, minutes } = entry;
  if (state === 'unknown') return worklogStep(entry, { kind: 'unknown-billing', reason: REASONS.unknown, minutes: null, amount: null });
  if (state !== 'unbilled') return worklogStep(entry, { kind: state, reason: REASONS[state], minutes: 0, amount: 0n });
  const price = rate === undefined ? 'without a known rate' : `at ${formatAmount(rate)} an hour`;
  const amount = minutes === 0 ? 0n : rate === undefined ? null : amountFor(minutes, rate);
  return worklogStep(entry, { kind: 'unbilled', reason: `Unbilled ${price}`, minutes, amount });
}

/** Returns the step from the sum of the rounded prices to the rounded sum of the exact prices. */
function roundingStep(
  priced: readonly { readonly entry: BillingEntry; readonly rate: Cents | undefined }[],
  steps: readonly FigureStep[],
): FigureStep[] {
  const rounded = amountOfSteps(steps);
  const exact = priced.reduce((sum, { entry, rate = 0n }) => sum + (entry.state === 'unbilled' ? BigInt(entry.minutes) * rate : 0n), 0n);
  const amount = rounded === undefined ? 0n : divideRounded(exact, 60n) - rounded;
  return amount === 0n ? [] : [{ kind: 'cents', reason: 'svc rounds the amount to cents once', minutes: 0, amount }];
}
