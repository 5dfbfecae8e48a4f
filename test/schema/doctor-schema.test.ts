import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DescribedResource } from '../../src/schema/described.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { ROOMS } from './described-resources.ts';
import { storeResources } from './store-description.ts';

let tenant: SignedIn;
beforeAll(async () => {
  tenant = await signedIn();
});
afterAll(() => tenant.remove());

/** Labels as the sandbox has them, but for what a test changes. */
const LABELS: DescribedResource = {
  ...ROOMS,
  noun: 'labels',
  singular: 'label',
  path: '/labels',
  itemPath: '/labels/{label}',
  fields: {
    id: { kind: 'id' },
    name: { kind: 'enum', values: ['nothing'], extensible: true },
    color: { kind: 'integer' },
    deadline: { kind: 'date' },
  },
  views: { summary: ['id', 'name', 'color', 'deadline'] },
  operations: [{ name: 'list', method: 'GET', path: '/labels' }],
  nested: [],
};

it('svc doctor --schema exits 3 without an imported API spec', async () => {
  const { code, stderr } = await tenant.svc(['doctor', '--schema']);
  expect({ code, isHelpful: stderr.includes('svc schema import') }).toEqual({ code: 3, isHelpful: true });
});

it('svc doctor --schema prints the differences as data, at one rate-limit unit per resource, after a notice', async () => {
  await storeResources(tenant.home, tenant.host, [LABELS, ROOMS]);
  tenant.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await tenant.svc(['doctor', '--schema', '--output', 'json']);
  const rows = JSON.parse(stdout) as { noun: string; field: string | null; finding: string; detail: string; records: number | null }[];
  const of = (field: string | null) => rows.filter((row) => row.field === field).map(({ noun, finding }) => `${noun} ${finding}`);
  expect({ code, color: of('color'), deadline: of('deadline'), created: of('created_at'), rooms: of(null) }).toEqual({
    code: 0,
    color: ['labels type'],
    deadline: ['labels absent'],
    created: ['labels unknown'],
    rooms: ['rooms not read'],
  });
  expect(of('name')).toContain('labels value');
  expect(stderr).toContain('svc reads a page of each of 2 resources, for 2 rate-limit units, and writes nothing.');
  expect(tenant.sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
});
