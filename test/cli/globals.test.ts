import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { masked, sent } from '../support/sent.ts';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';

/** Flags that have the same meaning everywhere. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true, limits: 'off' });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

describe('--dry-run', () => {
  it.each([
    [['worklogs', 'add', '--minutes', '90', '--date', '2026-06-01'], 'POST', '/worklogs', 'api:write:times'],
    [['worklogs', 'update', '7', '--minutes', '90'], 'PATCH', '/worklogs/7', 'api:write:times'],
    [['worklogs', 'delete', '7'], 'DELETE', '/worklogs/7', 'api:destroy:times'],
    [['work-items', 'delete', 'ABC-12'], 'DELETE', '/work-items/ABC-12', 'api:destroy:project_management'],
  ])('prints the request of %j with its cost and its ability, and sends nothing', async (argv, method, path, ability) => {
    const result = await here.svc([...argv, '--dry-run']);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({
      method,
      url: `${here.sandbox.baseUrl}${path}`,
      cost: { write: 1, read: 1 },
      ability,
    });
    expect(sent(here.sandbox)).toEqual([]);
  });

  it('prints the body without a sign-in', async () => {
    const fresh = await createMachine();
    const { stdout } = await fresh.svc([
      'worklogs',
      'add',
      '--minutes',
      '90',
      '--date',
      '2026-06-01',
      '--dry-run',
      '--host',
      'acme.example.com',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      url: 'https://acme.example.com/api/v2/worklogs',
      body: { minutes: 90, date: '2026-06-01' },
    });
    await fresh.remove();
  });
});

describe('--debug', () => {
  const LINE = /^svc: (GET|POST|PATCH|DELETE) http:\/\/<host>\S+ → \d{3}, \d+ ms(, \d units?)?(, request <request>)?(, attempt \d)?$/;

  it('reports the method, address, status, time, rate-limit units and request id of each request on stderr', async () => {
    const result = await here.svc(['me', '--debug']);
    expect(JSON.parse(result.stdout)).toMatchObject({ id: 1 });
    const lines = masked(result.stderr).trimEnd().split('\n');
    expect(lines).toEqual([expect.stringMatching(LINE)]);
    expect(lines[0]).toMatch(/GET http:\/\/<host>\/api\/v2\/me → 200, \d+ ms, 1 unit, request <request>/);
    expect(result.stderr).toContain(here.sandbox.requests[0]?.requestId);
  });

  it('is also set by SVC_DEBUG=1, but not by SVC_DEBUG=0', async () => {
    expect((await here.svc(['me'], { env: { SVC_DEBUG: '1' } })).stderr).toContain('→ 200');
    expect((await here.svc(['me'], { env: { SVC_DEBUG: '0' } })).stderr).toBe('');
  });

  it('reports retries, requests without an answer, and a refresh', async () => {
    here.sandbox.setFaults([{ path: '/me', drop: 'before' }]);
    here.sandbox.expireAccessTokens();
    const { stderr } = await here.svc(['me', '--debug'], { hurried: true });
    const lines = masked(stderr).trimEnd().split('\n');
    expect(lines.map((line) => / → ([^,]*)/.exec(line)?.[1])).toEqual([
      expect.stringContaining('ended before an answer'),
      undefined,
      '401',
      '200',
      '200',
    ]);
    expect(lines[1]).toMatch(/tries again in \d+ s/);
    expect(lines[3]).toContain('POST http://<host>/oauth/token');
    expect(lines[4]).toContain('attempt 3');
  });

  it('reports the requests of a sign-in without the access token', async () => {
    const elsewhere = await createMachine();
    const { stderr } = await elsewhere.svc(['login', here.host, '--debug']);
    const addresses = [...stderr.matchAll(/^svc: (\S+) \S+?(\/[^:/]\S*) →/gm)].map(([, method, path]) => `${method} ${path}`);
    expect(addresses.map((line) => line.replace(/127\.0\.0\.1:\d+/, ''))).toEqual(
      ['GET /.well-known/oauth-authorization-server', 'POST /oauth/register', 'POST /oauth/token', 'GET /api/v2/me'].map((line) =>
        expect.stringContaining(line.split(' ')[1] ?? ''),
      ),
    );
    const token = (await elsewhere.svc(['auth', 'print-token'])).stdout.trim();
    expect(stderr).not.toContain(token);
    await elsewhere.remove();
  });
});

describe('a bug in svc itself', () => {
  const broken = { onStdout: () => expect.unreachable('stdout broke') };

  it('makes svc exit 1 with a message of two lines, and --debug adds the stack', async () => {
    const result = await here.svc(['config', 'list'], broken);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^svc: Something went wrong inside svc: .*\n {2}Run the command again with --debug .*\n$/);
    expect((await here.svc(['config', 'list', '--debug'], broken)).stderr).toMatch(/\n {4}at /);
  });
});

describe('meta.warnings', () => {
  it('are printed to stderr, not to stdout (rule 4.52)', async () => {
    const server = await startHttpServer();
    const warnings = [{ detail: 'Counted \u001b[31mroughly' }, 'Old field'];
    server.fallback(json(200, { data: [{ id: 1 }], meta: { page: {}, warnings }, links: { next: null } }));
    const env = { SVC_TOKEN: 'x', SVC_HOST: new URL(server.origin).host };
    const result = await here.svc(['users', 'list', '-o', 'ids'], { env });
    expect(result).toMatchObject({ code: 0, stdout: '1\n' });
    expect(result.stderr).toMatch(/^The service warns: Counted .*roughly\nThe service warns: Old field\n$/);
    expect(result.stderr).not.toContain('\u001b');
    expect((await here.svc(['users', 'list', '-o', 'ids', '-q'], { env })).stderr).toBe('');
    await server.close();
  });
});

describe('--quiet', () => {
  it('hides notices, but not errors', async () => {
    expect((await here.svc(['worklogs', 'list', '-L', '1', '-o', 'ids'])).stderr).toContain('There are more rows than this one');
    expect((await here.svc(['worklogs', 'list', '-L', '1', '-o', 'ids', '-q'])).stderr).toBe('');
    expect((await here.svc(['worklogs', 'get', '99999999', '-q'])).stderr).toContain('There is no worklog');
    expect((await here.svc(['auth', 'refresh', '-q'])).stderr).toBe('');
  });
});

describe('--no-input', () => {
  it('makes svc exit 2 instead of asking a question at a terminal', async () => {
    const declined = await here.svc(['worklogs', 'delete', '7', '--no-input'], { answers: [true] });
    expect(declined.code).toBe(2);
    expect(declined.stderr).toContain('Add --yes if you are sure.');
    const elsewhere = await createMachine();
    expect((await elsewhere.svc(['login', '--no-input'], { answers: [here.host] })).code).toBe(2);
    await elsewhere.remove();
  });

  it('makes svc exit 4 for a deleted registration, without opening a browser', async () => {
    const elsewhere = await signedIn();
    elsewhere.sandbox.deleteRegistrations();
    elsewhere.sandbox.expireAccessTokens();
    const browser = async () => expect.unreachable('a browser was opened');
    const result = await elsewhere.svc(['me', '--no-input'], { answers: [], browser });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain(`Sign in again: svc login ${elsewhere.host}`);
    await elsewhere.remove();
  });
});

describe('global flags', () => {
  it('are accepted before, between and after the words of the command', async () => {
    for (const argv of [
      ['-o', 'ids', 'users', 'get', '1'],
      ['users', '--output=ids', 'get', '1'],
      ['users', 'get', '1', '-o', 'ids'],
      ['users', 'get', '1', '-oids'],
    ])
      expect((await here.svc(argv)).stdout, argv.join(' ')).toBe('1\n');
  });

  it('include --version', async () => {
    expect(await here.svc(['--version'])).toEqual({ code: 0, stdout: 'svc 0.0.0-test\n', stderr: '' });
  });
});

describe('an access token that has expired', () => {
  it('is renewed without a message (rules 13.68, 14.17)', async () => {
    here.sandbox.expireAccessTokens();
    const result = await here.svc(['me', '--jq', '.id']);
    expect(result).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });

  it('is renewed before the request when the clock of this machine shows the expiry (rules 13.67, 16.7)', async () => {
    await here.svc(['me'], { now: Date.now() + 3_610_000 });
    expect(here.sandbox.requests.map(({ path }) => path)).toEqual(['/oauth/token', '/api/v2/me']);
  });

  it('leads to a new sign-in at a terminal when the registration was deleted (rule 13.74)', async () => {
    const elsewhere = await signedIn();
    elsewhere.sandbox.deleteRegistrations();
    elsewhere.sandbox.expireAccessTokens();
    const result = await elsewhere.svc(['me', '--jq', '.id'], { answers: [] });
    expect(result).toMatchObject({ code: 0, stdout: '1\n' });
    expect(elsewhere.sandbox.events).toMatchObject({ registrations: 2, signIns: 2 });
    await elsewhere.remove();
  });
});
