import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkScopesOffered } from '../../src/auth/scopes.ts';
import { type SignInDeps, type SignInOptions, signIn } from '../../src/auth/sign-in.ts';
import { createNetwork } from '../../src/system/network.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { createManualClock } from '../support/clock.ts';
import { type FakeAuthorizationServer, startFakeAuthorizationServer } from '../support/fake-as.ts';

let fake: FakeAuthorizationServer;
beforeEach(async () => {
  fake = await startFakeAuthorizationServer();
});
afterEach(() => fake.close());

/**
 * Starts a sign-in that nobody finishes, on a clock that does not wait.
 * @returns the printed lines, and the failure.
 */
async function givenUp(options: Partial<SignInOptions>, bytes: readonly number[] = [0, 0]) {
  const told: string[] = [];
  const network = createNetwork({ env: {} });
  const deps: SignInDeps = {
    clock: createManualClock(undefined, true),
    network,
    browser: { open: () => Promise.reject(new Error('no \u0007display')) },
    system: { version: '1.2.3', randomBytes: () => new Uint8Array(bytes) },
    interrupts: {
      signal: new AbortController().signal,
      defer: (work) => work(),
      lend: <T>(work: () => Promise<T>) => work(),
      letGo: <T>(work: () => T) => work(),
    },
  };
  const host = parseHost(fake.origin);
  const error = await signIn(deps, host, {
    scopes: ['api:read'],
    mode: 'browser',
    requestTimeoutMs: 30_000,
    maxWaitMs: 90_000,
    notify: (line) => told.push(line),
    probeStore: async () => undefined,
    store: async () => ({}),
    ...options,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await network.close();
  const address = told.map((line) => line.trim()).find((line) => line.startsWith('http'));
  const redirect = new URL(new URL(address ?? 'http://none').searchParams.get('redirect_uri') ?? 'http://none');
  const words = told.map((line) =>
    line
      .replace(address ?? 'none', '<address>')
      .replace(redirect.host, '<here>')
      .replace(host.name, '<host>'),
  );
  return { words, error, redirect };
}

/** Nobody pastes anything, so the question stays open until the wait ends. */
const nobody: SignInOptions['readLine'] = (_prompt, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('the printed sign-in instructions', () => {
  it('show the address, and the reason why no browser opened', async () => {
    expect((await givenUp({})).words).toEqual([
      'Opening your browser to sign in to <host>. If no page opens, go to:',
      '',
      '  <address>',
      '',
      'svc could not open a browser (no display). Open the address above yourself; if your browser is on another machine, use --paste.',
    ]);
  });

  it('name the address that the browser must reach when svc opens no browser', async () => {
    expect((await givenUp({ mode: 'print' })).words).toEqual([
      'To sign in to <host>, open this address in a browser:',
      '',
      '  <address>',
      '',
      'The browser must reach <here> on this machine. If the browser cannot reach this address, use --paste.',
    ]);
  });

  it('show only the address with --paste', async () => {
    expect((await givenUp({ mode: 'paste', readLine: nobody })).words).toEqual([
      'To sign in to <host>, open this address in a browser:',
      '',
      '  <address>',
      '',
    ]);
  });
});

it.each([
  [[0, 0], '49152'],
  [[0, 1], '49153'],
  [[1, 0], '49408'],
  [[63, 255], '65535'],
  [[64, 0], '49152'],
  [[255, 255], '65535'],
])('svc turns the random bytes %j into the port %s for --paste', async (bytes, port) => {
  expect((await givenUp({ mode: 'paste', readLine: nobody }, bytes)).redirect.port).toBe(port);
});

it('svc uses the callback port that you set', async () => {
  expect((await givenUp({ mode: 'paste', readLine: nobody, callbackPort: 4711 })).redirect.port).toBe('4711');
});

it('svc refuses --paste when the input is not a terminal', async () => {
  expect((await givenUp({ mode: 'paste' })).error).toMatchObject({
    name: 'UsageError',
    message: '--paste needs a terminal, where you can paste the address.',
  });
});

describe('a sign-in that nobody finishes', () => {
  it.each([
    ['the default timeout', undefined, '5 min'],
    ['a timeout of 60,000 ms', 60_000, '1 min'],
    ['a timeout of 59,001 ms', 59_001, '1 min'],
    ['a timeout of 60,001 ms', 60_001, '61 s'],
    ['a timeout of 90,000 ms', 90_000, '90 s'],
  ])('fails after %s, and prints the timeout', async (_name, timeoutMs, range) => {
    expect((await givenUp({ timeoutMs })).error).toMatchObject({
      name: 'SignInError',
      message: `Nobody finished the sign-in within ${range}.`,
      hint: expect.stringMatching(/^Try again, with --paste if the browser is on another machine: svc login 127\.0\.0\.1:\d+$/),
    });
  });

  it('suggests a longer timeout after --paste', async () => {
    expect((await givenUp({ mode: 'paste', readLine: nobody })).error).toMatchObject({
      hint: expect.stringMatching(/^Try again, with more time: svc login 127\.0\.0\.1:\d+ --paste --timeout 600$/),
    });
  });
});

it('svc refuses an unknown scope, and lists the available narrowed scopes', () => {
  const offered = ['api:read', 'api:read:projects', 'api:write:projects', 'api:read:times', 'openid', 'a:b:c'];
  expect(() => checkScopesOffered(['api:read:project'], offered, 'acme')).toThrow(
    expect.objectContaining({ message: 'acme has no scope api:read:project.', hint: 'You can narrow a scope to: projects, times.' }),
  );
});
