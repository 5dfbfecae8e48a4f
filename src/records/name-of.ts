import { htmlToLine } from '../output/html-text.ts';
import { formatDuration } from '../values/duration.ts';
import { type JsonObject, scalarText } from '../values/json.ts';

/** What a person knows a record by: its number and name; where it has neither, when it was and what it says. A line each. */
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
