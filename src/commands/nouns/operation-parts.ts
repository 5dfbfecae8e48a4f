import type { Operation, Resource } from '../../catalog/define.ts';

/** What an operation sends of its own, as a resource that has only these fields: flags, questions and checks are then those of every write. */
export function bodyOf(resource: Resource, operation: Operation): Resource {
  return { ...resource, noun: `${resource.noun} ${operation.name}`, fields: operation.body ?? {} };
}

/** The key that a query parameter has its flag under. */
export function queryKey(name: string): string {
  return `query ${name}`;
}

/** The names in a path, in order. */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
}

/** Which record the placeholder of a path stands for: `parent` the one above, `self` one of the resource; undefined for any other. */
export function standsFor(resource: Resource, path: string, index: number): 'parent' | 'self' | undefined {
  if (resource.parent !== undefined && index === 0) return path.startsWith(`/${resource.parent.noun}/{`) ? 'parent' : undefined;
  const above = resource.parent === undefined ? 0 : 1;
  return index === above && nameless(path).startsWith(`${nameless(resource.path)}/{}`) ? 'self' : undefined;
}

function nameless(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}
