import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { dateReader } from '../../src/time/exports/dates.ts';
import { readDuration, wholeMinutes } from '../../src/time/exports/duration.ts';
import { recogniseExport } from '../../src/time/exports/recognise.ts';
import { CLOCKIFY, HARVEST, importInto, inAnyOrder, postedTo, TOGGL } from './importing.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-05T10:00:00Z');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

const importText = (text: string, ...flags: readonly string[]) => importInto(here, text, ...flags);
const posted = () => postedTo(here);

describe('an import from another program', () => {
  const me = (rest: object) => ({ date: '2031-03-31', ...rest });

  it('reads the documented columns of Tempo', async () => {
    const { code, stderr } = await importText(
      [
        'Issue Key,Issue summary,Hours,Work date,Username,Full name,Period,Account Key,Project Key,Work Description,Billed Hours',
        'ABC-5,Login,1.5,2031-03-31 09:00,sdevries,Sanne de Vries,0331,ACME,,Reset the password,1.5',
        'ABC-7,Logout,2,2031-03-31 11:00,sdevries,Sanne de Vries,0331,ACME,,,0',
        'ABC-7,Logout,2,2031-03-31 13:00,sdevries,Sanne de Vries,0331,ACME,,Half,1',
      ].join('\n'),
    );
    expect(code, stderr).toBe(0);
    expect(inAnyOrder(posted())).toEqual(
      inAnyOrder([
        me({ minutes: 90, description: 'Reset the password', work_item_id: 5 }),
        me({ minutes: 120, description: 'Logout', work_item_id: 7, is_not_billable: true }),
        me({ minutes: 120, description: 'Half', work_item_id: 7 }),
      ]),
    );
    expect(stderr).toContain('svc logs these rows in full (billed hours differ from worked hours): line 4.');
  });

  it('reads an export of Kimai, and leaves out exported rows with --invoiced skip', async () => {
    const { code, stderr } = await importText(
      [
        'Date,From,To,Duration,Username,Customer,Project,Activity,Description,Exported,Billable,Tags',
        '2031-03-31,09:00,10:30,01:30,Sanne de Vries,Acme,Web shop,Design,Screens,No,No,',
        '2031-03-31,11:00,12:00,"1,0",Sanne de Vries,Acme,Web shop,Design,Old,Yes,Yes,',
      ].join('\n'),
      '--invoiced',
      'skip',
    );
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([me({ minutes: 90, description: 'Design: Screens', project_id: 2, is_not_billable: true })]);
  });

  it('reads days and a tagged project from Timewarrior, and leaves out a running entry', async () => {
    const { code, stderr } = await importText(
      `[
{"id":3,"start":"20310330T221500Z","end":"20310330T230000Z","tags":["web shop","ABC-30"],"annotation":"Late work"},
{"id":2,"start":"20310331T090000Z","end":"20310331T100000Z","tags":["talk"]},
{"id":1,"start":"20310331T120000Z","tags":["talk"]}
]`,
    );
    expect(code, stderr).toBe(0);
    expect(posted()[0]).toEqual(me({ minutes: 45, description: 'Late work', project_id: 2 }));
    expect(posted()[1]).toEqual(me({ minutes: 60, description: 'talk' }));
    expect(stderr).toContain('Left out (still running): line 3.');
  });

  it('reads an export of Watson, as CSV and as JSON', async () => {
    const csv = await importText(
      'id,start,stop,project,tags\n1a2b3c4,2031-03-31 09:00:00,2031-03-31 10:30:00,Web shop,"plan, ABC-99999"\n',
    );
    expect(csv.code, csv.stderr).toBe(0);
    const json = await importText(
      JSON.stringify([
        { id: 'x', start: '2031-03-31T00:30:00+02:00', stop: '2031-03-31T01:00:00+02:00', project: 'Web shop', tags: ['plan'] },
      ]),
    );
    expect(json.code, json.stderr).toBe(0);
    expect(inAnyOrder(posted())).toEqual(
      inAnyOrder([
        me({ minutes: 90, description: 'plan, ABC-99999', project_id: 2 }),
        me({ minutes: 30, description: 'plan', project_id: 2 }),
      ]),
    );
  });

  const KLOG = `2031-03-31 (8h!)
A day at work
  1h30m Review #project="Web shop"
    of the whole thing
  11:00pm - 0:15>
  <23:30 - 0:10
  13:00 - ? Still at it
  0m

2031/04/01
\t2h ABC-5 Login
`;
  it('reads a klog file, as text', async () => {
    const { code, stderr } = await importText(KLOG);
    expect(code, stderr).toBe(0);
    expect(inAnyOrder(posted())).toEqual(
      inAnyOrder([
        me({ minutes: 90, description: 'Review #project="Web shop" of the whole thing', project_id: 2 }),
        me({ minutes: 75, description: 'A day at work' }),
        me({ minutes: 40, description: 'A day at work' }),
        { date: '2031-04-01', minutes: 120, description: 'ABC-5 Login', work_item_id: 5 },
      ]),
    );
    expect(stderr).toContain('Left out (still running): line 7.');
    expect(stderr).toContain('Left out (without any time): line 8.');
  });

  it('reads a klog export, as JSON', async () => {
    const entries = [
      { type: 'duration', summary: 'Review #web_shop', tags: ['#web_shop'], total: '1h', total_mins: 60 },
      { type: 'duration', summary: 'Lunch', tags: [], total: '-30m', total_mins: -30 },
    ];
    const records = [{ date: '2031-03-31', summary: '', total: '30m', total_mins: 30, entries }];
    const refused = await importText(JSON.stringify({ records, warnings: [], errors: null }, null, 2));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('line 2: column "total_mins": "-30" subtracts time');
    const { code, stderr } = await importText(JSON.stringify({ records: [{ ...records[0], entries: entries.slice(0, 1) }], errors: null }));
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([me({ minutes: 60, description: 'Review #web_shop' })]);
  });

  it.each(['2031-03-31\n  soon\n', '2031-03-31\n  1h\n\nhello\n', '2031-03-31\n  10:00 - 9:00\n'])(
    'exits 2 and names the unreadable line of the klog file %j',
    async (text) => {
      const { code, stderr } = await importText(text);
      expect(code).toBe(2);
      expect(stderr).toMatch(/svc cannot read line \d of the klog file/);
    },
  );
});

