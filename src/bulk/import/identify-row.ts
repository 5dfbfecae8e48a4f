import type { Resource } from '../../catalog/define.ts';
import type { ImportRow } from '../../journal/entry.ts';
import { requestDigest } from '../../journal/request-digest.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../../values/json.ts';
import { isSameValue, valueText } from './row-records.ts';

const DAYS = ['date', 'start', 'start_date'];
const TEXTS = ['name', 'title', 'description', 'subject', 'label'];
const USER = 'user_id';

const DIGEST_LENGTH = 32;

export type RowIdentifier = ReturnType<typeof rowIdentifier>;

/**
 * Creates the functions that give each row its digests. svc recognises a row of an earlier import by these digests.
 *
 * @param path The path of the resource. Rows for different paths have different digests.
 * @param own Your user id. A row with this id equals a row without a user. Undefined if the id is unknown.
 */
export function rowIdentifier(resource: Resource, path: string, own: number | undefined) {
  const has = (name: string) => resource.fields[name] !== undefined;
  const [day = ''] = DAYS.filter(has);
  const [text = ''] = TEXTS.filter(has);
  /** The names of the fields that still identify a row after a correction: day, text and person. */
  const lasting = [day, text, USER].filter(has);
  const relations = Object.entries(resource.fields).flatMap(([name, { kind }]) =>
    (kind === 'id' && name !== 'id') || kind === 'work-item' || kind === 'user' ? [name] : [],
  );
  const digestOf = (fields: JsonObject, names = Object.keys(fields)) => {
    const chosen = Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
    return requestDigest('POST', path, Buffer.from(stringifyJson(chosen))).slice(0, DIGEST_LENGTH);
  };
  const isOwn = (name: string, value: JsonValue) => name === USER && own !== undefined && scalarText(value) === String(own);
  /** Removes fields that are null, and a user field with your own id. */
  const plain = (fields: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null && !isOwn(name, value)));
  return {
    plain,
    lasting,
    relations,
    /** Identifies a row by the values that svc sends. The names and the order of the columns and the file format make no difference. */
    identify(typed: JsonObject): ImportRow {
      const fields = plain(typed);
      const digest = digestOf(fields);
      const date = scalarText(fields[day] ?? null).slice(0, 10);
      const known = /^\d{4}-\d\d-\d\d$/.test(date) ? { day: date } : {};
      // A row with neither a day nor a text equals only a row with the same content.
      if (fields[day] === undefined && fields[text] === undefined) return { digest, likeness: digest, twin: digest, ...known };
      return { digest, likeness: digestOf(fields, lasting), twin: digestOf(fields, [...lasting, ...relations]), ...known };
    },
  };
}

/** A record at the service, with the field names of a request body. The record lacks fields that the service does not show. */
export interface ExistingRecord {
  readonly id: string;
  readonly fields: JsonObject;
}

export interface OpenRow {
  readonly body: JsonObject;
  readonly identity: ImportRow;
}

/** A row and the record that matches it. `isSame` is true if all fields match, and false if only day, text and person match. */
export interface Found<Row> {
  readonly row: Row;
  readonly record: ExistingRecord;
  readonly isSame: boolean;
}

/**
 * Matches rows with records, each record at most once. A row without a day has no match. Records with equal fields take precedence. Without
 * such a record, day, text and person must match, and no relation can differ.
 */
export function findExisting<Row extends OpenRow>(
  rows: readonly Row[],
  records: readonly ExistingRecord[],
  { lasting, relations }: RowIdentifier,
): Found<Row>[] {
  const [day = ''] = lasting;
  const byDay = Map.groupBy(records, ({ fields }) => valueText(fields[day]).slice(0, 10));
  const taken = new Set<ExistingRecord>();
  const found = new Map<Row, Found<Row>>();
  const match = (isSame: boolean, namesOf: (row: Row) => readonly string[]) => {
    for (const row of rows) {
      if (found.has(row) || row.identity.day === undefined) continue;
      const fits = ({ fields }: ExistingRecord) =>
        lasting.every((name) => isSameValue(row.body[name], fields[name])) &&
        namesOf(row).every(
          (name) => fields[name] === undefined || row.body[name] === undefined || isSameValue(row.body[name], fields[name]),
        );
      const record = byDay.get(row.identity.day)?.find((candidate) => !taken.has(candidate) && fits(candidate));
      if (record === undefined) continue;
      taken.add(record);
      found.set(row, { row, record, isSame });
    }
  };
  match(true, ({ body }) => Object.keys(body));
  match(false, () => relations);
  return [...found.values()];
}
