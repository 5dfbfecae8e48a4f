import { afterEach, describe, expect, test } from 'vitest';
import type { Interpretations, SandboxOptions } from '../../src/sandbox/start.ts';
import { sandbox, send } from '../sandbox/support.ts';
import { json, startHttpServer } from '../support/http-server.ts';
import { createMachine, type SignedIn, signedIn } from '../support/svc.ts';
import { visit } from '../support/visit.ts';

// What the service's rules ask of a client, and how svc copes with each reading of what they leave open (chapter 18).

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function start(options: SandboxOptions & { readonly personalToken?: boolean } = {}): Promise<SignedIn> {
  const signed = await signedIn(options);
  cleanUps.push(() => signed.remove());
  return signed;
}

/** svc against a server that answers whatever a test wants. */
async function scripted() {
  const server = await startHttpServer();
  const machine = await createMachine({ env: { SVC_TOKEN: 'a-token', SVC_HOST: server.origin } });
  cleanUps.push(async () => {
    await machine.remove();
    await server.close();
  });
  return { server, svc: machine.svc };
}

/** Runs the test for both values of an option. */
function forEach<K extends keyof Interpretations>(
  title: string,
  option: K,
  values: readonly Interpretations[K][],
  run: (signed: SignedIn, value: Interpretations[K]) => Promise<void>,
): void {
  test.each(values)(`${title}, when ${option} is %s`, async (value) =>
    run(await start({ personalToken: true, interpretations: { [option]: value } }), value),
  );
}

describe('an answer', () => {
  test.each([
    [403, 'insufficient-token-scope', 5],
    [404, 'endpoint-not-found', 3],
    [409, 'state-conflict', 6],
    [412, 'precondition-failed', 6],
    [422, 'validation-failed', 9],
  ])('with status %i and type %s makes svc exit %i, despite a misleading title and detail (rule 1.26)', async (status, type, code) => {
    const { server, svc } = await scripted();
    server.fallback(
      json(status, { type: `https://x.example/${type}`, title: 'Not found', detail: 'Your token has expired; all is well', status }),
    );
    const result = await svc(['api', '/worklogs', '--silent'], { env: { SVC_ERROR_FORMAT: 'json' } });
    expect(result.code).toBe(code);
    expect(JSON.parse(result.stderr)).toMatchObject({ status, type });
  });

  test.each([
    [405, 9],
    [406, 9],
    [415, 9],
    [500, 8],
    [503, 8],
  ])('with status %i makes svc exit %i, even with a blank, wrong or missing type (rule 18.17)', async (status, code) => {
    for (const type of ['about:blank', 'https://x.example/validation-failed', undefined]) {
      const { server, svc } = await scripted();
      server.fallback(json(status, { ...(type && { type }), title: 'x', status }));
      expect([type, (await svc(['api', '/worklogs', '--silent'], { hurried: true })).code]).toEqual([type, code]);
    }
  });

  test('can have an unknown value, which svc prints (rules 2.33, 17.6)', async () => {
    const { server, svc } = await scripted();
    server.fallback(
      json(200, {
        data: [{ id: 1, status: 'brand-new', name: 'x' }],
        meta: { page: { per_page: 100, next_cursor: null, prev_cursor: null, total: 1, current_page: null, last_page: null } },
        links: { self: null, next: null, prev: null },
      }),
    );
    for (const format of ['json', 'table']) {
      expect(await svc(['projects', 'list', '-o', format])).toMatchObject({ code: 0, stdout: expect.stringContaining('brand-new') });
    }
  });

  test('can have undocumented fields, which svc prints unchanged (rule 19.1)', async () => {
    const { server, svc } = await scripted();
    const record = '{"id":1,"shoe_size":38.50,"big":123456789012345678901234567890,"nested":{"a_b":[null,true,"\\u00fc"]}}';
    server.fallback(json(200, `{"data":${record}}`));
    expect(await svc(['users', 'get', '1', '-o', 'ndjson'])).toMatchObject({ code: 0, stdout: `${record.replace('\\u00fc', 'ü')}\n` });
  });

  test('cannot control the terminal with the text of a problem (rule 14.11)', async () => {
    const { svc } = await start();
    const { code, stderr } = await svc(['api', '/worklogs?\u001b[35m=1', '--silent'], { answers: [] });
    expect([code, stderr.includes('35m'), stderr.includes('\u001b[35m')]).toEqual([9, true, false]);
  });
});

