import { expect, test } from 'vitest';
import { createCredentialSource } from '../../src/auth/credential-source.ts';
import type { HostRecord } from '../../src/auth/record.ts';
import type { SignedInRecord } from '../../src/auth/refresh.ts';
import { SignInError } from '../../src/errors.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { createManualClock } from '../support/clock.ts';
import { recordFor } from './fixtures/auth-scenario.ts';

const host = parseHost('acme.example.com');
const GET = { method: 'GET', upload: false };
const DELETE = { method: 'DELETE', upload: false };
const UPLOAD = { method: 'POST', upload: true };
const personal = { token: 'personal-1', added_at: 0 };
const NOW = Date.UTC(2026, 0, 15);

interface Setup {
  readonly record?: HostRecord | undefined;
  readonly environmentToken?: string;
  /** Ends the refresh. Until then no sign-in is stored, as when the service has deleted the registration. */
  readonly signedInAgain?: Promise<void>;
}

/** Creates a source over a store in memory. Another process can change `store.record`. */
function createSource(setup: Setup) {
  const store = { record: setup.record, reads: 0, refreshes: [] as string[], ahead: 0 };
  const clock = createManualClock(NOW);
  const source = createCredentialSource({
    host,
    environmentToken: setup.environmentToken,
    clock,
    accounts: {
      async find() {
        store.reads += 1;
        return store.record && { record: store.record, store: undefined as never };
      },
    },
    renewAhead() {
      store.ahead += 1;
    },
    async refresh(_host, stale) {
      store.refreshes.push(stale);
      if (setup.signedInAgain !== undefined) {
        store.record = { ...store.record, grant: undefined } as unknown as HostRecord;
        await setup.signedInAgain;
      }
      const fresh = signedIn({ access_token: `fresh-${store.refreshes.length}` });
      store.record = fresh;
      return fresh;
    },
  });
  return { source, store, clock };
}

function signedIn(grant: Parameters<typeof recordFor>[1] = {}): SignedInRecord {
  return recordFor('https://acme.example.com', { issued_at: NOW, expires_at: NOW + 3_600_000, ...grant });
}

test('svc uses SVC_TOKEN for every request without reading the stored tokens', async () => {
  const { source, store } = createSource({ record: signedIn(), environmentToken: 'env-1' });
  for (const request of [GET, DELETE, UPLOAD]) expect(await source(request)).toEqual({ token: 'env-1', kind: 'environment' });
  expect(store.reads).toBe(0);
});

test('svc reports a refused SVC_TOKEN, and does not try the stored tokens', async () => {
  const { source, store } = createSource({ record: signedIn(), environmentToken: 'env-1' });
  await expect(source({ ...GET, rejected: 'env-1' })).rejects.toMatchObject({
    name: 'SignInError',
    message: expect.stringContaining('SVC_TOKEN'),
  });
  expect(store.reads).toBe(0);
});

test('svc ignores an empty SVC_TOKEN', async () => {
  const { source } = createSource({ record: signedIn(), environmentToken: '' });
  expect(await source(GET)).toEqual({ token: 'access-0', kind: 'oauth' });
});

test('svc uses the stored access token unchanged, and reads the token once for three requests', async () => {
  const { source, store } = createSource({ record: { ...signedIn(), personal } });
  for (const method of ['GET', 'POST', 'PATCH'])
    expect(await source({ method, upload: false })).toEqual({ token: 'access-0', kind: 'oauth' });
  expect(store).toMatchObject({ reads: 1, refreshes: [] });
});

test.each([
  ['uses an access token 61 seconds before its end', 3_600_000 - 61_000, 'access-0', 0],
  ['uses an access token 60 seconds before its end, and starts a renewal', 3_600_000 - 60_000, 'access-0', 1],
  ['renews an access token before the request when the token has expired', 3_600_001, 'fresh-1', 0],
])('svc %s', async (_name, later, expected, ahead) => {
  const { source, store, clock } = createSource({ record: signedIn() });
  clock.advance(later);
  expect([(await source(GET)).token, store.ahead]).toEqual([expected, ahead]);
});

test('svc starts one renewal in the last 100 ms of an access token that is valid for one second', async () => {
  const { source, store, clock } = createSource({ record: signedIn({ expires_at: NOW + 1_000 }) });
  clock.advance(899);
  expect((await source(GET)).token).toBe('access-0');
  expect(store.ahead).toBe(0);
  clock.advance(1);
  for (const request of [GET, GET]) expect((await source(request)).token).toBe('access-0');
  expect([store.ahead, store.refreshes]).toEqual([1, []]);
  clock.advance(100);
  expect((await source(GET)).token).toBe('fresh-1');
  expect(store.refreshes).toEqual(['access-0']);
});

test('svc shares one refresh between requests at the same time', async () => {
  const { source, store } = createSource({ record: signedIn({ expires_at: NOW }) });
  const tokens = await Promise.all(Array.from({ length: 5 }, async () => (await source(GET)).token));
  expect(new Set(tokens)).toEqual(new Set(['fresh-1']));
  expect(store.refreshes).toEqual(['access-0']);
});

