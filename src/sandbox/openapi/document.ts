import type { ServedOperation } from '../api/call.ts';
import { isOffered } from '../api/discovery.ts';
import { isObject, type Json } from '../json.ts';
import { scopesOf } from '../oauth/scopes.ts';
import type { JsonSchema } from '../resources/define.ts';
import type { World } from '../world.ts';
import { createComponents } from './components.ts';
import { withNulls } from './null.ts';
import { operationObject } from './operation-object.ts';
import { tagOf } from './words.ts';

const BASE = '/api/v2';

/** The service's own number for its API spec (rule 16.4). */
const VERSION = '2.8.0';

/**
 * The API spec of the service as it stands, in the form that the options ask for. Its only source are the operations, resources
 * and options that serve requests.
 */
export function documentOf(world: World, operations: readonly ServedOperation[]): { [member: string]: Json } {
  const { knobs } = world;
  const components = createComponents();
  const place = { components, knobs };
  const offered = operations.filter((operation) => isOffered(world, operation));
  const paths: { [path: string]: { [method: string]: JsonSchema } } = {};
  for (const operation of offered) {
    const path = knobs.openapiPrefix === 'paths' ? `${BASE}${operation.path}`.replace(/\/$/, '') : operation.path;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(world, operation, place) };
  }
  const tags = [...new Set(offered.map(tagOf))].map((name) => ({ name, description: `Operations of: ${name.toLowerCase()}.` }));
  const document: { [member: string]: Json } = {
    openapi: knobs.openapiVersion,
    info: {
      title: 'Work planning, billing and time',
      version: VERSION,
      description: 'Projects, hours, invoices and leave of one organisation. Enums may grow: what is not known is not an error.',
      license: { name: 'The terms of the service', url: `${world.origin}/` },
    },
    servers: [{ url: serverOf(world), description: 'This organisation.' }],
    tags,
    paths,
    components: { ...components.all, securitySchemes: schemes(world) },
  };
  const written = withNulls(document, knobs);
  return isObject(written) ? written : document;
}

function serverOf({ knobs, origin }: World): string {
  const path = knobs.openapiPrefix === 'server' ? BASE : '';
  return knobs.openapiServers === 'absolute' ? `${origin}${path}` : path || '/';
}

function schemes({ origin, service }: World): JsonSchema {
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
