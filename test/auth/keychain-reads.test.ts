// A read from the keychain takes ten milliseconds, and can open a window. A command reads once at most.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { createFakeKeychain } from './fixtures/fake-keychain.ts';

let sandbox: Sandbox;
let machine: Machine;
let looks = 0;
beforeEach(async () => {
  sandbox = await startSandbox({ approve: true });
  const keychain = createFakeKeychain();
  machine = await createMachine({
    keychain: {
      ...keychain,
      get(service, account) {
        looks += 1;
        return keychain.get(service, account);
      },
    },
  });
  const login = await machine.svc(['login', new URL(sandbox.origin).host]);
  expect(login.code, login.stderr).toBe(0);
});
afterEach(async () => {
  await machine.remove();
  await sandbox.close();
});

it.each([
  ['a request', ['me'], 1],
  ['a write', ['worklogs', 'add', '--minutes', '90'], 1],
  ['a list of several pages', ['worklogs', 'list', '--limit', '250'], 1],
  ['a dry run', ['worklogs', 'add', '--minutes', '90', '--dry-run'], 1],
  ['help', ['worklogs', 'add', '--help'], 0],
])('svc reads the keychain at most once for %s', async (_what, argv, most) => {
  looks = 0;
  const { code, stderr } = await machine.svc(argv);
  expect(code, stderr).toBe(0);
  expect(looks).toBeLessThanOrEqual(most);
});