test('svc waits with a second request for the browser of the first, while no sign-in is stored', async () => {
  const browser = Promise.withResolvers<void>();
  const { source, store } = createSource({ record: signedIn(), signedInAgain: browser.promise });
  const first = source({ ...GET, rejected: (await source(GET)).token });
  await expect.poll(() => store.refreshes).toHaveLength(1);
  const second = source({ ...GET, rejected: 'access-0' });
  browser.resolve();
  expect(await Promise.all([first, second])).toEqual([
    { token: 'fresh-1', kind: 'oauth' },
    { token: 'fresh-1', kind: 'oauth' },
  ]);
});

test('svc tries a token that another process has stored, after the service rejects the first token', async () => {
  const { source, store } = createSource({ record: signedIn() });
  await source(GET);
  store.record = signedIn({ access_token: 'theirs' });
  expect((await source({ ...GET, rejected: 'access-0' })).token).toBe('theirs');
  expect(store.refreshes).toEqual([]);
});

test('svc renews a rejected token once, then fails with a sign-in error', async () => {
  const { source, store } = createSource({ record: signedIn() });
  await source(GET);
  expect((await source({ ...GET, rejected: 'access-0' })).token).toBe('fresh-1');
  await expect(source({ ...GET, rejected: 'fresh-1' })).rejects.toBeInstanceOf(SignInError);
  expect(store.refreshes).toEqual(['access-0']);
});

test('svc renews again when the service rejects the renewed token after its expiry', async () => {
  const { source, store, clock } = createSource({ record: signedIn() });
  await source({ ...GET, rejected: 'access-0' });
  clock.advance(4_000_000);
  store.record = signedIn({ access_token: 'fresh-1', expires_at: NOW + 3_600_000 });
  expect((await source({ ...GET, rejected: 'fresh-1' })).token).toBe('fresh-2');
});

test('svc reports that you are not signed in when a token is rejected after a logout by another process', async () => {
  const { source, store } = createSource({ record: signedIn() });
  await source(GET);
  store.record = undefined;
  await expect(source({ ...GET, rejected: 'access-0' })).rejects.toMatchObject({ message: 'You are not signed in to acme.example.com.' });
});

test.each([DELETE, UPLOAD])('svc uses the personal access token for $method (upload: $upload)', async (request) => {
  const { source } = createSource({ record: { ...signedIn(), personal } });
  expect(await source(request)).toEqual({ token: 'personal-1', kind: 'personal' });
});

test.each([
  ['a DELETE', DELETE, /Deleting/, /Delete scope/],
  ['an upload', UPLOAD, /Uploading/, /Write scope/],
])('svc refuses %s without a personal access token before any renewal, and names svc token set', async (_name, request, message, hint) => {
  const { source, store } = createSource({ record: signedIn({ expires_at: NOW }) });
  const failure: unknown = await source(request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SignInError);
  expect(failure).toMatchObject({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) });
  expect(failure).toMatchObject({ hint: expect.stringContaining('svc token set') });
  expect(store.refreshes).toEqual([]);
});

test('svc uses the personal access token for every request when there is no sign-in', async () => {
  const { grant: _none, ...record } = signedIn();
  const { source } = createSource({ record: { ...record, personal } });
  for (const request of [GET, DELETE, UPLOAD]) expect(await source(request)).toEqual({ token: 'personal-1', kind: 'personal' });
});

test('svc reports a refused personal access token, and later uses a new stored token', async () => {
  const { grant: _none, ...record } = signedIn();
  const { source, store } = createSource({ record: { ...record, personal } });
  await source(GET);
  await expect(source({ ...GET, rejected: 'personal-1' })).rejects.toMatchObject({ message: expect.stringContaining('was refused') });
  store.record = { ...record, personal: { ...personal, token: 'personal-2' } };
  expect((await source({ ...GET, rejected: 'personal-1' })).token).toBe('personal-2');
});

test.each([
  ['usable while that day lasts in some time zone', Date.UTC(2026, 0, 15, 23), true],
  ['expired when that day is over in every time zone', Date.UTC(2026, 0, 16, 12, 1), false],
])('svc treats a personal access token that expires on 2026-01-15 as %s', async (_name, now, usable) => {
  const { source, clock } = createSource({ record: { ...signedIn(), personal: { ...personal, expires: '2026-01-15' } } });
  clock.advance(now - NOW);
  if (usable) expect((await source(DELETE)).token).toBe('personal-1');
  else await expect(source(DELETE)).rejects.toThrow('expired on 2026-01-15');
});

test('svc reports that you are not signed in when nothing is stored', async () => {
  const { source } = createSource({});
  for (const request of [GET, DELETE]) {
    await expect(source(request)).rejects.toMatchObject({ name: 'SignInError', hint: 'Sign in: svc login acme.example.com' });
  }
});

test('svc sends a token only to the origin that issued the token', async () => {
  const { source } = createSource({ record: { ...signedIn(), origin: 'https://elsewhere.example.com' } });
  await expect(source(GET)).rejects.toMatchObject({ name: 'SignInError' });
});
