import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { type Visit, visit } from '../support/visit.ts';

// What becomes of a sign-in in the browser, and on the way back: chapter 13 of docs/service-rules.md.

let sandbox: Sandbox;
let machine: Machine;
let host: string;
let opened: string[];
let pages: Visit[];
beforeEach(async () => {
  sandbox = await startSandbox();
  machine = await createMachine();
  host = new URL(sandbox.origin).host;
  opened = [];
  pages = [];
});
afterEach(async () => {
  await sandbox.close();
  await machine.remove();
});

/** A person who reads the page that the service shows and decides, where it asks for a decision. */
const decides = (decision: 'approve' | 'cancel', user = '1') => {
  return async (url: string): Promise<void> => {
    opened.push(url);
    const page = await visit(url);
    pages.push(page);
    const consent = /name="consent" value="([^"]+)"/.exec(page.body)?.[1];
    if (consent !== undefined) pages.push(await visit(`${sandbox.origin}/oauth/authorize`, { consent, user, decision }));
  };
};
const login = (browser = decides('approve'), ...more: string[]) => machine.svc(['login', host, ...more], { browser });
const redirectOf = (index: number) => new URL(opened[index] ?? '').searchParams.get('redirect_uri') ?? '';

describe('the consent screen', () => {
  test('names svc, and an approval signs in the person who approved (rules 13.6, 13.17, 13.60, 13.61)', async () => {
    expect(await login(decides('approve', '2'))).toMatchObject({ code: 0 });
    expect(pages[0]?.body).toMatch(/\bsvc\b/);
    const person = (await machine.svc(['me', '--jq', '.id, .name'])).stdout.split('\n');
    expect(person[0]).toBe('2');
    expect((await machine.svc(['auth', 'status', '--jq', '.[0].user'])).stdout).toBe(`${person[1]}\n`);
  });

  test('makes svc exit 4 without a sign-in after Cancel (rules 13.60, 13.62, 14.35)', async () => {
    const result = await login(decides('cancel'));
    expect(result).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('cancelled in the browser') });
    expect((await machine.svc(['auth', 'status'])).code).toBe(4);
  });

  test('does not appear for approved scopes, and svc accepts the immediate answer (rule 13.63)', async () => {
    await login();
    expect(pages).toHaveLength(2);
    expect(await login()).toMatchObject({ code: 0 });
    expect(pages).toHaveLength(3);
    expect(pages[2]?.body).toContain('You are signed in');
  });
});

describe('a sign-in that the service refuses', () => {
  test.each([
    ['a role without Manage API tokens (rules 13.5, 13.64)', () => sandbox.setRole(1, 'employee')],
    ['a support session (rule 13.65)', () => sandbox.setSupportSession(true)],
  ])('shows the refusal in the browser, and svc stops after --timeout, for %s', async (_, refuse) => {
    refuse();
    const result = await machine.svc(['login', host, '--timeout', '1'], { browser: decides('approve') });
    expect(pages.at(-1)?.status).toBe(403);
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('Nobody finished the sign-in') });
    expect((await machine.svc(['auth', 'status'])).code).toBe(4);
  });

  test('makes svc name the missing permission when the service refuses the exchange (rules 13.5, 13.64)', async () => {
    sandbox.setFaults([{ method: 'POST', path: '/oauth/token', status: 403 }]);
    expect(await login()).toMatchObject({ code: 5, stderr: expect.stringContaining('Manage API tokens') });
    expect((await machine.svc(['auth', 'status'])).code).toBe(4);
  });

  test('makes svc exit 3, without a browser, when the API is switched off (rule 13.14)', async () => {
    sandbox.switchApi(false);
    expect(await login()).toMatchObject({ code: 3, stderr: expect.stringContaining('switched off') });
    expect(opened).toEqual([]);
  });
});

test('a sign-in succeeds while MCP is switched off (rules 13.50, 13.66)', async () => {
  sandbox.switchMcp(false);
  expect(await login()).toMatchObject({ code: 0 });
});

describe('the redirect address', () => {
  test('is the literal loopback address on a free port, and svc registers once (rules 13.54, 13.56 to 13.58)', async () => {
    await login();
    const taken = createServer();
    await new Promise<void>((resolve) => void taken.listen(Number(new URL(redirectOf(0)).port), '127.0.0.1', resolve));
    try {
      expect(await login()).toMatchObject({ code: 0 });
    } finally {
      taken.close();
    }
    for (const index of [0, 1]) expect(redirectOf(index)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(redirectOf(1)).not.toBe(redirectOf(0));
    expect(sandbox.events).toMatchObject({ registrations: 1, signIns: 2 });
  });

  test('leads to a new registration if the stored registration has another path (rule 13.59)', async () => {
    await login();
    const path = `${machine.home}/.config/svc/tokens/${encodeURIComponent(host)}.json`;
    const kept = await readFile(path, 'utf8');
    expect(kept).toContain('/callback');
    await writeFile(path, kept.replaceAll('/callback', '/returned'));
    expect(await login()).toMatchObject({ code: 0 });
    expect(sandbox.events).toMatchObject({ registrations: 2, signIns: 2 });
  });
});

describe('a registration', () => {
  test('belongs to one host, so svc registers at each organisation (rule 13.71)', async () => {
    const other = await startSandbox({ approve: true });
    try {
      await login();
      expect(await machine.svc(['login', new URL(other.origin).host])).toMatchObject({ code: 0 });
      expect([sandbox.events.registrations, other.events.registrations]).toEqual([1, 1]);
      expect(other.apps[0]?.clientId).not.toBe(sandbox.apps[0]?.clientId);
    } finally {
      await other.close();
    }
  });

  const DAY = 24 * 60 * 60 * 1000;
  const nobody = async (url: string) => void opened.push(url);

  test.each([
    ['is reused after an hour without a finished sign-in', nobody, DAY / 24, 1],
    ['is replaced after two days without a finished sign-in (rules 13.72, 13.73)', nobody, 2 * DAY, 2],
    ['is reused ten days after its sign-in', decides('approve'), 10 * DAY, 1],
    ['is replaced 32 days after its sign-in (rules 13.72, 13.73)', decides('approve'), 32 * DAY, 2],
  ])('%s', async (_, first, later, registrations) => {
    const now = Date.now();
    await machine.svc(['login', host, '--timeout', '1'], { browser: first, hurried: first === nobody });
    expect(sandbox.events.registrations).toBe(1);
    sandbox.advance(later);
    const result = await machine.svc(['login', host], { browser: decides('approve'), now: now + later });
    expect(result.code, result.stderr).toBe(0);
    expect(sandbox.events.registrations).toBe(registrations);
  });
});
