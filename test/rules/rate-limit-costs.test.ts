import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine } from '../support/svc.ts';

// What svc takes a request to cost, before it is sent, is what the service charges: chapter 15 of docs/service-rules.md.

let sandbox: Sandbox;
let machine: Machine;
beforeAll(async () => {
  sandbox = await startSandbox();
  machine = await createMachine({ env: { SVC_TOKEN: sandbox.tokens[0]?.value ?? '', SVC_HOST: sandbox.origin } });
});
afterAll(async () => {
  await sandbox.close();
  await machine.remove();
});
beforeEach(() => {
  sandbox.requests.length = 0;
});

/** The units of each request, as svc tells them with `--debug`, and as the service took them from the bucket of its kind. */
async function units(argv: readonly string[]) {
  const { code, stderr } = await machine.svc([...argv, '--debug']);
  expect(code, stderr).toBe(0);
  const told = [...stderr.matchAll(/, (\d+) units?,/g)].map(([, count]) => Number(count));
  return { told, charged: sandbox.requests.map((request) => request.units) };
}

test.each([
  ['a list (rules 15.15, 15.16)', ['labels', 'list'], 1],
  ['a list in the detail view (rule 15.17)', ['worklogs', 'list', '--view', 'detail', '-L', '1'], 3],
  ['relations to one (rule 15.19)', ['worklogs', 'list', '--include', 'user,project', '-L', '1'], 3],
  ['a relation to many (rule 15.20)', ['work-items', 'list', '--include', 'labels', '-L', '1'], 4],
  ['a search (rule 15.21)', ['worklogs', 'list', '--search', 'a', '-L', '1'], 3],
  ['a list with its total (rule 15.22)', ['worklogs', 'list', '--with-total', '-L', '1'], 3],
  [
    'a list with every costly parameter (rule 15.15)',
    ['worklogs', 'list', '--view', 'detail', '--include', 'user,project', '--search', 'a', '--with-total', '-L', '1'],
    9,
  ],
  ['a record in the detail view (rule 15.18)', ['worklogs', 'get', '1', '--view', 'detail'], 1],
  ['a record with its relations (rules 15.19, 15.20)', ['work-items', 'get', '12', '--include', 'assignee,labels'], 5],
  ['a write in the detail view (rules 15.7, 15.18)', ['api', 'PATCH', '/worklogs/1?view=detail', '-F', 'minutes=5'], 1],
  ['a delete (rule 15.23)', ['worklogs', 'delete', '3', '--yes'], 1],
])('a request costs its documented rate-limit units for %s, %j', async (_, argv, cost) => {
  expect(await units(argv)).toEqual({ told: [cost], charged: [cost] });
});

test('--dry-run shows for each write one rate-limit unit for writing and one unit for reading (rules 15.7, 15.8)', async () => {
  for (const argv of [
    'worklogs add --minutes 5',
    'worklogs update 1 --minutes 5',
    'worklogs delete 1 --yes',
    'api POST /labels -f name=x',
  ]) {
    const { stdout } = await machine.svc([...argv.split(' '), '--dry-run']);
    expect([argv, JSON.parse(stdout).cost]).toEqual([argv, { write: 1, read: 1 }]);
  }
  expect(sandbox.requests).toEqual([]);
});
