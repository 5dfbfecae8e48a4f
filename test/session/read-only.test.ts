import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let machine: SignedIn;
beforeAll(async () => {
  machine = await signedIn({ personalToken: true });
});
afterAll(() => machine.remove());

const WRITES = [
  ['worklogs', 'add', '--minutes', '5', '--no-check', '--no-context'],
  ['worklogs', 'update', '1', '--minutes', '5'],
  ['worklogs', 'delete', '1', '--yes'],
  ['work-items', 'transition', 'ABC-12', '--to', '2'],
  ['api', 'POST', '/worklogs', '-F', 'minutes=5'],
];

describe.each([
  ['SVC_READ_ONLY', { SVC_READ_ONLY: '1' }],
  ['the setting read-only', {}],
] as const)('with %s', (why, env) => {
  beforeAll(async () => {
    if (why !== 'SVC_READ_ONLY') await machine.svc(['config', 'set', 'read-only', 'yes']);
  });
  afterAll(() => machine.svc(['config', 'unset', 'read-only']));

  it.each(WRITES.map((argv) => [argv.slice(0, 2).join(' '), argv] as const))('sends no write: %s', async (_, argv) => {
    machine.sandbox.requests.length = 0;
    const result = await machine.svc(argv, { env });
    expect(result).toMatchObject({ code: 5, stdout: '' });
    expect(result.stderr).toContain(`svc is read-only here (${why}), so nothing was sent.`);
    expect(sent(machine.sandbox).filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  it('reads, and prints the request of a write', async () => {
    expect((await machine.svc(['me'], { env })).code).toBe(0);
    expect((await machine.svc(['worklogs', 'update', '1', '--minutes', '5', '--dry-run'], { env })).code).toBe(0);
  });
});

it('stays on with any environment', async () => {
  await machine.svc(['config', 'set', 'read-only', 'true']);
  expect((await machine.svc(['worklogs', 'update', '1', '--minutes', '5'], { env: { SVC_READ_ONLY: '0' } })).code).toBe(5);
  await machine.svc(['config', 'set', 'read-only', 'false']);
  expect((await machine.svc(['worklogs', 'update', '1', '--minutes', '5'])).code).toBe(0);
});
