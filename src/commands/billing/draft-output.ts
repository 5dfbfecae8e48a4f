import type { Needs } from '../../session/context.ts';
import type { View } from '../../session/print.ts';
import { hostFlag } from '../../session/printed-command.ts';
import type { DateRange } from '../../time/date-range.ts';
import type { DraftGroup, DraftRow } from '../../time/draft-rows.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../values/json.ts';
import { type Cents, formatAmount, readAmount } from '../../values/money.ts';
import { counted } from '../../values/text.ts';
import type { NotDrafted } from './draft-entries.ts';
import type { SentDraft } from './send-draft.ts';

export interface Draft {
  readonly customer: number;
  /** The name of the customer. Undefined if the service does not show the name. */
  readonly customerName: string | undefined;
  readonly group: DraftGroup;
  /** The VAT rate in percent. If undefined, the service chooses the rate. */
  readonly vatRate: number | undefined;
  readonly days: DateRange;
  /** The step in minutes to which svc rounds rows. If undefined, svc does not round. */
  readonly round: number | undefined;
}

/** Creates the request body of a row. svc leaves out the descriptions of the entries, because many descriptions are not for customers. */
export function rowBody({ name, description, quantity, unitPrice, minutes }: DraftRow, vatRate: number | undefined): JsonObject {
  return {
    name,
    description,
    ...(quantity !== undefined && { quantity }),
    ...(unitPrice !== undefined && { unit_price: formatAmount(unitPrice) }),
    ...(vatRate !== undefined && { vat_rate: vatRate }),
    billable_minutes: minutes,
  };
}

export function rowRecord(
  row: DraftRow,
  { customer, customerName, group, vatRate }: Draft,
  invoice: number | undefined,
  made: JsonObject | undefined,
): JsonObject {
  const amount = (cents: bigint | undefined): JsonValue => (cents === undefined ? null : formatAmount(cents));
  const { date, userId, projectId, workItemId } = row.of;
  return {
    invoice_id: invoice ?? null,
    id: made?.['id'] ?? null,
    customer_id: customer,
    customer: customerName ?? null,
    ...(group === 'day'
      ? { date }
      : group === 'person'
        ? { user_id: userId ?? null }
        : { project_id: projectId ?? null, work_item_id: workItemId ?? null }),
    name: row.name,
    description: row.description,
    logged_minutes: row.logged,
    billable_minutes: row.minutes,
    quantity: row.quantity ?? null,
    hourly_rate: amount(row.rate),
    unit_price: amount(row.unitPrice),
    // The service can set the VAT rate of a row itself, so the service’s value takes precedence.
    vat_rate: made?.['vat_rate'] ?? vatRate ?? null,
    amount: amount(row.amount),
    vat_amount: made?.['vat_amount'] ?? amount(row.vat),
    worklog_ids: row.entryIds,
  };
}

export const ROW_VIEW: View = {
  columns: [
    { path: 'name' },
    { path: 'description' },
    { path: 'billable_minutes', header: 'TIME', kind: 'duration' },
    { path: 'quantity', kind: 'decimal' },
    { path: 'unit_price', kind: 'money' },
    { path: 'amount', kind: 'money' },
    { path: 'vat_amount', header: 'VAT', kind: 'money' },
  ],
  isWhole: () => true,
};

export function leftOutLines(
  { notBillable, overBudget, billed, unknown, hidden }: NotDrafted,
  rows: readonly DraftRow[],
): readonly string[] {
  const parts = [
    [notBillable, 'not billable'],
    [overBudget, 'over the budget (--over-budget bills these hours)'],
    [billed, 'on an invoice already'],
  ] as const;
  const known = parts.filter(([minutes]) => minutes !== 0).map(([minutes, why]) => `${formatDuration(minutes)} ${why}`);
  return [
    ...(known.length === 0 ? [] : [`Left out: ${known.join(', ')}.`]),
    ...(unknown === 0
      ? []
      : [`Left out: ${formatDuration(unknown)}. The service does not show whether these hours are billable or on an invoice.`]),
    ...(hidden === 0 ? [] : [hiddenProjectsLine(hidden)]),
    ...rows
      .filter(({ minutes }) => minutes === 0)
      .map(({ name, logged }) => `Left out: ${name}, because ${formatDuration(logged)} rounds to zero.`),
  ];
}

