import type { Field, Filter, Note, Resource, Shortcut, ShortcutFilter } from './define.ts';

export const NAME: Field = { kind: 'string', write: 'both', required: true, assumed: true };

export const TEXT: Field = { kind: 'string', write: 'both', assumed: true };

export function refTo(noun: string, more: Partial<Field> = {}): Field {
  return { kind: 'id', write: 'both', ref: noun, assumed: true, ...more };
}

export function userField(more: Partial<Field> = {}): Field {
  return { kind: 'user', write: 'both', ref: 'users', assumed: true, ...more };
}

/** Returns a foreign key and the object that shows its record: `project_id` and `project` for `withRecord('project', …)`. */
export function withRecord<const Name extends string>(name: Name, key: Field): Readonly<Record<`${Name}_id` | Name, Field>> {
  const record: Field = { kind: 'json', assumed: true };
  return { [`${name}_id`]: key, [name]: record } as Readonly<Record<`${Name}_id` | Name, Field>>;
}

export const BY_ID: Filter = { kind: 'id', operators: ['in'], assumed: true };
export const BY_USER: Filter = { kind: 'user', operators: ['in'], assumed: true };
export const BY_DATE: Filter = { kind: 'date', operators: ['gte', 'lte'], assumed: true };
export const BY_ENUM: Filter = { kind: 'enum', operators: ['in'], assumed: true };
export const BY_FLAG: Filter = { kind: 'boolean', operators: [], assumed: true };

export function shortcut(flag: string, summary: string, takes: Exclude<Shortcut['takes'], undefined>, set: ShortcutFilter): Shortcut {
  return { flag, summary, takes, sets: [set] };
}

export const DUE = { kind: 'date', ahead: true, summary: 'The due date; a weekday means the next such day' } as const;

export const DUE_BY: Shortcut = {
  ...shortcut('due-by', 'Show only records due on this day or earlier', 'date', { field: 'due_date', operator: 'lte' }),
  ahead: true,
};

export function nullShortcut(flag: string, summary: string, field: string): Shortcut {
  return { flag, summary, sets: [{ field, operator: 'null', value: 'true' }] };
}

export function idShortcut(flag: string, summary: string, field = `${flag.replaceAll('-', '_')}_id`): Shortcut {
  return shortcut(flag, summary, 'id', { field });
}

/** Returns the flags `--from` and `--to` for a field of calendar dates. The range includes both dates. `--from` alone takes a range too. */
export function dayShortcuts(field: string, from: string, to: string): readonly Shortcut[] {
  return [
    shortcut('from', `${from}, or of a range such as last-month`, 'date', { field, operator: 'gte' }),
    shortcut('to', to, 'date', { field, operator: 'lte' }),
  ];
}

/** The note for a list that people reorder by dragging (rule 8.26). */
export const ARRANGED: Note = {
  on: ['list'],
  text: 'The service lists the records in the order that people chose. --sort id gives a fixed order.',
};

export const UPLOADED_FILES = {
  fields: {
    file_name: { kind: 'string', assumed: true },
    mime_type: { kind: 'string', assumed: true },
    size: { kind: 'integer', assumed: true, summary: 'The size in bytes' },
  },
  columns: ['id', 'file_name', 'mime_type', 'size', 'created_at'],
  notes: [
    'Uploads need an API spec of your organisation (svc schema import), or an operation that the organisation lists. Uploads also need a personal access token.',
  ],
} as const satisfies Partial<Resource>;

export const COMMENTS = {
  fields: {
    body: { kind: 'html', write: 'both', required: true, long: true, example: 'Looks good' },
    user_id: { kind: 'id', ref: 'users', assumed: true },
    user: { kind: 'json', assumed: true },
  },
  columns: ['id', 'created_at', 'user_id', 'body'],
} as const satisfies Partial<Resource>;

/**
 * Returns the help note for child records that some organisations list only under one parent.
 *
 * @param command The command that lists the records of one parent, without `svc`.
 */
export function notAllAtOnce(command: string): Note {
  return {
    on: ['list'],
    text: `Some organisations cannot list all records at once. svc ${command} always lists the records of one parent.`,
  };
}
