import type { Resource } from './define.ts';
import { absences } from './leave.ts';
import { users } from './organization.ts';
import { projects } from './projects.ts';
import { worklogs } from './time.ts';
import { workItems } from './work-items.ts';

/** Every resource, in the order in which help lists them. */
export const CATALOG: readonly Resource[] = [worklogs, absences, projects, workItems, users];

/** The resource of a noun, its singular, or the noun as it stands in a path; undefined when there is none. */
export function findResource(noun: string): Resource | undefined {
  return CATALOG.find((resource) => resource.noun === noun || resource.singular === noun);
}