describe('svc with a list of several pages', () => {
  test('follows the links in answers and builds no cursor (rules 8.8, 8.37)', async () => {
    const { svc, sandbox: service } = await start({ limits: 'off' });
    expect((await svc(['users', 'list', '--per-page', '5', '--sort', 'name', '--parallel', '1', '--jq', 'length'])).stdout).toBe('12\n');
    const walked = service.requests.map(({ path }) => path);
    let next: string | null = `${service.origin}${walked[0]}`;
    const given: string[] = [];
    while (next !== null) {
      given.push(next.slice(service.origin.length));
      next = (await send(service, next.slice(service.baseUrl.length))).body.links.next;
    }
    expect(walked).toEqual(given);
    expect(walked).toHaveLength(3);
  });

  test('requests the same page again after a 429 (rules 8.38, 14.28)', async () => {
    const { svc, sandbox: service } = await start();
    service.setFaults([{ method: 'GET', path: '/users', status: 429, retryAfter: 3, skip: 1 }]);
    expect((await svc(['users', 'list', '--per-page', '5', '--parallel', '1', '--jq', 'length'], { hurried: true })).stdout).toBe('12\n');
    const { requests } = service;
    expect(requests.map(({ status }) => status)).toEqual([200, 429, 200, 200]);
    expect(requests[2]?.path).toBe(requests[1]?.path);
  });

  forEach('prints the relation of --include in every row (rule 18.11)', 'cursorBindsInclude', [false, true], async ({ svc }) => {
    const { code, stdout } = await svc([
      'users',
      'list',
      '--per-page',
      '5',
      '--include',
      'manager',
      '--jq',
      'map(has("manager")) | all, length',
    ]);
    expect([code, stdout]).toEqual([0, 'true\n12\n']);
  });

  test.each(['cost', 'one'] as const)('exceeds no rate limit when admission is %s (rule 18.13)', async (admission) => {
    const { svc, sandbox: service } = await start({ interpretations: { admission }, windowSeconds: 1 });
    // Seven units each, from a budget of 600 a window.
    const argv = ['worklogs', 'list', '--per-page', '5', '-L', '450', '--view', 'detail', '--include', 'project,user,work_item,budget'];
    expect((await svc([...argv, '--jq', 'length'])).stdout).toBe('450\n');
    expect(service.requests.map(({ status }) => status)).toEqual(Array.from({ length: 90 }, () => 200));
  });
});

