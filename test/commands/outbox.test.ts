import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { withHeaders } from '../support/answer-headers.ts';
import { sent } from '../support/sent.ts';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';

/** Entries that wait for a connection, and unconfirmed entries. */
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

const withoutEtags = withHeaders((headers) => delete headers['etag']);

type Row = { number: number; outcome: string; body: { description: string }; idempotency_key: string };
const waiting = async () => JSON.parse((await here.svc(['outbox'])).stdout) as Row[];
let text = 0;
const add = (...more: string[]) => ['worklogs', 'add', '--minutes', '30', '--description', `Train ${++text}`, ...more];
const logged = (description: string) => here.sandbox.rows('worklogs').filter((row) => row['description'] === description).length;

describe('svc worklogs add --later', () => {
  it('sends nothing, stores the entry, and prints the entry', async () => {
    const result = await here.svc(add('--later'));
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ minutes: 30, description: `Train ${text}` });
    expect(result.stderr).toMatch(/svc stored the write as entry \d+, and did not send it\. To send the write: svc outbox send/);
    expect(sent(here.sandbox)).toEqual([]);
    expect(await waiting()).toMatchObject([{ outcome: 'waiting', body: { description: `Train ${text}` } }]);
  });

  it('stores a key that the outbox shows, unlike the key of an update', async () => {
    expect(await here.svc(['outbox'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect((await here.svc(['outbox'], { terminal: 80 })).stderr).toBe('The outbox is empty.\n');
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    await here.svc(add('--later'));
    here.sandbox.setFaults([{ method: 'PATCH', path: `/worklogs/${id}`, drop: 'after', times: ALWAYS }]);
    expect((await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], { hurried: true })).code).toBe(8);
    expect((await waiting()).map((row) => typeof row.idempotency_key)).toEqual(['string', 'object']);
  });

  it('exits 4 when you are signed out, like svc outbox and svc outbox send', async () => {
    const machine = await createMachine({ env: { SVC_HOST: here.host } });
    const [kept, listed, sending] = [
      await machine.svc(add('--later')),
      await machine.svc(['outbox']),
      await machine.svc(['outbox', 'send']),
    ];
    expect([kept.code, listed.code, sending.code]).toEqual([4, 4, 4]);
    expect(kept.stderr).toContain('You are not signed in');
    await machine.remove();
  });

  it('stores an entry when svc could not read the user of the sign-in', async () => {
    const machine = await createMachine();
    here.sandbox.setFaults([{ path: '/me', garbage: true }]);
    expect((await machine.svc(['login', here.host])).code).toBe(0);
    here.sandbox.setFaults([]);
    expect((await machine.svc(add('--later'))).code).toBe(0);
    await machine.svc(['me']);
    expect(JSON.parse((await machine.svc(['outbox'])).stdout)).toHaveLength(1);
    await machine.remove();
  });

  it('stores one entry for each of several days', async () => {
    const result = await here.svc(['worklogs', 'add', '15m', 'Stand-up', '--repeat', 'mon-wed', '--later', '--no-check', '--no-context']);
    expect(result.code, result.stderr).toBe(0);
    expect(await waiting()).toHaveLength(3);
  });

  it('makes svc outbox send print the id, time and work item of a sent entry', async () => {
    await here.svc(['worklogs', 'add', '1h30', 'ABC-12', '--later', '--no-check', '--no-context']);
    const [{ number } = { number: 0 }] = await waiting();
    const { stdout } = await here.svc(['outbox', 'send', '--no-check'], { terminal: 100 });
    const id = here.sandbox.rows('worklogs').at(-1)?.id;
    expect(stdout).toBe(`Sent entry ${number}: #${id} 1h30 ABC-12\n`);
  });

  it('stores an entry that svc outbox send --dry-run shows and does not send', async () => {
    await here.svc(add('--later'));
    here.sandbox.requests.length = 0;
    const shown = await here.svc(['outbox', 'send', '--dry-run']);
    expect(shown.code, shown.stderr).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      url: `${here.sandbox.baseUrl}/worklogs`,
      headers: { 'Idempotency-Key': expect.any(String) },
      body: { description: `Train ${text}` },
    });
    expect(here.sandbox.requests).toEqual([]);
    expect(await waiting()).toMatchObject([{ outcome: 'waiting' }]);
    await here.svc(['outbox', 'send']);
  });

  it('stores entries that svc outbox send sends once, the oldest first', async () => {
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

describe('svc outbox send after the end of the sign-in', () => {
  it('exits 4 and keeps the entry waiting', async () => {
    await here.svc(add('--later'));
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', status: 401, times: ALWAYS }]);
    expect((await here.svc(['outbox', 'send', '--no-check'])).code).toBe(4);
    expect(await waiting()).toMatchObject([{ outcome: 'waiting', body: { description: `Train ${text}` } }]);
    here.sandbox.setFaults([]);
    expect((await here.svc(['outbox', 'send', '--no-check'])).code).toBe(0);
    expect(logged(`Train ${text}`)).toBe(1);
  });
});

describe('svc outbox send while the service limits sign-in requests', () => {
  it('exits 7 after the first entry, and keeps all entries waiting', async () => {
    const machine = await createMachine();
    expect((await machine.svc(['login', here.host])).code).toBe(0);
    await machine.svc(add('--later'));
    await machine.svc(add('--later'));
    here.sandbox.expireAccessTokens();
    here.sandbox.setFaults([{ path: '/oauth/token', status: 429, retryAfter: 60, times: ALWAYS }]);
    here.sandbox.requests.length = 0;
    const { code, stderr } = await machine.svc(['outbox', 'send', '--no-check'], { hurried: true });
    expect(code, stderr).toBe(7);
    expect(here.sandbox.requests.map(({ path }) => path)).toEqual(['/api/v2/worklogs', '/oauth/token', '/oauth/token']);
    expect(JSON.parse((await machine.svc(['outbox'])).stdout)).toMatchObject([{ outcome: 'waiting' }, { outcome: 'waiting' }]);
    await machine.remove();
  });
});

describe('the reminder of waiting entries after other commands', () => {
  const me = (more: Parameters<SignedIn['svc']>[1] = {}, ...argv: string[]) =>
    here.svc(['me', ...argv], { terminal: 100, answers: [], ...more });

  it('is one line at the end, only at a terminal', async () => {
    expect((await me()).stderr).toBe('');
    await here.svc(add('--later'));
    expect((await me()).stderr).toBe('The outbox has 1 write: svc outbox send\n');
    const kept = await here.svc(add('--later'), { terminal: 100, answers: [] });
    expect(kept.stderr).not.toContain('The outbox has');
    expect((await me()).stderr).toBe('The outbox has 2 writes: svc outbox send\n');
    expect((await here.svc(['me'])).stderr).toBe('');
    expect((await here.svc(['me'], { terminal: 100 })).stderr).toBe('');
    expect((await here.svc(['me'], { answers: [] })).stderr).toBe('');
    expect((await me({}, '--quiet')).stderr).toBe('');
    expect((await me({ env: { SVC_ERROR_FORMAT: 'json' } })).stderr).toBe('');
    expect((await here.svc(['outbox'], { terminal: 100, answers: [] })).stderr).toBe('');
    expect((await here.svc(['config', 'list'], { terminal: 100, answers: [] })).stderr).toBe('');
  });

  it('counts unconfirmed writes, and is absent without a journal', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', drop: 'after', times: ALWAYS }]);
    await here.svc(add(), { hurried: true });
    expect((await me()).stderr).toBe('The outbox has 1 write: svc outbox send\n');
    const { mkdir } = await import('node:fs/promises');
    await mkdir(`${here.home}/elsewhere/svc`, { recursive: true });
    expect((await me({ env: { XDG_STATE_HOME: `${here.home}/elsewhere` } })).stderr).toBe('');
    expect(await (await import('node:fs/promises')).readdir(`${here.home}/elsewhere/svc`)).toEqual([]);
  });
});

describe('svc outbox send', () => {
  const later = (...more: string[]) => here.svc(['worklogs', 'add', '--later', '--no-context', ...more]);
  const warnings = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('Careful'));

  it('warns of a full day, a duplicate and a holiday, and sends the entries', async () => {
    await here.svc(['worklogs', 'add', '--minutes', '75', '--date', '2032-06-03', '--description', 'Same']);
    await here.svc(['holidays', 'create', '--date', '2032-06-04', '--name', 'Town fair']);
    await later('--minutes', '13h', '--date', '2032-06-02');
    await later('--minutes', '12h', '--date', '2032-06-02', '--description', 'More');
    await later('--minutes', '75', '--date', '2032-06-03', '--description', 'Same');
    await later('--minutes', '75', '--date', '2032-06-03', '--description', 'Other');
    await later('--minutes', '75', '--date', '2032-06-03', '--description', 'Same', '--user', '2');
    await later('--minutes', '5', '--date', '2032-06-04');
    const result = await here.svc(['outbox', 'send']);
    expect(result.code, result.stderr).toBe(0);
    expect(warnings(result.stderr)).toEqual([
      'Careful: Wed 2032-06-02 gets 25h, and a day has 24h.',
      expect.stringMatching(/^Careful: Thu 2032-06-03 has 1h15 "Same" \(\d+\) already\.$/),
      'Careful: Fri 2032-06-04: Town fair (holiday).',
    ]);
    expect(await waiting()).toEqual([]);
  });

  it('asks at a terminal about a full day, and sends no write after a no', async () => {
    await later('--minutes', '25h', '--date', '2032-06-05');
    here.sandbox.requests.length = 0;
    const result = await here.svc(['outbox', 'send'], { answers: [false] });
    expect(result.code, result.stderr).toBe(1);
    expect(result.stderr).toContain('To drop an entry: svc outbox drop <n>');
    expect(sent(here.sandbox).filter((line) => line.startsWith('POST'))).toEqual([]);
    expect(await waiting()).toHaveLength(1);
    const yes = await here.svc(['outbox', 'send'], { answers: [true] });
    expect(yes.code, yes.stderr).toBe(0);
  });

  it('skips the check of days with --no-check, and for unconfirmed writes', async () => {
    await later('--minutes', '20', '--date', '2032-06-09', '--description', 'Unchecked');
    here.sandbox.requests.length = 0;
    await here.svc(['outbox', 'send', '--no-check']);
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', drop: 'after', times: ALWAYS }]);
    await here.svc(add('--date', '2032-06-10'), { hurried: true });
    here.sandbox.setFaults([]);
    await here.svc(['outbox', 'send']);
    expect(new Set(sent(here.sandbox).map((line) => line.split(' ', 1)[0]))).toEqual(new Set(['POST']));
  });
});