test('svc worklogs import shows in a dry run at a terminal the entry for each row', async () => {
  const file = join(here.home, 'shown.csv');
  await writeFile(
    file,
    'date,duration,project,work_item,description,Member\n2031-01-02,1h30,Web shop,,One,Olumide Adeyemi\n2031-01-03,2h,,ABC-5,Two,Sanne de Vries\n',
  );
  const { code, stdout, stderr } = await here.svc(['worklogs', 'import', file, '--dry-run'], { terminal: 140, env: { NO_COLOR: '1' } });
  expect(code, stderr).toBe(0);
  const [header, first, second] = stdout.split('\n');
  expect(
    header
      ?.toLowerCase()
      .replaceAll(/[^a-z]+/g, ' ')
      .trim(),
  ).toBe('date duration project work item person text line');
  expect(first).toMatch(/2031-01-02 +1h30 +Web shop \(2\) +.*Olumide Adeyemi \(2\) +One +2/);
  expect(second).toMatch(/2031-01-03 +2h +ABC-5 +you +Two +3/);
  expect(stderr).toContain('svc sent no write. Without --dry-run, svc sends 2 requests.');
  expect(posted()).toEqual([]);
});

describe('the dates of a file', () => {
  const dates = fc.array(
    fc
      .date({ min: new Date('2000-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    { minLength: 1 },
  );
  const parts = (date: string) => date.split('-') as [string, string, string];

  test('are read in the order of the file or refused, and never swapped', () => {
    fc.assert(
      fc.property(dates, fc.constantFrom('dmy', 'mdy', 'ymd'), fc.constantFrom('/', '-'), (days, order, mark) => {
        const write = (date: string) => {
          const [year, month, day] = parts(date);
          return (order === 'dmy' ? [day, month, year] : order === 'mdy' ? [month, day, year] : [year, month, day]).join(mark);
        };
        try {
          const read = dateReader(days.map(write));
          expect(days.map((day) => read(write(day)))).toEqual(days);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          // Refused only when no day of them all is beyond twelve.
          expect(order === 'ymd' || days.some((day) => Number(parts(day)[2]) > 12)).toBe(false);
        }
      }),
    );
  });

  test.each(['31/02/2031', '2031-13-01', 'soon', '1/2/31', '', '2031/1-2'])('are refused if a date is %j', (text) => {
    expect(() => dateReader([text])(text)).toThrow(UsageError);
  });
});

describe('the columns of a file', () => {
  test.each([
    [TOGGL, 'Toggl Track'],
    [CLOCKIFY, 'Clockify'],
    [HARVEST, 'Harvest'],
    ['Description,Start date,Duration', 'Toggl Track'],
    ['Member,Start date,Duration', 'Toggl Track'],
    ['ISSUE KEY,HOURS,WORK DATE', 'Tempo'],
    ['Date,Duration,Activity', 'Kimai'],
    ['id,start,stop,project,tags', 'Watson'],
    ['id,start,end,tags', 'Timewarrior'],
  ])('%s show that the program is %s', (header, kind) => {
    expect(recogniseExport(header.split(','))?.kind).toBe(kind);
  });

  test.each(['date,minutes,description', 'Date,Hours'])('%s show no program', (header) => {
    expect(recogniseExport(header.split(','))).toBeUndefined();
  });
});

describe('an import from another program', () => {
  test.each([
    ['01:30:00', 5400],
    ['0:00:29', 29],
    ['47:06 min', 2826],
    ['0.79 h', 2844],
    ['1.5', 5400],
    ['1,5', 5400],
    ['1:30', 5400],
    ['1h 30m', 5400],
  ])('reads the duration %s as %i seconds', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each(['', 'long', '-1', '3600', '1:75'])('refuses the duration %j', (text) => {
    expect(() => readDuration(text)).toThrow(UsageError);
  });

  test.each([
    [0, 0],
    [1, 1],
    [29, 1],
    [89, 1],
    [90, 2],
    [5400, 90],
  ])('rounds %i seconds to %i minutes', (seconds, minutes) => {
    expect(wholeMinutes(seconds)).toBe(minutes);
  });
});
