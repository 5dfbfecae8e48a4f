import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant, HostRecord } from '../../src/auth/record.ts';
import { signIn } from '../../src/auth/sign-in.ts';
import { InterruptedError } from '../../src/errors.ts';
import { type Host, parseHost } from '../../src/values/addresses.ts';
import { type FakeAuthorizationServer, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { visit } from '../support/visit.ts';
import { recordWith, signInScenario } from './fixtures/sign-in-scenario.ts';

const TIMEOUT = 300_000;

let fake: FakeAuthorizationServer;
let host: Host;

beforeEach(async () => {
  fake = await startFakeAuthorizationServer();
  host = parseHost(fake.origin);
});
afterEach(() => fake.close());

const scenario = (changes?: Parameters<typeof signInScenario>[1]) => signInScenario(host, changes);

const DAY = 24 * 60 * 60 * 1000;

/** Returns a registration of ten days ago, with a sign-in that keeps the registration alive. */
function livingRecord(clientId: string, now: number): HostRecord {
  const at = now - 10 * DAY;
  return { ...recordWith(host, clientId, at), grant: { client_id: clientId, issued_at: at, refresh_token: 'earlier' } as Grant };
}

describe('a stored registration', () => {
  it('is reused a second after svc registered', async () => {
    fake.clients.add('known');
    const it = scenario();
    const { registration } = await signIn(it.deps, host, { ...it.options, existing: recordWith(host, 'known', it.clock.now() - 1000) });
    expect(registration.client_id).toBe('known');
    expect(fake.registrations).toBe(0);
  });

  it('is replaced before the browser opens when the service does not know the registration', async () => {
    const it = scenario();
    const { registration } = await signIn(it.deps, host, { ...it.options, existing: livingRecord('pruned', it.clock.now()) });
    expect(fake.registrations).toBe(1);
    expect(it.opened.map((url) => new URL(url).searchParams.get('client_id'))).toEqual([registration.client_id]);
    // The check of the registration could not have returned a code.
    const asked = fake.requests.find(({ path }) => path.startsWith('/oauth/authorize'))?.path ?? '';
    expect([asked.includes('pruned'), asked.includes('code_challenge')]).toEqual([true, false]);
  });

  it.each([
    ['a login page', { status: 200, body: '<html>invalid_client is no word of ours</html>' }],
    ['another error code', { status: 400, body: { error: 'invalid_request' } }],
    ['status 503', { status: 503, body: 'invalid_client' }],
    ['a truncated answer', { status: 400, body: 'invalid_client', break: 'half' as const }],
  ])('is kept when the service answers with %s', async (_name, lie) => {
    fake.clients.add('known');
    fake.lie('authorize', lie);
    const it = scenario();
    const { registration } = await signIn(it.deps, host, { ...it.options, existing: recordWith(host, 'known', it.clock.now() - 1000) });
    expect([registration.client_id, fake.registrations]).toEqual(['known', 0]);
  });

  it('is replaced after the first wait when nobody signs in', async () => {
    fake.lie('authorize', { status: 200, body: '<html>Log in</html>' });
    const it = scenario();
    const kept: unknown[] = [];
    const storeRegistration = async (one: unknown) => void kept.push(one);
    const running = signIn(it.deps, host, { ...it.options, existing: livingRecord('pruned', it.clock.now()), storeRegistration });
    await it.clock.sleeping(TIMEOUT);
    it.clock.advance(TIMEOUT);
    const { registration } = await running;
    expect(fake.registrations).toBe(1);
    expect(kept).toEqual([registration]);
    expect(it.opened).toHaveLength(2);
    expect(new URL(it.opened[0] ?? '').searchParams.get('state')).not.toBe(new URL(it.opened[1] ?? '').searchParams.get('state'));
  });

  it('is replaced only once when nobody signs in', async () => {
    fake.lie('authorize', { status: 200, body: '<html>Log in</html>' });
    const it = scenario({ onOpen: async () => {} });
    const running = signIn(it.deps, host, { ...it.options, existing: livingRecord('pruned', it.clock.now()) });
    const refused = expect(running).rejects.toThrow('Nobody finished the sign-in');
    for (const _wait of [1, 2]) {
      await it.clock.sleeping(TIMEOUT);
      it.clock.advance(TIMEOUT);
    }
    await refused;
    expect(fake.registrations).toBe(1);
    expect(it.opened).toHaveLength(2);
  });

  it('is kept while younger than a day when nobody signs in (rules 13.72, 15.40)', async () => {
    fake.clients.add('known');
    const it = scenario({ onOpen: async () => {} });
    const kept: unknown[] = [];
    const storeRegistration = async (one: unknown) => void kept.push(one);
    const running = signIn(it.deps, host, { ...it.options, existing: recordWith(host, 'known', it.clock.now() - 1000), storeRegistration });
    const refused = expect(running).rejects.toMatchObject({
      hint: `Try again, with --paste if the browser is on another machine: svc login ${host.name}. If the browser said that it does not know the app, first run: svc logout ${host.name}`,
    });
    await it.clock.sleeping(TIMEOUT);
    it.clock.advance(TIMEOUT);
    await refused;
    expect([fake.registrations, kept, it.opened.length]).toEqual([0, [], 1]);
  });

  it('is replaced once when the service deletes the registration between approval and exchange (rules 13.74, 14.34)', async () => {
    fake.clients.add('known');
    fake.lie('token', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: { error: 'invalid_client' } });
    const it = scenario();
    const { registration } = await signIn(it.deps, host, { ...it.options, existing: recordWith(host, 'known', it.clock.now()) });
    expect(registration.client_id).not.toBe('known');
    expect((await it.visits[0])?.body).toContain('no longer knows the registration');
    expect((await it.visits[1])?.body).toContain('You are signed in');
  });

  it('is not replaced when the same sign-in created the registration', async () => {
    fake.lie('token', { status: 401, body: { error: 'invalid_client' } });
    await expect(scenario().run()).rejects.toThrow(/no longer knows the registration of svc/);
    expect(fake.registrations).toBe(1);
  });

  it('is kept when the person finishes the sign-in in the first tab', async () => {
    fake.clients.add('known');
    let calls = 0;
    const it = scenario({
      onOpen: async () => {
        calls += 1;
        // The person finishes in the first tab, after the second was opened.
        if (calls === 2) void visit(it.opened[0] ?? '');
      },
    });
    const running = signIn(it.deps, host, { ...it.options, existing: livingRecord('known', it.clock.now()) });
    await it.clock.sleeping(TIMEOUT);
    it.clock.advance(TIMEOUT);
    expect((await running).registration.client_id).toBe('known');
  });
});

