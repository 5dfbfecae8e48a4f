import { z } from 'zod';
import { type JsonObject, parsedJson } from '../values/json.ts';
import { isColumnName, OTHERS } from './sql-values.ts';
import { type ExpectedColumn, MOST_COLUMNS, type StoredColumn, type TableShape } from './table-shape.ts';
import { ANY, formOf, VALUE_FORM } from './value-form.ts';

export type SeenFields = ReturnType<typeof seenFields>;

const stored = z.array(z.tuple([z.string(), z.number().int().min(0).max(ANY)]));

/**
 * Tracks the fields that the records of a table have, and chooses a column for each field. A field gets a column if an imported API spec or
 * a record has the field. The field’s name must fit every database. The values so far decide the type of a field that no API spec names.
 *
 * @param text string that `text` returned earlier for this table. Undefined for a new table.
 */
export function seenFields({ columns, expected }: TableShape, text: string | undefined) {
  const declared = columns.filter(({ name }) => isColumnName(name)).slice(0, MOST_COLUMNS);
  const declaredNames = new Set(declared.map(({ name }) => name));
  const declaredFolded = new Set(declared.map(({ name }) => folded(name)));
  const known = stored.safeParse(parsedJson(text ?? '')).data ?? [];
  const forms = new Map(known.filter(([name]) => declaredNames.has(name) || !declaredFolded.has(folded(name))));
  const taken = new Set([OTHERS, ...declaredNames, ...forms.keys()].map(folded));
  const isFixed = (name: string) => expected?.get(name)?.isFixed === true;
  const missing = new Set(forms.keys());
  const mayHaveColumn = (name: string) =>
    !taken.has(folded(name)) && isColumnName(name) && (declared.length + forms.size < MOST_COLUMNS || isFixed(name));
  return {
    /** Adds the fields of a record. @returns true if a field needs a new column, or a column of another type. */
    see(record: JsonObject) {
      let isNew = false;
      for (const name of Object.keys(record)) {
        if (declaredNames.has(name)) continue;
        const before = forms.get(name);
        if (before === undefined) {
          if (!mayHaveColumn(name)) continue;
          taken.add(folded(name));
        } else missing.delete(name);
        if (before === VALUE_FORM.TEXT) continue;
        const form = (before ?? ANY) & formOf(record[name] ?? null);
        if (form === before) continue;
        forms.set(name, form);
        isNew ||= form !== ANY;
      }
      return isNew;
    },
    /** Returns the columns of the fields, except the column for other fields. @param isEnd true to include fields with only nulls. */
    columns: (isEnd: boolean) => [
      ...declared,
      ...[...forms].flatMap(([name, form]): StoredColumn[] => {
        if (declaredNames.has(name) || (form === ANY && !isEnd)) return [];
        return [columnOf(name, form, expected?.get(name))];
      }),
    ],
    /** Returns true if a field has its own column. The values of other fields go into the column for other fields. */
    hasColumn: (name: string) => declaredNames.has(name) || forms.has(name),
    /** Returns the stored fields that `see` has not seen in a record. */
    unseen: () => [...missing].filter((name) => !declaredNames.has(name)),
    forget: (name: string) => void forms.delete(name),
    /** Returns a string from which {@link seenFields} can continue later. */
    text: () => JSON.stringify([...forms]),
  };
}

/** Returns the column with the most exact type that fits all values of a field. */
function columnOf(name: string, form: number, expected: ExpectedColumn | undefined): StoredColumn {
  if (expected !== undefined && (form === ANY || expected.isFixed)) return expected;
  if (form === ANY) return { name, type: 'TEXT' };
  for (const type of ['BOOLEAN', 'INTEGER', 'NUMERIC'] as const) if (form & VALUE_FORM[type]) return { name, type };
  if (form & VALUE_FORM.JSON) return { name, type: 'JSON TEXT' };
  // An invoice number can look like a decimal, and a name like a date. `holds` therefore depends on the expected kind.
  if (form & VALUE_FORM.DECIMAL) return { name, type: 'TEXT', ...(expected?.holds === 'decimal' && { holds: 'decimal' }) };
  const mayBeTime = expected === undefined || expected.holds === 'day' || expected.holds === 'moment';
  if (mayBeTime && form & VALUE_FORM.DAY) return { name, type: 'TEXT', holds: 'day' };
  if (mayBeTime && form & VALUE_FORM.TIMESTAMP) return { name, type: 'TEXT', holds: 'moment' };
  return { name, type: 'TEXT' };
}

/** Converts A to Z to lower case, because SQLite treats `Name` and `name` as the same column. */
function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
