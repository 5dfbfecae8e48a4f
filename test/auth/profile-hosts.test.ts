// The keychain belongs to the account. A configuration directory neither lists nor chooses hosts that it never signed in to.
import { rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { createFakeKeychain } from './fixtures/fake-keychain.ts';

let sandbox: Sandbox;
let machine: Machine;
let host: string;
beforeEach(async () => {
  sandbox = await startSandbox({ approve: true });
  host = new URL(sandbox.origin).host;
  machine = await createMachine({ keychain: createFakeKeychain() });
  expect(await machine.svc(['login', host])).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await machine.remove();
  await sandbox.close();
});

it('svc logout --all keeps the sign-ins of another configuration directory', async () => {
  const env = { SVC_CONFIG_DIR: `${machine.home}/other` };
  expect(await machine.svc(['auth', 'status'], { env })).toMatchObject({ code: 4 });
  expect(await machine.svc(['me'], { env })).toMatchObject({ code: 4, stderr: expect.stringContaining('You are not signed in.') });
  expect(await machine.svc(['auth', 'switch', host], { env })).toMatchObject({ code: 4 });
  expect(await machine.svc(['logout', '--all'], { env })).toMatchObject({ code: 0, stderr: 'You are not signed in anywhere.\n' });
  expect(await machine.svc(['me', '--jq', '.id'])).toMatchObject({ code: 0, stdout: '1\n' });
});

it('--host uses the sign-in of another configuration directory, and svc auth status lists the host after svc login', async () => {
  const env = { SVC_CONFIG_DIR: `${machine.home}/other` };
  expect(await machine.svc(['me', '--host', host, '--jq', '.id'], { env })).toMatchObject({ code: 0, stdout: '1\n' });
  expect(await machine.svc(['login', host], { env })).toMatchObject({ code: 0 });
  expect(await machine.svc(['auth', 'status', '--output', 'json'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(host),
  });
});

it('svc finds the sign-in without a readable keychain list, because the settings name the default host', async () => {
  const list = `${machine.home}/.config/svc/keychain-hosts.json`;
  await writeFile(list, '{broken');
  expect(await machine.svc(['me', '--jq', '.id'])).toMatchObject({ code: 0, stdout: '1\n' });
  await rm(list);
  expect(await machine.svc(['auth', 'status'])).toMatchObject({ code: 0 });
});
