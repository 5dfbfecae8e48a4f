import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { type WithToken, withToken } from '../rules/with-token.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

// Machines that run other people's commands are in UTC, or anywhere; a day is the user's (rules 2.21, 2.22, 18.36).

/** Late on a Friday in Europe it is Saturday in Tokyo. */
const LATE = Date.parse('2026-06-05T20:00:00Z');

/** A sandbox in which user 1, whose token `full` is, is somewhere. */
async function machine(timezone: string | null, options: Parameters<typeof withToken>[0] = {}): Promise<WithToken> {
  const here = await withToken({ clock: { now: () => LATE }, ...options });
  onTestFinished(() => here.remove());
  const moved = await here.svc(['api', 'PATCH', '/users/1', '--input', '-'], { stdin: JSON.stringify({ timezone }), now: LATE });
  expect(moved.code, moved.stderr).toBe(0);
  here.sent();
  return here;
}

const dateIn = (line: string | undefined) => (JSON.parse(line?.split(' ').slice(2).join(' ') ?? '{}') as JsonObject)['date'];

it('with SVC_TOKEN, today is the day of the token’s user, whom svc reads once a day (rule 2.21)', async () => {
  const here = await machine('Asia/Tokyo');
  const add = async (now: number, ...more: string[]) => {
    const { code, stderr } = await here.svc(['worklogs', 'add', '--minutes', '90', ...more], { now });
    expect(code, stderr).toBe(0);
    expect(stderr).toBe('');
    return here.sent();
  };
  const first = await add(LATE);
  expect(first.map((line) => line.split(' ', 2).join(' '))).toEqual(['GET /me', 'POST /worklogs']);
  expect(dateIn(first[1])).toBe('2026-06-06');
  // Then it is known; after a day it is asked for again.
  expect((await add(LATE + 23 * 3_600_000)).map((line) => line.slice(0, 14))).toEqual(['POST /worklogs']);
  expect((await add(LATE + 25 * 3_600_000)).map((line) => line.slice(0, 14))).toEqual(['GET /me', 'POST /worklogs']);
});

it('a full date stays the same day for a user in Tokyo, and needs one request', async () => {
  const here = await machine('Asia/Tokyo');
  await here.svc(['worklogs', 'add', '--minutes', '90', '--date', '2026-06-05']);
  expect(here.sent()).toEqual([expect.stringMatching(/^POST \/worklogs .*"2026-06-05"/)]);
  await here.svc(['worklogs', 'list', '--from', '2026-06-05', '--to', '2026-06-05']);
  expect(here.sent()).toEqual(['GET /worklogs?filter[date][gte]=2026-06-05&filter[date][lte]=2026-06-05&per_page=100']);
});

it('svc stores facts about a token in a private file, without the token', async () => {
  const here = await machine('Asia/Tokyo');
  await here.svc(['worklogs', 'add', '--minutes', '90'], { now: LATE });
  const directory = join(here.home, '.cache/svc/accounts');
  const [name = '', ...others] = await readdir(directory);
  expect(others).toEqual([]);
  expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
  expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
  const text = await readFile(join(directory, name), 'utf8');
  expect(JSON.parse(text)).toEqual({ at: LATE, user_id: 1, user_name: 'Sanne de Vries', timezone: 'Asia/Tokyo' });
  for (const { value } of here.sandbox.tokens) expect(text).not.toContain(value);
});

it('svc treats another token as another user, and uses no stored fact about the first user', async () => {
  const here = await machine('Asia/Tokyo');
  await here.svc(['worklogs', 'add', '--minutes', '90'], { now: LATE });
  here.sent();
  await here.as('manager', ['worklogs', 'add', '--minutes', '90'], { now: LATE });
  const [asked, posted] = here.sent();
  expect(asked).toBe('GET /me');
  expect(dateIn(posted)).toBe('2026-06-05');
});

it.each([{ missingTimezone: 'null' }, { missingTimezone: 'absent' }] as const)(
  'svc prints the machine’s zone for a record without a zone, until you set the zone, with %j (rule 18.36)',
  async (interpretations) => {
    const here = await machine(null, { interpretations });
    const { stderr } = await here.svc(['worklogs', 'add', '--minutes', '90'], { now: LATE });
    expect(stderr).toContain('Your user record names no time zone that svc knows, so svc uses Europe/Amsterdam.');
    expect(dateIn(here.sent().at(-1))).toBe('2026-06-05');
    await here.svc(['config', 'set', 'timezone', 'Pacific/Auckland']);
    const set = await here.svc(['worklogs', 'add', '--minutes', '90'], { now: LATE });
    expect(set.stderr).toBe('');
    expect(dateIn(here.sent().at(-1))).toBe('2026-06-06');
  },
);

it('svc prints that it uses the machine’s time zone when a token cannot read its user', async () => {
  const here = await machine('Asia/Tokyo', { interpretations: { narrowedMe: 'refused' } });
  const { code, stderr } = await here.as('hours-only', ['worklogs', 'add', '--minutes', '90'], { now: LATE });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('The service does not show the user of this token, so svc uses Europe/Amsterdam.');
});

