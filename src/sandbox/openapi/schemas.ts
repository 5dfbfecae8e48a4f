import { BOOLEANS, LONGEST_LIST, takesMe } from '../api/filter.ts';
import { hasLinks, includeNames, isShown, relation, type ServedView } from '../api/render.ts';
import { bodyTakes } from '../api/validate.ts';
import type { Interpretations } from '../interpretations.ts';
import { isObject, type Json } from '../json.ts';
import { type JsonSchema, type Operator, objectOf, type ServedField, type ServedResource, takenType } from '../resources/define.ts';

type Kind = 'schemas' | 'parameters' | 'responses' | 'headers' | 'requestBodies';

export type Components = ReturnType<typeof createComponents>;

export function createComponents() {
  const kinds = new Map<Kind, Map<string, JsonSchema>>();
  return {
    /** Returns a reference to a part of the document. Creates the part on first use. A part can refer to itself. */
    ref: (kind: Kind, name: string, make: () => JsonSchema): JsonSchema => {
      const made = kinds.get(kind) ?? new Map<string, JsonSchema>();
      kinds.set(kind, made);
      if (!made.has(name)) {
        made.set(name, {});
        made.set(name, make());
      }
      return { $ref: `#/components/${kind}/${name}` };
    },
    get all(): JsonSchema {
      const sorted = [...kinds].map(([kind, made]) => [kind, Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1)))] as const);
      return Object.fromEntries(sorted);
    },
  };
}

const ANNOTATIONS = ['title', 'description', 'readOnly', 'writeOnly', 'deprecated', 'default'];

const NULL: JsonSchema = { type: 'null' };

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type === 'string') {
    return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
  }
  if (Array.isArray(type)) return schema;
  return { anyOf: [schema, NULL] };
}

/** Converts nullable types to the form that the options choose. The input has a list of types, or `anyOf` with null. */
export function withNulls(node: Json, interpretations: Interpretations): Json {
  if (interpretations.openapiVersion !== '3.0.3' && interpretations.openapiNull === 'type-list') return node;
  if (Array.isArray(node)) return node.map((part: Json) => withNulls(part, interpretations));
  if (!isObject(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, part]) => [key, withNulls(part, interpretations)]));
  const { type, anyOf } = inner;
  if (Array.isArray(type)) return ofTypes(inner, type as readonly string[], interpretations);
  if (Array.isArray(anyOf) && anyOf.some(isNull)) return ofChoices(inner, anyOf.filter(isObject), interpretations);
  return inner;
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema['type'] === 'null';
}

function ofTypes(schema: JsonSchema, types: readonly string[], interpretations: Interpretations): JsonSchema {
  const given = types.filter((type) => type !== 'null');
  const mayBeNull = given.length < types.length;
  const { type: _, enum: values, ...rest } = schema;
  const whole = Object.entries(rest).filter(([key]) => ANNOTATIONS.includes(key));
  const own = Object.entries(rest).filter(([key]) => !ANNOTATIONS.includes(key));
  const isOld = interpretations.openapiVersion === '3.0.3';
  if (given.length === 1 && isOld) {
    return { type: given[0] ?? null, ...rest, ...(values !== undefined && { enum: values }), ...(mayBeNull && { nullable: true }) };
  }
  if (!isOld && interpretations.openapiNull === 'type-list') return schema;
  const known = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  const choices = given.map((type) => ({ type, ...Object.fromEntries(own), ...known }));
  return ofChoices(Object.fromEntries(whole), [...choices, ...(mayBeNull ? [NULL] : [])], interpretations);
}

function ofChoices(
  { anyOf: _, ...whole }: JsonSchema,
  choices: readonly JsonSchema[],
  { openapiVersion, openapiNull }: Interpretations,
): JsonSchema {
  if (openapiVersion !== '3.0.3') return { ...whole, [openapiNull === 'one-of' ? 'oneOf' : 'anyOf']: choices };
  const others = choices.filter((choice) => !isNull(choice));
  if (others.length === choices.length) return { ...whole, anyOf: others };
  // `nullable` needs a `type` next to it. A single alternative is always a record, so its type is object.
  if (others.length === 1) return { ...whole, type: 'object', nullable: true, allOf: others };
  return { ...whole, anyOf: others.map((choice) => ({ ...choice, nullable: true })) };
}

