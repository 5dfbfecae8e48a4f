import type { Resource } from '../../catalog/define.ts';
import { collectionPath } from '../../records/paths.ts';
import type { Needs } from '../../session/context.ts';

/** Where the rows of a file go. */
export interface ImportPlace {
  readonly resource: Resource;
  /** The record below which the collection lies. */
  readonly parent: string | undefined;
  /** The collection's path. */
  readonly path: string;
  /** The noun under which its records are reached. */
  readonly items: Resource;
  /** The path of those. */
  readonly recordsAt: string;
}

/** @throws UsageError for a parent that is none. */
export async function placeOfRows({ catalog }: Needs<'catalog'>, resource: Resource, parent: string | undefined): Promise<ImportPlace> {
  const path = collectionPath(resource, parent);
  const items = (resource.itemsOf === undefined ? undefined : await catalog.find(resource.itemsOf)) ?? resource;
  return { resource, parent, path, items, recordsAt: items === resource ? path : items.path };
}
