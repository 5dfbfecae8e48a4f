import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { type Used, useEverything } from './use-everything.ts';

/** Each is another organisation's service: fields, filters and resources renamed, added and taken away by its number. */
const TENANTS = Array.from({ length: Number(process.env['SVC_TENANTS'] ?? 40) }, (_, index) => index + 1);

/** Statuses that say that what was asked is not what the service takes. */
const REFUSALS: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);

const all = { variants: 0, lines: 0, refused: 0, emptyIncludes: 0, assumed: 0 };
afterAll(() =>
  console.log(
    `${all.variants} variants, ${all.lines} lines typed, ${all.refused} refused for reasons of svc, ${all.emptyIncludes} lines of help without an existing include, ${all.assumed} assumptions left`,
  ),
);

describe.each(TENANTS)('made-up organisation %i after svc schema import', (number) => {
  let tenant: SignedIn;
  let used: Used;
  beforeAll(async () => {
    tenant = await signedIn({ personalToken: true, tenant: number, limits: 'off' });
    const { stdout } = await tenant.svc(['api', '/openapi.json']);
    const imported = await tenant.svc(['schema', 'import', '-'], { stdin: stdout });
    if (imported.code !== 0) throw new Error(imported.stderr);
    tenant.sandbox.requests.length = 0;
    used = await useEverything(tenant);
    all.variants += 1;
    all.lines += used.lines;
    all.refused += used.refused.length;
    all.emptyIncludes += used.emptyIncludes.length;
    all.assumed += used.assumed.length;
  });
  afterAll(() => tenant.remove());

  it('accepts the request of every command that svc lists', () => {
    expect(used.lines).toBeGreaterThan(1_000);
    expect(used.refused).toEqual([]);
    expect(
      tenant.sandbox.requests.filter(({ status }) => REFUSALS.has(status)).map(({ method, path, status }) => `${method} ${path} ${status}`),
    ).toEqual([]);
  });

  it('names only existing relations in every line of help about --include', () => {
    expect(used.emptyIncludes).toEqual([]);
  });

  it('has no assumption of svc left', () => {
    expect(used.assumed).toEqual([]);
  });

  it('sends answers that match the API spec', async () => {
    const { code, stdout } = await tenant.svc(['doctor', '--schema', '--output', 'json']);
    expect({ code, drift: JSON.parse(stdout) }).toEqual({ code: 0, drift: [] });
  });
});
