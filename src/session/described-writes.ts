import type { Field, Operation, Resource } from '../catalog/define.ts';
import { flagOf } from '../catalog/rules.ts';
import { UsageError } from '../errors.ts';
import type { JournaledRequest } from '../journal/journaled-client.ts';
import { isJsonObject, type JsonValue, ownEntry } from '../values/json.ts';
import { nearest } from '../values/suggest.ts';
import { quote } from '../values/text.ts';
import type { Needs } from './context.ts';
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

/** The target of a body, for messages. */
export interface WrittenTo {
  /** `worklogs` or `the move of work-items`. */
  readonly words: string;
  /** The host whose API spec says so. */
  readonly host: string;
  /** Why a body cannot have a field that records have; undefined where it can. */
  readonly whyNot: (name: string) => string | undefined;
}

/**
 * Checks the members of a body against the organisation's API spec. An unknown value of an enum that may grow passes, with one notice.
 *
 * @throws UsageError for an unknown member, or one that nobody can set. UsageError also for a value that the API spec rules out.
 */
export async function checkMembers(
  context: Needs<'tellOnce'>,
  { words, host, whyNot }: WrittenTo,
  fields: Readonly<Record<string, Field>>,
  body: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  for (const [name, value] of Object.entries(body)) {
    const field = ownEntry(fields, name);
    if (field === undefined) {
      const settable = Object.keys(fields).filter((other) => whyNot(other) === undefined);
      const near = nearest(name, settable);
      throw new UsageError(`${words} have no field ${quote(name)} at ${host}.`, {
        hint: `${near === undefined ? '' : `Did you mean ${near}? `}Fields that you can set: ${settable.join(', ') || 'none'}. If the service changed: svc schema import <file>`,
      });
    }
    const why = whyNot(name);
    if (why !== undefined)
      throw new UsageError(`You cannot set ${name} of ${words}: ${why}.`, {
        hint: `Leave out the field. This rule comes from the API spec of ${host}.`,
      });
    await checkValue(context, words, name, field, value);
  }
}

async function checkValue(context: Needs<'tellOnce'>, words: string, name: string, field: Field, value: JsonValue): Promise<void> {
  if (value === null) {
    if (field.nullable || field.kind === 'json') return;
    throw new UsageError(`${name} of ${words} cannot be empty.`, { hint: `Add a value: --${flagOf(name, field)}` });
  }
  if (field.values === undefined || field.kind === 'json') return;
  const typed = typeof value === 'string' ? value : String(value);
  if (field.values.includes(typed)) return;
  const known = field.values.join(', ');
  if (field.extensible)
    return context.tellOnce(`${name}: the API spec does not list ${quote(typed)} (${known}). svc sends the value unchanged.`);
  const near = nearest(typed, field.values);
  throw new UsageError(`${name} of ${words} cannot be ${quote(typed)}.`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${known}.`,
  });
}