export function hiddenProjectsLine(hidden: number): string {
  return `Left out: ${counted(hidden, 'entry', 'entries')} whose project the service does not show.`;
}

export async function reportDraft(context: Needs<'notice'>, rows: readonly DraftRow[], draft: Draft): Promise<void> {
  const { customer, customerName = `Customer ${customer}`, days, round, vatRate } = draft;
  const minutes = sum(rows, (row) => row.minutes);
  const logged = sum(rows, (row) => row.logged);
  const priced = rows.filter(({ amount }) => amount !== undefined);
  const total = (amount: (row: DraftRow) => Cents | undefined) => formatAmount(rows.reduce((all, row) => all + (amount(row) ?? 0n), 0n));
  const vat = vatRate === undefined ? ' without VAT' : ` and ${total((row) => row.vat)} VAT`;
  const price = priced.length === rows.length ? `, ${total((row) => row.amount)}${vat}` : '';
  const time =
    round === undefined || minutes === logged ? formatDuration(minutes) : `${formatDuration(minutes)} (${formatDuration(logged)} logged)`;
  await context.notice(
    `${customerName}, ${days.first} to ${days.last}: ${entriesOf(rows)}, ${time} on ${counted(rows.length, 'row')}${price}.`,
  );
  const unpriced = rows.length - priced.length;
  if (unpriced > 0)
    await context.notice(`svc knows no rate for ${counted(unpriced, 'row')}, and sets no price on these rows. Set a rate with --rate.`);
  const pieces = rows.filter(({ quantity, minutes: billed }) => quantity !== undefined && billed % 3 !== 0).length;
  if (pieces > 0)
    await context.notice(
      `Two decimals cannot express the hours of ${counted(pieces, 'row')}: svc bills one piece at its price. To avoid this: --round 15m`,
    );
}

export async function reportSentDraft(
  context: Needs<'notice' | 'resolvedHost' | 'settings'>,
  { id, invoice, rows: made }: SentDraft,
  rows: readonly DraftRow[],
  { customer, days }: Draft,
): Promise<void> {
  const number = scalarText(invoice['number']);
  await context.notice(`Invoice ${id}${number === '' ? '' : ` (${number})`} has ${counted(rows.length, 'row')}.`);
  const status = [invoice, ...made].map((record) => scalarText(record['status'])).find((text) => /pending[\s_-]*approval/i.test(text));
  if (status !== undefined)
    await context.notice(
      `The invoice waits for approval (${status.replaceAll('_', ' ')}). The service asks for approval without the permission Finalise sales invoices.`,
    );
  for (const [index, row] of rows.entries()) {
    const answer = made[index] ?? {};
    const [net, gross, vat] = [row.amount, readAmount(answer['total_amount']), readAmount(answer['vat_amount'])];
    if (net === undefined || gross === undefined || gross === net || gross === net + (vat ?? 0n)) continue;
    await context.notice(`${row.name}: the service calculates ${formatAmount(gross)}, and svc ${formatAmount(net)} without VAT.`);
  }
  await context.notice(
    `The invoice covers ${entriesOf(rows)}. The service does not document when they count as billed. To see unbilled hours: svc billing unbilled --customer ${customer} --from ${days.first} --to ${days.last}${await hostFlag(context)}`,
  );
}

function entriesOf(rows: readonly DraftRow[]): string {
  return counted(
    sum(rows, (row) => row.entryIds.length),
    'entry',
    'entries',
  );
}

function sum(rows: readonly DraftRow[], figure: (row: DraftRow) => number): number {
  return rows.reduce((all, row) => all + figure(row), 0);
}
