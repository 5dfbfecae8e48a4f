import { billingResources } from './billing.ts';
import type { DefinedResource, ServedResource } from './define.ts';
import { drive } from './drive.ts';
import { leave } from './leave.ts';
import { configuration, organization, planning } from './organization.ts';
import { customers, projects } from './projects.ts';
import { timeResources } from './time.ts';
import { workItems } from './work-items.ts';

/** Every resource that the service's documentation names, in the order of its areas. */
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

/** The resources of one service. */
export interface Service {
  readonly resources: readonly ServedResource[];
  /** @throws RangeError for a name that no resource has. */
  named(name: string): ServedResource;
  /** Every prefix that an ability may be narrowed to. */
  readonly prefixes: readonly string[];
}

/** Makes a service: its resources can reach one another. */
export function createService(defined: readonly DefinedResource[]): Service {
  const byName = new Map<string, ServedResource>();
  const named = (name: string): ServedResource => {
    const resource = byName.get(name);
    if (resource === undefined) throw new RangeError(`no resource ${name}`);
    return resource;
  };
  const resources = defined.map((resource) => ({ ...resource, other: named }));
  for (const resource of resources) byName.set(resource.name, resource);
  return { resources, named, prefixes: [...new Set(resources.flatMap((resource) => resource.prefixes))] };
}

/** The service as it is documented. */
export const SERVICE: Service = createService(DEFINED);

export const { resources: RESOURCES, named: resourceNamed, prefixes: PREFIXES } = SERVICE;
