import type { JsonObject, JsonValue } from '../values/json.ts';
import type { DescribedOperation, DescribedResource } from './described.ts';
import { fieldSchema, listParameters, ownParameters } from './to-schemas.ts';

/** A resource to export. `isAssumed` returns true for a fact that svc assumes. */
export interface ExportedResource {
  readonly noun: DescribedResource;
  readonly isAssumed?: (what: 'path' | 'field' | 'filter' | 'include', name: string) => boolean;
}

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  /** The URL of the API, such as `https://acme.example.com/api/v2`. */
  readonly server: string;
}

/**
 * Returns resources as an OpenAPI 3.1 document. An import of the document gives the same resources. Extensions add facts that OpenAPI can’t
 * express: `x-kind`, `x-ref`, `x-operation`, `x-views`, `x-includes`, `x-values`, `x-permission`, `x-singular`, `x-summary`, `x-schema`,
 * `x-extensible-enum`. `x-assumed` marks assumptions of svc.
 */
export function toOpenApi(nouns: readonly ExportedResource[], { title, version, server }: OpenApiOptions): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  const schemas: Record<string, JsonValue> = {};
  const ids = new Set<string>();
  const write = ({ noun, isAssumed = () => false }: ExportedResource, above: string) => {
    const words = above === '' ? noun.noun : `${above}-${noun.noun}`;
    const record = recordReference(noun, isAssumed, schemas);
    const at = (path: string) => {
      paths[path] ??= pathItem(path);
      return paths[path];
    };
    const anchor = anchorOf(noun);
    if (anchor !== undefined) Object.assign(at(anchor), about(noun, isAssumed('path', '')));
    for (const operation of noun.operations) {
      const id = uniqueId(`${words}-${operation.name}`, ids);
      at(operation.path)[operation.method.toLowerCase()] = operationObject(noun, operation, record, id, isAssumed);
    }
    for (const child of noun.nested ?? []) write({ noun: child }, words);
  };
  for (const noun of nouns) write(noun, '');
  return {
    openapi: '3.1.0',
    info: { title, version, license: { name: 'Of the service', url: new URL('/', server).href } },
    servers: [{ url: server }],
    tags: nouns.map(({ noun }) => ({ name: noun.noun, description: noun.summary })),
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas },
  };
}

function pathItem(path: string): Record<string, JsonValue> {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  return { parameters: [...new Set(names)].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) };
}

/**
 * Returns the path at which the document describes the resource. The path is the list’s path, the path of one record without its
 * parameters, or the first operation’s path.
 */
function anchorOf({ path, itemPath, operations }: DescribedResource): string | undefined {
  return path ?? itemPath?.replace(/(?:\/\{[^}]+\})+$/, '') ?? operations[0]?.path;
}

function about({ singular, summary, description }: DescribedResource, assumed: boolean): Record<string, JsonValue> {
  return {
    'x-singular': singular,
    'x-summary': summary,
    ...(description !== undefined && { description }),
    ...(assumed && { 'x-assumed': true }),
  };
}

/** Returns the schema of a record. If the schema has a name, adds the schema to `schemas`, and returns a `$ref`. */
function recordReference(
  noun: DescribedResource,
  isAssumed: NonNullable<ExportedResource['isAssumed']>,
  schemas: Record<string, JsonValue>,
): JsonObject {
  const { fields, views, schema } = noun;
  const properties = Object.entries(fields).flatMap(([name, field]): [string, JsonValue][] => {
    if (field.writeOnly) return [];
    const shownIn = views && (['summary', 'detail'] as const).filter((view) => views[view]?.includes(name));
    const more = { ...(shownIn !== undefined && { 'x-views': shownIn }), ...(isAssumed('field', name) && { 'x-assumed': true }) };
    return [[name, { ...fieldSchema(field, 'shown'), ...more }]];
  });
  const record: JsonObject = {
    type: 'object',
    ...(schema !== undefined && { 'x-schema': schema }),
    properties: Object.fromEntries(properties),
  };
  if (schema === undefined) return record;
  const text = JSON.stringify(record);
  const plain = schema.replace(/[^A-Za-z0-9._-]/g, '_');
  // If several resources use one schema name with different fields, each resource gets its own schema.
  let name = plain;
  for (let at = 2; schemas[name] !== undefined && JSON.stringify(schemas[name]) !== text; at += 1) name = `${plain}.${at}`;
  schemas[name] ??= record;
  return { $ref: `#/components/schemas/${name}` };
}

const RECORD_ANSWERS: ReadonlySet<string> = new Set(['get', 'create', 'update', 'replace']);

function operationObject(
  noun: DescribedResource,
  operation: DescribedOperation,
  record: JsonObject,
  id: string,
  isAssumed: NonNullable<ExportedResource['isAssumed']>,
): JsonObject {
  const { name, method, summary, abilities = [], permission, body, wrapped, contentType, query, deprecated } = operation;
  const isList = name === 'list';
  const sent = bodySchema(body ?? {}, contentType);
  const parameters = [...(isList || name === 'get' ? listParameters(noun, isList, isAssumed) : []), ...ownParameters(query ?? {})];
  const hasShown = Object.values(noun.fields).some(({ writeOnly }) => writeOnly !== true);
  const answered = hasShown ? underData(isList ? { type: 'array', items: record } : record) : isList ? LIST_OF_ANY : record;
  const answers = isList || (RECORD_ANSWERS.has(name) && (hasShown || noun.schema !== undefined || hasWriteOnly(noun)));
  const content = answers ? { content: { 'application/json': { schema: answered } } } : {};
  const status = method === 'DELETE' ? '204' : name === 'create' ? '201' : '200';
  return {
    operationId: id,
    ...(summary !== undefined && { summary }),
    'x-operation': name,
    ...(abilities.length > 0 && { security: abilities.map((ability) => ({ token: [ability] })) }),
    ...(permission !== undefined && { 'x-permission': permission }),
    ...(deprecated && { deprecated }),
    ...(parameters.length > 0 && { parameters }),
    ...((body !== undefined || contentType !== undefined) && {
      requestBody: { content: { [contentType ?? 'application/json']: { schema: wrapped ? underData(sent) : sent } } },
    }),
    responses: { [status]: { description: 'Done.', ...content }, '4XX': { description: 'A problem document.' } },
  };
}

function underData(data: JsonObject): JsonObject {
  return { type: 'object', properties: { data } };
}

const LIST_OF_ANY: JsonObject = { type: 'array', items: { type: 'object' } };

function hasWriteOnly({ fields }: DescribedResource): boolean {
  return Object.values(fields).some(({ writeOnly }) => writeOnly === true);
}

function bodySchema(body: NonNullable<DescribedOperation['body']>, contentType: string | undefined): JsonObject {
  const members = Object.entries(body);
  if (members.length === 0 && contentType !== undefined && !/^multipart\//.test(contentType)) return { type: 'string', format: 'binary' };
  const required = members.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, field]) => [name, { ...fieldSchema(field, 'sent'), ...(field.writeOnly && { writeOnly: true }) }]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let at = 2; taken.has(id); at += 1) id = `${wanted}-${at}`;
  taken.add(id);
  return id;
}
