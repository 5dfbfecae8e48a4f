import { refusedDocument } from './names.ts';
import { type DocumentTable, type FollowReference, isTable, membersOf, textsOf } from './references.ts';

/**
 * A schema of a document after svc has followed its references and merged its parts. The schemas of its properties still contain
 * references.
 */
export interface Flat {
  /** The JSON types without `null`, such as `string` or `integer`. Empty if the schema gives no type. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly mediaType?: string;
  readonly title?: string;
  readonly description?: string;
  /** The listed values, each as a string. Absent if the schema lists no values, or more than 1,000 values. */
  readonly values?: readonly string[];
  /** True if the enum can have values that the schema does not list. */
  readonly extensible: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  readonly items?: unknown;
  readonly name?: string;
  /** The alternatives of oneOf or anyOf, without null. Absent if there are fewer than two alternatives. */
  readonly branches?: readonly Flat[];
  /** The extensions of the schema by name. The names start with `x-`. */
  readonly extensions: ReadonlyMap<string, unknown>;
}

export type Schemas = ReturnType<typeof createSchemas>;

/** The most properties that svc merges, over all schemas of a document. svc refuses a document with more properties. */
const MOST_STEPS = 2_000_000;
/** The longest chain of schemas that contain each other. svc refuses a document with a longer chain. */
const MOST_PARTS = 200;
/**
 * The most fields in all resources and bodies. svc refuses a document with more fields. The largest public services have some ten thousand
 * fields.
 */
const MOST_FIELDS = 150_000;

const EMPTY: Flat = {
  types: [],
  nullable: false,
  extensible: false,
  readOnly: false,
  writeOnly: false,
  deprecated: false,
  properties: new Map(),
  required: new Set(),
  extensions: new Map(),
};

/** Flattens the schemas of a document. Flattens each schema only once. */
export function createSchemas(follow: FollowReference) {
  const known = new Map<object, Flat | undefined>();
  let steps = 0;
  let fields = 0;
  let level = 0;

  function flat(schema: unknown): Flat {
    if (!isTable(schema)) return EMPTY;
    if (known.has(schema)) {
      const found = known.get(schema);
      if (found === undefined)
        throw refusedDocument('The document has a schema that contains itself, through allOf, anyOf, oneOf or $ref.');
      return found;
    }
    known.set(schema, undefined);
    level += 1;
    if (level > MOST_PARTS)
      throw refusedDocument(`The document has a schema with a chain of more than ${MOST_PARTS} schemas, each inside the next.`);
    const result = together(schema);
    level -= 1;
    known.set(schema, result);
    return result;
  }

  function together(schema: DocumentTable): Flat {
    const { $ref, allOf, oneOf, anyOf } = schema;
    const itself = own(schema);
    const parts: Flat[] = [];
    if (typeof $ref === 'string') {
      const target = follow($ref);
      const said = target.value['x-schema'];
      const referred = { ...flat(target.value), name: typeof said === 'string' ? said : target.name };
      if (Object.keys(schema).length === 1) return referred;
      parts.push(referred);
    }
    if (Array.isArray(allOf)) parts.push(...allOf.map(flat));
    for (const branches of [oneOf, anyOf]) if (Array.isArray(branches) && branches.length > 0) parts.push(either(branches));
    return [...parts, itself].reduce(both);
  }

  /**
   * Merges alternatives. The result has the types, properties and listed values of all alternatives, and the other facts of one
   * alternative.
   */
  function either(branches: readonly unknown[]): Flat {
    const flats = branches.map(flat);
    const real = flats.filter((branch) => !isNull(branch));
    const nullable = real.length < flats.length || real.some((branch) => branch.nullable);
    const [first = EMPTY] = real;
    if (real.length <= 1) return { ...first, nullable };
    // Examples of alternatives: an id and its record; one value and a table of operators. The scalar decides the type. The object adds its
    // members.
    const scalars = real.filter(({ types }) => !types.includes('object') && !types.includes('array'));
    const listed = scalars.filter(({ values }) => values !== undefined);
    const lead =
      listed[0] ?? scalars.find(({ types, pattern, format }) => types.includes('string') && (pattern ?? format)) ?? scalars[0] ?? first;
    const values = listed.length === 0 ? undefined : [...new Set(listed.flatMap((branch) => branch.values ?? []))];
    const properties = new Map<string, unknown>();
    for (const branch of real)
      for (const [name, property] of branch.properties) {
        count();
        const before = properties.get(name);
        properties.set(name, before === undefined || before === property ? property : { anyOf: [before, property] });
      }
    // Alternatives can be references to the same schema, such as a property in two views of a record.
    const [name, ...others] = new Set(real.flatMap((branch) => branch.name ?? []));
    const items = real.find((branch) => branch.items !== undefined)?.items;
    const { name: _, ...rest } = lead;
    return {
      ...rest,
      types: [...new Set(real.flatMap(({ types }) => types))],
      nullable,
      ...(values !== undefined && { values }),
      extensible: real.some(({ extensible }) => extensible) || (listed.length > 0 && listed.length < scalars.length),
      properties,
      required: new Set([...first.required].filter((name) => real.every(({ required }) => required.has(name)))),
      ...(items !== undefined && { items }),
      branches: real,
      ...(name !== undefined && others.length === 0 && { name }),
    };
  }

  /**
   * Merges two schemas of the same value. The result has the types, listed values and bounds that both schemas allow. Other facts of `over`
   * take precedence. A mark such as `readOnly` in one schema is enough.
   */
  function both(under: Flat, over: Flat): Flat {
    const properties = new Map(under.properties);
    for (const [name, property] of over.properties) {
      count();
      properties.set(name, properties.has(name) ? { allOf: [properties.get(name), property] } : property);
    }
    for (let left = under.properties.size; left > 0; left -= 1) count();
    const name = over.name ?? (over.properties.size === 0 ? under.name : undefined);
    const { name: _, ...rest } = { ...under, ...over };
    const minimum = Math.max(under.minimum ?? Number.NEGATIVE_INFINITY, over.minimum ?? Number.NEGATIVE_INFINITY);
    const maximum = Math.min(under.maximum ?? Number.POSITIVE_INFINITY, over.maximum ?? Number.POSITIVE_INFINITY);
    const values = under.values?.filter((value) => over.values?.includes(value) ?? true);
    return {
      ...rest,
      types: narrower(under.types, over.types),
      ...(Number.isFinite(minimum) && { minimum }),
      ...(Number.isFinite(maximum) && { maximum }),
      ...(values !== undefined && values.length > 0 && { values }),
      nullable: over.nullable || under.nullable,
      extensible: over.extensible || under.extensible,
      readOnly: over.readOnly || under.readOnly,
      writeOnly: over.writeOnly || under.writeOnly,
      deprecated: over.deprecated || under.deprecated,
      properties,
      required: new Set([...under.required, ...over.required]),
      extensions: new Map([...under.extensions, ...over.extensions]),
      ...(name !== undefined && { name }),
    };
  }

  function count(): void {
    steps += 1;
    if (steps > MOST_STEPS) throw refusedDocument('The schemas of the document contain each other too often.');
  }

  /** Counts a compiled field. @throws UsageError if there are too many fields. */
  function countField(): void {
    fields += 1;
    if (fields > MOST_FIELDS)
      throw refusedDocument(`The document describes more than ${MOST_FIELDS.toLocaleString('en')} fields, the most that svc stores.`);
  }

  return { flat, countField };
}

