import type { ServedOperation } from '../api/call.ts';
import { isOffered } from '../api/discovery.ts';
import { CONTENT_TYPES, FILE_PART } from '../api/files.ts';
import { includeNames } from '../api/render.ts';
import { isObject, type Json } from '../json.ts';
import { scopesOf } from '../oauth/parameters.ts';
import { type JsonSchema, objectOf, type ServedResource } from '../resources/define.ts';
import type { Service } from '../resources/index.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Need } from '../tokens/permissions.ts';
import { responsesOf } from './answers.ts';
import { describedParameters, type ParameterPlace } from './parameters.ts';
import { bodySchema, createComponents, withNulls } from './schemas.ts';

function pascal(text: string): string {
  return text.replaceAll(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function operationId({ name, resource, nested }: ServedOperation, parent: ServedResource | undefined): string {
  const verb = pascal(name).replace(/^./, (letter) => letter.toLowerCase());
  if (resource === undefined) return verb;
  const what = name === 'list' ? pascal(nested?.segment ?? resource.path) : resource.schema;
  return `${verb}${what}${parent === undefined ? '' : `Of${parent.schema}`}`;
}

function tagOf({ resource }: ServedOperation): string {
  if (resource === undefined) return 'Start here';
  const words = resource.path.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function operationObject(sandboxState: SandboxState, operation: ServedOperation, place: ParameterPlace): JsonSchema {
  const { interpretations, origin } = sandboxState;
  const { resource, nested, summary } = operation;
  const parent = nested === undefined ? undefined : resource?.other(nested.parent);
  const find = (name: string): ServedResource | undefined => [resource, parent].find((known) => known?.parameter === name);
  const body = requestBody(operation, sandboxState.service, place);
  const { abilities, security } = securityOf(operation, sandboxState);
  const permission = permissionOf(operation);
  const words = [
    ...(interpretations.openapiAbilities === 'words' && abilities.length > 0 ? [`Needs the ability ${inWords(abilities)}.`] : []),
    ...(permission === null
      ? []
      : [`Needs the permission \`${permission}\`${operation.permission === null ? '; your own records need no permission' : ''}.`]),
    ...(operation.personalOnly?.(interpretations) === true ? ['Takes a personal access token only.'] : []),
  ];
  return {
    operationId: operationId(operation, parent),
    tags: [tagOf(operation)],
    summary,
    ...(words.length > 0 && { description: words.join(' ') }),
    parameters: describedParameters(operation, find, place),
    ...(body !== undefined && { requestBody: body }),
    responses: responsesOf(operation, origin, place),
    security,
    ...(interpretations.openapiAbilities === 'extension' && abilities.length > 0 && { 'x-abilities': abilities }),
    ...(permission !== null && { 'x-permission': permission }),
    'x-cost': costOf(operation, sandboxState),
  };
}

function inWords(abilities: readonly string[]): string {
  return abilities.map((ability) => `\`${ability}\``).join(' or ');
}

function permissionOf({ permission, name, resource }: ServedOperation): string | null {
  if (permission !== null || resource?.own === undefined) return permission;
  return name === 'create' || name === 'update' || name === 'delete' ? resource.permissions[name] : null;
}

function requestBody(
  { body, resource, nested, name }: ServedOperation,
  { named }: Service,
  { components, interpretations }: ParameterPlace,
): JsonSchema | undefined {
  if (body === undefined) return undefined;
  if (body.kind === 'contents') {
    const binary: JsonSchema = { type: 'string', format: 'binary' };
    const form = objectOf({ [FILE_PART]: binary });
    const types = CONTENT_TYPES[interpretations.uploadContents].map((type) => [
      type,
      { schema: type === 'multipart/form-data' ? form : binary },
    ]);
    return { required: true, content: Object.fromEntries(types) };
  }
  const isRecord = resource !== undefined && body.fields === resource.fields;
  const part = isRecord
    ? `${resource.schema}${body.kind === 'create' ? 'Create' : 'Update'}${nested !== undefined && resource.topLevel ? 'Below' : ''}`
    : `${name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}${resource?.schema ?? ''}`;
  const schema = bodySchema(body.fields, body.kind, interpretations, (to) => named(to).path, nested?.by);
  const isEmpty = Object.keys(schema['properties'] as JsonSchema).length === 0;
  const isInline = interpretations.openapiBodies === 'inline';
  return {
    required: !isEmpty && body.kind === 'create',
    content: { 'application/json': { schema: isInline ? schema : components.ref('schemas', `${part}Body`, () => schema) } },
  };
}

function securityOf(operation: ServedOperation, sandboxState: SandboxState) {
  const { interpretations } = sandboxState;
  const abilities = abilitiesOf(operation.need(sandboxState));
  const isPersonal = operation.personalOnly?.(interpretations) === true;
  const scoped = interpretations.openapiAbilities === 'scopes' && abilities.length > 0;
  // OAuth has no scope for deleting. Only OpenAPI 3.1 allows scopes for a bearer scheme.
  const oauth = isPersonal ? [] : abilities.filter((ability) => !ability.startsWith('api:destroy'));
  const bearer = interpretations.openapiVersion === '3.0.3' ? [[]] : abilities.map((ability) => [ability]);
  const security = scoped
    ? [...oauth.map((ability) => ({ oauth: [ability] })), ...bearer.map((scopes) => ({ personalToken: scopes }))]
    : [...(isPersonal || (oauth.length === 0 && abilities.length > 0) ? [] : [{ oauth: [] }]), { personalToken: [] }];
  return { abilities, security };
}

function abilitiesOf(need: Need): string[] {
  if (need.prefixes === 'any') return [];
  if (need.prefixes === 'unnarrowed') return [`api:${need.class}`];
  return [...need.prefixes.map((prefix) => `api:${need.class}:${prefix}`), `api:${need.class}`];
}

function costOf({ method, resource, query, cost }: ServedOperation, { interpretations }: SandboxState): JsonSchema {
  const units = (text: string): number => cost(new URLSearchParams(text), interpretations);
  const least = units('');
  const more = (text: string): number => units(text) - least;
  const takes = (name: string): boolean => query === 'list' || query.includes(name);
  const extras = Object.entries({
    'view=detail': takes('view') ? more('view=detail') : 0,
    q: query === 'list' ? more('q=a') : 0,
    with_total: query === 'list' ? more('with_total=1') : 0,
  }).filter(([, added]) => added > 0);
  const names = resource !== undefined && takes('include') ? includeNames(resource, interpretations) : [];
  const include = Object.fromEntries(names.map((name) => [name, more(`include=${name}`)]));
  const bucket = method === 'GET' ? 'read' : 'write';
  return { bucket, units: least, ...Object.fromEntries(extras), ...(names.length > 0 && { include }) };
}

const BASE = '/api/v2';

const VERSION = '2.8.0';

/**
 * Returns the API spec in the form that the options choose. The same operations also serve the requests. Leaves out operations that the
 * sandbox does not offer.
 */
export function documentOf(sandboxState: SandboxState, operations: readonly ServedOperation[]): { [member: string]: Json } {
  const { interpretations } = sandboxState;
  const components = createComponents();
  const place = { components, interpretations };
  const offered = operations.filter((operation) => isOffered(sandboxState, operation));
  const paths: { [path: string]: { [method: string]: JsonSchema } } = {};
  for (const operation of offered) {
    const path = interpretations.openapiPrefix === 'paths' ? `${BASE}${operation.path}`.replace(/\/$/, '') : operation.path;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(sandboxState, operation, place) };
  }
  const tags = [...new Set(offered.map(tagOf))].map((name) => ({ name, description: `Operations of: ${name.toLowerCase()}.` }));
  const document: { [member: string]: Json } = {
    openapi: interpretations.openapiVersion,
    info: {
      title: 'Work planning, billing and time',
      version: VERSION,
      description: 'Projects, hours, invoices and leave of one organisation. Enums can grow, so accept unknown values.',
      license: { name: 'The terms of the service', url: `${sandboxState.origin}/` },
    },
    servers: [{ url: serverOf(sandboxState), description: 'This organisation.' }],
    tags,
    paths,
    components: { ...components.all, securitySchemes: schemes(sandboxState) },
  };
  const written = withNulls(document, interpretations);
  return isObject(written) ? written : document;
}

function serverOf({ interpretations, origin }: SandboxState): string {
  const path = interpretations.openapiPrefix === 'server' ? BASE : '';
  return interpretations.openapiServers === 'absolute' ? `${origin}${path}` : path || '/';
}

function schemes({ origin, service }: SandboxState): JsonSchema {
  const scopes = scopesOf(service).filter((scope) => scope.startsWith('api:'));
  return {
    oauth: {
      type: 'oauth2',
      description: 'A person signs in with an app. Apps cannot delete.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${origin}/oauth/authorize`,
          tokenUrl: `${origin}/oauth/token`,
          refreshUrl: `${origin}/oauth/token`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeWords(scope)])),
        },
      },
    },
    personalToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'A personal access token. Abilities: api:read, api:write and api:destroy, each including the ones before, or narrowed.',
    },
  };
}

function scopeWords(scope: string): string {
  const [, verb = '', prefix = 'everything'] = scope.split(':');
  return `${verb === 'read' ? 'Read' : 'Read, add and change'} ${prefix.replaceAll('_', ' ')}.`;
}
