import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

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
  const offline = { env: { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' }, hurried: true };

  it('a create fails, unless the setting outbox says to keep it', async () => {
    const origin = here.host;
    expect((await here.svc(['config', 'set', 'outbox', 'sometimes'])).code).toBe(2);
    const port = here.sandbox.origin;
    expect(port).toContain(origin);
    await here.svc(['config', 'set', 'outbox', 'offline']);
    const kept = await here.svc(add(), { ...offline });
    expect(kept.code, kept.stderr).toBe(0);
    expect(kept.stderr).toContain('Kept for later as entry');
    const stuck = await here.svc(['outbox', 'send'], offline);
    expect(stuck.code, stuck.stderr).toBe(8);
    expect(await waiting()).toMatchObject([{ outcome: 'waiting' }]);
    await here.svc(['config', 'unset', 'outbox']);
    expect((await here.svc(add(), offline)).code).toBe(8);
    expect(await waiting()).toHaveLength(1);
    expect((await here.svc(['outbox', 'send'])).code).toBe(0);
  });

  it('an update fails: only what is created is kept', async () => {
    await here.svc(['config', 'set', 'outbox', 'offline']);
    expect((await here.svc(['worklogs', 'update', '2', '--minutes', '5'], offline)).code).toBe(8);
    expect(await waiting()).toEqual([]);
    await here.svc(['config', 'unset', 'outbox']);
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
    expect(result.stderr).toContain('1 of 2 were not sent.');
    expect(await waiting()).toEqual([]);
    expect(logged(`Train ${text}`)).toBe(1);
  });
});
