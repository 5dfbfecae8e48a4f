import { expect, it } from 'vitest';
import { type RefreshDeps, type RefreshOptions, refreshGrant } from '../../src/auth/refresh.ts';
import { createNetwork } from '../../src/system/network.ts';
import { parseHost } from '../../src/values/addresses.ts';
import { startFakeAuthorizationServer } from '../support/fake-as.ts';
import { createFakeInterrupts, recordFor } from './fixtures/auth-scenario.ts';

const host = parseHost('https://acme.example.com');

it('svc looks for the tokens of another process after pauses that grow from 0.5 s to 4 s', async () => {
  const pauses: number[] = [];
  let looks = 0;
  const clock = { now: Date.now, monotonic: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  const accounts: RefreshOptions['accounts'] = {
    // Another process has the lock for ever.
    hold: (_host, _work, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error('given up')));
        options?.onWait?.();
      }),
    async find() {
      looks += 1;
      if (looks === 2) throw new Error('the keychain is locked for a moment');
      const record = recordFor(host.origin, { access_token: looks < 6 ? 'stale' : 'theirs' });
      return { record: looks === 3 ? { ...record, origin: 'https://other.example.com' } : record, store: undefined as never };
    },
  };
  const deps: RefreshDeps = { clock, network: createNetwork({ env: {} }), interrupts: createFakeInterrupts() };
  expect((await refreshGrant(host, 'stale', deps, { accounts })).grant.access_token).toBe('theirs');
  expect(pauses).toHaveLength(6);
  for (const [index, longest] of [500, 1_000, 2_000, 4_000, 4_000, 4_000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(pauses[index]).toBeLessThan(longest * 1.5);
  }
});

it('svc tries twice to store the new tokens, and then reports the cause of the failure', async () => {
  const service = await startFakeAuthorizationServer(true);
  const network = createNetwork({ env: {} });
  const pauses: number[] = [];
  const local = parseHost(service.origin);
  const record = recordFor(service.origin, { expires_at: 0 });
  let writes = 0;
  const accounts: RefreshOptions['accounts'] = {
    find: async () => undefined,
    hold: (_host, work) =>
      work({
        store: undefined,
        read: async () => record,
        async write() {
          writes += 1;
          throw new Error('The disk is full.');
        },
        remove: async () => false,
        reserveSpace: async () => undefined,
        park: () => Promise.reject(new Error('The disk is full.')),
        releaseSpace: async () => undefined,
        recordSending: async () => undefined,
        wasSent: async () => false,
      }),
  };
  const clock = { now: Date.now, monotonic: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  await expect(refreshGrant(local, 'access-0', { clock, network, interrupts: createFakeInterrupts() }, { accounts })).rejects.toThrow(
    expect.objectContaining({ message: 'svc renewed your sign-in, but could not store the new tokens. The disk is full.' }),
  );
  expect({ writes, pauses }).toEqual({ writes: 2, pauses: [200] });
  await network.close();
  await service.close();
});
