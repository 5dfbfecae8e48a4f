import type { Parent, Resource } from '../catalog/define.ts';
import type { ArgSpec } from '../cli/spec.ts';
import { UsageError } from '../errors.ts';
import { parseId, parseWorkItem, type WorkItemRef } from '../values/scalars.ts';

/** The typed arguments: the parent record, if the resource is a collection of child records, and the rest. */
export interface TypedPlace {
  readonly parent: string | undefined;
  readonly rest: readonly string[];
}

/** Takes the parent off the front of the arguments. */
export function typedPlace(resource: Pick<Resource, 'parent'>, args: readonly string[]): TypedPlace {
  if (resource.parent === undefined) return { parent: undefined, rest: args };
  const [parent, ...rest] = args;
  return { parent, rest };
}

/** The argument that names the parent, where there is one. */
export function parentArgs({ parent }: Pick<Resource, 'parent'>): readonly ArgSpec[] {
  if (parent === undefined) return [];
  return [{ name: parent.singular, summary: `The ${parent.singular.replaceAll('-', ' ')}, by id${parent.keyed ? ' or key' : ''}` }];
}

/**
 * The path of a collection, its parent filled in.
 *
 * @throws UsageError for a parent that is no id (or key, where it takes one).
 */
export function collectionPath(resource: Resource, parent: string | undefined): string {
  if (resource.parent === undefined) return resource.path;
  return resource.path.replace(`{${resource.parent.parameter}}`, readId(resource.parent, parent ?? ''));
}

/**
 * The path of one record. Work items are named by id or key, everything else by id; checked here, so that nothing a
 * person pastes can reach another path.
 *
 * @throws UsageError for a text that is neither.
 */
export function itemPath(resource: Resource, id: string, parent?: string): string {
  return `${collectionPath(resource, parent)}/${readId(resource, id)}`;
}

/** As it stands in a path. */
function workItemText(ref: WorkItemRef): string {
  return ref.kind === 'id' ? String(ref.id) : ref.key;
}

/** The id or the key, in the form of a path. */
export function readId({ keyed, singular }: Pick<Parent, 'keyed' | 'singular'>, id: string): string {
  try {
    return keyed ? workItemText(parseWorkItem(id)) : String(parseId(id));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`"${id}" is no ${singular.replaceAll('-', ' ')}: ${error.message}`, { hint: error.hint });
  }
}
