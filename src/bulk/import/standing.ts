import { writtenBody } from '../../journal/body-of.ts';
import type { RowVerdict } from '../../journal/compare-rows.ts';
import type { NewRow, Unsettled } from '../../journal/entry.ts';
import type { ImportRow, KnownRow } from '../../journal/import-row.ts';
import type { AdoptedRow } from '../../journal/journal.ts';
import { ownId } from '../../records/me.ts';
import { isGone, recordThere } from '../../records/record-at.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import type { ReadyRow } from './check-rows.ts';
import { asHolding, correctionOf, type Holding, holdingOf, recordPath } from './corrections.ts';
import { type ExistingRecord, findExisting } from './existing-records.ts';
import { type RowIdentifier, rowIdentifier } from './identify-row.ts';
import type { OldJournal } from './old-journal.ts';
import type { ImportPlace } from './place.ts';
import { openLedger, type RowLedger } from './row-ledger.ts';

/** A row that is to be created, or whose create is to be settled. */
export interface RowToCreate {
  readonly row: ReadyRow;
  readonly key: string;
  readonly note: NewRow;
  /** It was sent, or waits: this entry is sent again. */
  readonly earlier: Unsettled | undefined;
}

/** A row whose record says something else. */
export interface RowToCorrect {
  readonly row: ReadyRow;
  readonly as: KnownRow;
  /** What its record is known to hold; undefined where nobody here wrote it. */
  readonly holding: Holding | undefined;
  /** What is to be written to it. */
  readonly fields: JsonObject;
  readonly note: NewRow;
}

/** How the rows of a file stand to what is logged. */
export interface ImportStanding {
  readonly creates: readonly RowToCreate[];
  readonly known: number;
  readonly changed: readonly RowToCorrect[];
  /** Rows of which an earlier form, or a correction, was sent, and nobody saw yet how that ended. */
  readonly open: readonly { readonly row: ReadyRow; readonly as: KnownRow }[];
  readonly vanished: readonly KnownRow[];
}

/** What else may be known of the rows. */
export interface Sources {
  readonly old: OldJournal | undefined;
  /** Asks the service for the records that rows may be, told one's own id; undefined where nobody wants that. */
  readonly existing: ((own: number, rows: readonly JsonObject[]) => Promise<readonly ExistingRecord[]>) | undefined;
}

export type Comparing = 'account' | 'argv' | 'client' | 'globals' | 'journal' | 'plan';

interface KnownAs {
  readonly row: ReadyRow;
  readonly identity: ImportRow;
  readonly verdict: RowVerdict;
}

