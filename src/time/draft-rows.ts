import { amountFor, type Cents, decimalHours, divideRounded } from '../values/money.ts';
import { compareTexts } from '../values/text.ts';
import type { BillingEntry } from './billing.ts';
import { rangeOf } from './date-range.ts';
import { idsOf, minutesIn, projectName, userName, workItemName } from './entry.ts';

export const DRAFT_GROUPS = ['work-item', 'day', 'person'] as const;
export type DraftGroup = (typeof DRAFT_GROUPS)[number];

export interface DraftEntry extends BillingEntry {
  readonly rate: Cents | undefined;
}

export type DraftRow = ReturnType<typeof rowOf>['row'];

export interface DraftOptions {
  readonly group: DraftGroup;
  /** The step, in minutes, that svc rounds each row to. Default: svc does not round. */
  readonly round?: number | undefined;
  readonly vatRate?: number | undefined;
}

/** Returns the rows of an invoice. svc rounds the time of a row to the step, and then the amount to the cent. Half a step rounds up. */
export function draftRows(entries: readonly DraftEntry[], options: DraftOptions): readonly DraftRow[] {
  const groups = Map.groupBy(entries, (entry) => `${keyOf(entry, options.group)} ${entry.rate}`);
  return [...groups.values()]
    .map((some) => rowOf(some as [DraftEntry], options))
    .sort((one, other) => compareTexts(one.first, other.first) || compareTexts(one.row.name, other.row.name))
    .map(({ row }) => row);
}

function rowOf(some: readonly [DraftEntry, ...DraftEntry[]], { group, round, vatRate }: DraftOptions) {
  const [of] = some;
  const logged = minutesIn(some);
  const minutes = round === undefined ? logged : Math.floor(logged / round + 0.5) * round;
  const amount = of.rate === undefined ? undefined : amountFor(minutes, of.rate);
  // Two decimals express the time in hours exactly only if the minutes are a multiple of three.
  const hours = decimalHours(minutes);
  const { first, last } = rangeOf(some.map(({ date }) => date));
  const row = {
    name: nameOf(of, group),
    description: group === 'day' ? projectsOf(some) : first === last ? first : `${first} to ${last}`,
    of,
    logged,
    minutes,
    rate: of.rate,
    /** The time in decimal hours if two decimals are exact. Otherwise `1`: a single piece at the full price. */
    quantity: hours ?? (amount === undefined ? undefined : '1'),
    unitPrice: hours === undefined ? amount : of.rate,
    amount,
    vat: amount === undefined || vatRate === undefined ? undefined : divideRounded(amount * BigInt(vatRate), 100n),
    entryIds: idsOf(some),
  };
  return { row, first };
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
