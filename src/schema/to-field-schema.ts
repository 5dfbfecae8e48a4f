import type { JsonObject, JsonValue } from '../values/json.ts';
import type { ValueKind } from '../values/kind.ts';
import type { DescribedField } from './described.ts';

/** The JSON schema of each kind of value. */
const TYPES: Readonly<Record<ValueKind, JsonObject>> = {
  id: { type: 'integer' },
  user: { type: 'integer' },
  'work-item': { type: 'integer' },
  integer: { type: 'integer' },
  string: { type: 'string' },
  html: { type: 'string', contentMediaType: 'text/html' },
  markdown: { type: 'string', contentMediaType: 'text/markdown' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  'span-end': { type: 'string', format: 'date-time' },
  time: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}$' },
  duration: { type: 'integer', format: 'minutes' },
  money: { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' },
  decimal: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  percentage: { type: 'integer', minimum: 0, maximum: 100 },
  coordinate: { type: 'number' },
  boolean: { type: 'boolean' },
  enum: { type: 'string' },
  json: {},
};

/**
 * Returns a field as a schema.
 *
 * @param way records show a coordinate as a string, and bodies send it as a number (rule 2.30).
 */
export function fieldSchema(field: Omit<DescribedField, 'write' | 'required'>, way: 'shown' | 'sent'): JsonObject {
  const { kind, summary, nullable, values, extensible, ref, deprecated } = field;
  const base = kind === 'coordinate' && way === 'shown' ? { type: 'string' } : TYPES[kind];
  const listed = values !== undefined && {
    enum: [...values.map((value) => jsonOf(value, base['type'])), ...(nullable && kind !== 'json' ? [null] : [])],
    ...(extensible && { 'x-extensible-enum': true }),
  };
  const typed =
    kind === 'json'
      ? {
          ...(nullable ? { type: ['object', 'array', 'null'] } : values && { type: 'array' }),
          ...(listed && { items: { type: 'string', ...listed } }),
        }
      : { ...base, ...(nullable && { type: [base['type'] as string, 'null'] }), ...listed };
  return {
    ...typed,
    'x-kind': kind,
    'x-ref': ref ?? false,
    ...(summary !== undefined && { description: summary }),
    ...(deprecated && { deprecated: true }),
  };
}

function jsonOf(text: string, type: JsonValue | undefined): JsonValue {
  if (type === 'boolean') return text === 'true';
  return (type === 'integer' || type === 'number') && String(Number(text)) === text ? Number(text) : text;
}
