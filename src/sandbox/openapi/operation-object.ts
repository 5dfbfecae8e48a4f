import type { ServedOperation } from '../api/call.ts';
import { includeNames } from '../api/include.ts';
import { CONTENT_TYPES, FILE_PART } from '../api/upload-contents.ts';
import type { JsonSchema, ServedResource } from '../resources/define.ts';
import type { Service } from '../resources/index.ts';
import type { Need } from '../tokens/abilities.ts';
import type { World } from '../world.ts';
import { responsesOf } from './answers.ts';
import { describedParameters, type ParameterPlace } from './parameters.ts';
import { bodySchema, objectOf } from './record-schemas.ts';
import { operationId, tagOf } from './words.ts';

/** One operation as the document has it. */
export function operationObject(world: World, operation: ServedOperation, place: ParameterPlace): JsonSchema {
  const { knobs, origin } = world;
  const { resource, nested, summary } = operation;
  const parent = nested === undefined ? undefined : resource?.other(nested.parent);
  const find = (name: string): ServedResource | undefined => [resource, parent].find((known) => known?.parameter === name);
  const body = requestBody(operation, world.service, place);
  const { abilities, security } = securityOf(operation, world);
  const permission = permissionOf(operation);
  const words = [
    ...(knobs.openapiAbilities === 'words' && abilities.length > 0 ? [`Needs the ability ${inWords(abilities)}.`] : []),
    ...(permission === null
      ? []
      : [`Needs the permission \`${permission}\`${operation.permission === null ? ', but for one’s own' : ''}.`]),
    ...(operation.personalOnly?.(knobs) === true ? ['Takes a personal access token only.'] : []),
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
    ...(knobs.openapiAbilities === 'extension' && abilities.length > 0 && { 'x-abilities': abilities }),
    ...(permission !== null && { 'x-permission': permission }),
    'x-cost': costOf(operation, world),
  };
}

function inWords(abilities: readonly string[]): string {
  return abilities.map((ability) => `\`${ability}\``).join(' or ');
}

/** The permission that the operation needs, at least for records of other people. */
function permissionOf({ permission, name, resource }: ServedOperation): string | null {
  if (permission !== null || resource?.own === undefined) return permission;
  return name === 'create' || name === 'update' || name === 'delete' ? resource.permissions[name] : null;
}

function requestBody(
  { body, resource, nested, name }: ServedOperation,
  { named }: Service,
  { components, knobs }: ParameterPlace,
): JsonSchema | undefined {
  if (body === undefined) return undefined;
  if (body.kind === 'contents') {
    const binary: JsonSchema = { type: 'string', format: 'binary' };
    const form = objectOf({ properties: { [FILE_PART]: binary }, required: [FILE_PART] });
    const types = CONTENT_TYPES[knobs.uploadContents].map((type) => [type, { schema: type === 'multipart/form-data' ? form : binary }]);
    return { required: true, content: Object.fromEntries(types) };
  }
  const make = (): JsonSchema => bodySchema(body.fields, body.kind, knobs, (to) => named(to).path, nested?.by);
  const isRecord = resource !== undefined && body.fields === resource.fields;
  const part = isRecord
    ? `${resource.schema}${body.kind === 'create' ? 'Create' : 'Update'}${nested !== undefined && resource.topLevel ? 'Below' : ''}`
    : `${name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}${resource?.schema ?? ''}`;
  const schema = make();
  const isEmpty = Object.keys(schema['properties'] as JsonSchema).length === 0;
  const isInline = knobs.openapiBodies === 'inline';
  return {
    required: !isEmpty && body.kind === 'create',
    content: { 'application/json': { schema: isInline ? schema : components.ref('schemas', `${part}Body`, () => schema) } },
  };
}

interface Secured {
  /** Abilities, one of them needed; none: any of the API does. */
  readonly abilities: readonly string[];
  readonly security: readonly JsonSchema[];
}

function securityOf(operation: ServedOperation, world: World): Secured {
  const { knobs } = world;
  const abilities = abilitiesOf(operation.need(world));
  const isPersonal = operation.personalOnly?.(knobs) === true;
  const scoped = knobs.openapiAbilities === 'scopes' && abilities.length > 0;
  // An app has no destroy class. Scopes of a bearer scheme are a thing of 3.1.
  const oauth = isPersonal ? [] : abilities.filter((ability) => !ability.startsWith('api:destroy'));
  const bearer = knobs.openapiVersion === '3.0.3' ? [[]] : abilities.map((ability) => [ability]);
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

/** Rate-limit units of a success, as the request itself is charged: the least, and what each further thing adds. */
function costOf({ method, resource, query, cost }: ServedOperation, { knobs }: World): JsonSchema {
  const units = (text: string): number => cost(new URLSearchParams(text), knobs);
  const least = units('');
  const more = (text: string): number => units(text) - least;
  const takes = (name: string): boolean => query === 'list' || query.includes(name);
  const extras = Object.entries({
    'view=detail': takes('view') ? more('view=detail') : 0,
    q: query === 'list' ? more('q=a') : 0,
    with_total: query === 'list' ? more('with_total=1') : 0,
  }).filter(([, added]) => added > 0);
  const names = resource !== undefined && takes('include') ? includeNames(resource, knobs) : [];
  const include = Object.fromEntries(names.map((name) => [name, more(`include=${name}`)]));
  const bucket = method === 'GET' ? 'read' : 'write';
  return { bucket, units: least, ...Object.fromEntries(extras), ...(names.length > 0 && { include }) };
}
