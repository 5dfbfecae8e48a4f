import { htmlToLine } from '../output/html-text.ts';
import { formatDuration } from '../values/duration.ts';
import { type JsonObject, scalarText } from '../values/json.ts';

/** The name of a record for a person: its number and name; without either, its time and text. A line each. */
export function namesOf(record: JsonObject): string[] {
  const names = textsOf(record, ['number', 'name', 'title', 'file_name']);
  return names.length > 0 ? names : textsOf(record, ['date', 'start', 'minutes', 'description', 'body']);
}

function textsOf(record: JsonObject, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const value = scalarText(record[field] ?? null);
    return value === '' ? [] : [field === 'minutes' ? formatDuration(Number(value)) : htmlToLine(value)];
  });
}
