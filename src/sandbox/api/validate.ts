import { isDate, isTimeOfDay, isUtcSecond } from '../dates.ts';
import type { Database } from '../db.ts';
import type { Interpretations } from '../interpretations.ts';
import { isObject, type Json, type Values } from '../json.ts';
import { type BrokenRule, invalidBody, Problem } from '../problem.ts';
import { type ServedField, type ServedResource, storedName, takenType } from '../resources/define.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Call } from './call.ts';

/**
 * Reads the body of a request. An empty body counts as an empty object.
 * @throws Problem 415 for another content type; Problem 400 `malformed-request` if the body is not a JSON object.
 */
export function readRequestBody(call: Call): { [key: string]: Json } {
  const type = call.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !(call.body === '' && type === undefined)) {
    throw new Problem(415, 'unsupported-media-type', 'Send the body as application/json.');
  }
  if (call.body === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(call.body);
  } catch {
    throw new Problem(400, 'malformed-request', 'The body is not JSON.');
  }
  if (!isObject(value)) throw new Problem(400, 'malformed-request', 'The body must be a JSON object.');
  return value;
}

/**
 * Checks a body against the writable fields, and converts its values to the form of stored rows. For a create, adds the default values.
 *
 * @param given fields that the path sets, such as the parent’s id. The body can leave these fields out.
 * @throws Problem 422 that names each unknown field, invalid value and missing required field.
 */
export function validate(
  resource: ServedResource,
  body: { [key: string]: Json },
  kind: 'create' | 'update',
  { db, interpretations }: Pick<SandboxState, 'db' | 'interpretations'>,
  given: Values = {},
): Values {
  const broken: BrokenRule[] = [];
  const values: Values = {};
  for (const [key, value] of Object.entries(body)) {
    const field = Object.hasOwn(resource.fields, key) ? resource.fields[key] : undefined;
    if (field === undefined || !bodyTakes(field, interpretations)) {
      broken.push({ key, code: 'unknown_key', message: `The key ${key} is not accepted here.` });
      continue;
    }
    const checked = check(key, field, value, { db, interpretations });
    if ('code' in checked) broken.push(checked);
    else values[storedName(key, field)] = checked.value;
  }
  if (kind === 'create') {
    for (const [key, field] of Object.entries(resource.fields)) {
      const storedAs = storedName(key, field);
      if (storedAs in values || storedAs in given) continue;
      if (field.write === 'required') {
        if (!(key in body)) broken.push({ key, code: 'required', message: `The key ${key} is required.` });
      } else if (field.compute === undefined && key !== 'id') values[storedAs] = field.default ?? null;
    }
  }
  const [first, ...rest] = broken;
  if (first !== undefined) throw invalidBody([first, ...rest]);
  return { ...values, ...given };
}

export function bodyTakes(field: ServedField, interpretations: Interpretations): boolean {
  return field.write !== undefined && field.when?.(interpretations) !== false;
}

type Checked = { readonly value: Json } | BrokenRule;

function check(
  key: string,
  field: ServedField,
  value: Json,
  { db, interpretations }: Pick<SandboxState, 'db' | 'interpretations'>,
): Checked {
  const fail = (code: string, message: string): BrokenRule => ({ key, code, message: `${key} ${message}` });
  if (value === null) return field.nullable === true ? { value } : fail('required', 'must have a value.');
  switch (takenType(field, interpretations)) {
    case 'string':
    case 'markdown':
      return typeof value === 'string' ? filled(value, field, fail) : fail('string', 'must be text.');
    case 'html':
      return typeof value === 'string' ? filled(sanitise(value), field, fail) : fail('string', 'must be text.');
    case 'integer':
    case 'minutes':
      return isWhole(value) && (field.type === 'integer' || Math.abs(value) <= 1_000_000)
        ? { value }
        : fail('integer', 'must be a whole number.');
    case 'percent':
      if (!isWhole(value)) return fail('integer', 'must be a whole number.');
      return value >= 0 && value <= 100 ? { value } : fail('out_of_range', 'is 0 to 100.');
    case 'boolean':
      return typeof value === 'boolean' ? { value } : fail('boolean', 'must be true or false.');
    case 'date':
      return typeof value === 'string' && isDate(value) ? { value } : fail('date_format', 'must be a date as YYYY-MM-DD.');
    case 'datetime':
      return typeof value === 'string' && isUtcSecond(value)
        ? { value }
        : fail('date_format', 'must be a date-time as YYYY-MM-DDTHH:MM:SSZ.');
    case 'time':
      return typeof value === 'string' && isTimeOfDay(value) ? { value } : fail('date_format', 'must be a time of day as HH:MM.');
    case 'money':
    case 'decimal':
      return typeof value === 'string' && /^-?\d{1,12}(\.\d{1,2})?$/.test(value)
        ? { value: Number(value).toFixed(2) }
        : fail('decimal', 'must be a text with at most two decimals, like "12.50".');
    case 'coordinate':
      return typeof value === 'number' && Math.abs(value) <= 180
        ? { value: value.toFixed(7).replace(/\.?0+$/, '') }
        : fail('numeric', 'must be a number.');
    case 'enum':
      return typeof value === 'string' && field.values?.includes(value) === true
        ? { value }
        : fail('in', `must be one of ${field.values?.join(', ')}.`);
    case 'reference':
      if (!isWhole(value)) return fail('integer', 'must be an id.');
      return exists(db, field, value) ? { value } : fail('exists', `names a record that does not exist: ${value}.`);
    case 'references':
      return Array.isArray(value) && value.every((id: Json) => isWhole(id) && exists(db, field, id))
        ? { value }
        : fail('exists', 'must be a list of ids.');
    case 'object':
      return isObject(value) ? { value } : fail('object', 'must be an object.');
  }
}

function filled(value: string, field: ServedField, fail: (code: string, message: string) => BrokenRule): Checked {
  return field.write === 'required' && value.trim() === '' ? fail('required', 'must not be empty.') : { value };
}

function isWhole(value: Json): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function exists(db: Database, field: ServedField, id: number): boolean {
  return field.to !== undefined && db.table(field.to).get(id) !== undefined;
}

function sanitise(html: string): string {
  return html
    .replaceAll(/<(script|style|iframe)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi, '')
    .replaceAll(/\son\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, '');
}
