import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { walkTree } from '../../src/cli/resolve.ts';
import { rootOf } from '../../src/commands/root.ts';
import { isJsonObject, type JsonObject } from '../../src/values/json.ts';
import { createMachine, type Machine } from '../support/svc.ts';

const ROOT = rootOf(builtInCatalog());

let machine: Machine;
let all: JsonObject;
beforeAll(async () => {
  machine = await createMachine();
  const { code, stdout, stderr } = await machine.svc(['commands']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  all = JSON.parse(stdout);
});
afterAll(() => machine.remove());

function named(command: string): JsonObject {
  const found = (all['commands'] as JsonObject[]).find((entry) => entry['command'] === command);
  if (!isJsonObject(found)) throw new Error(`There is no ${command}.`);
  return found;
}

describe('svc commands', () => {
  it('lists every command that you can type', async () => {
    const typed: string[] = [];
    for await (const { path, spec } of walkTree(ROOT)) if (spec.run !== undefined) typed.push(['svc', ...path].join(' '));
    expect((all['commands'] as JsonObject[]).map((entry) => entry['command'])).toEqual(typed);
  });

  it('shows the request, abilities and cost of a command (rules 11.8, 15.16)', () => {
    expect(named('svc worklogs list')['sends']).toEqual({
      method: 'GET',
      path: '/worklogs',
      writes: false,
      needs_one_of: ['api:read:times'],
      units: 1,
      units_per: 'page',
      budget: 'read',
    });
    expect(named('svc work-items transition')['sends']).toMatchObject({
      method: 'POST',
      path: '/work-items/{work_item}/actions/transition',
      writes: true,
      needs_one_of: ['api:write:project_management'],
    });
    expect(named('svc sales-invoices rows list')['sends']).toMatchObject({ path: '/sales-invoices/{sales_invoice}/rows' });
    expect(named('svc projects delete')['sends']).toMatchObject({ method: 'DELETE', needs_personal_token: true });
    expect(named('svc doctor')['sends']).toBeNull();
  });

  it('shows the types of flags', () => {
    const flags = named('svc worklogs add')['flags'] as JsonObject[];
    const flag = (name: string) => flags.find((entry) => entry['flag'] === name);
    expect(flag('--minutes')).toMatchObject({ type: 'duration', repeatable: false });
    expect(flag('--project')).toMatchObject({ type: 'id-or-name', refers_to: 'projects' });
    expect(flag('--overtime')).toMatchObject({ type: 'switch' });
    expect(flag('--field')).toMatchObject({ short: '-F', repeatable: true });
    expect(flag('--no-overtime')).toBeUndefined();
    const why = (named('svc report')['flags'] as JsonObject[]).find((entry) => entry['flag'] === '--why');
    expect(why).toMatchObject({ type: 'string', placeholder: 'row', value_optional: true });
    expect(all['global_flags']).toContainEqual(expect.objectContaining({ flag: '--output', short: '-o', type: 'enum' }));
  });

  it('lists only the subcommands of the given command', async () => {
    const { stdout } = await machine.svc(['commands', 'auth', '--jq', '.commands[].command']);
    expect(stdout.trim().split('\n')).toEqual(['svc auth status', 'svc auth switch', 'svc auth refresh', 'svc auth print-token']);
    expect((await machine.svc(['commands', 'no-such-thing'])).code).toBe(2);
  });

  it('accepts the words of a command quoted, unquoted, or after svc', async () => {
    for (const words of [['worklogs', 'add'], ['worklogs add'], ['svc worklogs add'], ['svc', ' worklogs ', 'add']])
      expect((await machine.svc(['commands', ...words, '--jq', '.commands[].command'])).stdout).toBe('svc worklogs add\n');
  });

  it('prints a plain list at a terminal', async () => {
    const { stdout } = await machine.svc(['commands', 'token'], { terminal: 80 });
    expect(stdout).toMatch(/^ *svc token set +Store a personal access token$/m);
  });
});
