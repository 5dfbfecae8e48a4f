import { importKey, type RowVerdict } from '../../journal/compare-rows.ts';
import type { AdoptedRow, ImportRow, KnownRow, NewRow, UnconfirmedWrite } from '../../journal/entry.ts';
import { writtenBody } from '../../journal/written-values.ts';
import { ownId } from '../../records/me.ts';
import { isDeleted, recordThere } from '../../records/record-at.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import type { ReadyRow } from './check-rows.ts';
import { type ExistingRecord, findExisting, type RowIdentifier, rowIdentifier } from './identify-row.ts';
import { openLedger, type RowLedger } from './row-ledger.ts';
import { fieldsToCorrect, type ImportTarget, type KnownFields, readKnownFields, recordPath } from './row-records.ts';

export interface RowToCreate {
  readonly row: ReadyRow;
  readonly key: string;
  readonly note: NewRow;
  /** The earlier write of this row, if the write waits or is unconfirmed. */
  readonly earlier: UnconfirmedWrite | undefined;
}

export interface RowToCorrect {
  readonly row: ReadyRow;
  readonly as: KnownRow;
  /** The fields of the record. Undefined if svc on this machine did not write the record. */
  readonly known: KnownFields | undefined;
  readonly fields: JsonObject;
  readonly note: NewRow;
}

export interface FileComparison {
  readonly creates: readonly RowToCreate[];
  readonly known: number;
  readonly changed: readonly RowToCorrect[];
  /** Rows with an unconfirmed correction, or with an unconfirmed write of an older version of the row. */
  readonly unconfirmed: readonly { readonly row: ReadyRow; readonly as: KnownRow }[];
  readonly vanished: readonly KnownRow[];
  /** The ids of the records that rows of the file already have. */
  readonly recordIds: readonly string[];
}

export type FindRecords = (own: number, rows: readonly JsonObject[]) => Promise<readonly ExistingRecord[]>;

export type Comparing = 'account' | 'argv' | 'client' | 'globals' | 'journal' | 'plan';

interface IdentifiedRow {
  readonly row: ReadyRow;
  readonly identity: ImportRow;
}

interface ComparedRow extends IdentifiedRow {
  readonly verdict: RowVerdict;
}

/**
 * Compares a file with the rows that svc logged. Without `findRecords`, svc compares with the journal only. Except in a dry run, svc also
 * logs rows whose records svc finds, and resolves unconfirmed corrections.
 */
export async function compareFile(
  context: Needs<Comparing>,
  target: ImportTarget,
  rows: readonly ReadyRow[],
  findRecords: FindRecords | undefined,
): Promise<FileComparison> {
  const own = findRecords === undefined ? (await context.account())?.user_id : await ownId(context);
  const identifier = rowIdentifier(target.resource, target.path, own);
  const identified = rows.map((row): IdentifiedRow => ({ row, identity: identifier.identify(row.typed) }));
  const ledger = await openLedger(
    context,
    target,
    identified.map(({ identity }) => identity),
  );
  const compared = () =>
    ledger.compare().verdicts.flatMap((verdict, index): ComparedRow[] => {
      const row = identified[index];
      return row === undefined ? [] : [{ ...row, verdict }];
    });
  const outbox = new Map((await (await context.journal()).outbox()).map((unconfirmed) => [unconfirmed.entry.number, unconfirmed]));
  if (!context.globals.dryRun) await resolveCorrections(context, target, ledger, outbox);
  const earlier = await adoptByKey(context, ledger, compared().filter(isUnlogged));
  const records = new Map<string, ExistingRecord>();
  if (findRecords !== undefined) {
    const bodies = rows.map(({ body }) => body);
    for (const record of await findRecords(own ?? 0, bodies)) records.set(record.id, record);
    await forgetDeleted(context, target, ledger, records);
    await adoptExisting(ledger, compared(), records, identifier);
  }
  const knownFields = await adoptCorrected(context, target, ledger, compared().filter(isChanged), records, identifier);

  const source = await ledger.source();
  const result = compared();
  return {
    creates: result.flatMap(({ row, identity, verdict }): RowToCreate[] => {
      const note = { ...identity, source };
      if (unconfirmedAs(verdict) !== undefined) return [];
      if (verdict.kind === 'unconfirmed')
        return [{ row, key: verdict.as.key ?? importKey(identity.digest, 1), note, earlier: outbox.get(verdict.as.entry ?? 0) }];
      if (!('key' in verdict)) return [];
      const { key } = verdict;
      return [{ row, key, note, earlier: context.globals.again ? undefined : outbox.get(earlier.get(key) ?? 0) }];
    }),
    known: result.filter(({ verdict }) => verdict.kind === 'known').length,
    changed: result.filter(isChanged).map(({ row, identity, verdict: { as } }) => {
      const known = knownFields.get(as.number);
      const fields = fieldsToCorrect(identifier.plain(row.body), known);
      return { row, as, known, fields, note: { ...identity, source, replaces: as.number } };
    }),
    unconfirmed: result.flatMap(({ row, verdict }) => {
      const as = unconfirmedAs(verdict);
      return as === undefined ? [] : [{ row, as }];
    }),
    vanished: ledger.compare().vanished,
    recordIds: result.flatMap(recordOf),
  };
}

type UnloggedRow = ComparedRow & { readonly verdict: Extract<RowVerdict, { readonly key: string }> };

function isUnlogged(row: ComparedRow): row is UnloggedRow {
  return 'key' in row.verdict;
}

function recordOf({ verdict }: ComparedRow): string | [] {
  return 'as' in verdict && verdict.kind !== 'undone' ? (verdict.as.recordId ?? []) : [];
}

