import { expect, test } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { nameHost } from '../../src/cli/name-host.ts';
import { rootOf } from '../../src/commands/root.ts';

const ROOT = rootOf(builtInCatalog());

const HOST = 'beta.example.com';

test.each([
  ['svc token set', 'svc token set --host beta.example.com'],
  ['Make one, then: svc token set < token.txt', 'Make one, then: svc token set --host beta.example.com < token.txt'],
  ['Run "svc doctor".', 'Run "svc doctor --host beta.example.com".'],
  ['svc worklogs add 1h30 ABC-12', 'svc worklogs add --host beta.example.com 1h30 ABC-12'],
  ['svc work-items subtasks list 7', 'svc work-items subtasks list --host beta.example.com 7'],
  [
    'In a script: svc worklogs add, svc worklog update.',
    'In a script: svc worklogs add --host beta.example.com, svc worklog update --host beta.example.com.',
  ],
  ['To try again, run: svc login', 'To try again, run: svc login beta.example.com'],
  ['Run svc login again. Or svc logout.', 'Run svc login beta.example.com again. Or svc logout beta.example.com.'],
])('svc adds the host to the commands in %j', async (text, named) => {
  expect(await nameHost(text, { host: HOST }, ROOT)).toBe(named);
  expect(await nameHost(named, { host: HOST }, ROOT)).toBe(named);
});

test.each([
  'svc login acme.example.com',
  'svc login 127.0.0.1:4010 --scope api:read',
  'svc auth switch <host>',
  'svc resources --host acme.example.com',
  'svc worklogs list --from monday --host acme.example.com --cursor x',
  'svc config set timezone Europe/Amsterdam',
  'svc worklogs add --help',
  'svc sends nothing beyond that; another svc is at work; my-svc token set',
])('svc adds no host to %j', async (text) => {
  expect(await nameHost(text, { host: HOST }, ROOT)).toBe(text);
});
