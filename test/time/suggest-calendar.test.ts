import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PinnedSandbox, signInAt } from './support.ts';

const file = (name: string) => fileURLToPath(new URL(`calendars/${name}.ics`, import.meta.url));

/** The Saturday after the week in which Amsterdam’s clocks went forward, on Sunday 2031-03-30. */
const NOW = Date.parse('2031-04-05T10:00:00Z');

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-05T10:00:00Z');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const suggest = (calendar: string, args: readonly string[], options: object = {}) =>
  here.svc(['worklogs', 'suggest', '--calendar', calendar, '--target', '8h', '--author', 'sanne@example.com', ...args], {
    now: NOW,
    ...options,
  });

interface Row {
  readonly date: string;
  readonly minutes: number;
  readonly description: string;
  readonly meeting_started_at: string;
  readonly work_item_id: number | null;
}

const rows = (stdout: string) =>
  (JSON.parse(stdout) as readonly Row[]).map(({ date, minutes, description, meeting_started_at: at }) => [
    date.slice(5),
    minutes,
    description,
    at.slice(5, 16),
  ]);

describe('svc worklogs suggest --calendar', () => {
  it('proposes the meetings of a week from a Google export', async () => {
    const { code, stdout, stderr } = await suggest(file('google'), ['2031-03-31', '--week']);
    expect(code, stderr).toBe(0);
    expect(rows(stdout)).toEqual([
      // 9:30 in summer time is 7:30 in UTC; 9:00 in New York, summer since 9 March, is 13:00.
      ['03-31', 15, 'Stand-up', '03-31T07:30'],
      ['03-31', 30, 'Customer call', '03-31T13:00'],
      // The planning of this Tuesday was moved, and Wednesday’s stand-up taken out.
      ['04-01', 60, 'Interview, second round', '04-01T12:00'],
      // No zone: 16:00 where the user is.
      ['04-02', 30, 'Wherever I am', '04-02T14:00'],
      // 14:00 to 15:30; then 15:00 to 16:00 from 15:30 on.
      ['04-03', 90, 'Planning', '04-03T12:00'],
      ['04-03', 30, 'Review', '04-03T13:00'],
    ]);
    expect((JSON.parse(stdout) as readonly Row[]).map((row) => row.work_item_id)).toEqual([null, null, null, null, 5, null]);
    expect(stderr).toContain('Left out of the calendar: 1 declined, 1 all-day, 1 cancelled, 1 shown as free, 1 within another meeting.');
    expect(stderr).toContain('To log 6 entries, 4h15 in all, run the same command with --yes.');
  });

  it('leaves out the excluded days and times of a series, and keeps meetings at other times', async () => {
    const lines = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test'],
      ...['BEGIN:VEVENT', 'UID:a', 'DTSTART:20310331T080000Z', 'DTEND:20310331T083000Z', 'RRULE:FREQ=DAILY;COUNT=4'],
      ...['EXDATE;VALUE=DATE:20310401', 'EXDATE:20310402T090000Z,20310403T080000Z', 'SUMMARY:Series', 'END:VEVENT', 'END:VCALENDAR'],
    ];
    const path = join(here.home, 'excluded.ics');
    await writeFile(path, lines.join('\r\n'));
    const { stdout } = await suggest(path, ['2031-03-31', '--week']);
    expect(rows(stdout).map(([day]) => day)).toEqual(['03-31', '04-02']);
  });

  it('proposes meetings at their local times in the week before a clock change', async () => {
    const { stdout } = await suggest(file('google'), ['2031-03-24', '--week']);
    expect(rows(stdout)).toEqual([
      ['03-24', 15, 'Stand-up', '03-24T08:30'],
      // New York has summer time, Amsterdam not yet: an hour earlier there.
      ['03-24', 30, 'Customer call', '03-24T13:00'],
      ['03-25', 60, 'Planning', '03-25T09:00'],
      ['03-26', 15, 'Stand-up', '03-26T08:30'],
    ]);
  });

  it('reads the time zones, UTC ends, absences and night events of an export of Outlook', async () => {
    const { code, stdout, stderr } = await suggest(file('outlook'), ['2031-03-31', '--week']);
    expect(code, stderr).toBe(0);
    expect(rows(stdout)).toEqual([
      ['04-02', 30, 'Where is that?', '04-02T07:00'],
      ['04-03', 30, 'Release', '04-03T21:30'],
      ['04-04', 45, 'Release', '04-03T21:30'],
      // The last one: its rule ends at this very moment.
      ['04-04', 60, "Week's end", '04-04T14:00'],
    ]);
    expect(stderr).toContain('The calendar does not define its time zone "Nowhere Standard Time", so svc uses your time zone.');
    expect(stderr).toContain('1 out of office');
    const before = await suggest(file('outlook'), ['2031-03-28']);
    expect(rows(before.stdout)).toEqual([['03-28', 60, "Week's end", '03-28T15:00']]);
    const after = await suggest(file('outlook'), ['2031-04-11'], { now: NOW + 14 * 86_400_000 });
    expect(after).toMatchObject({
      stdout: '[]\n',
      stderr: expect.stringContaining('8h are missing, and svc found no meetings for this time.'),
    });
  });

  it('fills only missing hours, without existing entries and future meetings', async () => {
    // Of 8 hours 7h40 are there, 15 minutes of them for the stand-up: 20 of 30 minutes are left to propose.
    const day = ['--date', '2031-03-31'];
    await here.svc(['worklogs', 'add', '--minutes', '445', '--description', 'Other', ...day]);
    await here.svc(['worklogs', 'add', '--minutes', '15', '--description', 'Stand-up', ...day]);
    const { stdout, stderr } = await suggest(file('google'), ['2031-03-31']);
    expect(rows(stdout)).toEqual([['03-31', 20, 'Customer call', '03-31T13:00']]);
    expect(stderr).toContain('Left out of the calendar: 1 logged already.');
    // At 14:45 on Thursday the planning goes on.
    const early = await suggest(file('google'), ['2031-04-03'], { now: Date.parse('2031-04-03T12:44:00Z') });
    expect(early.stderr).toContain('3 not over yet');
    expect(early.stderr).toContain('8h are missing');
  });

  it('proposes a meeting that ends now, and the shorter of two meetings first', async () => {
    const event = (uid: string, start: string, end: string) =>
      `BEGIN:VEVENT\nUID:${uid}\nDTSTART:20310403T${start}00Z\nDTEND:20310403T${end}00Z\nSUMMARY:${uid}\nEND:VEVENT\n`;
    const stdin = `BEGIN:VCALENDAR\n${event('Long', '0700', '0800')}${event('Short', '0700', '0730')}${event('Later', '0900', '0930')}END:VCALENDAR\n`;
    const at = (time: string, ...more: string[]) =>
      suggest('-', ['2031-04-03', ...more], { stdin, now: Date.parse(`2031-04-03T${time}:00Z`) });
    expect(rows((await at('09:29')).stdout).map(([, ...row]) => row)).toEqual([
      [30, 'Short', '04-03T07:00'],
      [30, 'Long', '04-03T07:00'],
    ]);
    expect(rows((await at('09:30')).stdout).map(([, minutes, text]) => [minutes, text])).toEqual([
      [30, 'Short'],
      [30, 'Long'],
      [30, 'Later'],
    ]);
    const full = await at('10:00', '--target', '1h');
    expect(rows(full.stdout).map(([, minutes, text]) => [minutes, text])).toEqual([
      [30, 'Short'],
      [30, 'Long'],
    ]);
    expect(full.stderr).toContain('Left out of the calendar: 1 on days without missing hours.\n');
  });

  it('logs an event only once with --yes, and exits 2 with --git outside a git repository', async () => {
    const first = await suggest(file('google'), ['2031-04-01', '--yes']);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('Logged: 1h on Tue 2031-04-01.');
    const second = await suggest(file('google'), ['2031-04-01', '--yes']);
    expect(second.stderr).toContain('1 logged already');
    expect(here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))).toEqual([
      { date: '2031-04-01', minutes: 60, description: 'Interview, second round' },
    ]);
    const both = await suggest(file('google'), ['2031-04-02', '--git']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('no git repository')]);
  });

  it.each([
    ['a word that only looks like a key', 'UTF-8 migration', { description: 'UTF-8 migration' }],
    ['nothing but a key', 'ABC-5', { work_item_id: 5 }],
    ['a key that begins another key', 'ABC-7, ABC-77 sync', { description: 'ABC-77 sync', work_item_id: 7 }],
  ])('logs an event again only after an undo, with %s in the title', async (_, title, fields) => {
    const stdin = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:${title}\nDTSTART:20310328T080000Z\nDURATION:PT30M\nSUMMARY:${title}\nEND:VEVENT\nEND:VCALENDAR\n`;
    // A token of one's own may delete, which undo does.
    const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '' };
    const options = { stdin, env, now: NOW };
    await suggest('-', ['2031-03-28', '--yes'], options);
    const { stderr } = await suggest('-', ['2031-03-28', '--yes'], options);
    expect(stderr).toContain('Left out of the calendar: 1 logged already.');
    const posted = () =>
      here.sandbox.requests
        .filter(({ method, path }) => method === 'POST' && path === '/api/v2/worklogs')
        .map(({ body }) => JSON.parse(body));
    expect(posted()).toEqual([{ date: '2031-03-28', minutes: 30, ...fields }]);
    // And again what was taken back, which the old key would not do.
    const undone = await here.svc(['undo', '--yes'], options);
    expect(undone.code, undone.stderr).toBe(0);
    const anew = await suggest('-', ['2031-03-28', '--yes'], options);
    expect(anew.stderr).toContain('Logged: 30m');
    expect((await suggest('-', ['2031-03-28'], options)).stderr).toContain('1 logged already');
  });

  it('reads standard input, and uses the new week of a moved meeting', async () => {
    const moved = [
      'BEGIN:VEVENT\nUID:m\nDTSTART:20310317T080000Z\nDTEND:20310317T090000Z\nRRULE:FREQ=WEEKLY\nSUMMARY:Weekly\nEND:VEVENT',
      // Of the week before, on a Wednesday now; and that of this Monday declined.
      'BEGIN:VEVENT\nUID:m\nRECURRENCE-ID:20310324T080000Z\nDTSTART:20310402T100000Z\nDTEND:20310402T103000Z\nSUMMARY:Weekly\nEND:VEVENT',
      'BEGIN:VEVENT\nUID:m\nRECURRENCE-ID:20310331T080000Z\nDTSTART:20310331T080000Z\nDTEND:20310331T090000Z\nATTENDEE;PARTSTAT=DECLINED:mailto:sanne@example.com\nSUMMARY:Weekly\nEND:VEVENT',
    ];
    const stdin = `BEGIN:VCALENDAR\n${moved.join('\n')}\nEND:VCALENDAR\n`;
    const { stdout, stderr } = await suggest('-', ['2031-03-31', '--week'], { stdin });
    expect(rows(stdout), stderr).toEqual([['04-02', 30, 'Weekly', '04-02T10:00']]);
    expect(stderr).toContain('Left out of the calendar: 1 declined.');
  });

  it('leaves out the occurrences after an event that changes all later occurrences, and reports the event', async () => {
    const both = [
      'BEGIN:VEVENT\nUID:f\nDTSTART:20310303T080000Z\nDTEND:20310303T090000Z\nRRULE:FREQ=DAILY\nSUMMARY:Daily\nEND:VEVENT',
      'BEGIN:VEVENT\nUID:f\nRECURRENCE-ID;RANGE=THISANDFUTURE:20310402T080000Z\nDTSTART:20310402T100000Z\nDTEND:20310402T103000Z\nSUMMARY:Daily\nEND:VEVENT',
    ];
    const stdin = `BEGIN:VCALENDAR\n${both.join('\n')}\nEND:VCALENDAR\n`;
    const said =
      'svc left out the later occurrences of "Daily". An event changes all later occurrences, and svc does not support such an event.';
    const { stdout, stderr } = await suggest('-', ['2031-04-02', '--week'], { stdin });
    expect(rows(stdout).filter(([day]) => day !== '03-31' && day !== '04-01')).toEqual([['04-02', 30, 'Daily', '04-02T10:00']]);
    expect(stderr).toContain(said);
    expect((await suggest('-', ['2031-03-27'], { stdin })).stderr).not.toContain(said);
  });

  it('recognises declined meetings by the e-mail address of your user record', async () => {
    const { email } = JSON.parse((await here.svc(['me'])).stdout) as { readonly email: string };
    const event = `BEGIN:VEVENT\nUID:a\nDTSTART:20310401T080000Z\nDTEND:20310401T090000Z\nSUMMARY:No\nATTENDEE;PARTSTAT=DECLINED:mailto:${email}\nEND:VEVENT`;
    const path = join(here.home, 'own.ics');
    await writeFile(path, `\uFEFFBEGIN:VCALENDAR\n${event}\nEND:VCALENDAR\n`);
    const { stderr } = await here.svc(['worklogs', 'suggest', '--calendar', path, '2031-04-01', '--target', '8h'], { now: NOW });
    expect(stderr).toContain('1 declined');
  });
});

describe('a hostile calendar', () => {
  const event = (rule: string, start = '19700101T080000') =>
    `BEGIN:VEVENT\nUID:${rule}\nDTSTART:${start}\nDURATION:PT15M\nSUMMARY:${rule}\nRRULE:${rule}\nEND:VEVENT\n`;
  const read = async (body: string) => {
    const path = join(here.home, 'ill.ics');
    await writeFile(path, `BEGIN:VCALENDAR\nVERSION:2.0\n${body}END:VCALENDAR\n`);
    return suggest(path, ['2031-04-02']);
  };

  it.each([
    ['days that never occur', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
    ['hours that never occur', 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30'],
    ['every second without an end', 'FREQ=SECONDLY'],
    ['a month without that day', 'FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31'],
    ['a year without that day', 'FREQ=YEARLY;BYMONTH=4;BYDAY=1MO;BYMONTHDAY=15'],
    ['a count above every limit', 'FREQ=DAILY;BYDAY=MO;COUNT=999999999'],
    ['weeks above every limit', 'FREQ=WEEKLY;INTERVAL=999999999;BYDAY=MO'],
    ['days above every limit', 'FREQ=DAILY;INTERVAL=99999999'],
    // In no year is this Wednesday in week 53.
    ['weeks by their number', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=WE'],
  ])('lets svc read the other events, for a rule with %s', async (_, rule) => {
    const { code, stdout, stderr } = await read(event(rule) + event('FREQ=DAILY', '20310101T120000'));
    expect(code, stderr).toBe(0);
    expect(rows(stdout)).toEqual([['04-02', 15, 'FREQ=DAILY', '04-02T10:00']]);
  });

  it.each([
    // Wednesday 2 April 2031 is 11,414 days, so every second day, after 1 January 2000.
    ['every second day', 'FREQ=DAILY;INTERVAL=2', '20000101T080000', 1],
    ['every other second day', 'FREQ=DAILY;INTERVAL=2', '20000102T080000', 0],
    // And 1,630 weeks after Wednesday 5 January 2000: of every second week, but not of every third (3 × 543 is 1,629).
    ['every second week', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', '20000103T080000', 1],
    ['every third week', 'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,WE', '20000103T080000', 0],
    ['the first Wednesday', 'FREQ=MONTHLY;BYDAY=1WE', '20000105T080000', 1],
    ['the last Wednesday', 'FREQ=MONTHLY;BYDAY=-1WE', '20000126T080000', 0],
    ['each year', 'FREQ=YEARLY', '20000402T080000', 1],
    ['six times on Wednesdays', 'FREQ=WEEKLY;COUNT=6', '20310226T080000', 1],
    ['five times', 'FREQ=WEEKLY;COUNT=5', '20310226T080000', 0],
    ['until the day itself', 'FREQ=WEEKLY;UNTIL=20310402', '20310226T080000', 1],
    ['until the day before', 'FREQ=WEEKLY;UNTIL=20310401', '20310226T080000', 0],
  ])('has a meeting on 2 April 2031 only if the rule “%s” includes that day', async (_, rule, start, count) => {
    const { code, stdout, stderr } = await read(event(rule, start));
    expect(code, stderr).toBe(0);
    expect(stdout === '' ? [] : rows(stdout)).toHaveLength(count);
  });

  it('lets svc read a meeting beside 300 long rules, which svc reports', async () => {
    const zone = `BEGIN:VTIMEZONE\nTZID:Ill\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\nEND:STANDARD\nEND:VTIMEZONE\n`;
    const there = 'BEGIN:VEVENT\nUID:z\nDTSTART;TZID=Ill:20310402T090000\nDURATION:PT1H\nSUMMARY:There\nEND:VEVENT\n';
    const { code, stdout, stderr } = await read(zone + there + event('FREQ=DAILY;BYDAY=MO;COUNT=999999999').repeat(300));
    expect(code, stderr).toBe(0);
    expect(rows(stdout)).toEqual([['04-02', 60, 'There', '04-02T07:00']]);
    expect(stderr).toContain('svc left out "FREQ=DAILY;BYDAY=MO;COUNT=999999999", because svc cannot read the repetition rule.');
  });

  it('makes svc report a time zone with very rare changes as undefined', async () => {
    const rule = 'FREQ=YEARLY;INTERVAL=999999999;BYMONTH=2;BYDAY=1MO';
    const zone = `BEGIN:VTIMEZONE\nTZID:Ages\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:${rule}\nEND:STANDARD\nEND:VTIMEZONE\n`;
    const time = 'TZID=Ages:20310402T090000';
    const { code, stderr } = await read(
      `${zone}BEGIN:VEVENT\nUID:z\nRECURRENCE-ID;${time}\nDTSTART;${time}\nDURATION:PT1H\nSUMMARY:Z\nEND:VEVENT\n`,
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('The calendar does not define its time zone "Ages", so svc uses your time zone.');
  });

  it.each([
    ['text that is not a calendar', 'id,name\n1,x\n', 'it does not begin with BEGIN:VCALENDAR'],
    ['a truncated calendar', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART', 'the file is not a calendar'],
  ])('is refused if the file is %s', async (_, text, said) => {
    const path = join(here.home, 'not.ics');
    await writeFile(path, text);
    expect(await suggest(path, ['2031-04-02'])).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });

  it('is not read when too large, or when the path is not a file', async () => {
    const path = join(here.home, 'large.ics');
    await writeFile(path, 'x'.repeat(8 * 1024 * 1024 + 1));
    for (const name of [path, here.home, join(here.home, 'nosuch.ics')]) expect((await suggest(name, ['2031-04-02'])).code).toBe(2);
  });
});
