import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { splitWords } from '../../src/values/command-line.ts';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** A write whose answer was lost can have been done. The same command again resolves it, without a second record. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const ALWAYS = Number.POSITIVE_INFINITY;
let text = 0;
/** A different command in each test, so that no test resolves the write of another. */
const add = () => ['worklogs', 'add', '--minutes', '90', '--description', `Lost ${++text}`];
const logged = (argv: readonly string[]) => here.sandbox.rows('worklogs').filter((row) => row['description'] === argv.at(-1)).length;
const errorOf = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
const lose = (method: string, path: string) => here.sandbox.setFaults([{ method, path, drop: 'after', times: ALWAYS }]);

describe('a write whose answer was lost', () => {
  it('makes svc exit 8 and print the command that resolves the write (rule 6.12)', async () => {
    const argv = add();
    lose('POST', '/worklogs');
    const lost = await here.svc([...argv, '--error-format', 'json'], { hurried: true });
    expect(lost.code).toBe(8);
    expect(lost.stdout).toBe('');
    const { hint, resume, idempotency_key: key } = errorOf(lost.stderr);
    expect(hint).toMatch(
      /^The service may have run the write\. Run the same command again to resolve the write; the service runs the write once\. Or: svc outbox send \d+$/,
    );
    expect(resume).toBe(`svc ${argv.slice(0, -1).join(' ')} '${argv.at(-1)}' --error-format json`);
    expect(new Set(here.sandbox.requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([key]));
    expect(logged(argv)).toBe(1);
  });

  it('is resolved when you run the printed command, and keeps its Idempotency-Key', async () => {
    const argv = add();
    lose('POST', '/worklogs');
    const lost = await here.svc([...argv, '--error-format', 'json'], { hurried: true });
    here.sandbox.setFaults([]);
    here.sandbox.requests.length = 0;
    const again = await here.svc(splitWords(String(errorOf(lost.stderr)['resume'])).slice(1));
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ minutes: 90, description: argv.at(-1) });
    expect(again.stderr).toMatch(
      /You sent the same write at .* UTC, and svc received no answer\. svc sends entry \d+ of the journal again with the same key/,
    );
    expect(here.sandbox.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([errorOf(lost.stderr)['idempotency_key']]);
    expect(logged(argv)).toBe(1);
  });

  it('stays unconfirmed when a proxy answers a delete with a page', async () => {
    const id = String(here.sandbox.rows('worklogs').at(-1)?.id);
    here.sandbox.setFaults([{ method: 'DELETE', garbage: true, times: ALWAYS }]);
    const lost = await here.svc(['worklogs', 'delete', id, '--yes'], { hurried: true });
    expect(lost.code, lost.stderr).toBe(8);
    expect(lost.stderr).toContain('The service may have run the write.');
    expect(here.sandbox.rows('worklogs').some((row) => String(row.id) === id)).toBe(true);
    here.sandbox.setFaults([]);
    expect((await here.svc(['worklogs', 'delete', id, '--yes'])).code).toBe(0);
  });

  it('is resolved by the second run, and a third run creates a new record', async () => {
    const argv = add();
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true });
    here.sandbox.setFaults([]);
    await here.svc(argv);
    const third = await here.svc(argv);
    expect(third).toMatchObject({ code: 0, stderr: '' });
    expect(logged(argv)).toBe(2);
  });

  it('does not stop --again from creating a second record', async () => {
    const argv = add();
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true });
    here.sandbox.setFaults([]);
    const second = await here.svc([...argv, '--again']);
    expect(second.code, second.stderr).toBe(0);
    expect(logged(argv)).toBe(2);
  });

  it('is recognised by its request, not by the words of the command', async () => {
    const argv = add();
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true });
    here.sandbox.setFaults([]);
    const again = await here.svc(['worklogs', 'add', '--description', argv.at(-1) ?? '', '--minutes', '1h30']);
    expect(again.stderr).toContain('You sent the same write');
    expect(logged(argv)).toBe(1);
  });

  it('is sent again byte for byte when the fields have another order', async () => {
    const argv = ['worklogs', 'add', '--minutes', '90', '--date', '2026-06-01', '--description', `Lost ${++text}`];
    lose('POST', '/worklogs');
    await here.svc(['api', 'POST', '/worklogs', '-f', `description=${argv.at(-1)}`, '-F', 'minutes=90', '-f', 'date=2026-06-01'], {
      hurried: true,
    });
    here.sandbox.setFaults([]);
    const again = await here.svc(argv);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain('You sent the same write');
    const posts = here.sandbox.requests.filter(({ method, path }) => method === 'POST' && path === '/api/v2/worklogs');
    expect(posts.length).toBeGreaterThan(1);
    expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
    expect(logged(argv)).toBe(1);
  });

  it('stays unconfirmed when the answer is truncated or not JSON', async () => {
    for (const fault of [{ truncate: true }, { garbage: true }]) {
      const argv = add();
      here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', times: ALWAYS, ...fault }]);
      const lost = await here.svc(argv, { hurried: true });
      expect(lost.code).toBe(8);
      expect(lost.stderr).toContain('The service may have run the write.');
      here.sandbox.setFaults([]);
      const again = await here.svc(argv);
      expect(again.code, again.stderr).toBe(0);
      expect(again.stderr).toContain('You sent the same write');
    }
  });

  it('is resolved by a second run of the same svc api command', async () => {
    const argv = ['api', 'POST', '/worklogs', '-F', 'minutes=30', '-F', 'date=2026-06-01', '-f', 'description=By api'];
    lose('POST', '/worklogs');
    const lost = await here.svc(argv, { hurried: true });
    expect(lost.code).toBe(8);
    expect(lost.stderr).toContain('The service may have run the write.');
    here.sandbox.setFaults([]);
    expect((await here.svc(argv)).stderr).toContain('You sent the same write');
    expect(here.sandbox.rows('worklogs').filter((row) => row['description'] === 'By api')).toHaveLength(1);
  });

  it('is sent again without an Idempotency-Key when the write is an update', async () => {
    const id = String((JSON.parse((await here.svc(add())).stdout) as { id: number }).id);
    const argv = ['worklogs', 'update', id, '--minutes', '15'];
    lose('PATCH', `/worklogs/${id}`);
    const lost = await here.svc([...argv, '--error-format', 'json'], { hurried: true });
    expect(lost.code).toBe(8);
    expect(errorOf(lost.stderr)).not.toHaveProperty('idempotency_key');
    here.sandbox.setFaults([]);
    const again = await here.svc(argv);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain('svc sends entry ');
  });
});