/** Finds out how each row of a file stands. What is learned on the way is noted, unless it is a dry run. */
export async function standingOf(
  context: Needs<Comparing>,
  place: ImportPlace,
  rows: readonly ReadyRow[],
  { old, existing }: Sources,
): Promise<ImportStanding> {
  const own = existing === undefined ? (await context.account())?.user_id : await ownId(context);
  const identifier = rowIdentifier(place.resource, place.path, own);
  const identities = rows.map(({ said }) => identifier.identify(said));
  const ledger = await openLedger(context, place, identities);
  const stands = () =>
    ledger.compare().verdicts.flatMap((verdict, index): KnownAs[] => {
      const [row, identity] = [rows[index], identities[index]];
      return row === undefined || identity === undefined ? [] : [{ row, identity, verdict }];
    });
  const outbox = new Map((await (await context.journal()).outbox()).map((unsettled) => [unsettled.entry.number, unsettled]));
  if (!context.globals.dryRun) await settleCorrections(context, place, ledger, outbox);
  if (old !== undefined)
    await ledger.adopt(
      stands().flatMap(({ row, identity, verdict }) => (verdict.kind === 'new' && old.isDone(row.line) ? [identity] : [])),
    );
  const earlier = await adoptByKey(context, ledger, stands().filter(isUnlogged), old);
  const records = new Map<string, ExistingRecord>();
  if (existing !== undefined) {
    for (const record of await existing(
      own ?? 0,
      rows.map(({ body }) => body),
    ))
      records.set(record.id, record);
    await forgetGone(context, place, ledger, records);
    await adoptExisting(ledger, stands(), records, identifier);
  }
  const holdings = await adoptMended(context, place, ledger, stands().filter(isChanged), records, identifier);

  const source = await ledger.source();
  const standing = stands();
  return {
    creates: standing.flatMap(({ row, identity, verdict }): RowToCreate[] => {
      const note = { ...identity, source };
      if (openOf(verdict) !== undefined) return [];
      if (verdict.kind === 'unsettled') {
        const key = verdict.as.key ?? keyOf(identity, 1);
        return [{ row, key, note, earlier: outbox.get(verdict.as.entry ?? 0) }];
      }
      if (verdict.kind !== 'new' && verdict.kind !== 'undone') return [];
      const key = firstKey(identity, verdict, row, old);
      return [{ row, key, note, earlier: context.globals.again ? undefined : outbox.get(earlier.get(key) ?? 0) }];
    }),
    known: standing.filter(({ verdict }) => verdict.kind === 'known').length,
    changed: standing.filter(isChanged).map(({ row, identity, verdict: { as } }) => {
      const holding = holdings.get(as.number);
      return {
        row,
        as,
        holding,
        fields: correctionOf(identifier.plain(row.body), holding),
        note: { ...identity, source, replaces: as.number },
      };
    }),
    open: standing.flatMap(({ row, verdict }) => {
      const as = openOf(verdict);
      return as === undefined ? [] : [{ row, as }];
    }),
    vanished: ledger.compare().vanished,
  };
}

function isUnlogged({ verdict }: KnownAs): boolean {
  return verdict.kind === 'new' || verdict.kind === 'undone';
}

function isChanged(row: KnownAs): row is KnownAs & { readonly verdict: { readonly kind: 'changed'; readonly as: KnownRow } } {
  return row.verdict.kind === 'changed' && row.verdict.as.state !== 'unsettled';
}

/** The row whose outcome must be known first. A correction that is unsettled still is one that another svc is sending now. */
function openOf(verdict: RowVerdict): KnownRow | undefined {
  if (verdict.kind === 'unsettled') return verdict.as.replaces === undefined ? undefined : verdict.as;
  return verdict.kind === 'changed' && verdict.as.state === 'unsettled' ? verdict.as : undefined;
}

/** The same on every machine and in every run, so that the service gives two that send the row at once one record (rule 6.12). */
function keyOf({ digest }: ImportRow, nth: number): string {
  return `svc-import-${digest}-${nth}`;
}

/** The key of a row that is not logged. One that an older svc may have sent has that one's key. */
function firstKey(identity: ImportRow, verdict: RowVerdict, { line }: ReadyRow, old: OldJournal | undefined): string {
  const oldKey = verdict.kind === 'new' ? old?.keyOf(line) : undefined;
  return oldKey ?? keyOf(identity, 'nth' in verdict ? verdict.nth : 1);
}

/** A correction whose answer was lost: its record tells whether it was made. One that was not is to be made anew, from how the record is now. */
async function settleCorrections(
  context: Needs<'client' | 'journal' | 'plan'>,
  { path }: ImportPlace,
  ledger: RowLedger,
  outbox: ReadonlyMap<number, Unsettled>,
): Promise<void> {
  const journal = await context.journal();
  const corrections = [...outbox.values()].filter(({ entry }) => entry.method === 'PATCH' && entry.collection === path);
  for (const { entry } of corrections) {
    const path = entry.path.split('?', 1)[0] ?? '';
    const now = await recordThere(context, path);
    const isDone = now !== undefined && Object.keys(correctionOf(writtenBody(entry) ?? {}, asHolding(now.record))).length === 0;
    if (!isDone) await journal.drop(entry.number);
    else await journal.settle(entry.number, { outcome: 'done', status: 200, recordId: path.split('/').at(-1), etagLeft: now.etag });
  }
  if (corrections.length > 0) await ledger.refresh();
}

