import { shellCommand } from '../../cli/shell-word.ts';
import { SvcError, withHint } from '../../errors.ts';
import {
  type InvoicePlan,
  invoiceNow,
  type MadeInvoice,
  makeInvoice,
  makeRow,
  matchRows,
  type StandingDraft,
} from '../../records/draft-invoice.ts';
import type { Needs } from '../../session/context.ts';
import { flagWords } from '../../session/tell-command.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';

/** A draft that was sent: its invoice, and its rows in their order. */
export interface SentDraft {
  readonly invoice: JsonObject;
  readonly id: number;
  readonly rows: readonly JsonObject[];
}

/**
 * Makes the invoice, unless it is there, and the rows that it lacks, one after the other: their order is that of the invoice.
 *
 * @throws what a request failed with, saying which rows are missing and how each is made by hand.
 */
export async function sendDraft(
  context: Needs<'client' | 'host' | 'journal' | 'settleWrites'>,
  plan: InvoicePlan,
  bodies: readonly JsonObject[],
  standing: StandingDraft,
): Promise<SentDraft> {
  const made = standing.invoice ?? (await makeInvoice(context, plan, standing));
  const rows = [...(await matchRows(context, made, bodies))];
  for (const [index, body] of bodies.entries()) {
    if (rows[index] !== undefined) continue;
    try {
      rows[index] = await makeRow(context, made.id, { body, index });
    } catch (error) {
      // Whoever types it again is told of these as done.
      await context.settleWrites();
      throw stopped(
        error,
        made,
        bodies.filter((_, at) => rows[at] === undefined),
        bodies.length,
      );
    }
  }
  return { id: made.id, invoice: (await invoiceNow(context, made.id)) ?? made.record, rows: rows.map((row) => row ?? {}) };
}

function stopped(error: unknown, { id }: MadeInvoice, missing: readonly JsonObject[], all: number): unknown {
  if (!(error instanceof SvcError)) return error;
  const lines = [
    ...(error.details.lines ?? []),
    `Invoice ${id} is there with ${all - missing.length} of ${all} rows. To make the others by hand:`,
    ...missing.map((body) => shellCommand(['sales-invoices', 'rows', 'create', String(id), ...wordsOf(body)])),
  ];
  const hint = `The same command again finds invoice ${id}, and makes the rows that it lacks.`;
  return withHint(error, `${hint}${error.hint === undefined ? '' : ` ${error.hint}`}`, { ...error.details, lines });
}

/** The flags that a row is created with. */
function wordsOf(body: JsonObject): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    flagWords(name.replaceAll('_', '-'), name === 'billable_minutes' ? formatDuration(Number(value)) : scalarText(value)),
  );
}