/** Returns the types that two schemas of one value both allow. Returns the types of `over` if the schemas allow no common type. */
function narrower(under: readonly string[], over: readonly string[]): readonly string[] {
  if (under.length === 0 || over.length === 0) return over.length === 0 ? under : over;
  const fits = (type: string, others: readonly string[]) => others.includes(type) || (type === 'integer' && others.includes('number'));
  const both = [...under.filter((type) => fits(type, over)), ...over.filter((type) => fits(type, under))];
  return both.length === 0 ? over : [...new Set(both)];
}

/** Flattens the members of a schema itself, without its references and parts. */
function own(schema: DocumentTable): Flat {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : textsOf(schema['type']);
  const extensions = new Map(Object.entries(schema).filter(([name]) => name.startsWith('x-')));
  const listed = listedValues(schema);
  const properties = new Map(membersOf(schema['properties']));
  return {
    types: implied(
      types.filter((type) => type !== 'null'),
      schema,
    ),
    nullable: schema['nullable'] === true || types.includes('null') || (listed?.includes(null) ?? false),
    ...text(schema, 'format', 'format'),
    ...text(schema, 'pattern', 'pattern'),
    ...text(schema, 'contentMediaType', 'mediaType'),
    ...text(schema, 'title', 'title'),
    ...text(schema, 'description', 'description'),
    ...(listed !== undefined && { values: listed.filter((value) => value !== null).map(String) }),
    extensible: isExtensible(schema['x-extensible-enum']),
    readOnly: schema['readOnly'] === true,
    writeOnly: schema['writeOnly'] === true,
    deprecated: schema['deprecated'] === true,
    ...bound(schema, 'minimum', 'exclusiveMinimum'),
    ...bound(schema, 'maximum', 'exclusiveMaximum'),
    ...('default' in schema && { default: schema['default'] }),
    properties,
    required: new Set(textsOf(schema['required'])),
    ...(schema['items'] !== undefined && { items: schema['items'] }),
    extensions,
  };
}

/**
 * Returns the values that a schema lists. `x-extensible-enum` can be the list itself, or a mark that other values are possible. Undefined
 * for no value, or for more than 1,000 values.
 */
function listedValues(schema: DocumentTable): (string | number | boolean | null)[] | undefined {
  const lists = [schema['enum'], schema['x-extensible-enum'], schema['const'] === undefined ? undefined : [schema['const']]];
  const list = lists.find((candidate) => Array.isArray(candidate)) as unknown[] | undefined;
  const values = list?.filter((value): value is string | number | boolean | null => value === null || typeof value !== 'object');
  return values === undefined || values.length === 0 || values.length > 1_000 ? undefined : values;
}

function isExtensible(said: unknown): boolean {
  return said === true || Array.isArray(said);
}

function implied(types: readonly string[], schema: DocumentTable): readonly string[] {
  if (types.length > 0) return types;
  if (isTable(schema['properties'])) return ['object'];
  return schema['items'] === undefined ? types : ['array'];
}

function isNull(flat: Flat): boolean {
  return (
    flat.nullable && flat.types.length === 0 && flat.properties.size === 0 && (flat.values?.length ?? 0) === 0 && flat.name === undefined
  );
}

/** Reads the lowest or highest value of a number. Treats an exclusive bound as inclusive; the service refuses the bound itself. */
function bound(
  schema: DocumentTable,
  name: 'minimum' | 'maximum',
  exclusive: string,
): { readonly minimum?: number; readonly maximum?: number } {
  const value = [schema[name], schema[exclusive]].find((one) => typeof one === 'number' && Number.isFinite(one));
  return typeof value === 'number' ? { [name]: value } : {};
}

function text<Name extends string>(schema: DocumentTable, member: string, name: Name): { readonly [N in Name]?: string } {
  const value = schema[member];
  return (typeof value === 'string' && value !== '' ? { [name]: value.slice(0, 4_000) } : {}) as { readonly [N in Name]?: string };
}
