// svc tries what the documentation does not show. A 400 that names it counts for a day, for every command of that account and host.
import { afterEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
afterEach(() => here.remove());

const HOUR = 3_600_000;
const start = async (interpretations: Partial<Interpretations>) => {
  here = await signedIn({ limits: 'off', interpretations });
};

/**
 * Runs a line.
 * @returns the rows, and the outcome of each request: `400 /worklogs?filter[user_id]=1`.
 */
async function ask(line: string, options: RunOptions = {}) {
  here.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await here.svc(line.split(' '), options);
  expect(code, stderr).toBe(0);
  const sent = here.sandbox.requests.map(({ status, path }) => `${status} ${decodeURIComponent(path.replace('/api/v2', ''))}`);
  return { stdout, stderr, sent, refused: sent.filter((each) => each.startsWith('400')) };
}

/** Sends another query than svc wrote. */
function readdressed(part: RegExp, other: string): (deps: Deps) => Deps {
  return (deps) => {
    const request: Deps['network']['request'] = (wanted) => deps.network.request({ ...wanted, url: wanted.url.replace(part, other) });
    return { ...deps, network: { request, warm: () => undefined, close: () => deps.network.close() } };
  };
}

const MINE = 'worklogs list --mine --filter date.gte=2026-01-01 --sort id --fields id,user_id --view detail';

describe('an undocumented filter (rule 18.27)', () => {
  it('is sent each time when the service accepts the filter', async () => {
    await start({});
    for (let time = 0; time < 2; time += 1) {
      const { sent, refused } = await ask(MINE);
      expect(refused).toEqual([]);
      expect(sent[0]).toContain('filter[user_id]=1');
    }
  });

  it('is not sent by a sync for a day after the service refuses the filter', async () => {
    await start({});
    const sync = async (options: RunOptions = {}) => {
      here.sandbox.requests.length = 0;
      await here.svc(['sync', 'worklogs', '--to', `${here.home}/hours.sqlite`], options);
      return here.sandbox.requests.filter(({ status }) => status === 400).length;
    };
    expect(await sync()).toBe(0);
    Object.assign(here.sandbox.interpretations, { otherFilters: 'refused' } satisfies Partial<Interpretations>);
    expect([await sync(), await sync(), await sync({ now: Date.now() + 25 * HOUR })]).toEqual([1, 0, 1]);
  });

  it('is not sent by list or report for a day after the service refuses the filter', async () => {
    await start({});
    const whole = (await ask(MINE)).stdout;
    Object.assign(here.sandbox.interpretations, { hoursFilters: 'refused' } satisfies Partial<Interpretations>);
    const first = await ask(MINE);
    expect([first.stdout, first.refused.length]).toEqual([whole, 2]);
    const second = await ask(MINE);
    expect([second.stdout, second.refused]).toEqual([whole, []]);
    expect(second.stderr).toContain('The service does not filter worklogs by user_id');
    // A report uses what the list found out.
    expect((await ask('report --from -7d --by project --user me')).refused.filter((each) => each.includes('user_id'))).toEqual([]);
    expect((await ask(MINE, { now: Date.now() + 23 * HOUR })).refused).toEqual([]);
    expect((await ask(`${MINE} --no-cache`)).refused).toHaveLength(2);
    const later = await ask(MINE, { now: Date.now() + 25 * HOUR });
    expect([later.stdout, later.refused.length]).toEqual([whole, 2]);
  });

  it('is sent again after a refusal that concerned only the value', async () => {
    await start({});
    const whole = (await ask(MINE)).stdout;
    const spoilt = await ask(MINE, { around: readdressed(/filter%5Buser_id%5D=1/, 'filter%5Buser_id%5D=x') });
    expect([spoilt.stdout, spoilt.refused.length]).toEqual([whole, 1]);
    expect((await ask(MINE)).sent[0]).toContain('filter[user_id]=1');
  });

  it('is applied by svc, with a notice, when the service ignores the filter', async () => {
    await start({});
    const whole = (await ask(MINE)).stdout;
    const { stdout, stderr } = await ask(MINE, { around: readdressed(/filter%5Buser_id%5D=1&?/, '') });
    expect(stdout).toBe(whole);
    expect(stderr).toContain('The service does not filter worklogs by user_id');
  });
});

it('svc does not request a refused relation again for the same resource', async () => {
  await start({ assumedIncludes: 'refused' });
  const first = await ask('worklogs list -L 3 -o table');
  expect(first.refused.length).toBeGreaterThan(0);
  const second = await ask('worklogs list -L 3 -o table');
  expect([second.stdout, second.refused]).toEqual([first.stdout, []]);
  // svc tries other resources separately.
  expect((await ask('budgets list -L 3 -o table')).refused.length).toBeGreaterThan(0);
});

it('svc does not request a refused sort order again', async () => {
  await start({ descending: 'refused' });
  const first = await ask('worklogs add --like last --minutes 30 --yes');
  const second = await ask('worklogs add --like last --minutes 30 --yes');
  expect([first.refused.length, second.refused]).toEqual([1, []]);
});

it('a refusal for one account does not affect another account', async () => {
  await start({ hoursFilters: 'refused' });
  await ask(MINE);
  const token = here.sandbox.createToken({ userId: 2, name: 'other', scopes: ['read'] }).value;
  const { refused } = await ask(MINE.replace('--mine', '--user 2'), { env: { SVC_TOKEN: token, SVC_HOST: here.host } });
  expect(refused).toHaveLength(2);
});