describe('svc at a sign-in', () => {
  test('accepts only an answer with the state that svc sent (rule 13.31)', async () => {
    const service = await sandbox({ approve: true, clock: { now: () => Date.now() } });
    const machine = await createMachine();
    cleanUps.push(() => machine.remove());
    const tried: number[] = [];
    const browser = async (url: string): Promise<void> => {
      const back = new URL(url).searchParams.get('redirect_uri') ?? '';
      for (const query of ['code=x&state=wrong', 'code=x']) tried.push((await visit(`${back}?${query}`)).status);
      await visit(url);
    };
    const result = await machine.svc(['login', new URL(service.origin).host], { browser });
    expect([result.code, tried.every((status) => status >= 400)]).toEqual([0, true]);
    expect(service.events.signIns).toBe(1);
  });

  test('sends no scope for assistants or deletes, and a new verifier each time (rules 13.35, 13.48, 16.9, 18.10)', async () => {
    const service = await sandbox({ approve: true, clock: { now: () => Date.now() } });
    const { host } = new URL(service.origin);
    for (const more of [[], ['--read-only'], ['--scope', 'api:read:times']]) {
      const machine = await createMachine();
      cleanUps.push(() => machine.remove());
      expect(await machine.svc(['login', host, ...more])).toMatchObject({ code: 0 });
    }
    const asked = service.requests
      .filter(({ path }) => path.startsWith('/oauth/authorize'))
      .map(({ path }) => new URL(path, service.origin).searchParams);
    expect(asked.map((query) => query.get('scope'))).toEqual(['api:read api:write', 'api:read', 'api:read:times']);
    for (const query of asked) expect(new URL(query.get('redirect_uri') ?? '').port).not.toBe('');
    const registered = service.requests.filter(({ path }) => path === '/oauth/register').map(({ body }) => JSON.parse(body).client_name);
    expect(registered).toEqual(['svc', 'svc', 'svc']);
    const verifiers = service.requests
      .filter(({ path }) => path === '/oauth/token')
      .map(({ body }) => new URLSearchParams(body).get('code_verifier') ?? '');
    expect(new Set(verifiers).size).toBe(3);
    for (const verifier of verifiers) expect(verifier).toMatch(/^[A-Za-z0-9\-._~]{43,128}$/);
  });

  test('replaces a deleted registration, and the person signs in again (rule 13.74)', async () => {
    const { svc, sandbox: service } = await start();
    service.deleteRegistrations();
    service.expireAccessTokens();
    const result = await svc(['me', '--jq', '.name'], { answers: [true, true], env: { TERM: 'xterm' } });
    expect(result).toMatchObject({ code: 0, stdout: 'Sanne de Vries\n' });
    expect(service.events).toMatchObject({ registrations: 2, signIns: 2 });
    service.deleteRegistrations();
    service.expireAccessTokens();
    expect((await svc(['me'])).code).toBe(4);
  });

  test('registers again when only the browser shows that the app is unknown (rule 18.8)', async () => {
    const { svc, sandbox: service, host } = await start();
    const twoDays = 2 * 24 * 60 * 60 * 1000;
    service.advance(twoDays);
    service.deleteRegistrations();
    const result = await svc(['login', host, '--timeout', '1'], { now: Date.now() + twoDays });
    expect(result.code, result.stderr).toBe(0);
    expect(service.events).toMatchObject({ registrations: 2, signIns: 2 });
  });

  test.each(['redirect', 'page'] as const)('exits 4 when the service refuses the scope with a %s (rule 18.9)', async (authorizeErrors) => {
    const service = await sandbox({ approve: true, clock: { now: () => Date.now() }, interpretations: { authorizeErrors } });
    const machine = await createMachine();
    cleanUps.push(() => machine.remove());
    // svc asks for nothing that it knows to be refused, so somebody on the way asks for more.
    const browser = async (url: string): Promise<void> => void (await visit(url.replace('scope=api%3Aread', 'scope=api%3Adestroy')));
    const result = await machine.svc(['login', new URL(service.origin).host, '--read-only', '--timeout', '1'], { browser });
    expect([result.code, service.events.signIns]).toEqual([4, 0]);
  });

  test.each(['answered', 'refused'] as const)(
    'succeeds with --scope api:read:times when discovery and /me are %s (rule 18.3)',
    async (answer) => {
      const service = await sandbox({
        approve: true,
        clock: { now: () => Date.now() },
        interpretations: { narrowedDiscovery: answer, narrowedMe: answer },
      });
      const machine = await createMachine();
      cleanUps.push(() => machine.remove());
      expect(await machine.svc(['login', new URL(service.origin).host, '--scope', 'api:read:times'])).toMatchObject({ code: 0 });
      expect(await machine.svc(['worklogs', 'list', '-L', '1', '--jq', 'length'])).toMatchObject({ code: 0, stdout: '1\n' });
    },
  );
});

