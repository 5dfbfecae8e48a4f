import { isObject, type Json } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import type { JsonSchema } from '../resources/define.ts';

/** Keywords that say something of the whole, and not of one of the choices. */
const ANNOTATIONS = ['title', 'description', 'readOnly', 'writeOnly', 'deprecated', 'default'];

const NULL: JsonSchema = { type: 'null' };

/** The same schema for a value that may be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type === 'string') {
    return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
  }
  if (Array.isArray(type)) return schema;
  return { anyOf: [schema, NULL] };
}

/**
 * Rewrites a document into the form of null that the options ask for. In the given document a null value is a list of types or
 * `anyOf` with null.
 */
export function withNulls(node: Json, knobs: SandboxKnobs): Json {
  if (knobs.openapiVersion !== '3.0.3' && knobs.openapiNull === 'type-list') return node;
  if (Array.isArray(node)) return node.map((part: Json) => withNulls(part, knobs));
  if (!isObject(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, part]) => [key, withNulls(part, knobs)]));
  const { type, anyOf } = inner;
  if (Array.isArray(type)) return ofTypes(inner, type as readonly string[], knobs);
  if (Array.isArray(anyOf) && anyOf.some(isNull)) return ofChoices(inner, anyOf.filter(isObject), knobs);
  return inner;
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema['type'] === 'null';
}

function ofTypes(schema: JsonSchema, types: readonly string[], knobs: SandboxKnobs): JsonSchema {
  const given = types.filter((type) => type !== 'null');
  const mayBeNull = given.length < types.length;
  const { type: _, enum: values, ...rest } = schema;
  const whole = Object.entries(rest).filter(([key]) => ANNOTATIONS.includes(key));
  const own = Object.entries(rest).filter(([key]) => !ANNOTATIONS.includes(key));
  const isOld = knobs.openapiVersion === '3.0.3';
  if (given.length === 1 && isOld) {
    return { type: given[0] ?? null, ...rest, ...(values !== undefined && { enum: values }), ...(mayBeNull && { nullable: true }) };
  }
  if (!isOld && knobs.openapiNull === 'type-list') return schema;
  const known = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  const choices = given.map((type) => ({ type, ...Object.fromEntries(own), ...known }));
  return ofChoices(Object.fromEntries(whole), [...choices, ...(mayBeNull ? [NULL] : [])], knobs);
}

function ofChoices(
  { anyOf: _, ...whole }: JsonSchema,
  choices: readonly JsonSchema[],
  { openapiVersion, openapiNull }: SandboxKnobs,
): JsonSchema {
  if (openapiVersion !== '3.0.3') return { ...whole, [openapiNull === 'one-of' ? 'oneOf' : 'anyOf']: choices };
  const others = choices.filter((choice) => !isNull(choice));
  if (others.length === choices.length) return { ...whole, anyOf: others };
  // `nullable` wants a type beside it; what stands alone and may be null is a record.
  if (others.length === 1) return { ...whole, type: 'object', nullable: true, allOf: others };
  return { ...whole, anyOf: others.map((choice) => ({ ...choice, nullable: true })) };
}
