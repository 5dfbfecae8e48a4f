// Who is away on which day: records, the grid, and the file for other calendars. Its page is in absence-page.proof.ts.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { convertIcsCalendar } from 'ts-ics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { pageBody } from '../support/page-body.ts';
import { HOSTILE, type LeaveBranch, openLeaveBranch } from './leave-branch.ts';

let here: LeaveBranch;
beforeAll(async () => {
  here = await openLeaveBranch();
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const BRANCH = ['--branch', 'Leave House'];
const calendar = (...words: string[]) => here.svc(['absences', 'calendar', ...words]);
const asked = () => here.sandbox.requests.map(({ path }) => path.split('?')[0]?.replace('/api/v2', ''));

interface CalendarRow {
  readonly user_id: number;
  readonly user: string | null;
  readonly timezone: string;
  readonly days: readonly Readonly<Record<string, unknown>>[] | null;
}
async function rowsOf(...words: string[]): Promise<CalendarRow[]> {
  const { code, stdout, stderr } = await calendar(...words);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}
const parts = (row: CalendarRow | undefined) => row?.days?.map(({ date, part, from, until }) => [date, part, from, until]);
const nights = (...days: readonly string[]) => days.map((date) => [date, 'day', null, null]);

/** Somebody who may see no absences but her own. */
const asZoe = () => ({
  env: { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens.find(({ name }) => name === 'employee')?.value ?? '', NO_COLOR: '1' },
});

async function turned<T>(interpretations: object, run: () => Promise<T>): Promise<T> {
  const before = { ...here.sandbox.interpretations };
  Object.assign(here.sandbox.interpretations, interpretations);
  try {
    return await run();
  } finally {
    Object.assign(here.sandbox.interpretations, before);
  }
}

describe('svc absences calendar, in a pipe', () => {
  it('prints a record for each person in the person’s time zone, with six requests', async () => {
    const rows = await rowsOf('2026-12', ...BRANCH);
    expect(asked().sort()).toEqual(['/absences', '/absences', '/company-branches', '/free-days', '/holidays', '/users']);
    expect(rows.map(({ user_id }) => user_id)).toEqual([here.bo, here.mira, here.nina, here.tom]);
    const [bo, mira, nina, tom] = rows;
    expect(parts(bo)).toEqual([['2026-12-11', 'pm', '13:00', null]]);
    expect(mira?.days?.map(({ date, type, status }) => `${String(date).slice(8)} ${type} ${status}`)).toEqual([
      '16 special requested',
      '18 special requested',
      '19 special requested',
      '20 special requested',
      ...['21', '22'].flatMap((day) => [`${day} special requested`, `${day} vacation approved`]),
      ...['23', '24', '25', '26', '27', '28', '29', '30', '31'].map((day) => `${day} vacation approved`),
    ]);
    // A holiday and a Saturday are no days of work.
    expect(mira?.days?.filter(({ works }) => works === false).map(({ date }) => date)).toEqual([
      '2026-12-19',
      '2026-12-20',
      '2026-12-25',
      '2026-12-26',
      '2026-12-27',
    ]);
    expect(parts(nina)).toEqual(nights('2026-12-07'));
    expect(nina).toMatchObject({ timezone: 'Asia/Tokyo', timezone_assumed: false, days: [{ type: 'unpaid', works: null }] });
    // One that runs goes to the end of the span.
    expect(tom?.days?.length).toBe(31);
    expect(tom?.days?.every(({ runs, part }) => runs === true && part === 'day')).toBe(true);
  });

  it('shows working days as unknown when holidays and free days are hidden', async () => {
    here.sandbox.setFaults(['/holidays', '/free-days'].map((path) => ({ method: 'GET', path, status: 403, times: 1 })));
    const [mira] = await rowsOf('2026-12-24..2026-12-26', '--user', String(here.mira));
    // Christmas is not known to be a holiday; a Saturday is free by the working hours.
    expect(mira?.days?.map(({ date, works }) => [date, works])).toEqual([
      ['2026-12-24', null],
      ['2026-12-25', null],
      ['2026-12-26', false],
    ]);
  });

  it('includes whole days at a change of the clocks, and parts of days', async () => {
    const [tom] = await rowsOf('2026-10-28..2026-11-14', '--user', String(here.tom));
    expect(parts(tom)).toEqual([
      ...nights('2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'),
      ['2026-11-12', 'pm', '13:00', null],
      ...nights('2026-11-13', '2026-11-14'),
    ]);
    const [mira] = await rowsOf('2026-11-09', '--user', 'Mira Jansen');
    expect(parts(mira)).toEqual([['2026-11-09', 'am', null, '13:00']]);
  });

  it('shows only the people who are away when you choose nobody', async () => {
    const rows = await rowsOf('2026-12-07', '--no-cache');
    expect(rows.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([here.tom, here.nina]));
    expect(rows.map(({ user_id }) => user_id)).not.toContain(here.mira);
    expect(rows.every(({ days }) => (days?.length ?? 0) > 0)).toBe(true);
    // The second, because this service does not take ids of users for a filter.
    expect(asked().sort()).toEqual(['/absences', '/absences', '/free-days', '/holidays', '/users', '/users']);
  });

  it('shows this month by default, and filters by person', async () => {
    const rows = await rowsOf('--manager', '2', ...BRANCH, '--user', String(here.mira), '--user', 'Tom Part');
    expect(rows.map(({ user }) => user)).toEqual(['Mira Jansen', 'Tom Part']);
    expect(parts(rows[0])).toEqual([['2026-11-09', 'am', null, '13:00']]);
  });

  // Three whole days over a change of clocks, as each reading of the documentation shows them (rule 18.34).
  it.each([
    ['three certain days', 'date-time', 'last-second', nights('2025-03-29', '2025-03-30', '2025-03-31')],
    [
      'three certain days and an uncertain day',
      'date-time',
      'next-midnight',
      [...nights('2025-03-29', '2025-03-30', '2025-03-31'), ['2025-04-01', null, null, null]],
    ],
    [
      'two certain days and an uncertain day',
      'date-time',
      'same-date',
      [...nights('2025-03-29', '2025-03-30'), ['2025-03-31', null, null, null]],
    ],
    [
      'two certain days and an uncertain day',
      'date',
      'last-second',
      [...nights('2025-03-29', '2025-03-30'), ['2025-03-31', null, null, null]],
    ],
    [
      'three certain days and an uncertain day',
      'date',
      'next-midnight',
      [...nights('2025-03-29', '2025-03-30', '2025-03-31'), ['2025-04-01', null, null, null]],
    ],
  ])(
    'shows %s for an absence of three days (absenceBounds %s, wholeDayEnd %s) (rule 18.34)',
    async (_, absenceBounds, wholeDayEnd, expected) => {
      await turned({ absenceBounds, wholeDayEnd }, async () => {
        const [me] = await rowsOf('2025-03-28..2025-04-02', '--user', 'me');
        expect(parts(me)).toEqual(expected);
      });
    },
  );

  it.each(['last-second', 'next-midnight', 'same-date'])(
    'shows a one-day absence on that day, with ends of the form %s (rule 18.34)',
    async (wholeDayEnd) => {
      for (const absenceBounds of ['date', 'date-time'])
        await turned({ absenceBounds, wholeDayEnd }, async () => {
          const [one] = await rowsOf('2025-07-25', '--user', '12');
          expect(parts(one)).toEqual(nights('2025-07-25'));
        });
    },
  );

  it('finds the people of a branch without filters, relations and full summaries', async () => {
    await turned({ otherFilters: 'refused', summary: 'bare', assumedIncludes: 'refused' }, async () => {
      const rows = await rowsOf('2026-12-11', '--branch', 'Leave House');
      expect(rows.length).toBe(4);
    });
  });

  it('prints null for people with hidden absences, and a list for your own absences (rule 9.27)', async () => {
    const { code, stdout, stderr } = await here.svc(
      ['absences', 'calendar', '2026-12', '--user', 'me', '--user', String(here.mira)],
      asZoe(),
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('absences::manage');
    const [mira, me] = JSON.parse(stdout);
    expect(mira).toMatchObject({ user_id: here.mira, days: null });
    expect(me).toMatchObject({ user_id: 3, days: [] });
    const grid = await here.svc(['absences', 'calendar', '2026-12', '--user', String(here.mira)], { ...asZoe(), terminal: 100 });
    expect(grid.stdout).toContain('not shown to you');
    const ics = await here.svc(
      ['absences', 'calendar', '2026-12', '--user', String(here.mira), '--ics', join(here.home, 'none.ics')],
      asZoe(),
    );
    expect(ics.stderr).toContain('The file leaves out 1 person: you have no permission to see these absences.');
  });

  it('shows ids, and days in your time zone, without the list of users', async () => {
    const server = await startHttpServer();
    server.fallback((request, response, socket) => {
      if (request.path.endsWith('/users')) return json(403, { title: 'Forbidden', status: 403 })(request, response, socket);
      const isAbsences = request.path.endsWith('/absences') && !request.query.has('filter[end][null]');
      const data = isAbsences ? [{ id: 3, user_id: 7, start: '2026-12-06T23:00:00Z', end: '2026-12-07T22:59:59Z' }] : [];
      return json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    const options = { env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' } };
    const { code, stdout, stderr } = await here.svc(['absences', 'calendar', '2026-12-07'], options);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        user_id: 7,
        user: null,
        timezone: 'Europe/Amsterdam',
        timezone_assumed: true,
        days: [
          { date: '2026-12-07', absence_id: 3, part: 'day', from: null, until: null, type: null, status: null, runs: false, works: null },
        ],
      },
    ]);
    expect(stderr).toContain('svc does not know the time zone of User 7, and uses Europe/Amsterdam.');
    await server.close();
  });

  it.each([
    [['2025-01-01..2026-06-30'], 2, 'longer than a year'],
    [['soon'], 2, 'neither a day nor a date range'],
    [['2026-12', '--types'], 2, 'You can use --types only with --html or --ics.'],
    [['2026-12', '--user', '999'], 3, 'You cannot see these users: 999.'],
    [['2026-12', '--user', '1', '--manager', '5'], 3, 'You cannot see any user with these flags.'],
  ])('refuses %j with exit %i', async (words, exit, message) => {
    const { code, stderr } = await calendar(...words);
    expect(code).toBe(exit);
    expect(stderr).toContain(message);
  });
});

describe('svc absences calendar, at a terminal', () => {
  it('writes a page with the same days, as in the golden file', async () => {
    const file = join(here.home, 'december.html');
    const { code, stdout, stderr } = await calendar('2026-12', ...BRANCH, '--html', file);
    expect([code, stdout], stderr).toEqual([0, '']);
    await expect(pageBody(await readFile(file, 'utf8'), here.host)).toMatchFileSnapshot('goldens/absences-page.txt');
  });

  it.each([40, 80, 120])('prints a grid of at most %i columns, as in the golden file', async (terminal) => {
    const { code, stdout, stderr } = await here.svc(['absences', 'calendar', '2026-12', ...BRANCH], { terminal, env: { NO_COLOR: '1' } });
    expect(code, stderr).toBe(0);
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(terminal);
    await expect(stdout).toMatchFileSnapshot(`goldens/absences-terminal-${terminal}.txt`);
  });

  it('prints a block for each person, for a screen reader', async () => {
    const options = { terminal: 80, env: { NO_COLOR: '1', ACCESSIBLE: '1' } };
    const { stdout } = await here.svc(['absences', 'calendar', '2026-12', ...BRANCH], options);
    expect(stdout).toContain(`Absences in December 2026

Person: Bo;`);
    expect(stdout).toContain(`Away: Fri 2026-12-11 from 13:00, parental, requested

Person: Mira Jansen
Away: Wed 2026-12-16, special, requested
Away: Fri 2026-12-18 to Tue 2026-12-22, special, requested
Away: Mon 2026-12-21 to Thu 2026-12-31, vacation

Person: Nina Null
Away: Mon 2026-12-07, unpaid

Person: Tom Part
Away: Tue 2026-12-01 to Thu 2026-12-31, sick, no end is set

Holiday: 2026-12-25, Christmas Day
Holiday: 2026-12-26, Boxing Day
`);
  });

  it('prints a notice when nobody is away', async () => {
    const { stdout, stderr } = await here.svc(['absences', 'calendar', '2024-05'], { terminal: 80 });
    expect(stdout).toContain('Nobody is away.');
    expect(stderr).toContain('Nobody whom you have permission to see is away in May 2024.');
  });
});

/** An event as both parsers have it: days as `2026-12-07`, moments as `2026-12-07T12:00:00Z`. */
interface Event {
  readonly uid: string;
  readonly summary: string;
  readonly description: string | null;
  readonly start: string;
  readonly end: string;
  readonly status: string | null;
}

function byIcalJs(text: string): Event[] {
  const root = new ICAL.Component(ICAL.parse(text));
  return root.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const at = (time: ICAL.Time) => (time.isDate ? time.toString() : `${new Date(time.toUnixTime() * 1000).toISOString().slice(0, 19)}Z`);
    const value = (name: string) => (component.getFirstPropertyValue(name) as string | null) ?? null;
    return {
      uid: event.uid,
      summary: event.summary,
      description: value('description'),
      start: at(event.startDate),
      end: at(event.endDate),
      status: value('status'),
    };
  });
}

function byTsIcs(text: string): Event[] {
  const { events = [] } = convertIcsCalendar(undefined, text);
  return events.map(({ uid, summary, description, start, end, status }) => {
    const at = (time: typeof start | null | undefined) =>
      time == null ? '' : time.type === 'DATE' ? time.date.toISOString().slice(0, 10) : `${time.date.toISOString().slice(0, 19)}Z`;
    return { uid, summary, description: description ?? null, start: at(start), end: at(end), status: status ?? null };
  });
}

describe('svc absences calendar --ics', () => {
  const written = async (...words: string[]) => {
    const file = join(here.home, 'away.ics');
    const { code, stdout, stderr } = await calendar(...words, '--ics', file);
    expect([code, stdout], stderr).toEqual([0, '']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    return readFile(file, 'utf8');
  };
  const idOf = (user: number, start: string) =>
    here.sandbox.rows('absences').find((row) => row['user_id'] === user && row['start'] === start)?.id;

  it('writes absences without their types, in a file that two parsers read in the same way', async () => {
    const text = await written('2026-11-01..2026-12-31', ...BRANCH);
    const host = new URL(here.sandbox.origin).host;
    const uid = (user: number, start: string) => `absence-${idOf(user, start)}@${host}`;
    const events = byIcalJs(text);
    expect(byTsIcs(text)).toEqual(events);
    const none = { description: null };
    const mira = 'Mira Jansen away';
    expect(events.filter(({ summary }) => summary !== mira && !summary.startsWith('Bo'))).toEqual([
      // 7 December in Tokyo, wherever it is read.
      {
        ...none,
        uid: uid(here.nina, '2026-12-06T15:00:00Z'),
        summary: 'Nina Null away',
        start: '2026-12-07',
        end: '2026-12-08',
        status: 'CONFIRMED',
      },
      // Until the night after the fifth day, and over a change of clocks.
      {
        ...none,
        uid: uid(here.tom, '2026-10-30T04:00:00Z'),
        summary: 'Tom Part away',
        start: '2026-10-30',
        end: '2026-11-04',
        status: 'CONFIRMED',
      },
      {
        uid: uid(here.tom, '2026-11-12T18:00:00Z'),
        summary: 'Tom Part away',
        description: 'The absence has no end. This file shows the absence until 2026-12-31.',
        start: '2026-11-12T18:00:00Z',
        end: '2027-01-01T05:00:00Z',
        status: 'CONFIRMED',
      },
    ]);
    expect(events.filter(({ summary }) => summary === mira).map(({ start, end, status }) => [start, end, status])).toEqual([
      ['2026-11-08T23:00:00Z', '2026-11-09T12:00:00Z', 'CONFIRMED'],
      ['2026-12-16', '2026-12-17', 'TENTATIVE'],
      ['2026-12-18', '2026-12-23', 'TENTATIVE'],
      ['2026-12-21', '2027-01-06', 'CONFIRMED'],
    ]);
    expect(events.find(({ summary }) => summary.startsWith('Bo'))?.summary).toBe(`${HOSTILE.replace('\u202e', '\\u202e')} away`);
    expect(text).not.toMatch(/vacation|sick|special|parental|unpaid/);
    expect(text.match(/TRANSP:TRANSPARENT/g)?.length).toBe(events.length);
    expect(text).toContain('DTSTAMP:20261116T100000Z\r\n');
  });

  it('writes lines of at most 75 octets with CRLF, and the same ids in another file', async () => {
    const text = await written('2026-12', ...BRANCH);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\u202e]/);
    const lines = text.split('\r\n');
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(lines.some((line) => line.startsWith(' '))).toBe(true);
    expect(text.isWellFormed()).toBe(true);
    // The same absences have the same ids a second time.
    const again = await written('2026-12', ...BRANCH);
    expect(byIcalJs(again).map(({ uid }) => uid)).toEqual(byIcalJs(text).map(({ uid }) => uid));
  });

  it('escapes names, and replaces line breaks in names with spaces', async () => {
    const text = await written('2026-12', ...BRANCH);
    expect(text.replaceAll('\r\n ', '')).toContain('\r\nSUMMARY:Bo\\; "B"\\, \\\\ <b>山田');
    const server = await startHttpServer();
    server.fallback((request, response, socket) => {
      const isAbsences = request.path.endsWith('/absences') && !request.query.has('filter[end][null]');
      const absence = { id: 3, user_id: 7, start: '2026-12-07', end: '2026-12-08', type: 'x' };
      const user = { id: 7, name: `Eve\r\nATTENDEE:mailto:x\nDTEND:1\u2028${'€'.repeat(100)}`, timezone: 'Europe/Amsterdam' };
      const data = isAbsences ? [absence] : request.path.endsWith('/users') ? [user] : [];
      return json(200, { data, meta: { page: {} }, links: { next: null } })(request, response, socket);
    });
    const file = join(here.home, 'eve.ics');
    const page = join(here.home, 'eve.html');
    const options = { env: { SVC_HOST: new URL(server.origin).host, SVC_TOKEN: 'abc' } };
    const { code, stdout, stderr } = await here.svc(['absences', 'calendar', '2026-12', '--ics', file, '--html', page], options);
    expect([code, stdout], stderr).toEqual([0, '']);
    expect(stderr).toContain(`Written: ${page}\nWritten: ${file}\n`);
    const read = await readFile(file, 'utf8');
    expect(byIcalJs(read).map(({ summary }) => summary)).toEqual([`Eve ATTENDEE:mailto:x DTEND:1 ${'€'.repeat(100)} away`]);
    for (const line of read.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(byTsIcs(read)).toEqual(byIcalJs(read));
    await server.close();
  });

  it('shows the types with --types', async () => {
    const events = byIcalJs(await written('2026-12-07', '--user', 'Nina Null', '--types'));
    expect(events.map(({ summary }) => summary)).toEqual(['Nina Null away (unpaid)']);
  });

  it('names in the description a day that the absence possibly includes', async () => {
    await turned({ wholeDayEnd: 'next-midnight' }, async () => {
      const [event] = byIcalJs(await written('2025-03-31', '--user', 'me'));
      expect(event).toMatchObject({ start: '2025-03-29', end: '2025-04-01' });
      expect(event?.description).toBe('svc does not know whether the absence includes 2025-04-01. This day is not shown here.');
    });
  });
});