const DATE_TIME: JsonSchema = { type: 'string', format: 'date-time', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$' };
/**
 * The schema of an object with any members. Without `type` or `additionalProperties`, type generators treat the schema as an empty object.
 */
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

const ID: JsonSchema = { type: 'integer', format: 'int64' };

type PathOf = (name: string) => string;

function shownSchema(field: ServedField, interpretations: Interpretations, pathOf: PathOf): JsonSchema {
  const schema = field.shows?.(interpretations) ?? valueSchema(field, false, pathOf);
  return field.nullable === true ? orNull(schema) : schema;
}

function takenSchema(field: ServedField, kind: 'create' | 'update', interpretations: Interpretations, pathOf: PathOf): JsonSchema {
  if (field.takes !== undefined) return field.takes;
  const schema = {
    ...valueSchema({ ...field, type: takenType(field, interpretations) }, true, pathOf),
    ...(field.shown === 'never' && { writeOnly: true }),
  };
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

export function filterSchema(
  resource: ServedResource,
  name: string,
  field: ServedField,
  operator: Operator,
  interpretations: Interpretations,
): JsonSchema {
  if (operator === 'null') return booleanSchema(interpretations);
  const { description: _, ...value } = compared(resource, name, field, interpretations);
  if (operator !== 'in') return value;
  return { type: 'array', items: value, minItems: 1, maxItems: LONGEST_LIST };
}

function compared(resource: ServedResource, name: string, field: ServedField, interpretations: Interpretations): JsonSchema {
  switch (field.type) {
    case 'reference':
      return field.to === 'users' && takesMe(interpretations, resource, name) ? { anyOf: [ID, { type: 'string', enum: ['me'] }] } : ID;
    case 'boolean':
      return booleanSchema(interpretations);
    case 'money':
    case 'decimal':
    case 'coordinate':
      return { type: 'string', format: field.type };
    case 'string':
      return { type: 'string' };
    default:
      return valueSchema({ ...field, type: takenType(field, interpretations) }, false, (name) => name);
  }
}

function booleanSchema({ booleans }: Interpretations): JsonSchema {
  return booleans === 'words' ? { type: 'boolean' } : { type: 'string', enum: BOOLEANS[booleans] };
}

interface Properties {
  readonly properties: { [name: string]: JsonSchema };
  readonly required: string[];
}

/** Returns a reference to the schema of a record in one view. The schema has the same name in discovery: `Absence` or `AbsenceSummary`. */
export function recordRef(
  components: Components,
  resource: ServedResource,
  view: ServedView,
  interpretations: Interpretations,
): JsonSchema {
  const name = view === 'detail' ? resource.schema : `${resource.schema}Summary`;
  return components.ref('schemas', name, () => viewSchema(components, resource, view, interpretations));
}

function viewSchema(components: Components, resource: ServedResource, view: ServedView, interpretations: Interpretations): JsonSchema {
  const whole = viewProperties(components, resource, view, interpretations);
  if (view === 'summary' || interpretations.openapiSchemas === 'flat') return objectOf(whole.properties, whole.required);
  const summary = viewProperties(components, resource, 'summary', interpretations);
  const isNew = (name: string, schema: JsonSchema): boolean => JSON.stringify(summary.properties[name]) !== JSON.stringify(schema);
  const more = Object.fromEntries(Object.entries(whole.properties).filter(([name, schema]) => isNew(name, schema)));
  const required = whole.required.filter((name) => !summary.required.includes(name));
  return { allOf: [recordRef(components, resource, 'summary', interpretations), objectOf(more, required)] };
}

function viewProperties(components: Components, resource: ServedResource, view: ServedView, interpretations: Interpretations): Properties {
  const shown: Properties = { properties: {}, required: [] };
  const { falseInSummary } = interpretations;
  for (const [name, field] of Object.entries(resource.fields)) {
    const isThere = isShown(interpretations, name, field, view, {});
    const isOnDemand = field.shown === 'demand';
    if (!isThere && !isOnDemand) continue;
    const isFickle = field.type === 'boolean' && view === 'summary' && falseInSummary !== 'sent';
    const nullable = field.nullable === true || (isFickle && falseInSummary === 'null');
    const schema = shownSchema({ ...field, nullable }, interpretations, (to) => resource.other(to).path);
    shown.properties[name] = bodyTakes(field, interpretations) ? schema : { ...schema, readOnly: true };
    const mayLack = isOnDemand || field.mayLack?.(interpretations) === true || (isFickle && falseInSummary === 'left-out');
    if (!mayLack) shown.required.push(name);
  }
  for (const name of includeNames(resource, interpretations)) {
    const found = relation(resource, name);
    if (found?.resource === undefined) continue;
    const record = recordRef(components, found.resource, 'summary', interpretations);
    const schema: JsonSchema = found.many ? { type: 'array', items: record } : orNull(record);
    shown.properties[name] = { ...schema, readOnly: true, description: 'Shown when include names it.' };
  }
  if (hasLinks(resource, view, interpretations)) {
    shown.properties['links'] = components.ref('schemas', 'RecordLinks', () => objectOf({ self: { type: 'string', format: 'uri' } }));
    shown.required.push('links');
  }
  return shown;
}

export function bodySchema(
  fields: Readonly<Record<string, ServedField>>,
  kind: 'create' | 'update',
  interpretations: Interpretations,
  pathOf: PathOf,
  given?: string,
): JsonSchema {
  const taken = Object.entries(fields).filter(([, field]) => bodyTakes(field, interpretations));
  const properties = Object.fromEntries(taken.map(([name, field]) => [name, takenSchema(field, kind, interpretations, pathOf)]));
  const required = taken.flatMap(([name, { write }]) => (write === 'required' && name !== given ? name : []));
  // The service refuses members that the schema does not list, with 422.
  return { ...objectOf(properties, kind === 'create' ? required : []), additionalProperties: false };
}