/**
 * Rows that were sent under their keys by something else than an import: a plan that was applied. Gives, by key, the numbers of
 * entries that are to be settled.
 */
async function adoptByKey(
  context: Needs<'journal'>,
  ledger: RowLedger,
  rows: readonly KnownAs[],
  old: OldJournal | undefined,
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map(rows.map((row) => [firstKey(row.identity, row.verdict, row.row, old), row]));
  const entries = await (await context.journal()).entriesByKey([...byKey.keys()]);
  await ledger.adopt(
    entries.flatMap(({ key, number, outcome, undoneBy }): Omit<AdoptedRow, 'source'>[] => {
      const row = byKey.get(key);
      return row === undefined || outcome !== 'done' || undoneBy !== undefined ? [] : [{ ...row.identity, entry: number }];
    }),
  );
  return new Map(entries.map(({ key, number }) => [key, number]));
}

/** Known records of the file that are not among those of its days may be gone. */
async function forgetGone(
  context: Needs<'client'>,
  place: ImportPlace,
  ledger: RowLedger,
  records: ReadonlyMap<string, ExistingRecord>,
): Promise<void> {
  const { verdicts, vanished } = ledger.compare();
  const seen = [
    ...verdicts.flatMap((verdict) => (verdict.kind === 'known' || verdict.kind === 'changed' ? [verdict.as] : [])),
    ...vanished,
  ];
  const gone: KnownRow[] = [];
  for (const row of seen) {
    if (row.recordId === undefined || records.has(row.recordId)) continue;
    if (await isGone(context, recordPath(place, row.recordId))) gone.push(row);
  }
  await ledger.forget(gone);
}

/** Rows that the service has already. Of one that says something else there, the record is remembered as an earlier form of the row. */
async function adoptExisting(
  ledger: RowLedger,
  rows: readonly KnownAs[],
  records: ReadonlyMap<string, ExistingRecord>,
  identifier: RowIdentifier,
): Promise<void> {
  const taken = new Set(rows.flatMap(({ verdict }) => ('as' in verdict && verdict.kind !== 'undone' ? (verdict.as.recordId ?? []) : [])));
  const free = [...records.values()].filter(({ id }) => !taken.has(id));
  // Of what was taken over from an older journal nobody knows the record.
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

/** Rows whose record says by now what the file says, because somebody mended it. Gives what is known of the others, by the number of the known row. */
async function adoptMended(
  context: Needs<'journal'>,
  place: ImportPlace,
  ledger: RowLedger,
  rows: readonly (KnownAs & { readonly verdict: { readonly as: KnownRow } })[],
  records: ReadonlyMap<string, ExistingRecord>,
  identifier: RowIdentifier,
): Promise<ReadonlyMap<number, Holding>> {
  const holdings = new Map<number, Holding>();
  const mended: Omit<AdoptedRow, 'source'>[] = [];
  for (const { row, identity, verdict } of rows) {
    const { as } = verdict;
    const written = await holdingOf(context, place, as);
    const seen = records.get(as.recordId ?? '');
    const body = identifier.plain(row.body);
    // What the service does not show is not held against the row.
    const holding =
      seen === undefined
        ? written
        : { lastChange: undefined, given: written?.given ?? [], fields: { ...body, ...written?.fields, ...seen.fields } };
    if (holding === undefined) continue;
    if (Object.keys(correctionOf(body, holding)).length > 0) holdings.set(as.number, holding);
    else mended.push({ ...identity, recordId: as.recordId, entry: holding.lastChange, replaces: as.number });
  }
  await ledger.adopt(mended);
  return holdings;
}
