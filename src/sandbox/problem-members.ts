import { isObject, type Json } from './json.ts';
import type { SandboxKnobs } from './knobs.ts';

type Members = { readonly [member: string]: Json };

/**
 * The further members of a problem under the names that the knobs give them. In the sandbox itself they are `parameter`,
 * or `key` and `errors`; and `conflict` with `from_status_id` and `to_status_id`.
 */
export function membersOf({ members, message }: { readonly members: Members; readonly message: string }, knobs: SandboxKnobs): Members {
  if (typeof members['parameter'] === 'string') return withParameter(members, members['parameter'], message, knobs.parameterMember);
  if (typeof members['key'] === 'string') return withKeys(members, members['key'], knobs.keyMember);
  if (isObject(members['conflict'])) return withEnds(members, members['conflict'], knobs.transitionEnds);
  return members;
}

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
  switch (name) {
    case 'status-ids':
      return members;
    case 'from-to':
      return { ...members, conflict: { ...rest, from, to } };
    case 'workflow-status-ids':
      return { ...members, conflict: { ...rest, from_workflow_status_id: from, to_workflow_status_id: to } };
    case 'top-level':
      return { ...members, conflict: rest, from_status_id: from, to_status_id: to };
  }
}
