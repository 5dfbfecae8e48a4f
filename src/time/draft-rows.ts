import { amountFor, type Cents, decimalHours } from '../values/amount.ts';
import { compareTexts } from '../values/compare.ts';
import type { BillingEntry } from './billing.ts';
import { projectName, userName, workItemName } from './entry.ts';

/** What a row of a draft is about. */
export const DRAFT_GROUPS = ['work-item', 'day', 'person'] as const;
export type DraftGroup = (typeof DRAFT_GROUPS)[number];

/** An entry that a draft covers, with what an hour of it costs where that is known. */
export interface DraftEntry extends BillingEntry {
  readonly rate: Cents | undefined;
}

/** A row of an invoice as it would be made. */
export interface DraftRow {
  readonly name: string;
  readonly description: string;
  /** The entry that stands for what they have in common: its work item, day or person. */
  readonly of: DraftEntry;
  /** As logged. */
  readonly logged: number;
  /** As billed: rounded. */
  readonly minutes: number;
  /** An hour's price. */
  readonly rate: Cents | undefined;
  /** Hours, where two decimals hold them exactly; else `1`, one piece at its whole price; undefined without a rate then. */
  readonly quantity: string | undefined;
  readonly unitPrice: Cents | undefined;
  /** Without VAT. */
  readonly amount: Cents | undefined;
  /** Undefined where no percentage was given. */
  readonly vat: Cents | undefined;
  readonly entryIds: readonly number[];
}

export interface DraftOptions {
  readonly group: DraftGroup;
  /** Minutes that a row is a multiple of. */
  readonly round?: number | undefined;
  /** In percent. */
  readonly vatRate?: number | undefined;
}

/**
 * The rows of a draft, in the order of their first days. Entries of one row have one rate. The sum of a row is rounded, not its entries: to
 * the nearest step, half a step up; each amount is rounded to the cent once.
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
      // Every third minute is a twentieth of an hour, and two decimals hold it; no decimals hold another.
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

/** To the nearest multiple of a step of minutes, half a step up. */
function roundMinutes(minutes: number, step: number): number {
  return Math.floor((2 * minutes + step) / (2 * step)) * step;
}

/** To the nearest cent; half a cent goes away from zero. */
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

/** What was written into entries may not be meant for customers, so none of it is in a description. */
function projectsOf(entries: readonly DraftEntry[]): string {
  return [...new Set(entries.map(projectName))].sort(compareTexts).join(', ');
}

function daysText(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}
