import type { Database } from '../db.ts';
import type { Json, Row, Values } from '../json.ts';
import type { FieldSurroundings, ServedField, ValidWrite } from './define.ts';

// Short names for the fields that come up again and again. Each may be written unless the definition says otherwise.

/** The name a record goes by: required, sortable, filterable. */
export const name: ServedField = { type: 'string', write: 'required', filter: true, sort: true };

export const textField: ServedField = { type: 'string', nullable: true, write: 'optional' };

/** A string that many records share, so that filtering by it is useful. */
export const tag: ServedField = { type: 'string', nullable: true, write: 'optional', filter: true, sort: true };

/** Sanitised HTML; not in the summary view. */
export const html: ServedField = { type: 'html', nullable: true, write: 'optional', shown: 'detail' };

export const day: ServedField = { type: 'date', nullable: true, write: 'optional', filter: true, sort: true };

export const requiredDay: ServedField = { type: 'date', write: 'required', filter: true, sort: true };

export const moment: ServedField = { type: 'datetime', nullable: true, write: 'optional', filter: true, sort: true };

export const money: ServedField = { type: 'money', nullable: true, write: 'optional', sort: true };

export const minutes: ServedField = { type: 'minutes', nullable: true, write: 'optional', sort: true };

export const percent: ServedField = { type: 'percent', nullable: true, write: 'optional' };

export const flag: ServedField = { type: 'boolean', write: 'optional', default: false, filter: true };

/** A place in an order that people change by dragging; not writable. */
export const position: ServedField = { type: 'integer', sort: true, default: 0 };

export function choice(values: readonly [string, ...string[]]): ServedField {
  return { type: 'enum', values, default: values[0], write: 'optional', filter: true, sort: true };
}

/** A foreign key that may be null. */
export function ref(to: string, more: Partial<ServedField> = {}): ServedField {
  return { type: 'reference', to, nullable: true, write: 'optional', filter: true, sort: true, ...more };
}

/** A foreign key that every record has. */
export function requiredRef(to: string, more: Partial<ServedField> = {}): ServedField {
  return { type: 'reference', to, write: 'required', filter: true, sort: true, ...more };
}

/** How many records of another resource point here: a `<relation>_count`. */
export function count(resource: string, by: string): ServedField {
  return { type: 'integer', compute: (row, { db }) => db.table(resource).where(by, row.id).length };
}

/** Read-only absolute address of the record in the web app (rules 2.40, 2.41). */
export function webUrl(path: (row: Row, around: FieldSurroundings) => string): ServedField {
  return { type: 'string', compute: (row, around) => `${around.origin}${path(row, around)}` };
}

/** `readonly` version of a field: shown, never taken from a body. */
export function readOnly(field: ServedField): ServedField {
  const { write: _, ...rest } = field;
  return rest;
}

/** The zone of users that have none of their own. */
export const ORGANISATION_ZONE = 'Europe/Amsterdam';

/** The zone of a user. */
export function zoneOf(db: Database, userId: Json | undefined): string {
  const zone = typeof userId === 'number' ? db.table('users').get(userId)?.['timezone'] : undefined;
  return typeof zone === 'string' && isZone(zone) ? zone : ORGANISATION_ZONE;
}

/** A user's zone may be any text that somebody wrote. */
function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Makes the sender the author of a new record without an author. */
export function authoredBy({ kind, values, actor }: ValidWrite): Values {
  return kind === 'create' && (values['user_id'] ?? null) === null ? { user_id: actor.user.id } : {};
}
