import { amountFor, type Cents, decimalHours } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import type { BillingEntry } from './billing.ts';
import { projectName, userName, workItemName } from './entry.ts';

/** Groupings of entries into rows of a draft. */
export const DRAFT_GROUPS = ['work-item', 'day', 'person'] as const;
export type DraftGroup = (typeof DRAFT_GROUPS)[number];

/** An entry of a draft, with its hourly rate if known. */
export interface DraftEntry extends BillingEntry {
  readonly rate: Cents | undefined;
}

/** A row of an invoice in preparation. */
export interface DraftRow {
  readonly name: string;
  readonly description: string;
  /** An entry that stands for the common work item, day or person. */
  readonly of: DraftEntry;
  /** Minutes as logged. */
  readonly logged: number;
  /** Minutes as billed, rounded. */
  readonly minutes: number;
  /** Price of an hour. */
  readonly rate: Cents | undefined;
  /** Hours, if two decimals express them exactly; else `1`, one piece at its whole price; undefined without a rate then. */
  readonly quantity: string | undefined;
  readonly unitPrice: Cents | undefined;
  /** Without VAT. */
  readonly amount: Cents | undefined;
  /** Undefined without a VAT rate. */
  readonly vat: Cents | undefined;
  readonly entryIds: readonly number[];
}

export interface DraftOptions {
  readonly group: DraftGroup;
  /** Step in minutes to which a row is rounded. */
  readonly round?: number | undefined;
  /** Percentage. */
  readonly vatRate?: number | undefined;
}

/**
 * Returns the rows of a draft, in the order of their first days. Entries of one row have one rate. svc rounds the sum of a row to the
 * nearest step, half a step up, and never its entries. Each amount is rounded to the cent once.
 */
export function draftRows(entries: readonly DraftEntry[], { group, round, vatRate }: DraftOptions): readonly DraftRow[] {
  const groups = Map.groupBy(entries, (entry) => `${keyOf(entry, group)} ${entry.rate}`);
  return [...groups.values()]
    .flatMap((some) => {
      const [of] = some;
      if (of === undefined) return [];
      const logged = some.reduce((sum, { minutes }) => sum + minutes, 0);
      const minutes = round === undefined ? logged : roundMinutes(logged, round);
      const amount = of.rate === undefined ? undefined : amountFor(minutes, of.rate);
      // Two decimals express a multiple of three minutes, a twentieth of an hour; no number of decimals expresses any other.
      const hours = decimalHours(minutes);
      const days = some.map(({ date }) => date).sort();
      const row: DraftRow = {
        name: nameOf(of, group),
        description: group === 'day' ? projectsOf(some) : daysText(days[0] ?? '', days.at(-1) ?? ''),
        of,
        logged,
        minutes,
        rate: of.rate,
        quantity: hours ?? (amount === undefined ? undefined : '1'),
        unitPrice: hours === undefined ? amount : of.rate,
        amount,
        vat: amount === undefined || vatRate === undefined ? undefined : vatOf(amount, vatRate),
        entryIds: some.flatMap(({ id }) => id ?? []).sort((one, other) => one - other),
      };
      return [{ row, first: days[0] ?? '' }];
    })
    .sort((one, other) => compareTexts(one.first, other.first) || compareTexts(one.row.name, other.row.name))
    .map(({ row }) => row);
}

/** Rounds to the nearest multiple of a step in minutes, half a step up. */
function roundMinutes(minutes: number, step: number): number {
  return Math.floor((2 * minutes + step) / (2 * step)) * step;
}

/** Rounds to the nearest cent; half a cent goes away from zero. */
function vatOf(amount: Cents, percent: number): Cents {
  const whole = amount * BigInt(percent);
  const size = whole < 0n ? -whole : whole;
  const cents = (size + 50n) / 100n;
  return whole < 0n ? -cents : cents;
}

function keyOf({ date, userId, workItemId, projectId }: DraftEntry, group: DraftGroup): string {
  if (group === 'day') return date;
  if (group === 'person') return String(userId);
  return workItemId == null ? `project ${projectId}` : `item ${workItemId}`;
}

function nameOf(entry: DraftEntry, group: DraftGroup): string {
  if (group === 'day') return entry.date;
  if (group === 'person') return userName(entry);
  return entry.workItemId == null ? projectName(entry) : workItemName(entry);
}

/** The text of entries might not suit customers, so descriptions leave it out. */
function projectsOf(entries: readonly DraftEntry[]): string {
  return [...new Set(entries.map(projectName))].sort(compareTexts).join(', ');
}

function daysText(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}
