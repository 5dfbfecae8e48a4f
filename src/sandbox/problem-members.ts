import { isObject, type Json } from './json.ts';
import type { SandboxKnobs } from './knobs.ts';
import type { JsonSchema } from './resources/define.ts';

type Members = { readonly [member: string]: Json };

/**
 * The further members of a problem under the names that the options give them. In the sandbox itself they are `parameter`, or
 * `key` and `errors`; and `conflict` with `from_status_id` and `to_status_id`.
 */
export function problemMembers(
  { members, message }: { readonly members: Members; readonly message: string },
  knobs: SandboxKnobs,
): Members {
  if (typeof members['parameter'] === 'string') return withParameter(members, members['parameter'], message, knobs.parameterMember);
  if (typeof members['key'] === 'string') return withKeys(members, members['key'], knobs.keyMember);
  if (isObject(members['conflict'])) return withEnds(members, members['conflict'], knobs.transitionEnds);
  return members;
}

/** JSON Schema of those members. */
export function memberSchemas({ parameterMember, keyMember, transitionEnds }: SandboxKnobs): { [member: string]: JsonSchema } {
  const text: JsonSchema = { type: 'string' };
  const id: JsonSchema = { type: ['integer', 'null'] };
  const parameter: { [member: string]: JsonSchema } =
    parameterMember === 'source'
      ? { source: { type: 'object', properties: { parameter: text }, required: ['parameter'] } }
      : parameterMember === 'errors'
        ? {}
        : { [parameterMember]: text };
  const at = keyMember === 'field' || keyMember === 'pointer' ? keyMember : 'key';
  const broken: JsonSchema = {
    type: 'object',
    properties: { [at]: text, parameter: text, code: text, message: text, detail: text },
  };
  const list: JsonSchema = { type: 'array', items: broken };
  const messages: JsonSchema = { type: 'object', additionalProperties: { type: 'array', items: text } };
  const errors = keyMember !== 'map' ? list : parameterMember === 'errors' ? { anyOf: [list, messages] } : messages;
  const key: { [member: string]: JsonSchema } = keyMember === 'errors' || keyMember === 'map' ? {} : { [keyMember]: text };
  const [from, to] = ENDS[transitionEnds];
  const ends = { [from]: id, [to]: id };
  const conflict = { type: 'object', properties: { reason: text, ...(transitionEnds !== 'top-level' && ends) }, required: ['reason'] };
  return {
    ...parameter,
    ...key,
    errors,
    conflict,
    ...(transitionEnds === 'top-level' && ends),
    permission: text,
    rate_limit: {
      type: 'object',
      properties: { limit: { type: 'integer' }, retry_after: { type: 'integer' } },
      required: ['limit', 'retry_after'],
    },
  };
}

/** Names for the two statuses of a refused transition, by the value of the option `transitionEnds`. */
const ENDS = {
  'status-ids': ['from_status_id', 'to_status_id'],
  'from-to': ['from', 'to'],
  'workflow-status-ids': ['from_workflow_status_id', 'to_workflow_status_id'],
  'top-level': ['from_status_id', 'to_status_id'],
} as const;

function withParameter(
  { parameter: _, ...rest }: Members,
  parameter: string,
  detail: string,
  name: SandboxKnobs['parameterMember'],
): Members {
  if (name === 'source') return { ...rest, source: { parameter } };
  if (name === 'errors') return { errors: [{ ...rest, parameter, detail }] };
  return { ...rest, [name]: parameter };
}

function withKeys({ key: _, errors: given, ...rest }: Members, key: string, name: SandboxKnobs['keyMember']): Members {
  const broken = (Array.isArray(given) ? given : []).filter(isObject);
  switch (name) {
    case 'key':
      return { ...rest, key, errors: broken };
    case 'map': {
      // A body key may have any name, `__proto__` too.
      const messages = new Map<string, string[]>();
      for (const { key: at, message } of broken) messages.set(String(at), [...(messages.get(String(at)) ?? []), String(message)]);
      return { ...rest, errors: Object.fromEntries(messages) };
    }
    case 'pointer':
      return { ...rest, pointer: `/${key}`, errors: broken.map(({ key: at, ...more }) => ({ pointer: `/${String(at)}`, ...more })) };
    case 'field':
      return { ...rest, field: key, errors: broken.map(({ key: at, ...more }) => ({ field: at ?? null, ...more })) };
    case 'errors':
      return { errors: broken };
  }
}

function withEnds(members: Members, conflict: Members, name: SandboxKnobs['transitionEnds']): Members {
  const { from_status_id: from, to_status_id: to, ...rest } = conflict;
  if (from === undefined || to === undefined) return members;
  const [first, second] = ENDS[name];
  const ends = { [first]: from, [second]: to };
  return name === 'top-level' ? { ...members, conflict: rest, ...ends } : { ...members, conflict: { ...rest, ...ends } };
}
