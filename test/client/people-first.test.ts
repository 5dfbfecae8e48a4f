// Bulk work leaves a part of each limit to interactive commands. All svc processes of one person share one record of the limits.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi } from '../support/api-fixture.ts';
import { createManualClock } from '../support/clock.ts';
import { json } from '../support/http-server.ts';
import { writeLargeOrganisation } from '../support/large-organisation.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

/** The clock of the service and of every svc. No wait takes time. */
const clock = createManualClock(Date.now(), true);
const svcClock: RunOptions = { around: (deps) => ({ ...deps, clock }) };

let here: SignedIn;
let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'svc-test-'));
  await writeLargeOrganisation(data, { contacts: 9_000, customers: 4_500, labels: 400 });
  here = await signedIn({ data, clock, personalToken: true });
});
afterAll(async () => {
  await here.remove();
  await rm(data, { recursive: true, force: true });
});
beforeEach(() => {
  clock.advance(120_000);
  here.sandbox.requests.length = 0;
});

const svc = (...argv: string[]) => here.svc(argv, svcClock);

/** Returns the read units in each window of the token. A window starts with the first unit after the previous window. */
function windows(): number[] {
  const spent: number[] = [];
  let end = 0;
  for (const { at, units } of here.sandbox.requests) {
    if (at >= end) {
      spent.push(0);
      end = at + 60_000;
    }
    spent.push((spent.pop() ?? 0) + units);
  }
  return spent;
}

const refused = () => here.sandbox.requests.filter(({ status }) => status === 429);

/** Returns the most units in any minute. */
function mostInAMinute(): number {
  const all = here.sandbox.requests;
  return Math.max(...all.map(({ at }) => all.reduce((sum, each) => sum + (each.at > at - 60_000 && each.at <= at ? each.units : 0), 0)));
}

describe('bulk work', () => {
  it('leaves the last 15 rate-limit units of each window, with three bulk commands at once', async () => {
    const runs = await Promise.all([
      svc('export', join(here.home, 'one'), 'contacts', 'customers', '-q'),
      svc('export', join(here.home, 'two'), 'contacts', 'customers', '-q'),
      svc('sync', 'contacts', 'customers', '--to', join(here.home, 'three.sqlite'), '-q'),
    ]);
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
    expect(refused()).toEqual([]);
    expect(windows().length).toBeGreaterThan(2);
    expect(Math.max(...windows())).toBeLessThanOrEqual(585);
    expect(Math.max(...windows())).toBeGreaterThan(560);
  });

  it('leaves other commands 15 rate-limit units for writing in an import', async () => {
    const file = join(here.home, 'labels.csv');
    await writeFile(file, `name\n${Array.from({ length: 200 }, (_, row) => `Label ${row}\n`).join('')}`);
    const { code, stderr } = await svc('customers', 'import', file, '-q');
    expect([code, stderr]).toEqual([0, '']);
    const writes = here.sandbox.requests.filter(({ method }) => method === 'POST');
    expect(writes).toHaveLength(200);
    const first = writes[0]?.at ?? 0;
    const inFirstWindow = writes.filter(({ at }) => at < first + 60_000).length;
    expect(inFirstWindow).toBeLessThanOrEqual(105);
    expect(inFirstWindow).toBeGreaterThan(95);
    expect(refused()).toEqual([]);
  });

  it.each([
    ['50', 300],
    ['10', 60],
  ])('uses at most --rate %s percent of the limit in any minute, which is %i rate-limit units', async (percent, most) => {
    const { code } = await svc('export', join(here.home, `rate-${percent}`), 'contacts', '--rate', percent, '-q');
    expect(code).toBe(0);
    expect(mostInAMinute()).toBeLessThanOrEqual(most);
    expect(mostInAMinute()).toBeGreaterThan(most * 0.9);
  });

  it.each([
    ['0', 'is not a whole number'],
    ['101', 'is not a whole number'],
  ])('refuses --rate %s', async (percent, message) => {
    const { code, stderr } = await svc('export', join(here.home, 'never'), '--rate', percent);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(here.sandbox.requests).toEqual([]);
  });

  it('leaves a fifth of the organisation’s limit when an answer shows that limit', async () => {
    const told = (remaining: number) => ({ ratelimit: `limit=3000, remaining=${remaining}, reset=40` });
    for (const share of [{ percent: undefined }, { percent: 100 }, undefined]) {
      const api = await startApi({ share: () => share });
      try {
        api.server.script(json(200, {}, told(602)), json(200, {}, told(600)), json(200, {}, told(599)));
        for (let sent = 0; sent < 3; sent += 1) await api.client.send({ method: 'GET', path: '/me' });
        const waits = api.clock.slept.filter((ms) => ms >= 1_000);
        expect(waits).toEqual(share === undefined ? [] : [40_000]);
      } finally {
        await api.close();
      }
    }
  });
});