type ChangedRow = ComparedRow & { readonly verdict: { readonly kind: 'changed'; readonly as: KnownRow } };

function isChanged(row: ComparedRow): row is ChangedRow {
  return row.verdict.kind === 'changed' && row.verdict.as.state !== 'unconfirmed';
}

/** Returns the logged row with an unconfirmed correction, or with an unconfirmed write of an older version of the row. */
function unconfirmedAs(verdict: RowVerdict): KnownRow | undefined {
  if (verdict.kind === 'unconfirmed') return verdict.as.replaces === undefined ? undefined : verdict.as;
  return verdict.kind === 'changed' && verdict.as.state === 'unconfirmed' ? verdict.as : undefined;
}

/** Resolves unconfirmed corrections by reading their records. If a record does not have the new values, svc drops the correction. */
async function resolveCorrections(
  context: Needs<'client' | 'journal' | 'plan'>,
  { path }: ImportTarget,
  ledger: RowLedger,
  outbox: ReadonlyMap<number, UnconfirmedWrite>,
): Promise<void> {
  const journal = await context.journal();
  const corrections = [...outbox.values()].filter(({ entry }) => entry.method === 'PATCH' && entry.collection === path);
  for (const { entry } of corrections) {
    const path = entry.path.split('?', 1)[0] ?? '';
    const now = await recordThere(context, path);
    const isDone = now !== undefined && Object.keys(fieldsToCorrect(writtenBody(entry) ?? {}, { fields: now.record })).length === 0;
    if (!isDone) await journal.drop(entry.number);
    else await journal.resolve(entry.number, { outcome: 'done', status: 200, recordId: path.split('/').at(-1), etagLeft: now.etag });
  }
  if (corrections.length > 0) await ledger.refresh();
}

/** Logs rows that another command, such as `svc apply`, sent with the same keys. @returns the numbers of the journal entries, by key. */
async function adoptByKey(
  context: Needs<'journal'>,
  ledger: RowLedger,
  rows: readonly UnloggedRow[],
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map(rows.map((row) => [row.verdict.key, row]));
  const entries = await (await context.journal()).entriesByKey([...byKey.keys()]);
  await ledger.adopt(
    entries.flatMap(({ key, number, outcome, undoneBy }): Omit<AdoptedRow, 'source'>[] => {
      const row = byKey.get(key);
      return row === undefined || outcome !== 'done' || undoneBy !== undefined ? [] : [{ ...row.identity, entry: number }];
    }),
  );
  return new Map(entries.map(({ key, number }) => [key, number]));
}

/** Marks logged rows whose records were deleted. To find deleted records, svc reads each record that `records` lacks. */
async function forgetDeleted(
  context: Needs<'client'>,
  target: ImportTarget,
  ledger: RowLedger,
  records: ReadonlyMap<string, ExistingRecord>,
): Promise<void> {
  const { verdicts, vanished } = ledger.compare();
  const seen = verdicts.flatMap((verdict) => (verdict.kind === 'known' || verdict.kind === 'changed' ? [verdict.as] : []));
  const deleted: KnownRow[] = [];
  for (const row of [...seen, ...vanished]) {
    if (row.recordId === undefined || records.has(row.recordId)) continue;
    if (await isDeleted(context, recordPath(target, row.recordId))) deleted.push(row);
  }
  await ledger.forget(deleted);
}

/** Logs rows that already exist at the service. If a record has other values, svc logs an older version of the row. */
async function adoptExisting(
  ledger: RowLedger,
  rows: readonly ComparedRow[],
  records: ReadonlyMap<string, ExistingRecord>,
  identifier: RowIdentifier,
): Promise<void> {
  const taken = new Set(rows.flatMap(recordOf));
  const free = [...records.values()].filter(({ id }) => !taken.has(id));
  const open = rows.filter((row) => isUnlogged(row) || (isChanged(row) && row.verdict.as.recordId === undefined));
  const found = findExisting(
    open.map((row) => ({ ...row, body: identifier.plain(row.row.body) })),
    free,
    identifier,
  );
  await ledger.adopt(
    found.map(({ row: { identity, verdict }, record, isSame }) => ({
      ...identity,
      ...(!isSame && { digest: `record ${record.id}` }),
      recordId: record.id,
      ...(verdict.kind === 'changed' && { replaces: verdict.as.number }),
    })),
  );
}

/** Logs changed rows whose records already have the new values. Returns the other records’ fields, by the number of the logged row. */
async function adoptCorrected(
  context: Needs<'journal'>,
  target: ImportTarget,
  ledger: RowLedger,
  rows: readonly ChangedRow[],
  records: ReadonlyMap<string, ExistingRecord>,
  identifier: RowIdentifier,
): Promise<ReadonlyMap<number, KnownFields>> {
  const others = new Map<number, KnownFields>();
  const corrected: Omit<AdoptedRow, 'source'>[] = [];
  for (const { row, identity, verdict } of rows) {
    const { as } = verdict;
    const written = await readKnownFields(context, target, as);
    const seen = records.get(as.recordId ?? '');
    const body = identifier.plain(row.body);
    // svc treats a field as equal if neither the journal nor the service shows the field.
    const known: KnownFields | undefined =
      seen === undefined
        ? written
        : { lastChange: undefined, given: written?.given ?? [], fields: { ...body, ...written?.fields, ...seen.fields } };
    if (known === undefined) continue;
    if (Object.keys(fieldsToCorrect(body, known)).length > 0) others.set(as.number, known);
    else corrected.push({ ...identity, recordId: as.recordId, entry: known.lastChange, replaces: as.number });
  }
  await ledger.adopt(corrected);
  return others;
}
