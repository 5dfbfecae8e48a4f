import type { Parent, Resource } from '../catalog/define.ts';
import type { ArgSpec } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import { parseId, parseWorkItem } from '../values/scalars.ts';

export interface TypedPlace {
  readonly parent: string | undefined;
  readonly rest: readonly string[];
}

export function typedPlace(resource: Pick<Resource, 'parent'>, args: readonly string[]): TypedPlace {
  if (resource.parent === undefined) return { parent: undefined, rest: args };
  const [parent, ...rest] = args;
  return { parent, rest };
}

export function parentArgs({ parent }: Pick<Resource, 'parent'>): readonly ArgSpec[] {
  if (parent === undefined) return [];
  return [{ name: parent.singular, summary: `The ${parent.singular.replaceAll('-', ' ')}, by id${parent.keyed ? ' or key' : ''}` }];
}

export function collectionPath(resource: Resource, parent: string | undefined): string {
  if (resource.parent === undefined) return resource.path;
  return resource.path.replace(`{${resource.parent.parameter}}`, readId(resource.parent, parent ?? ''));
}

/**
 * Returns the path of a record. Checks the id, so that a pasted text can’t reach another path. @throws UsageError for a text that is
 * neither an id nor a key.
 */
export function itemPath(resource: Resource, id: string, parent?: string): string {
  return `${collectionPath(resource, parent)}/${readId(resource, id)}`;
}

export function readId({ keyed, singular }: Pick<Parent, 'keyed' | 'singular'>, id: string): string {
  try {
    if (!keyed) return String(parseId(id));
    const ref = parseWorkItem(id);
    return ref.kind === 'id' ? String(ref.id) : ref.key;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`"${id}" is no ${singular.replaceAll('-', ' ')}: ${error.message}`, { hint: error.hint });
  }
}