describe('the wait for the browser', () => {
  it('ends after five minutes, and closes the listener', async () => {
    const it = scenario({ onOpen: async () => {} });
    const running = it.run();
    const refused = expect(running).rejects.toThrow('Nobody finished the sign-in within 5 min.');
    await it.clock.sleeping(TIMEOUT);
    it.clock.advance(TIMEOUT);
    await refused;
    await expect(visit(new URL(it.opened[0] ?? '').searchParams.get('redirect_uri') ?? '')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends at Ctrl-C, and closes the listener', async () => {
    const it = scenario({ onOpen: async () => it.interrupt.abort(new InterruptedError('Interrupted.')) });
    await expect(it.run()).rejects.toBeInstanceOf(InterruptedError);
    await expect(visit(new URL(it.opened[0] ?? '').searchParams.get('redirect_uri') ?? '')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ignores Ctrl-C while svc exchanges the code and stores the tokens', async () => {
    const it = scenario();
    const defer = <T>(work: () => Promise<T>) => {
      it.interrupt.abort(new InterruptedError('Interrupted.'));
      return work();
    };
    const deps = { ...it.deps, interrupts: { ...it.deps.interrupts, defer } };
    await expect(signIn(deps, host, it.options)).resolves.toBeDefined();
    expect(it.stored).toHaveLength(1);
    expect((await it.visits[0])?.body).toContain('You are signed in');
  });
});

it('two sign-ins at once use two registrations and both succeed', async () => {
  const [one, two] = [scenario(), scenario()];
  const done = await Promise.all([one.run(), two.run()]);
  expect(new Set(done.map(({ registration }) => registration.client_id)).size).toBe(2);
});
