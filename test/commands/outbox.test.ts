import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { sent } from '../support/sent.ts';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';

/** Entries that wait for a connection, and entries whose outcome nobody knows. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(async () => {
  here.sandbox.setFaults([]);
  for (const { number } of await waiting()) await here.svc(['outbox', 'drop', String(number)]);
  here.sandbox.requests.length = 0;
});

const ALWAYS = Number.POSITIVE_INFINITY;
type Row = { number: number; outcome: string; body: { description: string }; idempotency_key: string };
const waiting = async () => JSON.parse((await here.svc(['outbox'])).stdout) as Row[];
let text = 0;
const add = (...more: string[]) => ['worklogs', 'add', '--minutes', '30', '--description', `Train ${++text}`, ...more];
const logged = (description: string) => here.sandbox.rows('worklogs').filter((row) => row['description'] === description).length;

describe('worklogs add --later', () => {
  it('sends nothing, says that it is kept, and prints what is to be written', async () => {
    const result = await here.svc(add('--later'));
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ minutes: 30, description: `Train ${text}` });
    expect(result.stderr).toMatch(/Kept for later as entry \d+; nothing was sent\. To send it: svc outbox send/);
    expect(sent(here.sandbox)).toEqual([]);
    expect(await waiting()).toMatchObject([{ outcome: 'waiting', body: { description: `Train ${text}` } }]);
  });

  it('keeps each of several days', async () => {
    const result = await here.svc(['worklogs', 'add', '15m', 'Stand-up', '--repeat', 'mon-wed', '--later', '--no-check', '--no-context']);
    expect(result.code, result.stderr).toBe(0);
    expect(await waiting()).toHaveLength(3);
  });

  it('is sent by outbox send, once, oldest first', async () => {
    await here.svc(add('--later'));
    await here.svc(add('--later'));
    const result = await here.svc(['outbox', 'send']);
    expect(result.code, result.stderr).toBe(0);
    expect((JSON.parse(result.stdout) as Row['body'][]).map(({ description }) => description)).toEqual([
      `Train ${text - 1}`,
      `Train ${text}`,
    ]);
    expect(await waiting()).toEqual([]);
    expect(logged(`Train ${text}`)).toBe(1);
    const nothing = await here.svc(['outbox', 'send']);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('without a connection', () => {
  it('a create fails, unless the setting outbox says to keep it; anything else fails', async () => {
    const machine = await createMachine();
    const first = await startSandbox();
    const { port, host } = new URL(first.origin);
    const token = first.tokens[0]?.value ?? '';
    await first.close();
    const svc = (argv: readonly string[]) => machine.svc([...argv, '--host', host], { env: { SVC_TOKEN: token }, hurried: true });
    const outbox = async () => JSON.parse((await svc(['outbox'])).stdout) as Row[];
    expect((await svc(['config', 'set', 'outbox', 'sometimes'])).code).toBe(2);
    expect((await svc(add('--date', '2026-06-01'))).code).toBe(8);
    await svc(['config', 'set', 'outbox', 'offline']);
    const kept = await svc(add('--date', '2026-06-01'));
    expect(kept.code, kept.stderr).toBe(0);
    expect(kept.stderr).toContain('Kept for later as entry');
    expect((await svc(['worklogs', 'update', '2', '--minutes', '5'])).code).toBe(8);
    expect((await svc(['outbox', 'send'])).code).toBe(8);
    expect(await outbox()).toMatchObject([{ outcome: 'waiting', body: { description: `Train ${text}` } }]);

    const sandbox = await startSandbox({ port: Number(port) });
    try {
      const sent = await svc(['outbox', 'send']);
      expect(sent.code, sent.stderr).toBe(0);
      expect(await outbox()).toEqual([]);
      expect(sandbox.rows('worklogs').filter((row) => row['description'] === `Train ${text}`)).toHaveLength(1);
    } finally {
      await sandbox.close();
      await machine.remove();
    }
  });
});

describe('what nobody saw the end of', () => {
  it('is listed as unknown, and outbox send settles it under its own key', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', drop: 'after', times: ALWAYS }]);
    await here.svc(add(), { hurried: true });
    here.sandbox.setFaults([]);
    const [row] = await waiting();
    expect(row).toMatchObject({ outcome: 'unknown', lapsed: false });
    here.sandbox.requests.length = 0;
    expect((await here.svc(['outbox', 'send', String(row?.number)])).code).toBe(0);
    expect(here.sandbox.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([row?.idempotency_key]);
    expect(logged(`Train ${text}`)).toBe(1);
  });

  it('is given up by outbox drop; a number that is not there is exit 3', async () => {
    await here.svc(add('--later'));
    const [row] = await waiting();
    expect((await here.svc(['outbox', 'drop', String(row?.number)])).code).toBe(0);
    expect(await waiting()).toEqual([]);
    expect((await here.svc(['outbox', 'drop', String(row?.number)])).code).toBe(3);
    expect((await here.svc(['outbox', 'send', '99999'])).code).toBe(3);
    expect((await here.svc(['outbox', 'drop', 'all'])).code).toBe(2);
  });

  it('what the service refuses is named, and the rest is sent: exit 10', async () => {
    await here.svc(add('--later'));
    await here.svc(add('--later'));
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', status: 422 }]);
    const result = await here.svc(['outbox', 'send']);
    expect(result.code, result.stderr).toBe(10);
    expect(result.stderr).toContain('1 of 2 was not sent.');
    expect(await waiting()).toEqual([]);
    expect(logged(`Train ${text}`)).toBe(1);
  });
});
