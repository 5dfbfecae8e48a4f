import { createHash } from 'node:crypto';
import { ConflictError, ForbiddenError, NotFoundError, SvcError, undefinedFor } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { ifUsable } from '../journal/journal-error.ts';
import { allowsValues, writtenBody } from '../journal/written-values.ts';
import type { Needs } from '../session/context.ts';
import { type JsonObject, scalarText, stringifyJson } from '../values/json.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { readRecord, recordAt, recordThere } from './record-at.ts';
import { sendWrite, type WriteRequest } from './send-write.ts';

export interface InvoicePlan {
  readonly body: JsonObject;
  readonly of: readonly string[];
}

export interface DraftState {
  readonly key: string | undefined;
  readonly invoice: MadeInvoice | undefined;
}

export interface MadeInvoice {
  readonly id: number;
  readonly record: JsonObject;
  readonly rows: readonly JsonObject[];
}

export const INVOICES = '/sales-invoices';

function rowsPath(invoice: number | string): string {
  return `${INVOICES}/${invoice}/rows`;
}

const MOST_BEFORE = 20;

/**
 * Reads the state of an earlier draft, so that a repeated command creates no second invoice. `--again` skips this check.
 * @throws ConflictError if svc sent the earlier invoice with other fields.
 * @throws ConflictError if the invoice is unconfirmed and the service may have forgotten the key.
 */
export async function readDraftState(
  context: Needs<'client' | 'globals' | 'host' | 'journal'>,
  { body, of }: InvoicePlan,
): Promise<DraftState> {
  if (context.globals.again) return { key: undefined, invoice: undefined };
  const name = await keyOf(context, [INVOICES, ...of]);
  const journal = await ifUsable(context.journal());
  for (let number = 1; number <= MOST_BEFORE; number += 1) {
    const key = number === 1 ? name : `${name}-${number}`;
    const entry = await journal?.entryByKey(key);
    // The lifetime of a key is not documented (rule 18.29).
    if (entry?.outcome === 'unknown' && (await journal?.outbox())?.some((one) => one.lapsed && one.entry.number === entry.number))
      throw lapsedDraft(entry);
    const isOther = entry !== undefined && isOtherBody(entry, body);
    if (isOther && (entry.outcome === 'refused' || entry.outcome === 'dropped')) continue;
    if (isOther && entry.outcome !== 'done') throw otherDraft(entry);
    if (entry?.outcome !== 'done' || entry.recordId === undefined) return { key, invoice: undefined };
    const found = await recordThere(context, `${INVOICES}/${encodeURIComponent(entry.recordId)}`);
    if (found !== undefined && typeof found.record['deleted_at'] !== 'string' && isOther) throw otherDraft(entry);
    if (found !== undefined && typeof found.record['deleted_at'] !== 'string')
      return { key, invoice: await withRows(context, Number(entry.recordId), found.record) };
  }
  return { key: undefined, invoice: undefined };
}

/**
 * Creates the invoice, or finds the invoice that an earlier run created without receiving an answer. @throws SvcError if the write waits in
 * the outbox.
 */
export async function makeInvoice(context: Needs<'client' | 'journal'>, { body }: InvoicePlan, { key }: DraftState): Promise<MadeInvoice> {
  const before = key === undefined ? undefined : await (await ifUsable(context.journal()))?.entryByKey(key);
  const response = await sendWrite(context, { method: 'POST', path: INVOICES, body, idempotencyKey: key });
  const record = readRecord(response);
  const { id } = record;
  if (typeof id !== 'number')
    throw new SvcError('The invoice has no id yet, so svc cannot create its rows.', {
      hint: 'Send the waiting writes (svc outbox send), then run the same command again to create the rows.',
    });
  const isNew = before?.outcome !== 'unknown' && response.headers['idempotency-replayed'] !== 'true';
  return isNew ? { id, record, rows: [] } : withRows(context, id, record);
}

/** A row of a draft, and its position on the invoice. The position distinguishes equal rows. */
export interface PlannedRow {
  readonly body: JsonObject;
  readonly index: number;
}