it('a second run of a write that the service refused is a new write, and creates the record', async () => {
  const argv = add();
  here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', status: 422 }]);
  expect((await here.svc(argv)).code).toBe(9);
  const next = await here.svc(argv);
  expect(next.stderr).not.toContain('You sent the same write');
  expect(logged(argv)).toBe(1);
});

it('a write stays unconfirmed when the reader closes the pipe, and a second run creates no second record', async () => {
  const argv = add();
  const { OutputClosed } = await import('../../src/deps.ts');
  const unseen = await here.svc(argv, {
    onStdout: () => {
      throw new OutputClosed();
    },
  });
  expect(unseen.code).toBe(0);
  const again = await here.svc(argv);
  expect(again.stderr).toContain('You sent the same write');
  expect(logged(argv)).toBe(1);
});

describe('an unconfirmed write after more than a day', () => {
  const DAY = 24 * 60 * 60_000;

  it('makes svc exit 6 in a pipe when a matching record exists (rule 18.29)', async () => {
    const argv = [...add().slice(0, -2), '--date', '2026-06-01', '--description', `Lost ${text}`];
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true });
    // A second attempt does not make the key younger.
    await here.svc(argv, { hurried: true, now: Date.now() + 0.9 * DAY });
    here.sandbox.setFaults([]);
    here.sandbox.requests.length = 0;
    const late = await here.svc(argv, { now: Date.now() + 1.1 * DAY });
    expect(late.code, late.stderr).toBe(6);
    expect(late.stderr).toMatch(/A matching record exists: \/worklogs\/\d+/);
    expect(late.stderr).toMatch(/svc outbox drop \d+/);
    expect(sent(here.sandbox).filter((line) => line.startsWith('POST /api'))).toEqual([]);
  });

  it('finds its record even if the clock was 90 minutes fast', async () => {
    const argv = [...add().slice(0, -2), '--date', '2026-06-01', '--description', `Lost ${text}`];
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true, now: Date.now() + 90 * 60_000 });
    here.sandbox.setFaults([]);
    const late = await here.svc(argv, { now: Date.now() + 2 * DAY });
    expect([late.code, late.stderr]).toEqual([6, expect.stringMatching(/A matching record exists: \/worklogs\/\d+/)]);
  });

  it('makes svc ask about a matching record at a terminal', async () => {
    const argv = [...add().slice(0, -2), '--date', '2026-06-01', '--description', `Lost ${text}`];
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true });
    here.sandbox.setFaults([]);
    const late = await here.svc(argv, { now: Date.now() + 2 * DAY, answers: [true] });
    expect(late.code, late.stderr).toBe(0);
    expect(JSON.parse(late.stdout)).toMatchObject({ description: argv.at(-1) });
    expect(logged(argv)).toBe(1);
    expect((await here.svc(argv)).stderr).not.toContain('You sent the same write');
  });

  it('makes svc exit 6 for an earlier record with the same Idempotency-Key', async () => {
    const argv = [...add(), '--date', '2026-06-01', '--idempotency-key', `lost-${text}`];
    await here.svc(argv);
    lose('POST', '/worklogs');
    await here.svc(argv, { hurried: true });
    here.sandbox.setFaults([]);
    const open = JSON.parse((await here.svc(['outbox'])).stdout) as { number: number }[];
    const late = await here.svc(['outbox', 'send', '--no-check', String(open.at(-1)?.number)], { now: Date.now() + 2 * DAY });
    expect(late.code, late.stderr).toBe(6);
    const done = here.sandbox.rows('worklogs').find((row) => row['description'] === `Lost ${text}`);
    expect(late.stderr).toContain(`A matching record exists: /worklogs/${done?.id}`);
  });

  it('is sent after a yes when no matching record exists', async () => {
    const argv = [...add().slice(0, -2), '--date', '2026-06-01', '--description', `Lost ${text}`];
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', status: 503, times: ALWAYS }]);
    await here.svc(argv, { hurried: true });
    here.sandbox.setFaults([]);
    const late = await here.svc(argv, { now: Date.now() + 2 * DAY, answers: [true] });
    expect(late.code, late.stderr).toBe(0);
    expect(late.stderr).toContain('svc found no such record');
    expect(logged(argv)).toBe(1);
  });
});

describe('svc worklogs add', () => {
  it('sends one request', async () => {
    await here.svc(add());
    expect(sent(here.sandbox).map((line) => line.split(' ', 2).join(' '))).toEqual(['POST /api/v2/worklogs']);
  });

  it('exits 0 with a warning when svc cannot write the journal; a dry run prints no warning', async () => {
    const file = `${here.home}/no-directory`;
    await (await import('node:fs/promises')).writeFile(file, '');
    const env = { XDG_STATE_HOME: file };
    const dry = await here.svc([...add(), '--dry-run'], { env });
    expect(dry.stderr).toBe('');
    const argv = add();
    const done = await here.svc(argv, { env });
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain('svc cannot list or undo your writes from now on.');
    expect(logged(argv)).toBe(1);
    lose('POST', '/worklogs');
    const lost = await here.svc(add(), { env, hurried: true });
    expect(lost.stderr).toMatch(/To run the write only once, send the write again within a day, with: --idempotency-key \S+/);
  });
});
