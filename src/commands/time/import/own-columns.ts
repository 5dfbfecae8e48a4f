import type { SourceRow } from '../../../bulk/import/source.ts';
import { plainName } from '../../../time/exports/define.ts';
import { PERSON_COLUMNS } from '../../../time/exports/person.ts';
import type { JsonObject, JsonValue } from '../../../values/json.ts';

/** What people call the fields of a worklog, in lower case with underscores; a field's own name counts before any of these. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  date: ['day', 'work_date', 'spent_date'],
  minutes: ['mins', 'duration', 'hours', 'decimal_hours', 'time', 'time_spent'],
  description: ['text', 'notes', 'note', 'comment'],
  project: ['project_name'],
  work_item: ['issue', 'issue_key', 'ticket'],
  billable: ['billable?', 'is_billable'],
};

/** Columns whose numbers are hours, whatever they look like. */
export const HOURS = new Set(['hours', 'decimal_hours']);

/** A row under the names of svc's fields, and what the file calls them. */
export interface OwnRow {
  readonly line: number;
  readonly values: JsonObject;
  readonly columns: Readonly<Record<string, string>>;
  readonly who: readonly string[];
  /** Columns that say again what another one says. */
  readonly unused: readonly string[];
}

/** Puts the file's columns under the names of svc's fields, in the file's order. Records that svc itself printed are left as they are. */
export function renamed({ line, values }: SourceRow): OwnRow {
  const byName = new Map(Object.keys(values).map((column) => [plainName(column).replace(/[\s-]+/g, '_'), column]));
  const fieldOf = new Map<string, string>();
  const unused: string[] = [];
  for (const [field, names] of Object.entries(NAMES)) {
    const [column, ...others] = [field, ...names].map((name) => byName.get(name) ?? '').filter((name) => isFilled(values[name]));
    if (column !== undefined) fieldOf.set(column, field);
    unused.push(...others);
  }
  const who = PERSON_COLUMNS.map((name) => byName.get(name.replace(/[\s-]/g, '_'))).filter((column) => {
    const value = column === undefined ? undefined : values[column];
    return isText(value) && !(plainName(column ?? '') === 'user' && isId(value));
  });
  const kept = Object.entries(values).filter(([column]) => !who.includes(column) && !unused.includes(column));
  return {
    line,
    values: Object.fromEntries(kept.map(([column, value]) => [fieldOf.get(column) ?? column, value])),
    columns: Object.fromEntries([...fieldOf].map(([column, field]) => [field, column])),
    who: joinedName(
      who.map((column) => String(values[column ?? ''])),
      values,
      byName,
    ),
    unused,
  };
}

/** A first and a last name are one. */
function joinedName(who: readonly string[], values: JsonObject, byName: ReadonlyMap<string, string>): readonly string[] {
  const parts = ['first_name', 'last_name'].map((name) => values[byName.get(name) ?? '']).filter(isText);
  return parts.length < 2 ? who : [...who.filter((text) => !parts.includes(text)), parts.join(' ')];
}

/** A user by id, or by the word for oneself, which anything that reads a user understands; or a record of one. */
export function isId(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'string' || /^(?:me|\d+)$/i.test(value.trim());
}

export function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isFilled(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}