describe('a write command without a connection', () => {
  it('exits 8, except a create that svc stores with the setting outbox', async () => {
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
    expect(kept.stderr).toContain('svc stored the write as entry');
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

describe('an unconfirmed write', () => {
  it('has the outcome unknown, and svc outbox send repeats the write with its Idempotency-Key', async () => {
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

  it('is resolved as done when the write is a delete and the record is missing', async () => {
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    const [created] = JSON.parse((await here.svc(['history', '-L', '1'])).stdout) as { number: number }[];
    here.sandbox.setFaults([{ method: 'DELETE', drop: 'after', times: ALWAYS }]);
    expect((await here.svc(['undo', String(created?.number)], { hurried: true })).code).toBe(8);
    here.sandbox.setFaults([]);
    const resolved = await here.svc(['outbox', 'send']);
    expect(resolved.code, resolved.stderr).toBe(0);
    const history = JSON.parse((await here.svc(['history', '-L', '2'])).stdout) as { outcome: string; undone_by: number | null }[];
    expect(history).toMatchObject([{ outcome: 'done', record_id: id }, { undone_by: expect.any(Number) }]);
  });

  it('with an ETag is done if the record has the change, else svc outbox send exits 6', async () => {
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    const lose = async (minutes: string) => {
      here.sandbox.setFaults([{ method: 'PATCH', drop: 'after', times: ALWAYS }]);
      expect((await here.svc(['worklogs', 'update', String(id), '--minutes', minutes, '--if-unchanged'], { hurried: true })).code).toBe(8);
      here.sandbox.setFaults([]);
    };
    await lose('20');
    const resolved = await here.svc(['outbox', 'send']);
    expect(resolved.code, resolved.stderr).toBe(0);
    expect(JSON.parse(resolved.stdout)).toMatchObject([{ id, minutes: 20 }]);
    await lose('25');
    // To this journal, another person makes this update.
    await here.svc(['worklogs', 'update', String(id), '--minutes', '30'], { env: { XDG_STATE_HOME: `${here.home}/other` } });
    expect((await here.svc(['outbox', 'send'])).code).toBe(6);
    expect(here.sandbox.rows('worklogs').find((row) => row['id'] === id)).toMatchObject({ minutes: 30 });
  });

  it('without an ETag is not sent if the record has changed since (exit 6)', async () => {
    const [old] = here.sandbox.rows('worklogs').filter((row) => Date.parse(String(row['updated_at'])) < Date.now() - 60 * 60_000);
    const update = ['worklogs', 'update', String(old?.['id']), '--minutes'];
    const lose = async (minutes: string) => {
      here.sandbox.setFaults([{ method: 'PATCH', drop: 'before', times: ALWAYS }]);
      const aMinuteAgo = { now: Date.now() - 60_000, hurried: true };
      expect((await here.svc([...update, minutes], aMinuteAgo)).code).toBe(8);
      here.sandbox.setFaults([]);
    };
    const now = () => here.sandbox.rows('worklogs').find((row) => row['id'] === old?.['id'])?.['minutes'];
    await lose('20');
    expect((await here.svc(['outbox', 'send'])).code).toBe(0);
    expect(now()).toBe(20);
    await lose('25');
    // To this journal, another person makes this update.
    await here.svc([...update, '30'], { env: { XDG_STATE_HOME: `${here.home}/third` } });
    // A service without ETags lets svc see only the time of the change.
    expect((await here.svc(['outbox', 'send'], { around: withoutEtags })).code).toBe(6);
    const refused = await here.svc(['outbox', 'send']);
    expect([refused.code, now()]).toEqual([6, 30]);
    expect(refused.stderr).toMatch(/The record of entry \d+ has changed since svc first sent the update, so svc did not send it again\./);
    expect(await waiting()).toHaveLength(1);
    expect((await here.svc([...update, '25'])).code).toBe(0);
    expect([now(), await waiting()]).toEqual([25, []]);
  });

  it('is dropped when a later update wrote the same fields', async () => {
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    const update = (minutes: string) => here.svc(['worklogs', 'update', String(id), '--minutes', minutes], { hurried: true });
    here.sandbox.setFaults([{ method: 'PATCH', drop: 'before', times: ALWAYS }]);
    await update('20');
    here.sandbox.setFaults([]);
    await update('25');
    const resolved = await here.svc(['outbox', 'send']);
    expect(resolved.code, resolved.stderr).toBe(0);
    expect(resolved.stderr).toMatch(/^svc dropped entry \d+, because the later entry \d+ writes the same fields\.$/m);
    expect(here.sandbox.rows('worklogs').find((row) => row['id'] === id)).toMatchObject({ minutes: 25 });
    expect(await waiting()).toEqual([]);
  });

  it('is still sent when a later update wrote other fields', async () => {
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    here.sandbox.setFaults([{ method: 'PATCH', drop: 'before', times: ALWAYS }]);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '20'], { hurried: true });
    here.sandbox.setFaults([]);
    await here.svc(['worklogs', 'update', String(id), '--description', 'Other']);
    expect((await here.svc(['outbox', 'send'])).code).toBe(0);
    expect(here.sandbox.rows('worklogs').find((row) => row['id'] === id)).toMatchObject({ minutes: 20, description: 'Other' });
  });

  it('is done even when the ETag of the write comes from an earlier unconfirmed update', async () => {
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    here.sandbox.setFaults([{ method: 'PATCH', drop: 'before', times: ALWAYS }]);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '20'], { hurried: true });
    await here.svc(['worklogs', 'update', String(id), '--minutes', '15', '--if-unchanged'], { hurried: true });
    here.sandbox.setFaults([]);
    expect((await here.svc(['outbox', 'send'])).code).toBe(0);
    expect(here.sandbox.rows('worklogs').find((row) => row['id'] === id)).toMatchObject({ minutes: 15 });
  });

  it('gives the record its values when you run the write again after another update', async () => {
    const { id } = JSON.parse((await here.svc(add())).stdout) as { id: number };
    const update = (minutes: string) => here.svc(['worklogs', 'update', String(id), '--minutes', minutes], { hurried: true });
    here.sandbox.setFaults([{ method: 'PATCH', drop: 'before', times: ALWAYS }]);
    await update('20');
    await update('25');
    await update('20');
    here.sandbox.setFaults([]);
    expect((await here.svc(['outbox', 'send'])).code).toBe(0);
    expect(here.sandbox.rows('worklogs').find((row) => row['id'] === id)).toMatchObject({ minutes: 20 });
  });
});

describe('a waiting write', () => {
  it('is dropped by svc outbox drop, which exits 3 for an unknown number', async () => {
    await here.svc(add('--later'));
    const [row] = await waiting();
    expect((await here.svc(['outbox', 'drop', String(row?.number)])).code).toBe(0);
    expect(await waiting()).toEqual([]);
    expect((await here.svc(['outbox', 'drop', String(row?.number)])).code).toBe(3);
    expect((await here.svc(['outbox', 'send', '99999'])).code).toBe(3);
    expect((await here.svc(['outbox', 'drop', 'all'])).code).toBe(2);
  });

  it('makes svc outbox send exit 10 when the service refuses the write, and send the other writes', async () => {
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
