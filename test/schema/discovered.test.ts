import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoveredResources } from '../../src/schema/discovered.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { ROOMS } from './described-resources.ts';
import { storeResources } from './store-description.ts';

const ENTRY = { path: undefined, itemPath: undefined, prefix: undefined, operations: [], schemas: [] };

describe('the resources of discovery', () => {
  it('are the top-level lists that svc does not know, with their child lists', () => {
    const [rooms, ...others] = discoveredResources(
      [
        {
          ...ENTRY,
          path: '/rooms',
          itemPath: '/rooms/{room}',
          operations: ['GET /rooms', 'GET /rooms/{room}', 'POST /rooms/{id}/actions/lock'],
          prefix: 'rooms',
        },
        { ...ENTRY, path: '/rooms/{room}/bookings', operations: ['GET /rooms/{room}/bookings'] },
        { ...ENTRY, path: '/worklogs' },
        { ...ENTRY, path: '/me' },
      ],
      [{ noun: 'worklogs' }],
    );
    expect(others).toEqual([]);
    expect(rooms).toMatchObject({ noun: 'rooms', singular: 'room', nested: [{ noun: 'bookings' }] });
    expect(rooms?.operations.map(({ name, abilities }) => [name, abilities])).toEqual([
      ['list', ['api:read:rooms']],
      ['get', ['api:read:rooms']],
      ['lock', ['api:write:rooms']],
    ]);
  });

  it('have the usual operations when discovery names no operations', () => {
    const [rooms] = discoveredResources([{ ...ENTRY, path: '/rooms', itemPath: '/rooms/{room}' }], []);
    expect(rooms?.operations.map(({ name }) => name)).toEqual(['list', 'create', 'get', 'update', 'delete']);
  });

  it.each(['/../up', '/a\u001b[2J', '/__proto__', '/Räume', '/x{y', `/${'x'.repeat(5_000)}`])('are not made from %j', (path) => {
    expect(discoveredResources([{ ...ENTRY, path }], [])).toEqual([]);
  });
});

describe('a resource that svc resources lists', () => {
  let tenant: SignedIn;
  beforeAll(async () => {
    tenant = await signedIn({ personalToken: true, tenant: 3 });
  });
  afterAll(() => tenant.remove());

  it('gets commands in svc, next to the built-in resources', async () => {
    const before = await tenant.svc(['--help']);
    expect(before.stdout).not.toContain('Also here');
    const { stderr } = await tenant.svc(['resources', '--output', 'json']);
    const [, listed = ''] = /svc now has commands for more resources: ([^.]+)\./.exec(stderr.replaceAll(/\s+/g, ' ')) ?? [];
    const nouns = listed.split(', ');
    expect(nouns.length).toBeGreaterThan(1);
    tenant.sandbox.requests.length = 0;
    const help = (await tenant.svc(['--help'])).stdout.replaceAll(/\s+/g, ' ');
    for (const noun of nouns) expect(help).toContain(noun);
    expect(help).toContain('worklogs');
    expect(tenant.sandbox.requests).toEqual([]);
    for (const noun of nouns) {
      if (!(await tenant.svc([noun, '--help'])).stdout.includes('  list ')) continue;
      expect(await tenant.svc([noun, 'list', '--limit', '1', '--output', 'json'])).toMatchObject({ code: 0 });
    }
  });

  it('accepts with -F a field that no API spec lists', async () => {
    const { code, stdout } = await tenant.svc(['upload-tickets', 'create', '-F', 'anything=1', '--dry-run', '--output', 'json']);
    expect({ code, body: JSON.parse(stdout).body }).toEqual({ code: 0, body: { anything: 1 } });
  });
});

it('svc takes fields from the API spec when the spec has the schema that discovery names', async () => {
  const tenant = await signedIn();
  // The sandbox lists upload tickets with a schema of that name.
  await storeResources(tenant.home, tenant.host, [{ ...ROOMS, schema: 'UploadTicket' }]);
  await tenant.svc(['resources']);
  expect((await tenant.svc(['upload-tickets', 'create', '--help'])).stdout).toContain('--seats');
  await tenant.remove();
});
