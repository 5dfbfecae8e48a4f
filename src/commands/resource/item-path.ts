import type { Resource } from '../../catalog/define.ts';
import { UsageError } from '../../errors.ts';
import { parseId } from '../../values/integer.ts';
import { parseWorkItem, type WorkItemRef } from '../../values/work-item.ts';

/**
 * The path of one record. Work items are named by id or key, everything else by id; checked here, so that nothing a
 * person pastes can reach another path.
 *
 * @throws UsageError for a text that is neither.
 */
export function itemPath(resource: Resource, id: string): string {
  return `${resource.path}/${readItemId(resource, id)}`;
}

/** As it stands in a path. */
export function workItemText(ref: WorkItemRef): string {
  return ref.kind === 'id' ? String(ref.id) : ref.key;
}

/** The id or key as it stands in a path. */
export function readItemId(resource: Resource, id: string): string {
  try {
    return resource.keyed ? workItemText(parseWorkItem(id)) : String(parseId(id));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`"${id}" is no ${resource.singular}: ${error.message}`, { hint: error.hint });
  }
}
