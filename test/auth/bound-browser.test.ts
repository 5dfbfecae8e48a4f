// Only the browser that svc opens can end the sign-in. Every user of the machine can read the address that starts this browser.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserStart, judgeRequest } from '../../src/auth/redirect-request.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { type Jar, visit } from '../support/visit.ts';

let sandbox: Sandbox;
let machine: Machine;
let host: string;
beforeAll(async () => {
  sandbox = await startSandbox({ approve: true });
  machine = await createMachine();
  host = new URL(sandbox.origin).host;
});
afterAll(async () => {
  await machine.remove();
  await sandbox.close();
});

const login = (systemBrowser: (url: string) => Promise<void>) => machine.svc(['login', host], { systemBrowser });

/** Requests an address without a browser, and returns the answer. */
async function ask(url: string, headers: Readonly<Record<string, string>> = {}) {
  const [response] = await once(request(url, { headers }).end(), 'response');
  return {
    status: response.statusCode,
    location: response.headers.location ?? '',
    cookie: response.headers['set-cookie'],
    body: await text(response),
  };
}

describe('svc login with a browser', () => {
  it('opens and prints a local address that redirects to the service and has no client_id', async () => {
    let opened = '';
    const { code, stderr } = await login(async (url) => {
      opened = url;
      expect((await visit(url)).body).toContain('You are signed in');
    });
    expect(code, stderr).toBe(0);
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/start\/[\w-]{43}$/);
    expect(stderr).toContain(`  ${opened}\n`);
    expect(stderr).not.toContain('client_id');
  });

  it('refuses the code from another browser, even with the right state, and keeps waiting', async () => {
    const { code, stderr } = await login(async (url) => {
      const start = await ask(url);
      expect(start).toMatchObject({
        status: 302,
        cookie: [expect.stringMatching(/^svc-sign-in-1=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/callback$/)],
      });
      // The sandbox approves at once, and redirects to the address with the code.
      const { location } = await ask(start.location);
      expect(location).toContain('code=');
      const other = await ask(location);
      expect(other.status).toBe(403);
      expect(other.body).toContain('This sign-in started in another browser');
      expect((await ask(location, { cookie: 'svc-sign-in-1=guessed' })).status).toBe(403);
      const jar: Jar = new Map([['127.0.0.1', new Map([(start.cookie?.[0]?.split(';')[0] ?? '').split('=') as [string, string]])]]);
      expect((await visit(location, undefined, jar)).body).toContain('You are signed in');
    });
    expect(code, stderr).toBe(0);
  });

  it.runIf(process.platform === 'linux')('lets the same user open the start page again in another browser', async () => {
    const { code, stderr } = await login(async (url) => {
      await ask(url);
      expect((await visit(url)).body).toContain('You are signed in');
    });
    expect(code, stderr).toBe(0);
  });

  const maybeAnother = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('curl', ['--version']).status === 0;
  it.runIf(maybeAnother)('refuses a request of another user of the machine (skipped except for root with curl)', async () => {
    const { code, stderr } = await login(async (url) => {
      const other = spawn('curl', ['-s', '-w', '%{http_code}', url], { uid: 4321, gid: 4321, cwd: '/', env: { PATH: '/usr/bin:/bin' } });
      const said = await text(other.stdout);
      expect(said).toMatch(/403$/);
      expect(said).toContain('another user of this machine');
      await visit(url);
    });
    expect(code, stderr).toBe(0);
  });

  it('passes the sign-in address itself to a browser command that you set', async () => {
    const { code } = await machine.svc(['login', host], {
      browser: async (url) => {
        expect(url).toContain('client_id=');
        await visit(url);
      },
    });
    expect(code).toBe(0);
  });
});

it('svc serves the start page once when the owner of the connection is unknown', () => {
  const start: BrowserStart = { state: 's', url: 'https://acme.example.com/', cookie: { name: 'c', value: 'v' }, isTaken: false };
  const judge = (isTaken: boolean, isForeign: boolean | undefined) =>
    judgeRequest(
      { method: 'GET', target: '/start/x', headers: { host: '127.0.0.1:1' } },
      {
        authority: '127.0.0.1:1',
        expected: new Set(['s']),
        answered: new Set(),
        starts: new Map([['/start/x', { ...start, isTaken }]]),
        isForeign,
      },
    );
  expect(judge(false, undefined)).toMatchObject({ kind: 'start', page: { status: 302 } });
  expect(judge(true, undefined)).toMatchObject({ kind: 'reply', page: { status: 410 } });
  expect(judge(true, false)).toMatchObject({ kind: 'start' });
  expect(judge(false, true)).toMatchObject({ kind: 'reply', page: { status: 403 } });
});
