import type { Operation, Resource } from '../catalog/define.ts';
import type { JournaledRequest } from '../journal/journaled-client.ts';
import { isJsonObject } from '../values/json.ts';
import type { Needs } from './context.ts';
import { checkMembers } from './described-members.ts';
import type { NotingClient } from './journaling.ts';

/**
 * A client that refuses bodies which the organisation's own API spec rules out, from every command. An organisation may call a field
 * otherwise, or not have it. svc sends a body unchecked that a person typed as it is, or that the journal sends again.
 */
export function heldToDescription(client: NotingClient, context: Needs<'catalog' | 'tellOnce'>): NotingClient {
  return {
    ...client,
    async send(request) {
      const method = request.method.toUpperCase();
      const isKnown = request.asTyped !== true && request.note?.entry === undefined && request.note?.undoes === undefined;
      if (method !== 'GET' && method !== 'HEAD' && isKnown) await check(context, method, request);
      return client.send(request);
    },
  };
}

/**
 * Checks one write. @throws NotFoundError for a resource that the organisation does not have, UsageError for a body that it does not
 * accept.
 */
async function check(context: Needs<'catalog' | 'tellOnce'>, method: string, { path, body }: JournaledRequest): Promise<void> {
  const { catalog } = context;
  const bare = (path.split('?', 1)[0] ?? '').replace(/^\/api\/v2(?=\/)/, '');
  const noun = bare.split('/')[1] ?? '';
  const resource = await catalog.find(noun);
  if (resource === undefined) return catalog.checkMissing?.(noun);
  if (resource.described?.open) return;
  const operation = operationsOf(resource).find((one) => one.method === method && matches(one.path, bare));
  if (operation?.body === undefined || body === undefined || !('json' in body) || !isJsonObject(body.json)) return;
  const host = resource.described?.host ?? '';
  const isCreateOrUpdate = operation.name === 'create' || operation.name === 'update';
  const words = isCreateOrUpdate ? resource.noun : `${resource.noun} ${operation.name}`;
  await checkMembers(context, { words, host, whyNot: () => undefined }, operation.body, body.json);
}

function operationsOf({ described, nested = [] }: Resource): readonly Operation[] {
  return [...(described?.operations ?? []), ...nested.flatMap((child) => child.described?.operations ?? [])];
}

/** Whether a path fits a template. */
function matches(template: string, path: string): boolean {
  const parts = template.split('/');
  const given = path.split('/');
  return parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index]);
}
