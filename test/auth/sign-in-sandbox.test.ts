import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostRecord } from '../../src/auth/record.ts';
import { type SignInOptions, signIn } from '../../src/auth/sign-in.ts';
import { ForbiddenError, NotFoundError, UsageError } from '../../src/errors.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { createNetwork } from '../../src/system/network.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { createManualClock } from '../support/clock.ts';
import { type Visit, visit } from '../support/visit.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

type Decision = 'approve' | 'cancel';

/** Signs in with a person who reads the consent page, if there is one, and decides. */
function attempt(decision: Decision, changes: Partial<SignInOptions> = {}, clock = createManualClock(Date.now())) {
  const pages: Promise<Visit>[] = [];
  const decide = async (url: string): Promise<Visit> => {
    const page = await visit(url);
    const consent = /name="consent" value="([^"]+)"/.exec(page.body)?.[1];
    return consent === undefined ? page : visit(`${sandbox.origin}/oauth/authorize`, { consent, decision });
  };
  const deps = {
    clock,
    network: createNetwork({ env: {} }),
    browser: { open: async (url: string) => void pages.push(decide(url)) },
    system: { version: '1.2.3', randomBytes: (size: number) => new Uint8Array(size) },
    interrupts: {
      signal: new AbortController().signal,
      defer: <T>(work: () => Promise<T>) => work(),
      lend: <T>(work: () => Promise<T>) => work(),
      letGo: <T>(work: () => T) => work(),
    },
  };
  const options: SignInOptions = {
    scopes: ['api:read', 'api:write'],
    mode: 'browser',
    requestTimeoutMs: 30_000,
    maxWaitMs: 90_000,
    notify: () => {},
    probeStore: async () => undefined,
    store: async () => ({ userName: 'Ann' }),
    ...changes,
  };
  return { done: signIn(deps, parseHost(sandbox.origin), options), pages };
}

describe('a sign-in to the sandbox', () => {
  it('returns a token that the API accepts (rules 13.60, 13.61)', async () => {
    const { done, pages } = attempt('approve');
    const { grant } = await done;
    const me = await fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${grant.access_token}` } });
    expect(me.status).toBe(200);
    expect(sandbox.apps).toMatchObject([{ name: 'svc', scopes: ['api:read', 'api:write'] }]);
    expect((await pages[0])?.body).toContain('You are signed in');
  });

  it('succeeds with and without an issuer in the answers', async () => {
    Object.assign(sandbox.interpretations, { issuer: true, issParameter: true, registrationStatus: 200 });
    await expect(attempt('approve').done).resolves.toBeDefined();
    Object.assign(sandbox.interpretations, { issuer: false, issParameter: false });
    await expect(attempt('approve').done).resolves.toBeDefined();
  });

  it('reports that the person cancelled (rules 13.60, 13.62)', async () => {
    const { done, pages } = attempt('cancel');
    await expect(done).rejects.toThrow('The sign-in was cancelled in the browser.');
    expect((await pages[0])?.body).toContain('The sign-in was cancelled in the browser.');
  });

  it('fails with "not found" when the API is switched off (rule 13.14)', async () => {
    sandbox.switchApi(false);
    await expect(attempt('approve').done).rejects.toBeInstanceOf(NotFoundError);
  });

  it('requests an existing narrowed scope, and refuses an unknown scope (rules 13.13, 13.51)', async () => {
    await expect(attempt('approve', { scopes: ['api:read:times'] }).done).resolves.toMatchObject({ grant: { scope: ['api:read:times'] } });
    await expect(attempt('approve', { scopes: ['api:read:time'] }).done).rejects.toBeInstanceOf(UsageError);
  });

  it('reuses a registration, and replaces a deleted registration without waiting', async () => {
    const clock = createManualClock(Date.now());
    const first = await attempt('approve', {}, clock).done;
    const host = parseHost(sandbox.origin);
    const existing: HostRecord = { version: 1, host: host.name, origin: host.origin, ...first };
    const again = await attempt('approve', { existing }, clock).done;
    expect(again.registration).toEqual(first.registration);
    expect(sandbox.events.registrations).toBe(1);

    sandbox.deleteRegistrations();
    clock.advance(2 * 24 * 60 * 60 * 1000);
    expect((await attempt('approve', { existing, timeoutMs: 1234 }, clock).done).registration.client_id).not.toBe(
      first.registration.client_id,
    );
    expect(sandbox.events.registrations).toBe(2);
  });

  it('fails with "forbidden" when the token endpoint answers 403', async () => {
    sandbox.setFaults([{ method: 'POST', path: '/oauth/token', status: 403 }]);
    await expect(attempt('approve').done).rejects.toBeInstanceOf(ForbiddenError);
  });
});
