import type { Field, Filter, Note, Resource, Shortcut } from './define.ts';

// Fields, filters, shortcuts and notes that come up in many entries.

/** Fields that nearly every record has. */
export const STAMPS = {
  created_at: { kind: 'date-time' },
  updated_at: { kind: 'date-time' },
} as const satisfies Record<string, Field>;

/** Set on a record that was deleted softly (rule 2.45). */
export const DELETED = { deleted_at: { kind: 'date-time' } } as const satisfies Record<string, Field>;

/** `filter[created_at]` and `filter[updated_at]` with the operators that are documented for absences. */
export const STAMP_FILTERS = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'] },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'] },
} as const satisfies Record<string, Filter>;

/** The same, on collections whose filters are not documented. */
export const ASSUMED_STAMP_FILTERS = {
  created_at: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
  updated_at: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
} as const satisfies Record<string, Filter>;

/** The name of most records. */
export const NAME: Field = { kind: 'string', write: 'both', required: true, assumed: true };

/** A string, as it is. */
export const TEXT: Field = { kind: 'string', write: 'both', assumed: true };

/** A foreign key that the documentation does not show. */
export function refTo(noun: string, more: Partial<Field> = {}): Field {
  return { kind: 'id', write: 'both', ref: noun, assumed: true, ...more };
}

/** A user that the documentation does not show. */
export function userField(more: Partial<Field> = {}): Field {
  return { kind: 'user', write: 'both', ref: 'users', assumed: true, ...more };
}

/** A filter by a foreign key. */
export const BY_ID: Filter = { kind: 'id', operators: ['in'], assumed: true };
export const BY_USER: Filter = { kind: 'user', operators: ['in'], assumed: true };
export const BY_DATE: Filter = { kind: 'date', operators: ['gte', 'lte'], assumed: true };
export const BY_ENUM: Filter = { kind: 'enum', operators: ['in'], assumed: true };
export const BY_FLAG: Filter = { kind: 'boolean', operators: [], assumed: true };

/** `--project 12` for `filter[project_id]=12`. */
export function idShortcut(flag: string, summary: string, field = `${flag.replaceAll('-', '_')}_id`): Shortcut {
  return { flag, summary, takes: 'id', sets: [{ field }] };
}

/** `--from` and `--to`, both days included, on a field of calendar dates. */
export function dayShortcuts(field: string, from: string, to: string): readonly Shortcut[] {
  return [
    { flag: 'from', summary: from, takes: 'date', sets: [{ field, operator: 'gte' }] },
    { flag: 'to', summary: to, takes: 'date', sets: [{ field, operator: 'lte' }] },
  ];
}

/** The note for a list whose order people change by dragging (rule 8.26). */
export const ARRANGED: Note = {
  on: ['list'],
  text: 'The service lists the records in the order in which people arranged them. --sort id gives a fixed order.',
};

/** Files that people attach to a record, with the fields that they have everywhere. */
export const UPLOADED_FILES = {
  fields: {
    id: { kind: 'id' },
    file_name: { kind: 'string', assumed: true },
    mime_type: { kind: 'string', assumed: true },
    size: { kind: 'integer', assumed: true, summary: 'The size in bytes' },
    ...STAMPS,
  },
  columns: ['id', 'file_name', 'mime_type', 'size', 'created_at'],
  filters: ASSUMED_STAMP_FILTERS,
  notes: [
    'Uploads need an API spec of your organisation (svc schema import), or an operation that it lists. They also need a personal access token.',
  ],
} as const satisfies Partial<Resource>;

/** The note for a collection that some organisations list only by parent; `command` does that. */
export function notAllAtOnce(command: string): Note {
  return {
    on: ['list'],
    text: `Some organisations cannot list all records at once. svc ${command} lists the records of one parent everywhere.`,
  };
}
