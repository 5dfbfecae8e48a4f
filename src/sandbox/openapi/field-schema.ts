import { BOOLEANS, LONGEST_LIST, takesMe } from '../api/filter.ts';
import type { Json } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import type { JsonSchema, Operator, ServedField, ServedResource } from '../resources/define.ts';
import { orNull } from './null.ts';

const DATE_TIME: JsonSchema = { type: 'string', format: 'date-time', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$' };
/** An object without known members. Both keywords are written out, since generators of types take it for an empty object otherwise. */
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

const ID: JsonSchema = { type: 'integer', format: 'int64' };

/** The path of a resource's collection, without the slash, by its name. */
export type PathOf = (name: string) => string;

/** A field as records show it. */
export function shownSchema(field: ServedField, knobs: SandboxKnobs, pathOf: PathOf): JsonSchema {
  const schema = field.shows?.(knobs) ?? valueSchema(field, false, pathOf);
  return field.nullable === true ? orNull(schema) : schema;
}

/** A field as bodies take it. */
export function takenSchema(field: ServedField, kind: 'create' | 'update', pathOf: PathOf): JsonSchema {
  if (field.takes !== undefined) return field.takes;
  const schema = { ...valueSchema(field, true, pathOf), ...(field.shown === 'never' && { writeOnly: true }) };
  const taken = field.nullable === true ? orNull(schema) : schema;
  const isGiven = kind === 'create' && field.write === 'optional' && field.default !== undefined;
  return isGiven ? { ...taken, default: field.default as Json } : taken;
}

function valueSchema(field: ServedField, isTaken: boolean, pathOf: PathOf): JsonSchema {
  switch (field.type) {
    case 'string':
      return { type: 'string', ...(isTaken && field.write === 'required' && { minLength: 1 }) };
    case 'html':
      return { type: 'string', format: 'html', description: 'Sanitised HTML.' };
    case 'markdown':
      return { type: 'string', format: 'markdown', description: 'GitHub-Flavored Markdown.' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      return DATE_TIME;
    case 'time':
      return {
        type: 'string',
        format: 'time-of-day',
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description: 'Time of day, without a zone.',
      };
    case 'minutes':
      return { type: 'integer', format: 'minutes', description: 'Whole minutes.' };
    case 'money':
    case 'decimal':
      return {
        type: 'string',
        format: field.type,
        pattern: isTaken ? '^-?[0-9]{1,12}(\\.[0-9]{1,2})?$' : '^-?[0-9]+\\.[0-9]{2}$',
        description: 'Decimal number as text, with two decimals.',
      };
    case 'percent':
      return { type: 'integer', format: 'percentage', minimum: 0, maximum: 100 };
    case 'coordinate':
      return isTaken
        ? { type: 'number', format: 'coordinate', minimum: -180, maximum: 180 }
        : { type: 'string', format: 'coordinate', pattern: '^-?[0-9]{1,3}(\\.[0-9]{1,7})?$' };
    case 'enum':
      return { type: 'string', enum: field.values ?? [], 'x-extensible-enum': true };
    case 'reference':
      return { ...ID, ...refersTo(field, pathOf) };
    case 'references':
      return { type: 'array', items: ID, ...refersTo(field, pathOf, 'Refers to records') };
    case 'integer':
    case 'boolean':
      return { type: field.type };
    case 'object':
      return ANY_OBJECT;
  }
}

function refersTo({ to }: ServedField, pathOf: PathOf, words = 'Refers to a record'): JsonSchema {
  return to === undefined ? {} : { description: `${words} of /${pathOf(to)}.` };
}

/** The schema of a filter with one operator. */
export function filterSchema(
  resource: ServedResource,
  name: string,
  field: ServedField,
  operator: Operator,
  knobs: SandboxKnobs,
): JsonSchema {
  if (operator === 'null') return booleanSchema(knobs);
  const { description: _, ...value } = compared(resource, name, field, knobs);
  if (operator !== 'in') return value;
  return { type: 'array', items: value, minItems: 1, maxItems: LONGEST_LIST };
}

function compared(resource: ServedResource, name: string, field: ServedField, knobs: SandboxKnobs): JsonSchema {
  switch (field.type) {
    case 'reference':
      return field.to === 'users' && takesMe(knobs, resource, name) ? { anyOf: [ID, { type: 'string', enum: ['me'] }] } : ID;
    case 'boolean':
      return booleanSchema(knobs);
    case 'money':
    case 'decimal':
    case 'coordinate':
      return { type: 'string', format: field.type };
    case 'string':
      return { type: 'string' };
    default:
      return valueSchema(field, false, (name) => name);
  }
}

/** A boolean in a query, in the spelling that the option asks for. */
function booleanSchema({ booleans }: SandboxKnobs): JsonSchema {
  return booleans === 'words' ? { type: 'boolean' } : { type: 'string', enum: BOOLEANS[booleans] };
}