describe('an interactive command', () => {
  it('does not wait while bulk work waits for the next window', async () => {
    const bulk = svc('export', join(here.home, 'beside'), 'contacts', 'customers', '--restart', '-q');
    const slept = clock.slept.length;
    let waited = 0;
    for (let command = 0; command < 4; command += 1) {
      const own = createManualClock(clock.now(), true);
      const result = await here.svc(['contacts', 'list', '--limit', '3'], { around: (deps) => ({ ...deps, clock: own }) });
      expect([result.code, result.stderr]).toEqual([0, expect.not.stringContaining('Waiting')]);
      waited += own.slept.reduce((sum, ms) => sum + ms, 0);
    }
    expect(waited).toBe(0);
    expect((await bulk).code).toBe(0);
    expect(clock.slept.length).toBeGreaterThan(slept);
  });

  it('spends the last 15 rate-limit units without a pause', async () => {
    const api = await startApi();
    try {
      for (let left = 14; left >= 0; left -= 1) api.server.script(json(200, {}, { ratelimit: `limit=600, remaining=${left}, reset=50` }));
      for (let sent = 0; sent < 15; sent += 1) await api.client.send({ method: 'GET', path: '/me' });
      expect(api.clock.slept).toEqual([]);
    } finally {
      await api.close();
    }
  });
});

describe('svc limits', () => {
  const shown = async () => JSON.parse((await svc('limits', '-o', 'json')).stdout);

  it('shows the rate-limit units that bulk work on this machine used, and the units that other requests used', async () => {
    expect((await svc('export', join(here.home, 'used'), 'customers', '--restart', '-q')).code).toBe(0);
    const bulk = here.sandbox.requests.reduce((sum, { units }) => sum + units, 0);
    expect(await shown()).toMatchObject([
      { kind: 'read', of: 'token', limit: 600, used: bulk + 1, used_by_bulk: bulk, used_by_others: 1 },
      { kind: 'read', of: 'organisation', limit: null, remaining: null, used: null, used_by_bulk: null, used_by_others: null },
    ]);
  });

  it('prints at a terminal that the use of the organisation’s limit is unknown', async () => {
    const { stdout, stderr } = await here.svc(['limits'], { ...svcClock, terminal: 160, answers: [] });
    expect(stdout).toMatch(/organisation .*unknown/);
    // 599 rate-limit units are 149 pages at 4 units, and 3 units remain.
    expect(stderr.replaceAll('\n', ' ')).toContain('149 to 599 pages of 100 rows are left.');
    expect(stderr.replaceAll('\n', ' ')).toContain(
      'The use of the organisation’s limit is therefore unknown. The limit of the organisation has at least 599 rate-limit units left.',
    );
  });
});

describe('a Retry-After', () => {
  it('makes later commands on this machine wait', async () => {
    here.sandbox.setFaults([{ path: '/api/v2/me', status: 429, retryAfter: 45 }]);
    const first = await svc('me', '--max-wait', '1s');
    expect(first.code).toBe(7);
    const at = clock.now();
    for (const argv of [['me'], ['export', join(here.home, 'after'), 'labels', '-q']]) {
      const { code } = await svc(...argv);
      expect(code).toBe(0);
    }
    const later = here.sandbox.requests.filter(({ status }) => status !== 429);
    expect(later.length).toBeGreaterThan(2);
    expect(Math.min(...later.map((each) => each.at))).toBeGreaterThanOrEqual(at + 44_000);
  });

  it('makes no command wait when the file of rate limits is damaged', async () => {
    const directory = join(here.home, '.cache', 'svc', 'limits');
    const [name = ''] = (await readdir(directory)).filter((each) => each.endsWith('.json'));
    for (const text of [
      '',
      '{',
      '{"refused":{"read":9e99}}',
      `{"refused":{"read":${clock.now() + 2 * 86_400_000},"write":0,"at":${clock.now()}},"sent":[],"books":{}}`,
      // The clock was set back since.
      `{"refused":{"read":${clock.now() + 60_000},"write":0,"at":${clock.now() + 3_600_000}},"sent":[],"books":{}}`,
    ]) {
      await writeFile(join(directory, name), text);
      const slept = clock.slept.length;
      expect((await svc('me')).code).toBe(0);
      expect((await svc('export', join(here.home, 'senseless'), 'labels', '--restart', '-q')).code).toBe(0);
      expect(clock.slept.slice(slept).filter((ms) => ms > 1_000)).toEqual([]);
    }
    // The file has no token and no account.
    expect(await readFile(join(directory, name), 'utf8')).not.toContain(here.sandbox.tokens[0]?.value ?? '');
  });
});
