import { type Sandbox, type SandboxOptions, startVariant } from '../../../src/sandbox/start.ts';
import { createTenant } from './tenant.ts';

/** The options for starting a sandbox of a test. */
export interface TenantOptions extends SandboxOptions {
  /**
   * The seed of the tenant’s changes to fields, filters, sorts, includes and resources, and of its API spec’s style. Undefined for the
   * documented service.
   */
  readonly tenant?: number;
}

/** Starts a sandbox of the documented service, or of a tenant. */
export function startTenant({ tenant, ...options }: TenantOptions): Promise<Sandbox> {
  return startVariant(tenant === undefined ? undefined : createTenant(tenant), options);
}
