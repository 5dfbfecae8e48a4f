import { billing } from './billing.ts';
import { configuration } from './configuration.ts';
import { customers } from './customers.ts';
import type { Resource } from './define.ts';
import { drive } from './drive.ts';
import { leave } from './leave.ts';
import { organization } from './organization.ts';
import { planning } from './planning.ts';
import { projects } from './projects.ts';
import { time } from './time.ts';
import { workItems } from './work-items.ts';

/** Every resource of the service, in the order of its areas. */
export const RESOURCES: readonly Resource[] = [
  ...projects,
  ...workItems,
  ...time,
  ...drive,
  ...customers,
  ...billing,
  ...leave,
  ...planning,
  ...organization,
  ...configuration,
];

const byName: ReadonlyMap<string, Resource> = new Map(RESOURCES.map((resource) => [resource.name, resource]));

/** @throws RangeError for a name no resource has. */
export function resourceNamed(name: string): Resource {
  const resource = byName.get(name);
  if (resource === undefined) throw new RangeError(`no resource ${name}`);
  return resource;
}

/** Every prefix that an ability may be narrowed to. */
export const PREFIXES: readonly string[] = [...new Set(RESOURCES.flatMap((resource) => resource.prefixes))];
