import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DescribedResource } from '../../src/schema/described.ts';
import { indexPath } from '../../src/schema/stored-schema.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';
import { RENAMED_WORKLOGS, ROOMS } from './described-resources.ts';
import { storeResources } from './store-description.ts';

/** Halls, with a list that the service sorts only in one direction for each field. */
const HALLS: DescribedResource = {
  ...{ noun: 'halls', singular: 'hall', summary: 'Halls', path: '/halls', itemPath: null, fields: { id: { kind: 'id' } } },
  list: { filters: {}, sorts: ['id', '-name'], paged: false, search: false },
  operations: [{ name: 'list', method: 'GET', path: '/halls' }],
};

let tenant: SignedIn;
beforeAll(async () => {
  tenant = await signedIn({ personalToken: true });
  await storeResources(tenant.home, tenant.host, [RENAMED_WORKLOGS, ROOMS, HALLS]);
});
afterAll(() => tenant.remove());

/** The request that a line would send. */
async function planned(...argv: string[]) {
  const { code, stdout, stderr } = await tenant.svc([...argv, '--dry-run', '--output', 'json']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as { method: string; url: string; body?: unknown; ability?: string; cost: { read?: number } };
}

async function refused(...argv: string[]) {
  tenant.sandbox.requests.length = 0;
  const { code, stderr } = await tenant.svc(argv);
  expect(tenant.sandbox.requests).toEqual([]);
  return { code, stderr };
}

describe('a resource of one organisation', () => {
  it('appears in help under its own heading, without resources that the organisation lacks', async () => {
    const { stdout } = await tenant.svc(['--help']);
    expect(stdout).toMatch(/Also here +rooms/);
    expect(stdout).not.toMatch(/absences|sprints/);
  });

  it('has completions for its name, its sort orders and the values of its fields', async () => {
    expect((await tenant.svc(['__complete', '--', 'roo'])).stdout).toContain('rooms\tRooms');
    expect((await tenant.svc(['__complete', '--', 'rooms', 'create', '--floor', 'g'])).stdout).toContain('ground');
    const sorts = (await tenant.svc(['__complete', '--empty', '--', 'rooms', 'list', '--sort'])).stdout;
    expect(sorts).toContain('-name');
    expect(sorts).not.toContain('seats');
  });

  it('appears in svc commands', async () => {
    const { stdout } = await tenant.svc(['commands', 'rooms', '--jq', '.commands[].command']);
    expect(stdout).toContain('svc rooms lock');
    expect(stdout).toContain('svc rooms bookings list');
  });

  it('has flags for its fields', async () => {
    const { method, url, body, ability } = await planned('rooms', 'create', '--name', 'Attic', '--seats', '8', '--set-output', 'none');
    expect({ method, path: new URL(url).pathname, body, ability }).toEqual({
      method: 'POST',
      path: '/api/v2/rooms',
      body: { name: 'Attic', seats: 8, output: null },
      ability: 'api:write:rooms',
    });
  });

  it('is filtered, sorted and paged with the parameters of the API spec', async () => {
    const { url } = await planned('rooms', 'list', '--filter', 'seats.gte=4', '--sort', '-name', '--trashed', 'only');
    expect([...new URL(url).searchParams]).toEqual([
      ['filter[seats][gte]', '4'],
      ['sort', '-name'],
      ['trashed', 'only'],
      ['per_page', '50'],
    ]);
  });

  it('is sorted only in the directions of the API spec', async () => {
    for (const sort of ['id', '-name']) expect((await planned('halls', 'list', '--sort', sort)).url).toContain(`sort=${sort}`);
    for (const sort of ['-id', 'name']) {
      const { code, stderr } = await refused('halls', 'list', '--sort', sort);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--sort: the service does not sort halls by "${sort}".`)]);
    }
  });

  it('is read in the view that has the requested fields', async () => {
    const asked = async (...read: string[]) => {
      tenant.sandbox.requests.length = 0;
      await tenant.svc(['rooms', 'list', ...read]);
      return tenant.sandbox.requests
        .filter(({ path }) => /\/rooms\b/.test(path))
        .map(({ path }) => new URL(path, 'http://x').searchParams.get('view'));
    };
    expect(await asked('--fields', 'name,floor')).toEqual(['detail']);
    expect(await asked('--fields', 'name,seats')).toEqual([null]);
    expect(await asked('--jq', 'map({name, at: .floor})')).toEqual(['detail']);
    expect(await asked('--jq', 'map({name, floor: .seats})')).toEqual([null]);
  });

  it('has commands for child records', async () => {
    expect((await planned('rooms', 'bookings', 'create', '7', '--day', '2026-03-31')).url).toMatch(/\/rooms\/7\/bookings$/);
  });

  it('has commands for other operations, which exit 2 without a required flag', async () => {
    const { method, url, body } = await planned('rooms', 'lock', '7', '--reason', 'Painting', '--until', '2026-03-31');
    expect({ method, path: new URL(url).pathname, body }).toEqual({
      method: 'POST',
      path: '/api/v2/rooms/7/actions/lock',
      body: { reason: 'Painting', until: '2026-03-31' },
    });
    const { code, stderr } = await refused('rooms', 'lock', '7');
    expect(code).toBe(2);
    expect(stderr).toContain('--reason');
  });
});

describe('a request that the API spec does not allow', () => {
  it.each([
    [
      'a read-only field',
      ['rooms', 'create', '--name', 'A', '-F', 'booked_minutes=5'],
      'You cannot set booked_minutes of rooms: the service sets this field',
    ],
    ['a field that only a create can set', ['rooms', 'update', '7', '-f', 'code=x'], 'only a create can set this field'],
    ['a read-only field in a whole body', ['rooms', 'create', '--data', '{"name":"A","id":3}'], 'You cannot set id of rooms'],
    ['an unknown field', ['rooms', 'create', '--name', 'A', '-f', 'seat=3'], 'Did you mean seats?'],
    ['an unknown value of a closed enum', ['rooms', 'create', '--name', 'A', '--floor', 'second'], 'Allowed: ground, first.'],
    ['null for a required field', ['rooms', 'update', '7', '--seats', 'null'], 'seats of rooms cannot be empty'],
    ['a missing required field', ['rooms', 'create', '--seats', '4'], 'A room needs --name.'],
    ['a refused sort order', ['rooms', 'list', '--sort', 'seats'], 'Allowed: id, name.'],
    ['a refused filter', ['rooms', 'list', '--filter', 'name=A'], 'Allowed: seats, booked_minutes.'],
    ['a refused operator', ['rooms', 'list', '--filter', 'seats.lt=3'], 'Allowed after seats: .gte, .in'],
    ['one value for a field with bounds', ['rooms', 'list', '--filter', 'booked_minutes=3'], 'Allowed after booked_minutes: .gte.'],
    ['an unknown relation', ['rooms', 'list', '--include', 'booking'], 'Did you mean bookings?'],
    ['a refused value of --trashed', ['rooms', 'list', '--trashed', 'with'], 'Allowed: without, only.'],
    ['a search', ['rooms', 'list', '--search', 'x'], 'does not support'],
  ])('is not sent with %s', async (_, argv, words) => {
    const { code, stderr } = await refused(...argv);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(words);
    expect(code).toBe(2);
  });

  it('is sent with a notice when the enum is extensible', async () => {
    const { stdout, stderr } = await tenant.svc(['rooms', 'create', '--name', 'A', '--mood', 'wild', '--dry-run', '--output', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ body: { mood: 'wild' } });
    expect(stderr).toContain('the API spec does not list "wild" (calm, loud)');
    const sent = await tenant.svc(['rooms', 'create', '--name', 'A', '--mood', 'wild']);
    expect(sent.stderr.match(/does not list "wild"/g)).toHaveLength(1);
  });

  it('is sent with svc api', async () => {
    tenant.sandbox.requests.length = 0;
    await tenant.svc(['api', 'POST', '/worklogs', '-F', 'minutes=30', '-f', 'date=2026-03-31']);
    expect(tenant.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/v2/worklogs']);
  });
});

describe('svc commands at an organisation with other field names', () => {
  it.each([
    ['svc week', ['week']],
    ['svc report', ['report', '--by', 'project']],
    ['a natural-language entry', ['worklogs', 'add', '1h30', 'Review']],
    ['svc worklogs copy', ['worklogs', 'copy', '--day', 'yesterday']],
  ])('report the missing field that %s needs', async (_, argv) => {
    const { code, stderr } = await refused(...argv);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`needs the minutes of a worklog, and ${tenant.host} does not have this field.`);
    expect(code).toBe(3);
  });

  it.each([
    ['leave', ['absences', 'add', 'tomorrow'], 3],
    ['timers', ['status'], 3],
  ])('exit 3 and send nothing without the resource for %s', async (_, argv, code) => {
    expect((await refused(...argv)).code).toBe(code);
  });

  it('log hours with the flags of the API spec', async () => {
    expect((await planned('worklogs', 'add', '--spent', '90', '--date', '2026-03-31')).body).toEqual({ date: '2026-03-31', spent: 90 });
  });
});

it('svc shows the built-in resources for another organisation', async () => {
  const { stdout } = await tenant.svc(['--help', '--host', 'other.example.com']);
  expect(stdout).toContain('absences');
  expect(stdout).not.toContain('rooms');
});

it('svc prints the help of a command even if the settings are damaged', async () => {
  const file = `${tenant.home}/.config/svc/config.json`;
  const before = await readFile(file, 'utf8').catch(() => undefined);
  await writeFile(file, '{{{');
  const { code, stdout } = await tenant.svc(['worklogs', '--help']);
  expect({ code, isHelp: stdout.includes('Usage:') }).toEqual({ code: 0, isHelp: true });
  if (before !== undefined) await writeFile(file, before);
});

it('svc ignores a damaged API spec, and reports the damage once', async () => {
  const other = await signedIn();
  await storeResources(other.home, other.host, [ROOMS]);
  await writeFile(indexPath({ state: `${other.home}/.local/state/svc` }, parseHost(other.host)), '{"form": 2');
  const first = await other.svc(['--help']);
  expect(first.stdout).toContain('absences');
  expect(first.stderr).toContain('svc schema import');
  expect((await other.svc(['--help'])).stderr).toBe('');
  await other.remove();
});

/** The same files, which note what is asked of them. */
function watched<T extends object>(files: T, above: string): T {
  return new Proxy(files, {
    get(target, name) {
      const member = target[name as keyof T];
      if (typeof member === 'object' && member !== null) return watched(member, `${String(name)}.`);
      return (...given: [string]) => {
        touched.push(`${above}${String(name)} ${given[0].replace(tenant.home, '')}`);
        return (member as (path: string) => unknown)(...given);
      };
    },
  });
}

const touched: string[] = [];

it('svc reads no file to print help when no API spec is imported', async () => {
  const { code } = await tenant.svc(['worklogs', 'list', '--help'], {
    env: { SVC_CONFIG_DIR: `${tenant.home}/elsewhere` },
    around: (deps) => ({
      ...deps,
      files: watched(deps.files, ''),
    }),
  });
  expect({ code, touched }).toEqual({ code: 0, touched: ['atOnce.list /elsewhere/state/schema'] });
});
