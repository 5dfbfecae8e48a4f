import type { Database } from '../db.ts';
import type { Json, Row, Values } from '../json.ts';
import type { FieldSurroundings, ServedField, ValidWrite } from './define.ts';

export const name: ServedField = { type: 'string', write: 'required', filter: true, sort: true };

export const textField: ServedField = { type: 'string', nullable: true, write: 'optional' };

/** An optional string field that lists can filter and sort by. */
export const tag: ServedField = { type: 'string', nullable: true, write: 'optional', filter: true, sort: true };

export const html: ServedField = { type: 'html', nullable: true, write: 'optional', shown: 'detail' };

export const day: ServedField = { type: 'date', nullable: true, write: 'optional', filter: true, sort: true };

export const requiredDay: ServedField = { type: 'date', write: 'required', filter: true, sort: true };

export const dateTime: ServedField = { type: 'datetime', nullable: true, write: 'optional', filter: true, sort: true };

export const money: ServedField = { type: 'money', nullable: true, write: 'optional', sort: true };

export const minutes: ServedField = { type: 'minutes', nullable: true, write: 'optional', sort: true };

export const percent: ServedField = { type: 'percent', nullable: true, write: 'optional' };

export const flag: ServedField = { type: 'boolean', write: 'optional', default: false, filter: true };

export const position: ServedField = { type: 'integer', sort: true, default: 0 };

export function choice(values: readonly [string, ...string[]]): ServedField {
  return { type: 'enum', values, default: values[0], write: 'optional', filter: true, sort: true };
}

export function ref(to: string, more: Partial<ServedField> = {}): ServedField {
  return { type: 'reference', to, nullable: true, write: 'optional', filter: true, sort: true, ...more };
}

export function requiredRef(to: string): ServedField {
  return { type: 'reference', to, write: 'required', filter: true, sort: true };
}

/**
 * Returns a field with the number of records of another resource that refer to this record, such as `comments_count`. Deleted records count
 * too.
 * @param by field of the other resource with the id of this record.
 */
export function count(resource: string, by: string): ServedField {
  return { type: 'integer', compute: (row, { db }) => db.table(resource).where(by, row.id).length };
}

export function webUrl(path: (row: Row, around: FieldSurroundings) => string): ServedField {
  return { type: 'string', compute: (row, around) => `${around.origin}${path(row, around)}` };
}

export function readOnly(field: ServedField): ServedField {
  const { write: _, ...rest } = field;
  return rest;
}

export const ORGANISATION_ZONE = 'Europe/Amsterdam';

export function zoneOf(db: Database, userId: Json | undefined): string {
  const zone = typeof userId === 'number' ? db.table('users').get(userId)?.['timezone'] : undefined;
  return typeof zone === 'string' && isZone(zone) ? zone : ORGANISATION_ZONE;
}

function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export function authoredBy({ kind, values, actor }: ValidWrite): Values {
  return kind === 'create' && (values['user_id'] ?? null) === null ? { user_id: actor.user.id } : {};
}
