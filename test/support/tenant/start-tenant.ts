import { SERVICE } from '../../../src/sandbox/resources/index.ts';
import type { SandboxState } from '../../../src/sandbox/sandbox-state.ts';
import { type Sandbox, type SandboxOptions, startVariant } from '../../../src/sandbox/start.ts';
import { createTenant } from './tenant.ts';

/** The options for starting a sandbox of a test. */
export interface TenantOptions extends SandboxOptions {
  /**
   * The seed of the tenant’s changes to fields, filters, sorts, includes and resources, and of its API spec’s style. Undefined for the
   * documented service.
   */
  readonly tenant?: number;
  /**
   * The divisor of the ids of the worklogs. The sandbox of a test that reads all worklogs can have a part of the usual 6,000 worklogs.
   * Default: 1, for all worklogs.
   */
  readonly worklogIdsBy?: number;
}

/** Starts a sandbox of the documented service, or of a tenant. */
export function startTenant({ tenant, worklogIdsBy = 1, ...options }: TenantOptions): Promise<Sandbox> {
  const variant = tenant === undefined ? { service: SERVICE, interpretations: {}, fill: () => undefined } : createTenant(tenant);
  const fill = (sandboxState: SandboxState) => {
    removeWorklogs(sandboxState, worklogIdsBy);
    variant.fill(sandboxState);
  };
  return startVariant({ ...variant, fill }, options);
}

function removeWorklogs({ db }: SandboxState, divisor: number): void {
  if (divisor === 1) return;
  const worklogs = db.table('worklogs');
  for (const id of [...worklogs.rows.keys()]) if (id % divisor !== 0) worklogs.remove(id);
}
