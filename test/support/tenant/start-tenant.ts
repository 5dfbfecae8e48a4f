import { type Sandbox, type SandboxOptions, startVariant } from '../../../src/sandbox/start.ts';
import { createTenant } from './tenant.ts';

/** How a sandbox for a test starts. */
export interface TenantOptions extends SandboxOptions {
  /**
   * Names, adds and removes fields, filters, sorts, includes and resources by this seed, and writes the API spec in a style of its own.
   * Absent: the documented service.
   */
  readonly tenant?: number;
}

/** A sandbox of the documented service, or of a tenant. */
export function startTenant({ tenant, ...options }: TenantOptions): Promise<Sandbox> {
  return startVariant(tenant === undefined ? undefined : createTenant(tenant), options);
}
