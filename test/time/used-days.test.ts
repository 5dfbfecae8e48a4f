// How many working days of leave somebody has had, and has before them; counted by hand in leave-branch.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { json, startHttpServer } from '../support/http-server.ts';
import { HOSTILE, type LeaveBranch, openLeaveBranch } from './leave-branch.ts';
import { week } from './organisation.ts';

let here: LeaveBranch;
beforeAll(async () => {
  here = await openLeaveBranch();
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const BRANCH = ['--branch', 'Leave House'];
const used = (...words: string[]) => here.svc(['absences', 'used', ...words]);
const asked = () => here.sandbox.requests.map(({ path }) => path.split('?')[0]?.replace('/api/v2', '')).sort();

async function rowsOf(...words: string[]): Promise<JsonObject[]> {
  const { code, stdout, stderr } = await used(...words);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** The figures as one writes them down: days and minutes of what is taken, to come and requested. */
function amounts(taken: readonly [number, number], toCome: readonly [number, number], requested: readonly [number, number]): JsonObject {
  return {
    taken_days: taken[0],
    taken_minutes: taken[1],
    to_come_days: toCome[0],
    to_come_minutes: toCome[1],
    requested_days: requested[0],
    requested_minutes: requested[1],
  };
}
const NONE = [0, 0] as const;
const UNKNOWN = Object.fromEntries(Object.keys(amounts(NONE, NONE, NONE)).map((name) => [name, null]));

async function turned(interpretations: object, run: () => Promise<void>): Promise<void> {
  const before = { ...here.sandbox.interpretations };
  Object.assign(here.sandbox.interpretations, interpretations);
  try {
    await run();
  } finally {
    Object.assign(here.sandbox.interpretations, before);
  }
}

describe('svc absences used', () => {
  it.each([{}, { summary: 'bare', otherFilters: 'refused', assumedIncludes: 'refused' }])(
    'counts days by working hours, holidays and other leave, in the zone of each person, with %j',
    async (interpretations) => {
      await turned(interpretations, async () => {
        const { code, stdout, stderr } = await used('2026', ...BRANCH);
        expect(code, stderr).toBe(0);
        const [bo, mira, nina, tom] = JSON.parse(stdout);
        expect(bo).toMatchObject(amounts(NONE, NONE, [0.5, 240]));
        expect(mira).toEqual({
          user_id: here.mira,
          user: 'Mira Jansen',
          ...amounts([0.5, 240], [8, 8 * 480], [2, 960]),
          runs: false,
          open_days: [],
          types: [
            { type: 'sick', ...amounts([0.5, 240], NONE, NONE) },
            { type: 'vacation', ...amounts(NONE, [8, 8 * 480], NONE) },
            { type: 'special', ...amounts(NONE, NONE, [2, 960]) },
          ],
          shown: true,
          timezone: 'Europe/Amsterdam',
          timezone_assumed: false,
        });
        expect(nina).toMatchObject({ ...UNKNOWN, types: null, shown: true });
        expect(stderr).toContain('svc does not know the working hours of Nina Null, and cannot count their days.');
        expect(stderr).toContain('svc counts to the end of today for Tom Part: an absence has no end.');
        // 480 + 480 + 240 of one, 240 + 480 + 480 of the other, which runs.
        expect(tom).toMatchObject({ ...amounts([5.5, 2400], NONE, NONE), runs: true });
        expect(tom.types.map((row: JsonObject) => [row['type'], row['taken_days'], row['taken_minutes']])).toEqual([
          ['vacation', 3, 1200],
          ['sick', 2.5, 1200],
        ]);
      });
    },
  );

  it('counts time in two absences for the absence that starts first, whichever the service lists first', async () => {
    const person = await here.addRecord('/users', {
      name: 'Ola Both',
      timezone: 'Europe/Amsterdam',
      working_hours: week('09:00', '17:00'),
    });
    for (const [type, start, end] of [
      ['special', '2026-03-02T23:00:00Z', '2026-03-06T22:59:59Z'],
      ['vacation', '2026-03-01T23:00:00Z', '2026-03-04T22:59:59Z'],
    ] as const) {
      const id = await here.addRecord('/absences', { user_id: person, type, start, end });
      Object.assign(here.sandbox.rows('absences').find((row) => row.id === id) ?? {}, { status: 'approved' });
    }
    const [row] = await rowsOf('2026-03', '--user', String(person));
    expect(row?.['types']).toMatchObject([
      { type: 'vacation', taken_days: 3 },
      { type: 'special', taken_days: 2 },
    ]);
  });

  it('divides leave at New Year, and at today', async () => {
    const mira = String(here.mira);
    expect(await rowsOf('2027', '--user', mira)).toMatchObject([amounts(NONE, [2, 960], NONE)]);
    expect(await rowsOf('2026-12-28..2027-01-05', '--user', mira)).toMatchObject([amounts(NONE, [6, 2880], NONE)]);
    // A Tuesday in the middle of it: 21 and 22 are taken. 18, 16: requested, and nobody granted them.
    const later = { now: Date.parse('2026-12-22T10:00:00Z') };
    const { stdout } = await here.svc(['absences', 'used', '--user', mira], later);
    expect(JSON.parse(stdout)).toMatchObject([amounts([2.5, 240 + 960], [6, 2880], [2, 960])]);
  });

  // The last whole day of a vacation, Tuesday, 5 January, as each reading shows it (rule 18.34).
  it.each([
    ['date-time', 'last-second', 2, [], ''],
    ['date-time', 'next-midnight', 2, ['2027-01-06'], 'not counted'],
    ['date-time', 'same-date', 1, ['2027-01-05'], 'not counted'],
    ['date', 'last-second', 2, ['2027-01-05'], 'counted'],
    ['date', 'next-midnight', 3, ['2027-01-06'], 'counted'],
  ])(
    'with bounds of the form %s and ends of the form %s counts %i days of leave (rule 18.34)',
    async (absenceBounds, wholeDayEnd, days, open, words) => {
      await turned({ absenceBounds, wholeDayEnd }, async () => {
        const { stdout, stderr } = await used('2027', '--user', String(here.mira));
        expect(JSON.parse(stdout)).toMatchObject([{ to_come_days: days, to_come_minutes: days * 480, open_days: open }]);
        if (open.length === 0) expect(stderr).not.toMatch(/not known|does not know/);
        else expect(stderr).toContain(`Mira Jansen: svc does not know whether an absence includes ${open[0]}; ${words}.`);
      });
    },
  );

  it('shows unknown days when you have no permission to see holidays and free days', async () => {
    here.sandbox.setFaults(['/holidays', '/free-days'].map((path) => ({ method: 'GET', path, status: 403, times: 1 })));
    const { code, stdout, stderr } = await used('2026-12', ...BRANCH, '--user', 'Mira Jansen');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ user: 'Mira Jansen', ...UNKNOWN, types: null, shown: true }]);
    expect(stderr).toContain('svc cannot see public holidays or free days, so svc cannot count the days of Mira Jansen.');
    expect(stderr).not.toContain('working hours of');
  });

  it('counts a night shift from the day before', async () => {
    // Sunday to Thursday from 22:00 to 06:00, away on Monday, the 16th: six hours of Sunday's night, two of Monday's.
    const night = { start: '22:00', end: '06:00' };
    const hours = { sunday: night, monday: night, tuesday: night, wednesday: night, thursday: night, friday: null, saturday: null };
    const owl = await here.addRecord('/users', { name: 'Owl', timezone: 'Europe/Amsterdam', working_hours: hours });
    await here.addRecord('/absences', { user_id: owl, type: 'vacation', start: '2026-11-15T23:00:00Z', end: '2026-11-16T22:59:59Z' });
    const minutes = async (range: string) => (await rowsOf(range, '--user', String(owl)))[0];
    expect((await minutes('2026-11'))?.['types']).toMatchObject([{ type: 'vacation', requested_days: 1, requested_minutes: 480 }]);
    // Each part is of the day on which its night began.
    expect(await minutes('2026-11-15')).toMatchObject({ requested_days: 0.75, requested_minutes: 360 });
    expect(await minutes('2026-11-16..2026-11-30')).toMatchObject({ requested_days: 0.25, requested_minutes: 120 });
  });

  it('counts your own leave by default, also without the permission to see other absences (rule 9.27)', async () => {
    const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens.find(({ name }) => name === 'employee')?.value ?? '' };
    const { code, stdout, stderr } = await here.svc(['absences', 'used'], { env });
    expect(code, stderr).toBe(0);
    const [zoe] = JSON.parse(stdout);
    expect(zoe).toMatchObject({ user_id: 3, shown: true });
    expect(typeof zoe.taken_days).toBe('number');
    expect(asked().filter((path) => path?.startsWith('/users'))).toEqual([]);
    // Of somebody else nothing is known, and what it takes is named; one's own is.
    const both = await here.svc(['absences', 'used', '--user', 'me', '--user', String(here.mira)], { env });
    expect(both.code, both.stderr).toBe(0);
    const [mira, me] = JSON.parse(both.stdout);
    expect(mira).toMatchObject({ ...UNKNOWN, shown: false, types: null });
    expect(me).toEqual(zoe);
    expect(both.stderr).toContain('absences::manage');
  });

  it('reads many people with few requests, in lists of a hundred ids (rule 16.3)', async () => {
    const server = await startHttpServer();
    const users = Array.from({ length: 130 }, (_, index) => ({ id: index + 1, name: `Person ${index + 1}`, timezone: 'Europe/Amsterdam' }));
    server.fallback((request, response, socket) => {
      const data = request.path.endsWith('/users') ? users : [];
      const one = { data: users[0] };
      const page = { data, meta: { page: {} }, links: { next: null } };
      return json(200, request.path.endsWith('/me') ? one : page)(request, response, socket);
    });
    const options = { env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' } };
    const { code, stdout, stderr } = await here.svc(['absences', 'used', '2026', '--everybody'], options);
    expect(code, stderr).toBe(0);
    // No leave is none, whatever the working hours are.
    expect(JSON.parse(stdout)).toHaveLength(130);
    expect(JSON.parse(stdout)[0]).toMatchObject(amounts(NONE, NONE, NONE));
    const paths = server.requests.map(({ path }) => path.replace('/api/v2', ''));
    expect(paths.sort()).toEqual(['/absences', '/absences', '/absences', '/absences', '/free-days', '/holidays', '/me', '/users']);
    const asked = server.requests.flatMap(({ query }) => query.get('filter[user_id][in]')?.split(',').length ?? []);
    expect(asked.sort()).toEqual([100, 100, 30, 30]);
    await server.close();
  });

  it('prints a table at a terminal', async () => {
    const { stdout } = await here.svc(['absences', 'used', '2026', ...BRANCH], { terminal: 160, env: { NO_COLOR: '1' } });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['Leave used in 2026'],
      [''],
      ['USER', 'TAKEN DAYS', 'TO COME', 'REQUESTED', 'TYPES'],
      [HOSTILE.replace('\u202e', '\\u202e'), '·', '·', '0.5 (4h)', 'parental 0.5'],
      ['Mira Jansen', '0.5 (4h)', '8 (64h)', '2 (16h)', 'sick 0.5, vacation 8, special 2'],
      ['Nina Null', 'unknown', 'unknown', 'unknown'],
      ['Tom Part', '5.5 (40h)', '·', '·', 'vacation 3, sick 2.5'],
    ]);
  });

  it.each([
    [['soon'], 2, 'neither a day nor a date range'],
    [['--everybody', '--user', 'me'], 2, 'You cannot use --everybody with --user, --manager or --branch.'],
    [['--manager', 'Nobody Such'], 2, '--manager'],
  ])('refuses %j with exit %i', async (words, exit, message) => {
    const { code, stderr } = await used(...words);
    expect(code).toBe(exit);
    expect(stderr).toContain(message);
  });
});
