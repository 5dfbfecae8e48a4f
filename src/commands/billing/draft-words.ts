import type { Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/host-to-name.ts';
import type { DaySpan } from '../../time/day-span.ts';
import type { DraftRow } from '../../time/draft-rows.ts';
import { type Cents, formatAmount, readAmount } from '../../values/amount.ts';
import { counted } from '../../values/counted.ts';
import { formatDuration } from '../../values/duration.ts';
import { scalarText } from '../../values/json.ts';
import type { NotDrafted } from './draft-entries.ts';
import type { SentDraft } from './send-draft.ts';

/** What is not in the draft, and why, a line each; rows that rounding left nothing of among it. */
export function leftOutWords(
  { notBillable, overBudget, billed, unknown, hidden }: NotDrafted,
  rows: readonly DraftRow[],
): readonly string[] {
  const parts = [
    [notBillable, 'not billable'],
    [overBudget, 'over the budget (--over-budget bills them)'],
    [billed, 'on an invoice already'],
  ] as const;
  const known = parts.filter(([minutes]) => minutes !== 0).map(([minutes, why]) => `${formatDuration(minutes)} ${why}`);
  return [
    ...(known.length === 0 ? [] : [`Left out: ${known.join(', ')}.`]),
    ...(unknown === 0
      ? []
      : [`Left out: ${formatDuration(unknown)} of which the service does not show whether they are billable or on an invoice.`]),
    ...(hidden === 0 ? [] : [`Left out: ${counted(hidden, 'entry', 'entries')} of which the service does not show the project.`]),
    ...rows
      .filter(({ minutes }) => minutes === 0)
      .map(({ name, logged }) => `Left out: ${name}, since ${formatDuration(logged)} round to nothing.`),
  ];
}

interface Told {
  readonly name: string;
  readonly days: DaySpan;
  readonly rows: readonly DraftRow[];
  readonly round: number | undefined;
  readonly vatRate: number | undefined;
}

/** The sum of a draft, and what is not known of it. */
export async function tellDraft(context: Needs<'notice'>, { name, days, rows, round, vatRate }: Told): Promise<void> {
  const minutes = sum(rows, (row) => row.minutes);
  const logged = sum(rows, (row) => row.logged);
  const entries = sum(rows, (row) => row.entryIds.length);
  const priced = rows.filter(({ amount }) => amount !== undefined);
  const amount = total(priced, (row) => row.amount);
  const vat = vatRate === undefined ? '' : ` and ${formatAmount(total(priced, (row) => row.vat))} VAT`;
  const price = priced.length === rows.length ? `, ${formatAmount(amount)}${vat === '' ? ' without VAT' : vat}` : '';
  const time =
    round === undefined || minutes === logged ? formatDuration(minutes) : `${formatDuration(minutes)} (${formatDuration(logged)} logged)`;
  await context.notice(
    `${name}, ${days.first} to ${days.last}: ${counted(entries, 'entry', 'entries')}, ${time} on ${counted(rows.length, 'row')}${price}.`,
  );
  const unpriced = rows.length - priced.length;
  if (unpriced > 0) await context.notice(`No rate is known for ${counted(unpriced, 'row')}: without a price. Give one with --rate.`);
  const pieces = rows.filter(({ quantity, minutes: billed }) => quantity !== undefined && billed % 3 !== 0).length;
  if (pieces > 0)
    await context.notice(`No two decimals hold the hours of ${counted(pieces, 'row')}: one piece at its price. --round 15m avoids that.`);
}

/** What the service made of it. */
export async function tellAnswer(
  context: Needs<'notice' | 'resolvedHost' | 'settings'>,
  { id, invoice, rows: made }: SentDraft,
  rows: readonly DraftRow[],
  { customer, days }: { readonly customer: number; readonly days: DaySpan },
): Promise<void> {
  const number = scalarText(invoice['number'] ?? null);
  await context.notice(`Invoice ${id}${number === '' ? '' : ` (${number})`} is there with ${counted(rows.length, 'row')}.`);
  const status = [invoice, ...made]
    .map((record) => scalarText(record['status'] ?? null))
    .find((text) => /pending[\s_-]*approval/i.test(text));
  if (status !== undefined)
    await context.notice(
      `It waits for approval (${status}): that is where the service sends it without the permission Finalise sales invoices.`,
    );
  for (const [index, row] of rows.entries()) {
    const answer = made[index] ?? {};
    const [net, gross, vat] = [row.amount, readAmount(answer['total_amount']), readAmount(answer['vat_amount'])];
    if (net === undefined || gross === undefined || gross === net || gross === net + (vat ?? 0n)) continue;
    await context.notice(`${row.name}: the service makes it ${formatAmount(gross)}, svc ${formatAmount(net)} without VAT.`);
  }
  await context.notice(
    `It covers ${counted(
      sum(rows, (row) => row.entryIds.length),
      'entry',
      'entries',
    )}. The service does not document how they come to count as billed; what still is unbilled: svc billing unbilled --customer ${customer} --from ${days.first} --to ${days.last}${await hostFlag(context)}`,
  );
}

function sum(rows: readonly DraftRow[], minutes: (row: DraftRow) => number): number {
  return rows.reduce((all, row) => all + minutes(row), 0);
}

function total(rows: readonly DraftRow[], amount: (row: DraftRow) => Cents | undefined): Cents {
  return rows.reduce((all, row) => all + (amount(row) ?? 0n), 0n);
}
