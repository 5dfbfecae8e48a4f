// Leave as people say it: what is sent, what it takes of the working time, and who is away.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INTERPRETATIONS } from '../../src/sandbox/interpretations.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { json, startHttpServer } from '../support/http-server.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

let here: PinnedSandbox;
/** Works 9 to 17 on Mondays and Thursdays, mornings on Tuesdays, in two shifts on Fridays. */
let partTimer: number;
beforeAll(async () => {
  here = await signInAt('2026-10-07T10:00:00Z');
  partTimer = await here.addRecord('/users', {
    name: 'Part Timer',
    timezone: 'America/New_York',
    working_hours: {
      monday: { start: '09:00', end: '17:00' },
      tuesday: { start: '09:00', end: '13:00' },
      wednesday: null,
      thursday: { start: '09:00', end: '17:00' },
      friday: [
        { start: '08:00', end: '12:00' },
        { start: '13:00', end: '17:00' },
      ],
      saturday: null,
      sunday: null,
    },
  });
  await here.addRecord('/holidays', { name: 'Town fair', date: '2026-10-19' });
  await here.addRecord('/free-days', { name: 'Of somebody else', date: '2026-10-20', user_id: 1 });
  // Thursday from 13:00 in New York.
  await here.addRecord('/absences', {
    user_id: partTimer,
    type: 'special',
    start: '2026-10-22T17:00:00Z',
    end: '2026-10-23T03:59:59Z',
  });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const posted = () =>
  here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, JSON.parse(body) as JsonObject]);
const add = (...words: string[]) => here.svc(['absences', 'add', ...words]);
const undoCreate = async (stdout: string) => {
  const { id } = JSON.parse(stdout) as { readonly id: number };
  const token = here.sandbox.tokens[0]?.value ?? '';
  const gone = await here.svc(['absences', 'delete', String(id), '--yes'], { env: { SVC_HOST: here.host, SVC_TOKEN: token } });
  expect(gone.code, gone.stderr).toBe(0);
};

