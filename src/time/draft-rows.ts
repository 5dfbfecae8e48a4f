import { amountFor, type Cents, decimalHours } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import type { BillingEntry } from './billing.ts';
import { idsOf, minutesIn, projectName, userName, workItemName } from './entry.ts';

export const DRAFT_GROUPS = ['work-item', 'day', 'person'] as const;
export type DraftGroup = (typeof DRAFT_GROUPS)[number];

export interface DraftEntry extends BillingEntry {
  readonly rate: Cents | undefined;
}

export interface DraftRow {
  readonly name: string;
  readonly description: string;
  readonly of: DraftEntry;
  readonly logged: number;
  readonly minutes: number;
  readonly rate: Cents | undefined;
  /**
   * The time in decimal hours if two decimals are exact. Otherwise `1`: a single piece at the full price. Undefined if two decimals are not
   * exact, and the row has no rate.
   */
  readonly quantity: string | undefined;
  readonly unitPrice: Cents | undefined;
  readonly amount: Cents | undefined;
  readonly vat: Cents | undefined;
  readonly entryIds: readonly number[];
}

export interface DraftOptions {
  readonly group: DraftGroup;
  /** The step, in minutes, that svc rounds each row to. Default: svc does not round. */
  readonly round?: number | undefined;
  readonly vatRate?: number | undefined;
}

/** Returns the rows of an invoice. svc rounds the time of a row to the step, and then the amount to the cent. Half a step rounds up. */
export function draftRows(entries: readonly DraftEntry[], { group, round, vatRate }: DraftOptions): readonly DraftRow[] {
  const groups = Map.groupBy(entries, (entry) => `${keyOf(entry, group)} ${entry.rate}`);
  return [...groups.values()]
    .flatMap((some) => {
      const [of] = some;
      if (of === undefined) return [];
      const logged = minutesIn(some);
      const minutes = round === undefined ? logged : roundMinutes(logged, round);
      const amount = of.rate === undefined ? undefined : amountFor(minutes, of.rate);
      // Two decimals express the time in hours exactly only if the minutes are a multiple of three.
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
        entryIds: idsOf(some),
      };
      return [{ row, first: days[0] ?? '' }];
    })
    .sort((one, other) => compareTexts(one.first, other.first) || compareTexts(one.row.name, other.row.name))
    .map(({ row }) => row);
}

function roundMinutes(minutes: number, step: number): number {
  return Math.floor((2 * minutes + step) / (2 * step)) * step;
}

/** Calculates the VAT, rounded to the nearest cent. Half a cent rounds away from zero. */
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

/** Lists the projects of the entries. Leaves out the texts of entries, because many texts are not meant for customers. */
function projectsOf(entries: readonly DraftEntry[]): string {
  return [...new Set(entries.map(projectName))].sort(compareTexts).join(', ');
}

function daysText(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}