export async function makeRow(context: Needs<'client' | 'host' | 'journal'>, invoice: number, row: PlannedRow): Promise<JsonObject> {
  const key = await rowKey(context, invoice, row);
  const entry = await (await ifUsable(context.journal()))?.entryByKey(key);
  // After a resolved write of the row, svc uses a new key. The old key would only repeat the old answer.
  const isFresh = entry === undefined || entry.outcome === 'unknown';
  return readRecord(await sendWrite(context, { ...rowWrite(invoice, row.body), ...(isFresh && { idempotencyKey: key }) }));
}

export function rowWrite(invoice: number | string, body: JsonObject): WriteRequest {
  return { method: 'POST', path: rowsPath(invoice), body, note: { noun: 'sales-invoice-rows', collection: '/sales-invoice-rows' } };
}

/**
 * Reads the invoice again after svc created the rows, because rows may change the invoice’s state (rule 5.15). Undefined if the user can’t
 * read the invoice.
 */
export async function invoiceNow(context: Needs<'client'>, id: number): Promise<JsonObject | undefined> {
  return (await recordAt(context, `${INVOICES}/${id}`).catch(undefinedFor(ForbiddenError, NotFoundError)))?.record;
}

async function withRows(context: Needs<'client'>, id: number, record: JsonObject): Promise<MadeInvoice> {
  const rows = await collectRows(context, rowsPath(id), DETAIL);
  return { id, record, rows: rows.filter((row) => typeof row['deleted_at'] !== 'string') };
}

/**
 * Returns the row of the invoice for each wanted body, in order. Undefined for a missing row. Resolves the unconfirmed journal entries of
 * the found rows.
 * @throws ConflictError if rows are missing and the invoice has other rows. svc does not know which hours the other rows bill.
 */
export async function matchRows(
  context: Needs<'host' | 'journal'>,
  { id, rows }: Pick<MadeInvoice, 'id' | 'rows'>,
  wanted: readonly JsonObject[],
): Promise<readonly (JsonObject | undefined)[]> {
  const left = [...rows];
  const found = wanted.map((body) => {
    const at = left.findIndex((row) => allowsValues(row, body));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  if (left.length > 0 && found.includes(undefined))
    throw new ConflictError(
      `You created invoice ${id} for these days from this machine. Its rows differ from the rows that svc would create now.`,
      {
        hint: `To see its rows: svc sales-invoices rows list ${id}. Add the missing rows yourself, or delete the invoice. For a second invoice, add --again`,
      },
    );
  const journal = rows.length === 0 ? undefined : await ifUsable(context.journal());
  for (const [index, row] of found.entries()) {
    if (journal === undefined || row === undefined) continue;
    const entry = await journal.entryByKey(await rowKey(context, id, { body: wanted[index] ?? {}, index }));
    if (entry?.outcome === 'unknown')
      await journal.resolve(entry.number, { outcome: 'done', status: 200, recordId: scalarText(row['id'] ?? null) });
  }
  return found;
}

function rowKey(context: Needs<'host'>, invoice: number, { body, index }: PlannedRow): Promise<string> {
  return keyOf(context, [rowsPath(invoice), String(index), stringifyJson(body)]);
}

async function keyOf(context: Needs<'host'>, parts: readonly string[]): Promise<string> {
  const { origin } = await context.host();
  const digest = createHash('sha256')
    .update([origin, ...parts].join('\0'))
    .digest('hex');
  return `svc-draft-${digest.slice(0, 40)}`;
}

function isOtherBody(entry: JournalEntry, body: JsonObject): boolean {
  const sent = writtenBody(entry);
  return sent !== undefined && stringifyJson(sent) !== stringifyJson(body);
}

function otherDraft({ number, recordId }: JournalEntry): ConflictError {
  const what =
    recordId === undefined
      ? 'You sent an invoice for these days from this machine'
      : `You created invoice ${recordId} for these days from this machine`;
  return new ConflictError(`${what}, with other fields (entry ${number}).`, {
    hint: `To see the command of entry ${number}: svc history. Run that command again to resume. For a second invoice, add --again`,
  });
}

function lapsedDraft({ number, sentAt, at }: JournalEntry): ConflictError {
  const day = new Date(sentAt ?? at).toISOString().slice(0, 10);
  return new ConflictError(`svc sent an invoice for these days on ${day}, and received no answer (entry ${number}).`, {
    hint: `Look for the invoice: svc sales-invoices list. If the invoice does not exist, or after you delete the invoice, run the same command again after: svc outbox drop ${number}`,
  });
}
