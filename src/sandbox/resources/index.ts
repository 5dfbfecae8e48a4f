import { billingResources } from './billing.ts';
import type { DefinedResource, ServedResource } from './define.ts';
import { drive } from './drive.ts';
import { leave } from './leave.ts';
import { configuration, organization, planning } from './organization.ts';
import { customers, projects } from './projects.ts';
import { timeResources } from './time.ts';
import { workItems } from './work-items.ts';

export const DEFINED: readonly DefinedResource[] = [
  ...projects,
  ...workItems,
  ...timeResources,
  ...drive,
  ...customers,
  ...billingResources,
  ...leave,
  ...planning,
  ...organization,
  ...configuration,
];

export type Service = ReturnType<typeof createService>;

export function createService(defined: readonly DefinedResource[]) {
  const byName = new Map<string, ServedResource>();
  const named = (name: string): ServedResource => {
    const resource = byName.get(name);
    if (resource === undefined) throw new RangeError(`no resource ${name}`);
    return resource;
  };
  const resources: readonly ServedResource[] = defined.map((resource) => ({ ...resource, other: named }));
  for (const resource of resources) byName.set(resource.name, resource);
  return { resources, named, prefixes: [...new Set(resources.flatMap((resource) => resource.prefixes))] };
}

export const SERVICE: Service = createService(DEFINED);

export const { resources: RESOURCES, named: resourceNamed, prefixes: PREFIXES } = SERVICE;
