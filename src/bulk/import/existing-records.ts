import type { ImportRow } from '../../journal/import-row.ts';
import type { JsonObject } from '../../values/json.ts';
import { isSame, shownValue } from './corrections.ts';
import type { RowIdentifier } from './identify-row.ts';

/** A record that the service has, under the names of the fields that are sent; what it does not show is absent, and not known. */
export interface ExistingRecord {
  readonly id: string;
  readonly fields: JsonObject;
}

/** A row of a file that nobody has logged from here. */
export interface OpenRow {
  readonly body: JsonObject;
  readonly identity: ImportRow;
}

/** A record that a row was found as, and whether it says the same or only has its day and text. */
export interface Found<Row> {
  readonly row: Row;
  readonly record: ExistingRecord;
  readonly isSame: boolean;
}

/** Finds for each row a record of its own: one that says the same, else one that has its day, text and person and may belong to the same. */
export function findExisting<Row extends OpenRow>(
  rows: readonly Row[],
  records: readonly ExistingRecord[],
  { lasting, relations }: RowIdentifier,
): Found<Row>[] {
  const [day = ''] = lasting;
  const byDay = Map.groupBy(records, ({ fields }) => shownValue(fields[day] ?? null).slice(0, 10));
  const taken = new Set<ExistingRecord>();
  const found = new Map<Row, Found<Row>>();
  const look = (same: boolean, fits: (row: Row, record: ExistingRecord) => boolean) => {
    for (const row of rows) {
      if (found.has(row) || row.identity.day === undefined) continue;
      const record = byDay.get(row.identity.day)?.find((candidate) => !taken.has(candidate) && fits(row, candidate));
      if (record === undefined) continue;
      taken.add(record);
      found.set(row, { row, record, isSame: same });
    }
  };
  const lasts = (row: Row, { fields }: ExistingRecord) => lasting.every((name) => isSame(row.body[name] ?? '', fields[name] ?? ''));
  const shows = (row: Row, { fields }: ExistingRecord, names: readonly string[]) =>
    names.every(
      (name) => fields[name] === undefined || row.body[name] === undefined || isSame(row.body[name] ?? null, fields[name] ?? null),
    );
  look(true, (row, record) => lasts(row, record) && shows(row, record, Object.keys(row.body)));
  look(false, (row, record) => lasts(row, record) && shows(row, record, relations));
  return [...found.values()];
}