it('svc logs no entry when the request for your time zone fails, because the day could be wrong', async () => {
  const here = await machine('Asia/Tokyo');
  here.sandbox.setFaults([{ method: 'GET', path: '/me', status: 503, times: 99 }]);
  const { code } = await here.svc(['worklogs', 'add', '--minutes', '90'], { hurried: true });
  expect(code).toBe(8);
  expect(here.sent().filter((line) => line.startsWith('POST'))).toEqual([]);
});

it('a dry run sends no request for the time zone, and prints the zone in use', async () => {
  const here = await machine('Asia/Tokyo');
  const { stdout, stderr } = await here.svc(['worklogs', 'add', '--minutes', '90', '--dry-run'], { now: LATE });
  expect(here.sent()).toEqual([]);
  expect(stdout).toContain('2026-06-05');
  expect(stderr).toContain('A dry run does not read your time zone, so svc uses Europe/Amsterdam.');
});

it('svc logs with one request after a browser sign-in, and reports a changed time zone once', async () => {
  const here: PinnedSandbox = await signInAt('2026-06-05T20:00:00Z');
  onTestFinished(() => here.remove());
  const sentDates = () =>
    here.sandbox.requests.splice(0).map(({ method, body }) => [method, body === '' ? '' : (JSON.parse(body) as JsonObject)['date']]);
  await here.svc(['worklogs', 'add', '--minutes', '90']);
  expect(sentDates()).toEqual([['POST', '2026-06-05']]);
  await here.svc(['api', 'PATCH', '/users/1', '-f', 'timezone=Asia/Tokyo'], {
    env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' },
  });
  const words = 'Your time zone is now Asia/Tokyo (it was Europe/Amsterdam). svc uses the new time zone from the next command.';
  expect((await here.svc(['users', 'get', '2'])).stderr).toBe('');
  expect((await here.svc(['users', 'get', '1'])).stderr).toContain(words);
  expect((await here.svc(['me'])).stderr).toBe('');
  sentDates();
  await here.svc(['worklogs', 'add', '--minutes', '90']);
  expect(sentDates()).toEqual([['POST', '2026-06-06']]);
});

it.each([
  ['null', '2026-06-05', /^Your user record no longer names a time zone that svc knows \(it was Asia\/Tokyo\)\. /, ''],
  ['absent', '2026-06-06', /^$/, ' (it was Asia/Tokyo)'],
] as const)('svc logs on the right day after your record loses its time zone (%s): %s', async (missingTimezone, day, words, was) => {
  const here: PinnedSandbox = await signInAt('2026-06-05T20:00:00Z', { interpretations: { missingTimezone } });
  onTestFinished(() => here.remove());
  const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
  const move = (zone: string) => here.svc(['api', 'PATCH', '/users/1', '-F', `timezone=${zone}`], { env });
  const reported = async () => (await here.svc(['me'])).stderr;
  await move('Asia/Tokyo');
  expect(await reported()).toContain('Your time zone is now Asia/Tokyo (it was Europe/Amsterdam).');
  await move('null');
  expect(await reported()).toMatch(words);
  expect(await reported()).toBe('');
  here.sandbox.requests.length = 0;
  await here.svc(['worklogs', 'add', '--minutes', '90']);
  expect(here.sandbox.requests.map(({ body }) => (JSON.parse(body) as JsonObject)['date'])).toEqual([day]);
  await move('Asia/Dubai');
  expect(await reported()).toBe(`Your time zone is now Asia/Dubai${was}. svc uses the new time zone from the next command.\n`);
});

it.each([null, 'Mars/Olympus'])(
  'svc shows the week of a colleague whose zone is %s in your own zone, marked as assumed',
  async (timezone) => {
    const here = await startRecording();
    onTestFinished(() => here.remove());
    here.server.fallback((request, response, socket) => {
      const isUser = /\/(?:me|users\/9)$/.test(request.path);
      const page = { data: [], meta: { page: {} }, links: { next: null } };
      const user = {
        data: { id: request.path.endsWith('/me') ? 7 : 9, name: 'Ada', timezone: request.path.endsWith('/me') ? 'Asia/Tokyo' : timezone },
      };
      json(200, isUser ? user : page)(request, response, socket);
    });
    const shown = await here.svc(['week', '2026-06-01', '--user', '9'], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(shown.stdout).toContain('· Ada · assumed Asia/Tokyo');
    const [monday] = JSON.parse((await here.svc(['week', '2026-06-01', '--user', '9'])).stdout) as JsonObject[];
    expect(monday).toMatchObject({ timezone: 'Asia/Tokyo', timezone_assumed: true });
  },
);

it('a range from a full date to today ends on the day of the user', async () => {
  const here = await machine('Asia/Tokyo');
  const { code, stderr } = await here.svc(['report', '2026-06-01..today', '--jq', 'length'], { now: LATE });
  expect(code, stderr).toBe(0);
  expect(here.sent().join('\n')).toContain('filter[date][gte]=2026-06-01&filter[date][lte]=2026-06-06');
});
