import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { keepNouns, nounsOf } from './keep-description.ts';
import { useEverything } from './use-everything.ts';

describe('a tenant whose description was imported', () => {
  let tenant: SignedIn;
  beforeAll(async () => {
    tenant = await signedIn({ personalToken: true, limits: 'off' });
    const { stdout } = await tenant.svc(['api', '/openapi.json']);
    await keepNouns(tenant.home, tenant.host, await nounsOf(stdout));
  });
  afterAll(() => tenant.remove());

  it('takes every line that svc says can be typed, and nothing is assumed', async () => {
    tenant.sandbox.requests.length = 0;
    const { lines, refused, assumed } = await useEverything(tenant);
    expect(lines).toBeGreaterThan(500);
    expect({ refused, assumed }).toEqual({ refused: [], assumed: [] });
    const answers = tenant.sandbox.requests.filter(({ status }) => status === 400 || status === 405 || status === 415 || status === 422);
    expect(answers).toEqual([]);
  });
});
