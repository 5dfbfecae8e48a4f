import type { Field, Operation, Resource } from '../catalog/define.ts';
import { flagOf, isWritable, wordsOf } from '../catalog/rules.ts';
import { UsageError } from '../errors.ts';
import type { JournaledRequest } from '../journal/journaled-client.ts';
import { isJsonObject, isRawNumber, type JsonValue, ownEntry } from '../values/json.ts';
import { boundsText } from '../values/scalars.ts';
import { nearest } from '../values/suggest.ts';
import { quote } from '../values/text.ts';
import type { Needs } from './context.ts';
import type { RecordingClient } from './journaling.ts';

/**
 * Returns a client that checks each body, and sends the body in the form of the API spec. svc neither checks nor changes a body that the
 * user typed completely, or a repeated body from the journal. svc does not check the body of an undo. The client rejects with UsageError
 * for an unknown field or a wrong value.
 */
export function checkedAgainstSpec(client: RecordingClient, context: Needs<'catalog' | 'notifyOnce'>): RecordingClient {
  return {
    ...client,
    async send(request) {
      const method = request.method.toUpperCase();
      const isKnown = request.asTyped !== true && request.note?.entry === undefined && request.note?.undoes === undefined;
      if (method !== 'GET' && method !== 'HEAD' && isKnown) await check(context, method, request);
      return client.send(await formed(context, method, request));
    },
  };
}

async function check(context: Needs<'catalog' | 'notifyOnce'>, method: string, { path, body }: JournaledRequest): Promise<void> {
  const { catalog } = context;
  const noun = barePath(path).split('/')[1] ?? '';
  const resource = await catalog.find(noun);
  if (resource === undefined) return catalog.checkMissing?.(noun);
  if (resource.described?.open) return;
  const operation = operationAt(resource, method, path);
  if (operation?.body === undefined || body === undefined || !('json' in body) || !isJsonObject(body.json)) return;
  const host = resource.described?.host ?? '';
  const isCreateOrUpdate = operation.name === 'create' || operation.name === 'update';
  const words = isCreateOrUpdate ? resource.noun : `${resource.noun} ${operation.name}`;
  await checkMembers(context, { words, host, whyNot: () => undefined }, operation.body, body.json);
}

/** Returns the request with its body in the form of the API spec. svc does not change a repeated body, or a body that the user typed. */
async function formed({ catalog }: Needs<'catalog'>, method: string, request: JournaledRequest): Promise<JournaledRequest> {
  const { body, note, path } = request;
  if (request.asTyped === true || note?.entry !== undefined || body === undefined || !('json' in body)) return request;
  const resource = await catalog.find(barePath(path).split('/')[1] ?? '');
  return resource === undefined ? request : { ...request, body: { json: describedBody(resource, method, path, body.json) } };
}

/** Returns a body in the form of the API spec: unchanged, or in `data`. */
export function describedBody(resource: OperationsOf, method: string, path: string, body: JsonValue): JsonValue {
  return operationAt(resource, method, path)?.wrapped ? { data: body } : body;
}

export type OperationsOf = Partial<Pick<Resource, 'described' | 'nested'>>;

function operationAt({ described, nested = [] }: OperationsOf, method: string, path: string): Operation | undefined {
  const operations = [described, ...nested.map((child) => child.described)].flatMap((one) => one?.operations ?? []);
  return operations.find((one) => one.method === method && matches(one.path, barePath(path)));
}

/** Returns a path without its query and without `/api/v2`. */
function barePath(path: string): string {
  return (path.split('?', 1)[0] ?? '').replace(/^\/api\/v2(?=\/)/, '');
}

function matches(template: string, path: string): boolean {
  const parts = template.split('/');
  const given = path.split('/');
  return parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index]);
}

interface WrittenTo {
  /** The name of the resource or the operation in messages: `worklogs` or `work-items transition`. */
  readonly words: string;
  readonly host: string;
  readonly whyNot: (name: string) => string | undefined;
}

/** Checks the fields of a body. An unknown value of an extensible enum passes, with one notice. @throws UsageError */
async function checkMembers(
  context: Needs<'notifyOnce'>,
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

/**
 * Checks the body of a create or an update against the organisation’s API spec. @throws UsageError for an unknown field or a wrong value.
 */
export async function checkBody(
  context: Needs<'notifyOnce'>,
  resource: Resource,
  operation: 'create' | 'update',
  body: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  const { fields, described } = resource;
  if (described === undefined || described.open) return;
  const whyNot = (name: string): string | undefined => {
    const field = ownEntry(fields, name);
    if (field === undefined || isWritable(field, operation)) return undefined;
    if (field.write === undefined) return 'the service sets this field';
    return field.write === 'create' ? 'only a create can set this field' : 'only an update can set this field';
  };
  await checkMembers(context, { words: wordsOf(resource), host: described.host, whyNot }, fields, body);
}

async function checkValue(context: Needs<'notifyOnce'>, words: string, name: string, field: Field, value: JsonValue): Promise<void> {
  if (Array.isArray(value) && field.items !== undefined) {
    const { items: kind, ...rest } = field;
    for (const item of value as readonly JsonValue[]) await checkValue(context, words, name, { ...rest, kind, nullable: true }, item);
    return;
  }
  if (value === null) {
    if (field.nullable || field.kind === 'json') return;
    throw new UsageError(`${name} of ${words} cannot be empty.`, { hint: `Add a value: --${flagOf(name, field)}` });
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  const number = Number(isRawNumber(value) ? value.rawJSON : value);
  if ((typeof value === 'number' || isRawNumber(value)) && (number < minimum || number > maximum))
    throw new UsageError(`${name} of ${words} cannot be ${number}.`, { hint: `Give a number in these bounds: ${boundsText(field)}.` });
  if (field.values === undefined || field.kind === 'json') return;
  const typed = typeof value === 'string' ? value : String(value);
  if (field.values.includes(typed)) return;
  const known = field.values.join(', ');
  if (field.extensible)
    return context.notifyOnce(`${name}: the API spec does not list ${quote(typed)} (${known}). svc sends the value unchanged.`);
  const near = nearest(typed, field.values);
  throw new UsageError(`${name} of ${words} cannot be ${quote(typed)}.`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${known}.`,
  });
}