describe('svc', () => {
  test('reads the rate limit without the deprecated headers (rules 15.39, 17.7, 18.14)', async () => {
    const { svc } = await start({ clock: { now: () => Date.UTC(2028, 0, 1) } });
    expect(await svc(['limits', '--jq', '.[0].limit'])).toMatchObject({ code: 0, stdout: '600\n' });
    const { server, svc: other } = await scripted();
    server.fallback(json(200, { data: { id: 1, name: 'Ada' } }));
    expect(await other(['me', '--jq', '.name'])).toMatchObject({ code: 0, stdout: 'Ada\n' });
  });

  forEach(
    'sends the next request with a valid token after a refresh (rule 18.7)',
    'refreshEndsAccessToken',
    [false, true],
    async ({ svc }) => {
      expect(await svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
      expect(await svc(['me', '--jq', '.name'])).toMatchObject({ code: 0, stdout: 'Sanne de Vries\n' });
    },
  );

  forEach(
    'prints a record from an answer with or without the member data (rule 18.1)',
    'wrapSingleRecords',
    [true, false],
    async ({ svc }) => {
      expect(await svc(['users', 'get', '1', '--jq', '.name'])).toMatchObject({ code: 0, stdout: 'Sanne de Vries\n' });
    },
  );

  forEach(
    'prints the start of an absence in the form of the service, and filters by date-times (rule 18.4)',
    'absenceBounds',
    ['date-time', 'date', 'date-only'],
    async ({ svc, sandbox: service }, value) => {
      const { code, stdout } = await svc(['absences', 'list', '--year', '2025', '-o', 'ndjson', '--fields', 'start']);
      expect(code).toBe(0);
      for (const line of stdout.trim().split('\n'))
        expect(JSON.parse(line).start).toMatch(value !== 'date-time' ? /^\d{4}-\d\d-\d\d$/ : /Z$/);
      expect(decodeURIComponent(service.requests[0]?.path ?? '')).toMatch(/filter\[start\]\[gte\]=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
    },
  );

  test('sends sort, trashed and booleans as typed (rules 18.5, 18.6, 18.20)', async () => {
    const { svc, sandbox: service } = await start();
    await svc(['projects', 'list', '--sort', '-name', '--trashed', 'everything', '--filter', 'is_billable=true']);
    const { searchParams } = new URL(service.requests[0]?.path ?? '', service.origin);
    expect([searchParams.get('sort'), searchParams.get('trashed'), searchParams.get('filter[is_billable]')]).toEqual([
      '-name',
      'everything',
      'true',
    ]);
  });

  forEach(
    'repeats a POST with the same key, and sends the next POST with another key (rule 18.12)',
    'idempotencyKey',
    ['optional', 'required'],
    async ({ svc, sandbox: service }) => {
      service.setFaults([{ method: 'POST', path: '/worklogs', status: 503 }]);
      const add = ['worklogs', 'add', '--minutes', '5', '--date', '2026-06-15'];
      for (let times = 0; times < 2; times++) expect(await svc(add, { hurried: true })).toMatchObject({ code: 0 });
      const [first, second, third] = service.requests.map(({ headers }) => headers['idempotency-key']);
      expect(first).toMatch(/./);
      expect([second === first, third === first]).toEqual([true, false]);
    },
  );

  forEach('exits 0 for a delete, and 3 for the deleted record (rule 18.19)', 'deleteAnswers', ['nothing', 'record'], async ({ svc }) => {
    expect(await svc(['worklogs', 'delete', '1', '--yes'])).toMatchObject({ code: 0 });
    expect((await svc(['worklogs', 'get', '1'])).code).toBe(3);
  });

  forEach(
    'exits 0 only if the service accepts a transition to the current status with an old ETag (rule 18.22)',
    'staleNoop',
    [412, 200],
    async ({ svc }, value) => {
      const { code } = await svc(['work-items', 'transition', 'ABC-12', '--to', '2', '--if-match', '"old.old"']);
      expect(code).toBe(value === 412 ? 6 : 0);
    },
  );

  test('uploads a file with svc api (rule 18.21)', async () => {
    const { svc, sandbox: service } = await start();
    const ticket = await svc(['api', '/work-items/ABC-12/uploads', '-f', 'file_name=a.txt', '--jq', '.data.upload_url']);
    const path = ticket.stdout.trim().slice(service.baseUrl.length);
    const upload = ['api', 'POST', path, '--input', '-', '-H', 'Content-Type: text/plain', '--jq', '.data.file_name'];
    const env = { SVC_TOKEN: service.tokens[0]?.value ?? '' };
    expect(await svc(upload, { stdin: 'contents', env })).toMatchObject({ code: 0, stdout: 'a.txt\n' });
  });
});
