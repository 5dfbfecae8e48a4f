import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { createMachine, type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

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
] as const)('svc with %s', (why, env) => {
  beforeAll(async () => {
    if (why !== 'SVC_READ_ONLY') await machine.svc(['config', 'set', 'read-only', 'yes']);
  });
  afterAll(() => machine.svc(['config', 'unset', 'read-only']));

  it.each(WRITES.map((argv) => [argv.slice(0, 2).join(' '), argv] as const))('exits 5 without sending the write: %s', async (_, argv) => {
    machine.sandbox.requests.length = 0;
    const result = await machine.svc(argv, { env });
    expect(result).toMatchObject({ code: 5, stdout: '' });
    expect(result.stderr).toContain(`svc is read-only here (${why}), so svc sent nothing.`);
    expect(sent(machine.sandbox).filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  it('exits 5 for auth print-token, and prints no token', async () => {
    expect(await machine.svc(['auth', 'print-token'], { env })).toMatchObject({ code: 5, stdout: '' });
  });

  it('allows reads and dry runs', async () => {
    expect((await machine.svc(['me'], { env })).code).toBe(0);
    expect((await machine.svc(['worklogs', 'update', '1', '--minutes', '5', '--dry-run'], { env })).code).toBe(0);
  });
});

it('SVC_READ_ONLY=0 does not turn off the setting read-only', async () => {
  await machine.svc(['config', 'set', 'read-only', 'true']);
  expect((await machine.svc(['worklogs', 'update', '1', '--minutes', '5'], { env: { SVC_READ_ONLY: '0' } })).code).toBe(5);
  await machine.svc(['config', 'set', 'read-only', 'false']);
  expect((await machine.svc(['worklogs', 'update', '1', '--minutes', '5'])).code).toBe(0);
});

/** The policy of the contract: hours of one's own, eight a day. */
const HOURS = {
  allow: [
    {
      resource: 'worklogs',
      verbs: ['create', 'update'],
      fields: ['minutes', 'description'],
      where: { user_id: 'me' },
      per_day: { minutes: 480 },
    },
  ],
};

describe('svc with a policy', () => {
  let here: SignedIn;
  let file: string;
  beforeEach(async () => {
    here = await signedIn({ personalToken: true, limits: 'off' });
    file = `${here.home}/agents.json`;
  });
  afterEach(() => here.remove());

  const svc = (...argv: string[]) => here.svc(argv);
  const follow = async (policy: object) => {
    await writeFile(file, JSON.stringify(policy));
    const { code, stderr } = await svc('policy', 'set', file);
    expect(code, stderr).toBe(0);
  };
  const writes = () => sent(here.sandbox).filter((line) => !line.startsWith('GET '));
  const add = (minutes: string, ...more: string[]) =>
    svc('worklogs', 'add', '--minutes', minutes, '--description', 'Work', '--no-check', '--no-context', ...more);
  const refused = async (argv: readonly string[], why: string, options: RunOptions = {}) => {
    const before = writes().length;
    const result = await here.svc(argv, options);
    expect([result.code, result.stderr], argv.join(' ')).toEqual([5, expect.stringContaining(why)]);
    expect(writes().length, argv.join(' ')).toBe(before);
  };
  const idOf = ({ stdout }: { readonly stdout: string }) => String((JSON.parse(stdout) as { readonly id: number }).id);

  it('allows a write that a rule allows, and names the closest rule for a refused write', async () => {
    const older = idOf(await add('10'));
    await follow(HOURS);
    const made = await add('60');
    expect(made.code, made.stderr).toBe(0);
    expect((await svc('worklogs', 'update', idOf(made), '--minutes', '90')).code).toBe(0);
    expect((await svc('worklogs', 'update', older, '--description', 'Other work')).code).toBe(0);
    const rule = 'The closest rule is: worklogs create, update (fields minutes, description; user_id = me; at most 480 minutes a day)';
    await refused(
      ['worklogs', 'delete', idOf(made), '--yes'],
      `does not allow svc to delete worklogs, so svc sent nothing.\n  ${rule}; but it allows create, update.`,
    );
    await refused(['worklogs', 'update', older, '--project', '12'], `${rule}; but it does not allow the field project_id.`);
    await refused(
      ['worklogs', 'add', '--minutes', '5', '--date', '2020-01-01', '--no-check', '--no-context'],
      'but it does not allow the field date.',
    );
    await refused(['work-items', 'transition', 'ABC-12', '--to', '2'], 'does not allow svc to transition work-items');
    await refused(['auth', 'print-token'], 'Other programs do not follow the policy.');
    const data = JSON.parse((await svc('policy', 'show')).stdout) as unknown;
    expect(data).toMatchObject([
      { source: expect.stringContaining('policy.json'), allow: [{ ...HOURS.allow[0], where: { user_id: ['me'] } }], reads: null },
    ]);
  });

  it('checks the owner of the record before a write, and the user in the body', async () => {
    const others = here.sandbox.rows('worklogs').find((row) => row['user_id'] !== 1);
    const own = idOf(await add('10'));
    await follow(HOURS);
    const user = String(here.sandbox.rows('worklogs').find((row) => String(row['id']) === own)?.['user_id']);
    const foreign = here.sandbox.rows('worklogs').find((row) => String(row['user_id']) !== user) ?? others;
    await refused(['worklogs', 'update', String(foreign?.['id']), '--minutes', '5'], 'but it needs user_id = me.');
    await refused(['worklogs', 'update', own, '--user', String(foreign?.['user_id'])], 'but it needs user_id = me.');
    await refused(['api', 'POST', '/worklogs', '-F', 'minutes=5', '-F', `user_id=${foreign?.['user_id']}`], 'but it needs user_id = me.');
    expect((await svc('api', 'POST', '/worklogs', '-F', 'minutes=5', '-F', `user_id=${user}`)).code).not.toBe(5);
  });

  it('does not overwrite a record that somebody changes after svc checked the record', async () => {
    const id = idOf(await add('10'));
    await follow(HOURS);
    const authorization = `Bearer ${here.sandbox.tokens[0]?.value}`;
    let isChanged = false;
    const around: RunOptions['around'] = (deps) => ({
      ...deps,
      network: {
        ...deps.network,
        async request(request) {
          if (request.method === 'PATCH' && !isChanged) {
            isChanged = true;
            const headers = { authorization, 'content-type': 'application/json' };
            const other = await fetch(request.url, { method: 'PATCH', headers, body: '{"description":"Somebody else"}' });
            expect(other.status).toBe(200);
          }
          return deps.network.request(request);
        },
      },
    });
    const result = await here.svc(['worklogs', 'update', id, '--description', 'Mine'], { around });
    expect([result.code, result.stderr]).toEqual([
      6,
      expect.stringContaining('The policy allows svc to change the record only as svc read it.'),
    ]);
    const record = () => here.sandbox.rows('worklogs').find((row) => String(row['id']) === id);
    expect(record()).toMatchObject({ description: 'Somebody else' });
    expect((await svc('worklogs', 'update', id, '--description', 'Mine')).code).toBe(0);
    expect(record()).toMatchObject({ description: 'Mine' });
  });

  it('counts a changed entry once in the daily sum, and starts again the next day', async () => {
    await follow(HOURS);
    const first = idOf(await add('400'));
    await refused(
      ['worklogs', 'add', '--minutes', '81', '--description', 'x', '--no-check', '--no-context'],
      'it allows 480 minutes a day, and this would be 481',
    );
    expect((await svc('worklogs', 'update', first, '--minutes', '300')).code).toBe(0);
    expect((await add('180')).code).toBe(0);
    await refused(['worklogs', 'update', first, '--minutes', '301'], 'this would be 481');
    expect((await svc('worklogs', 'update', first, '--description', 'No minutes in this one')).code).toBe(0);
    // The day ends in the zone of the user.
    const now = Date.now() + 86_400_000;
    const next = await here.svc(['worklogs', 'add', '--minutes', '480', '--description', 'x', '--no-check', '--no-context'], {
      now,
    });
    expect(next.code, next.stderr).toBe(0);
  });

  it('does not count the writes of another machine in the daily sum', async () => {
    await follow(HOURS);
    const machine = await createMachine();
    try {
      const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
      const elsewhere = await machine.svc(['worklogs', 'add', '--minutes', '400', '--no-check'], { env });
      expect(elsewhere.code, elsewhere.stderr).toBe(0);
    } finally {
      await machine.remove();
    }
    expect(await add('480')).toMatchObject({ code: 0 });
    await refused(['worklogs', 'add', '--minutes', '1', '--description', 'x', '--no-check', '--no-context'], 'this would be 481');
  });

  it('stays within the daily sum when several commands write at once', async () => {
    await follow(HOURS);
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => add('100', '--idempotency-key', `key-${index}`)));
    const done = results.filter(({ code }) => code === 0).length;
    expect(results.every(({ code }) => code === 0 || code === 5)).toBe(true);
    expect([done, writes().length]).toEqual([done, done]);
    expect(done).toBeLessThanOrEqual(4);
  });

  it('applies the policy to api, import, outbox, apply, undo, timers and upload', async () => {
    const id = idOf(await add('10'));
    const plan = `${here.home}/a.plan`;
    expect((await add('20', '--plan', plan)).code).toBe(0);
    expect((await add('30', '--later')).code).toBe(0);
    const { stdout } = await svc('api', '/openapi.json');
    expect(await here.svc(['schema', 'import', '-'], { stdin: stdout })).toMatchObject({ code: 0 });
    await writeFile(`${here.home}/rows.csv`, 'date,minutes,description\n2026-01-05,60,x\n');
    const { sha256 } = JSON.parse((await svc('apply', plan, '--no-input')).stdout) as { readonly sha256: string };
    await follow({ allow: [{ resource: 'notes', verbs: ['create'] }] });
    const why = 'does not allow svc to';
    await refused(['api', 'DELETE', `/worklogs/${id}`, '--yes'], `${why} delete worklogs`);
    await refused(['api', 'POST', `/api/v2//worklogs/./${id}/../`, '-F', 'minutes=5'], `${why} create worklogs`);
    await refused(['api', 'PUT', '/worklogs/%zz', '-F', 'minutes=5'], `${why} PUT /worklogs/%zz`);
    await refused(['apply', plan, `--yes=${sha256}`], `${why} create worklogs`);
    await refused(['undo', '--yes'], why);
    await refused(['timers', 'stop', '--description', 'x'], why);
    await refused(['work-items', 'attach', 'ABC-12', file], `${why} upload work-items uploads`);
    for (const argv of [
      ['outbox', 'send'],
      ['worklogs', 'import', `${here.home}/rows.csv`, '--yes'],
    ]) {
      const before = writes().length;
      const result = await svc(...argv);
      expect([result.code === 0, writes().length], `${argv.join(' ')}: ${result.stderr}`).toEqual([false, before]);
      expect(result.stdout + result.stderr).toContain(why);
    }
  });

  it('also applies a second policy in SVC_POLICY, and exits 2 for an unusable policy', async () => {
    await follow(HOURS);
    const other = `${here.home}/other.json`;
    const env = { SVC_POLICY: other };
    await writeFile(other, JSON.stringify({ allow: [{ resource: 'notes', verbs: ['create'] }] }));
    await refused(['worklogs', 'add', '--minutes', '5', '--no-check', '--no-context'], other, { env });
    await refused(['api', 'POST', '/notes', '-F', 'body=x'], 'policy.json', { env });
    for (const text of ['{', '{"allow":[{"resource":"notes","verbs":["create"],"fileds":["a"]}]}', '{"allow":{}}', '[]']) {
      await writeFile(other, text);
      const result = await here.svc(['me'], { env });
      expect([result.code, result.stderr], text).toEqual([2, expect.stringContaining(`svc cannot use the policy ${other}: `)]);
    }
    expect((await here.svc(['me'], { env: { SVC_POLICY: `${here.home}/none.json` } })).code).toBe(2);
  });

  it('allows reads only of your user record and of the resources in "reads"', async () => {
    await follow({ ...HOURS, reads: ['worklogs'] });
    expect((await svc('worklogs', 'list', '--limit', '1')).code).toBe(0);
    expect((await svc('me')).code).toBe(0);
    const result = await svc('customers', 'list', '--limit', '1');
    expect([result.code, result.stderr]).toEqual([
      5,
      expect.stringContaining('does not allow svc to read customers, so svc sent nothing.\n  The policy allows reads of: worklogs.'),
    ]);
  });

  it('refuses to set a policy with a mistake, and asks before removing a policy', async () => {
    await writeFile(file, '{"allow":[{"resource":"worklogs","verbs":"create"}]}');
    const wrong = await svc('policy', 'set', file);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('allow[0].verbs is not a list of names')]);
    await follow({ allow: [{ resource: 'worklog', verbs: ['create'] }] });
    expect((await svc('policy', 'set', file)).stderr).toContain('svc knows no resource "worklog". Did you mean worklogs?');
    expect((await svc('policy', 'remove')).code).toBe(2);
    expect((await here.svc(['policy', 'remove'], { terminal: 80, answers: [false] })).code).toBe(1);
    expect((await svc('policy', 'remove', '--yes')).code).toBe(0);
    expect((await svc('policy', 'remove', '--yes')).code).toBe(3);
    expect((await add('5')).code).toBe(0);
  });
});