describe('svc absences add', () => {
  it('counts days by working hours, holidays and other leave, in the time zone of the person', async () => {
    const { code, stdout, stderr } = await add('2026-10-19..2026-10-25', '--user', 'Part Timer');
    expect(code, stderr).toBe(0);
    // Tuesday 4 of 4 hours, Thursday 4 of 8, Friday 8 of 8; Monday is a holiday.
    expect(stderr).toContain('Part Timer: Mon 2026-10-19 to Sun 2026-10-25, 2.5 working days (16h).\n');
    expect(stderr).toContain('Mon 2026-10-19: Town fair (holiday)\n');
    expect(stderr).toContain('Thu 2026-10-22: Absent from 13:00 (special, requested)\n');
    expect(stderr).not.toContain('somebody else');
    expect(posted()).toEqual([['/api/v2/absences', { user_id: partTimer, start: '2026-10-19T04:00:00Z', end: '2026-10-26T03:59:59Z' }]]);
    expect(here.sandbox.requests.map(({ path }) => path.split('?')[0])).toContain(`/api/v2/users/${partTimer}`);
    await undoCreate(stdout);
  });

  it('adds your own absence by default, with your numeric id', async () => {
    const { code, stdout, stderr } = await add('tomorrow', '-f', 'type=vacation', '-F', 'note=null');
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([
      ['/api/v2/absences', { user_id: 1, start: '2026-10-07T22:00:00Z', end: '2026-10-08T21:59:59Z', type: 'vacation', note: null }],
    ]);
    await undoCreate(stdout);
  });

  it.each([
    ['am', '2026-10-22', '2026-10-22T04:00:00Z', '2026-10-22T17:00:00Z', 'Thu 2026-10-22 until 13:00, half a working day (4h).'],
    ['pm', '2026-10-26', '2026-10-26T17:00:00Z', '2026-10-27T03:59:59Z', 'Mon 2026-10-26 from 13:00, half a working day (4h).'],
    // The middle of the break.
    ['am', '2026-10-23', '2026-10-23T04:00:00Z', '2026-10-23T16:30:00Z', 'Fri 2026-10-23 until 12:30, half a working day (4h).'],
    // No working day.
    ['am', '2026-10-21', '2026-10-21T04:00:00Z', '2026-10-21T16:30:00Z', 'Wed 2026-10-21 until 12:30, no working time.'],
    // The clocks go back in that night.
    ['am', '2026-11-02', '2026-11-02T05:00:00Z', '2026-11-02T18:00:00Z', 'Mon 2026-11-02 until 13:00, half a working day (4h).'],
  ])('adds a half day with --half %s on %s', async (half, day, start, end, words) => {
    const { code, stdout, stderr } = await add(day, '--half', half, '--user', String(partTimer));
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Part Timer: ${words}\n`);
    expect(posted()).toEqual([['/api/v2/absences', { user_id: partTimer, start, end }]]);
    await undoCreate(stdout);
  });

  it('reports that the time is leave already, and asks at a terminal', async () => {
    const first = await add('2026-11-16..2026-11-18');
    expect(first.stderr).not.toContain('leave already');
    const within = ['absences', 'add', '2026-11-17', '-f', 'type=special'];
    here.sandbox.requests.length = 0;
    const no = await here.svc(within, { answers: [false] });
    expect(no.code).toBe(1);
    expect(no.stderr).toContain('This time is leave already (');
    expect(no.stderr).toMatch(/svc sent nothing\.\n *See the other leave: svc absences who 2026-11-17\n/);
    expect(posted()).toEqual([]);
    const yes = await here.svc(within, { answers: [true] });
    const unasked = await here.svc([...within, '--yes'], { answers: [] });
    const piped = await here.svc(within);
    expect([yes.code, unasked.code, piped.code]).toEqual([0, 0, 0]);
    expect(piped.stderr).toContain('This time is leave already (');
    // A day more than what is there is no second one.
    const longer = await here.svc(['absences', 'add', '2026-11-16..2026-11-19'], { answers: [] });
    expect(longer.code, longer.stderr).toBe(0);
    for (const { stdout } of [first, piped]) await undoCreate(stdout);
  });

  it('reports hidden working hours, and ends the half day at 12:30', async () => {
    const silent = await here.addRecord('/users', { name: 'Silent', timezone: 'Europe/Amsterdam', working_hours: null });
    here.sandbox.requests.length = 0;
    const { code, stdout, stderr } = await add('2026-10-12', '--half', 'am', '--user', String(silent));
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Silent: Mon 2026-10-12 until 12:30, svc does not know the working hours, and cannot count working days.');
    expect(posted()).toEqual([['/api/v2/absences', { user_id: silent, start: '2026-10-11T22:00:00Z', end: '2026-10-12T10:30:00Z' }]]);
    await undoCreate(stdout);
  });

  it.each([
    ['2026-12-07..2026-12-11', '2026-12-06T23:00:00Z', '2026-12-11T22:59:59Z'],
    ['2026-12-07..friday', '2026-12-06T23:00:00Z', '2026-12-11T22:59:59Z'],
    ['2026-12-07 .. mon', '2026-12-06T23:00:00Z', '2026-12-07T22:59:59Z'],
    // Wednesday, 7 October.
    ['today', '2026-10-06T22:00:00Z', '2026-10-07T21:59:59Z'],
    ['next week', '2026-10-11T22:00:00Z', '2026-10-18T21:59:59Z'],
    ['this week', '2026-10-04T22:00:00Z', '2026-10-11T21:59:59Z'],
    ['2027-W01', '2027-01-03T23:00:00Z', '2027-01-10T22:59:59Z'],
    ['next month', '2026-10-31T23:00:00Z', '2026-11-30T22:59:59Z'],
    ['2028-02', '2028-01-31T23:00:00Z', '2028-02-29T22:59:59Z'],
    ['+1d..+2d', '2026-10-07T22:00:00Z', '2026-10-09T21:59:59Z'],
    // A weekday is the next one, today included.
    ['friday', '2026-10-08T22:00:00Z', '2026-10-09T21:59:59Z'],
    ['wed', '2026-10-06T22:00:00Z', '2026-10-07T21:59:59Z'],
    ['tuesday', '2026-10-12T22:00:00Z', '2026-10-13T21:59:59Z'],
    ['friday..tuesday', '2026-10-08T22:00:00Z', '2026-10-13T21:59:59Z'],
    ['monday..+9d', '2026-10-11T22:00:00Z', '2026-10-16T21:59:59Z'],
    // Days in the past that are written in full.
    ['2026-10-05', '2026-10-04T22:00:00Z', '2026-10-05T21:59:59Z'],
    ['2026-10-01..friday', '2026-09-30T22:00:00Z', '2026-10-02T21:59:59Z'],
    ['2026-W40', '2026-09-27T22:00:00Z', '2026-10-04T21:59:59Z'],
  ])('understands %s, and sends no write in a dry run', async (days, start, end) => {
    const { code, stdout, stderr } = await add(...days.split(' '), '--dry-run');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'POST', body: { user_id: 1, start, end } });
    expect(here.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('shows days and hours in a dry run, and the middle of the day for half days', async () => {
    const whole = await add('2026-10-22..2026-10-23', '--user', 'Part Timer', '--dry-run');
    expect(whole.stderr).toContain('Part Timer: Thu 2026-10-22 to Fri 2026-10-23, 1.5 working days (12h).\n');
    const half = await add('2026-10-26', '--half', 'pm', '--user', 'Part Timer', '--dry-run');
    expect(half.stderr).toContain('Part Timer: Mon 2026-10-26 from 13:00, half a working day (4h).\n');
    expect(JSON.parse(half.stdout)).toMatchObject({ body: { start: '2026-10-26T17:00:00Z', end: '2026-10-27T03:59:59Z' } });
    expect(posted()).toEqual([]);
  });

  it.each([
    ['yesterday', '2026-10-06'],
    ['2026-10-04..yesterday', '2026-10-04..2026-10-06'],
    ['last week', '2026-09-28..2026-10-04'],
  ])('refuses %s in a script, and asks at a terminal', async (days, dates) => {
    for (const verb of ['add', 'who']) {
      const piped = await here.svc(['absences', verb, ...days.split(' ')]);
      expect([piped.code, piped.stderr]).toEqual([
        2,
        `svc: "${days}" is in the past: ${dates}.\n  If you mean these days, write the dates in full: ${dates}\n`,
      ]);
      const no = await here.svc(['absences', verb, ...days.split(' ')], { answers: [false] });
      expect([no.code, no.stderr]).toEqual([1, expect.stringContaining(`${dates} is in the past. Add this absence?`)]);
    }
    expect(posted()).toEqual([]);
    const yes = await here.svc(['absences', 'add', ...days.split(' ')], { answers: [true] });
    expect(yes.code, yes.stderr).toBe(0);
    expect(posted()).toHaveLength(1);
    await undoCreate(yes.stdout);
  });

  it('asks until svc can read the days, and exits 2 without days in a script', async () => {
    const asked = await here.svc(['absences', 'add', '--dry-run'], { answers: ['soon', 'friday'] });
    expect(asked.code, asked.stderr).toBe(0);
    expect(JSON.parse(asked.stdout)).toMatchObject({ body: { start: '2026-10-08T22:00:00Z', end: '2026-10-09T21:59:59Z' } });
    expect(asked.stderr).toContain('The same with your answers: svc absences add --dry-run 2026-10-09');
    const piped = await add();
    expect([piped.code, piped.stderr]).toEqual([2, 'svc: svc absences add needs the days.\n  See: svc absences add --help\n']);
  });

  it('counts shifts past midnight on both days, and refuses half of such a day', async () => {
    const shift = { start: '22:00', end: '06:00' };
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [day, shift]);
    const guard = await here.addRecord('/users', {
      name: 'Night Guard',
      timezone: 'Europe/Amsterdam',
      working_hours: Object.fromEntries([...days, ['saturday', null], ['sunday', null]]),
    });
    const counted = async (...words: string[]) => (await add(...words, '--user', String(guard), '--dry-run')).stderr;
    // The last six hours of Thursday’s shift, and the first two of Friday’s.
    expect(await counted('2026-12-04')).toContain('Night Guard: Fri 2026-12-04, 1 working day (8h).\n');
    // No shift ends on a Monday.
    expect(await counted('2026-12-07')).toContain('Night Guard: Mon 2026-12-07, 0.25 working days (2h).\n');
    const half = await add('2026-12-04', '--half', 'pm', '--user', String(guard));
    expect([half.code, half.stderr]).toEqual([
      2,
      expect.stringContaining('Fri 2026-12-04 go past midnight, so svc cannot halve that day.'),
    ]);
    expect(posted().filter(([path]) => path !== '/api/v2/users')).toEqual([]);
  });

  it.each([
    [['2026-12-11..2026-12-07'], 'is before its start: 2026-12-11 to 2026-12-07.'],
    [['2026-12-11..'], 'is neither a day nor a date range.'],
    [['1..2..3'], 'is neither a day nor a date range.'],
    [['soon'], 'is neither a day nor a date range.'],
    [['2026-13'], 'is neither a day nor a date range.'],
    [['next', 'week', '--half', 'am'], '--half is for one day; 2026-10-12 to 2026-10-18 are several.'],
    [['today', '--half', 'noon'], '--half'],
  ])('refuses %j, and sends nothing', async (words, message) => {
    const { code, stderr } = await add(...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(here.sandbox.requests).toEqual([]);
  });

  it('sends leave without a count if the record of the person is hidden', async () => {
    const server = await startHttpServer();
    server.fallback((request, response, socket) => {
      const page = { data: [], meta: { page: {} }, links: { next: null } };
      if (request.path.includes('/users/')) return json(403, { title: 'Forbidden', status: 403 })(request, response, socket);
      if (request.method === 'POST') return json(201, { data: { id: 9 } })(request, response, socket);
      return json(200, page)(request, response, socket);
    });
    const host = new URL(server.origin).host;
    const options = { env: { SVC_HOST: host, SVC_TOKEN: 'abc', TZ: 'Europe/Amsterdam' } };
    const { code, stderr } = await here.svc(['absences', 'add', '2026-12-07', '--user', '4'], options);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('User 4: Mon 2026-12-07, svc does not know the working hours');
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toMatchObject({ user_id: 4 });
    await server.close();
  });

  it('prints one line about the absence at a terminal', async () => {
    const { code, stdout, stderr } = await here.svc(['absences', 'add', '2026-12-14..2026-12-15'], { terminal: 100, answers: [] });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Away Mon 2026-12-14 to Tue 2026-12-15 · 2 working days \(16h\) · vacation · requested · #\d+\n$/);
    expect((await here.svc(['undo'], { env: { SVC_TOKEN: '' } })).code).not.toBe(2);
  });
});

describe('a weekday in svc absences', () => {
  it.each([
    [
      ['who', 'friday'],
      ['filter[start][lte]=2026-10-09T21:59:59Z', 'filter[end][gte]=2026-10-08T22:00:00Z'],
    ],
    [['list', '--starts-from', 'friday'], ['filter[start][gte]=2026-10-08T22:00:00Z']],
    [['list', '--starts-to', 'tuesday'], ['filter[start][lte]=2026-10-13T21:59:59Z']],
    [
      ['list', '--starts-from', 'monday', '--starts-to', 'friday'],
      ['filter[start][gte]=2026-10-11T22:00:00Z', 'filter[start][lte]=2026-10-16T21:59:59Z'],
    ],
  ])('means the next such day in %j', async (argv, filters) => {
    const { code, stderr } = await here.svc(['absences', ...argv]);
    expect(code, stderr).toBe(0);
    const sent = here.sandbox.requests.map(({ path }) => decodeURIComponent(path)).join('\n');
    for (const filter of filters) expect(sent).toContain(filter);
  });

  it('means the latest such day with --from', async () => {
    const { code, stderr } = await here.svc(['absences', 'list', '--from', 'monday']);
    expect(code, stderr).toBe(0);
    const sent = here.sandbox.requests.map(({ path }) => decodeURIComponent(path)).join('\n');
    expect(sent).toContain('filter[end][gte]=2026-10-04T22:00:00Z');
  });
});

it('svc absences delete shows the local times, type and status of the absence in the question', async () => {
  const id = await here.addRecord('/absences', {
    user_id: 1,
    start: '2026-12-20T23:00:00Z',
    end: '2026-12-24T22:59:59Z',
    type: 'vacation',
  });
  const { code, stderr } = await here.svc(['absences', 'delete', String(id)], {
    terminal: 100,
    answers: [false],
    env: { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' },
  });
  expect(code).toBe(1);
  expect(stderr).toContain(`absence ${id}: 2026-12-21 00:00, 2026-12-24 23:59, vacation, requested\n`);
  const change = await here.svc(['absences', 'update', String(id), '--end', '2026-12-23'], { terminal: 200, answers: [] });
  expect(change.code, change.stderr).toBe(0);
  const undone = await here.svc(['undo'], { terminal: 200, answers: [false] });
  expect(undone.stderr).toContain('end "2026-12-24 23:59" → "2026-12-23 23:59": will be end "2026-12-24 23:59" again');
});

it.each([
  ['friday', '2026-10-09'],
  ['wednesday', '2026-10-07'],
])('svc reads the due date %s as %s, today or later', async (typed, date) => {
  await here.svc(['work-items', 'update', 'ABC-12', '--due-date', typed]);
  expect(JSON.parse(here.sandbox.requests.find(({ method }) => method === 'PATCH')?.body ?? '')).toEqual({ due_date: date });
  const { stdout } = await here.svc(['work-items', 'list', '--due-by', typed, '--dry-run']);
  expect(decodeURIComponent(stdout)).toContain(`filter[due_date][lte]=${date}`);
});

describe('a service whose absences have calendar dates', () => {
  beforeAll(() => {
    here.sandbox.interpretations.absenceBounds = 'date-only';
  });
  afterAll(() => {
    here.sandbox.interpretations.absenceBounds = 'date-time';
  });
  const asked = () => here.sandbox.requests.map(({ path }) => decodeURIComponent(path)).filter((path) => path.includes('/absences?'));

  it('receives date-times first, and then dates', async () => {
    const first = await here.svc(['week']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    const refused = asked().filter((path) => /T\d\d:\d\d:\d\dZ/.test(path));
    expect(refused.length).toBeGreaterThan(0);
    here.sandbox.requests.length = 0;
    const second = await here.svc(['week']);
    expect([second.code, second.stdout]).toEqual([0, first.stdout]);
    expect(asked().map((path) => /filter\[start\]\[lte\]=([^&]*)/.exec(path)?.[1])).toEqual(['2026-10-12', '2026-10-12']);
  });

  it('receives a new absence, which svc lists by the typed days', async () => {
    const added = await add('2027-02-01..2027-02-05');
    expect(added.code, added.stderr).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({ start: '2027-02-01', end: '2027-02-05' });
    const idsOf = async (...flags: string[]) =>
      JSON.parse((await here.svc(['absences', 'list', '--user', 'me', ...flags, '--jq', 'map(.id)'])).stdout);
    const { id } = JSON.parse(added.stdout);
    expect(await idsOf('--starts-from', '2027-02-01', '--starts-to', '2027-02-01')).toEqual([id]);
    expect(await idsOf('--starts-from', '2027-02-02', '--starts-to', '2027-02-08')).toEqual([]);
    expect(await idsOf('--from', '2027-02-05', '--to', '2027-02-05')).toContain(id);
    expect(await idsOf('--from', '2027-02-06', '--to', '2027-02-06')).not.toContain(id);
    await undoCreate(added.stdout);
  });

  it('causes no error in svc week and svc absences with an API spec', async () => {
    const { stdout: stdin } = await here.svc(['api', '/openapi.json']);
    expect((await here.svc(['schema', 'import', '-'], { stdin })).code).toBe(0);
    for (const command of [['week'], ['absences', 'who', '2026-10-20..2026-10-22'], ['absences', 'list', '--year', '2026']]) {
      const { code, stderr } = await here.svc(command);
      expect([code, stderr]).toEqual([0, '']);
    }
    expect((await here.svc(['schema', 'forget'])).code).toBe(0);
  });
});

describe('svc absences who', () => {
  it.each(INTERPRETATIONS.absenceBounds)(
    'lists a person who is away on some days, by name, with bounds of the form %s',
    async (absenceBounds) => {
      const before = here.sandbox.interpretations.absenceBounds;
      Object.assign(here.sandbox.interpretations, { absenceBounds });
      try {
        const { code, stdout, stderr } = await here.svc([
          'absences',
          'who',
          '2026-10-20..2026-10-22',
          '--jq',
          `map(select(.user_id == ${partTimer}))`,
        ]);
        expect(code, stderr).toBe(0);
        expect(JSON.parse(stdout)).toMatchObject([{ user: 'Part Timer', type: 'special', status: 'requested', runs: false }]);
      } finally {
        Object.assign(here.sandbox.interpretations, { absenceBounds: before });
      }
    },
  );

  it('prints a notice when nobody is away', async () => {
    const server = await startHttpServer();
    server.fallback(json(200, { data: [], meta: { page: {} }, links: { next: null } }));
    const options = { env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' } };
    const { code, stdout, stderr } = await here.svc(['absences', 'who', '2026-12-07..friday'], options);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('[]\n');
    expect(stderr).toContain('Nobody whom you have permission to see is away from 2026-12-07 to 2026-12-11.');
    await server.close();
  });

  it('prints null as the name when the service adds no names, and requests no names again', async () => {
    const server = await startHttpServer();
    const row = { id: 3, user_id: 7, start: '2026-12-07T08:00:00Z', end: null };
    server.fallback((request, response, socket) => {
      if (request.query.get('include') === 'user')
        return json(400, { status: 400, title: 'Bad Request', parameter: 'include' })(request, response, socket);
      const data = request.query.has('filter[end][null]') ? [row, { ...row, id: 4, status: 'declined' }] : [];
      return json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    const options = { env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' } };
    const who = () => here.svc(['absences', 'who', '2026-12-08'], options);
    const { code, stdout, stderr } = await who();
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        id: 3,
        user_id: 7,
        user: null,
        from: '2026-12-07 09:00',
        until: null,
        runs: true,
        type: null,
        status: null,
        start: '2026-12-07T08:00:00Z',
        end: null,
      },
    ]);
    const asked = server.requests.length;
    await who();
    expect(server.requests.slice(asked).some(({ query }) => query.has('include'))).toBe(false);
    await server.close();
  });
});
