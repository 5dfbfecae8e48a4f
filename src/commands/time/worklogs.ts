import type { Resource } from '../../catalog/define.ts';
import { findResource } from '../../catalog/index.ts';

/** The catalog's entry of worklogs. */
export async function worklogs(): Promise<Resource> {
  const resource = await findResource('worklogs');
  if (resource === undefined) throw new Error('The catalog has no worklogs.');
  return resource;
}
