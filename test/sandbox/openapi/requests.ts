import { type Loose, resolve } from './validator.ts';

/** An operation of a document, with resolved references in its requests. */
export interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Loose;
  readonly parameters: readonly Loose[];
  /** The schema of its JSON body. Undefined without a body. */
  readonly body: Loose | undefined;
  readonly contentType: string | undefined;
}

/** Returns all operations of a document. */
export function operationsIn(document: Loose): Described[] {
  return Object.entries<Loose>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content ?? {};
      const [contentType] = Object.keys(content);
      return {
        path,
        method: method.toUpperCase(),
        operation,
        parameters: operation.parameters.map((parameter: Loose) => resolve(document, parameter)),
        body: resolve(document, content['application/json']?.schema),
        contentType,
      };
    }),
  );
}

/** Returns queries that try each parameter of an operation, each enum value, each filter and each operator. */
export function queriesOf({ parameters }: Described, samples: readonly Loose[]): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return inQuery.flatMap((parameter) => {
    const { name, schema, style } = parameter;
    if (style === 'deepObject') return deepQueries(name, schema, samples);
    if (name === 'cursor') return [];
    if (name === 'include') return includeQueries(schema);
    const values = schema.type === 'array' && name === 'sort' ? schema.items.enum : [sampleOf(name, schema, samples)];
    const each = schema.enum ?? values;
    return each.filter((value: Loose) => value !== null).map((value: Loose) => `${name}=${encodeURIComponent(value)}`);
  });
}

function includeQueries(schema: Loose): string[] {
  const names: string[] = schema.type === 'array' ? schema.items.enum : (/^\^\(([^)]*)\)/.exec(schema.pattern)?.[1] ?? '').split('|');
  return [...names.map((name) => `include=${name}`), `include=${names.join(',')}`];
}

function deepQueries(name: string, schema: Loose, samples: readonly Loose[]): string[] {
  return Object.entries<Loose>(schema.properties).flatMap(([field, value]) => {
    const choices: Loose[] = value.anyOf ?? value.oneOf ?? [value];
    const plain = `${name}[${field}]=${encodeURIComponent(sampleOf(field, choices[0], samples))}`;
    const operators = choices.find((choice) => choice.properties !== undefined)?.properties ?? {};
    const rest = Object.entries<Loose>(operators).map(
      ([operator, inner]) => `${name}[${field}][${operator}]=${encodeURIComponent(sampleOf(field, inner, samples))}`,
    );
    return [plain, ...rest];
  });
}

/** Returns a value of a field that some record has, or a value that the schema allows. */
function sampleOf(parameter: string, schema: Loose, samples: readonly Loose[]): Loose {
  const field = /^filter\[(\w+)\]/.exec(parameter)?.[1] ?? parameter;
  if (schema.type === 'array') return sampleOf(field, schema.items, samples);
  const known = samples.map((record) => record[field]).find((value) => value !== null && value !== undefined && typeof value !== 'object');
  const fits = schema.pattern === undefined || new RegExp(schema.pattern).test(String(known));
  return schema.type === 'boolean' || schema.enum !== undefined || known === undefined || !fits ? made(schema) : known;
}

/** Returns a value that a schema allows. */
function made(schema: Loose): Loose {
  const choice = (schema.anyOf ?? schema.oneOf)?.find((each: Loose) => each.type !== 'null');
  if (choice !== undefined) return made(choice);
  if (schema.enum !== undefined) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type.find((each: string) => each !== 'null') : schema.type;
  switch (type) {
    case 'boolean':
      return false;
    case 'integer':
      return schema.minimum ?? 1;
    case 'number':
      return 1.5;
    case 'array':
      return [];
    case 'object':
      return {};
  }
  const BY_FORMAT: Record<string, string> = {
    date: '2026-03-04',
    'date-time': '2026-03-04T05:06:07Z',
    'time-of-day': '08:30',
    money: '12.50',
    decimal: '1.50',
    html: '<p>Text</p>',
  };
  return BY_FORMAT[schema.format] ?? 'text';
}

/** Returns a body with all described members, or only with the required members. */
export function bodyFrom(document: Loose, schema: Loose, sample: Loose | undefined, which: 'all' | 'required'): Record<string, Loose> {
  const names: string[] = which === 'all' ? Object.keys(schema.properties) : (schema.required ?? []);
  return Object.fromEntries(
    names.map((name) => {
      const property = resolve(document, schema.properties[name]);
      const known = sample?.[name];
      // A record shows a coordinate as text, but a body needs a number.
      if (typeof known === 'string' && property.format === 'coordinate') return [name, Number(known)];
      const inner = (property.anyOf ?? property.oneOf)?.find((each: Loose) => each.format === 'coordinate');
      if (typeof known === 'string' && inner !== undefined) return [name, Number(known)];
      // A body accepts a time even if records show a date.
      const pattern =
        (inner ?? property).pattern ?? (property.anyOf ?? property.oneOf)?.find((each: Loose) => each.pattern !== undefined)?.pattern;
      const fits = typeof known !== 'string' || pattern === undefined || new RegExp(pattern).test(known);
      return [name, known === undefined || known === null || !fits ? asBody(property) : known];
    }),
  );
}

/** Returns null for a member that the sample lacks, if allowed, so that no related record must exist. */
function asBody(property: Loose): Loose {
  const mayBeNull =
    property.nullable === true ||
    (Array.isArray(property.type) && property.type.includes('null')) ||
    (property.anyOf ?? property.oneOf)?.some((each: Loose) => each.type === 'null');
  return mayBeNull === true && property.format === 'int64' ? null : made(property);
}
