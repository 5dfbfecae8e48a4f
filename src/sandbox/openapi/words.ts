import type { ServedOperation } from '../api/call.ts';
import type { ServedResource } from '../resources/define.ts';

function pascal(text: string): string {
  return text.replaceAll(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A name for programs that no other operation has: `listWorkItems`, `createSubtaskOfWorkItem`, `transitionWorkItem`. */
export function operationId({ name, resource, nested }: ServedOperation, parent: ServedResource | undefined): string {
  const verb = pascal(name).replace(/^./, (letter) => letter.toLowerCase());
  if (resource === undefined) return verb;
  const what = name === 'list' ? pascal(nested?.segment ?? resource.path) : resource.schema;
  return `${verb}${what}${parent === undefined ? '' : `Of${parent.schema}`}`;
}

/** The heading that lists an operation: `Work items`. */
export function tagOf({ resource }: ServedOperation): string {
  if (resource === undefined) return 'Start here';
  const words = resource.path.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
