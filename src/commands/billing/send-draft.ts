import { shellCommand } from '../../cli/shell-word.ts';
import { SvcError, withHint, withMore } from '../../errors.ts';
import {
  type DraftState,
  type InvoicePlan,
  invoiceNow,
  type MadeInvoice,
  makeInvoice,
  makeRow,
  matchRows,
} from '../../records/draft-invoice.ts';
import type { Needs } from '../../session/context.ts';
import { flagWords } from '../../session/printed-command.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';

export type SentDraft = Awaited<ReturnType<typeof sendDraft>>;

/**
 * Creates the invoice if necessary, and the missing rows. svc creates one row at a time, because the service keeps the order of creation.
 * An error lists the commands that create the missing rows.
 */
export async function sendDraft(
  context: Needs<'client' | 'host' | 'journal' | 'resolveWrites'>,
  plan: InvoicePlan,
  bodies: readonly JsonObject[],
  draftState: DraftState,
) {
  const made = draftState.invoice ?? (await makeInvoice(context, plan, draftState));
  const rows = [...(await matchRows(context, made, bodies))];
  for (const [index, body] of bodies.entries()) {
    if (rows[index] !== undefined) continue;
    try {
      rows[index] = await makeRow(context, made.id, { body, index });
    } catch (error) {
      // The journal marks the finished rows as done. The same command then continues with the missing rows.
      await context.resolveWrites();
      const missing = bodies.filter((_, at) => rows[at] === undefined);
      throw withMissingRows(error, made, missing, bodies.length);
    }
  }
  return { id: made.id, invoice: (await invoiceNow(context, made.id)) ?? made.record, rows: rows.map((row) => row ?? {}) };
}

function withMissingRows(error: unknown, { id }: MadeInvoice, missing: readonly JsonObject[], all: number): unknown {
  if (!(error instanceof SvcError)) return error;
  const lines = [
    `Invoice ${id} has ${all - missing.length} of ${all} rows. To create the missing rows yourself:`,
    ...missing.map((body) => shellCommand(['sales-invoices', 'rows', 'create', String(id), ...wordsOf(body)])),
  ];
  const hint = `Run the same command again: svc finds invoice ${id}, and creates the missing rows.`;
  return withHint(withMore(error, { lines }), `${hint}${error.hint === undefined ? '' : ` ${error.hint}`}`);
}

function wordsOf(body: JsonObject): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    flagWords(name.replaceAll('_', '-'), name === 'billable_minutes' ? formatDuration(Number(value)) : scalarText(value)),
  );
}
