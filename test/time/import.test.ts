import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { dateReader, recogniseExport, wholeMinutes } from '../../src/time/exports.ts';
import { type Still, standStill } from './support.ts';

const TOGGL = 'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)';
const CLOCKIFY =
  'Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD),Billable Amount (USD)';
const HARVEST =
  'Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,Invoiced?,Approved?,First Name,Last Name,Employee Id,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL';

let here: Still;
beforeAll(async () => {
  here = await standStill('2026-06-05T10:00:00Z');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

async function importText(text: string, ...flags: readonly string[]) {
  const file = join(here.home, `import-${Math.random().toString(36).slice(2)}.csv`);
  await writeFile(file, text);
  const result = await here.svc(['worklogs', 'import', file, ...flags]);
  return { ...result, file };
}

/** The bodies of the POSTs that went out. */
function posted(): Record<string, unknown>[] {
  return here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

describe('an export of Toggl Track', () => {
  it('of 300 lines becomes 300 entries, once, also when it is run twice', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => {
      const day = `2031-03-${String((index % 28) + 1).padStart(2, '0')}`;
      const project = ['Web shop', 'Internal', 'Aurora: billing and change'][index % 3];
      const text = index % 3 === 2 ? `"ABC-${(index % 12) + 1} Work, ""quoted"""` : `Work ${index}`;
      return `Sanne,sanne@example.com,,${project},,${text},${index % 2 ? 'Yes' : 'No'},${day},09:00:00,${day},10:00:00,01:${String(index % 60).padStart(2, '0')}:00,,`;
    });
    const first = await importText([TOGGL, ...lines].join('\n'), '-o', 'ids');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain(
      'An export of Toggl Track: 300 rows, 2031-03-01 to 2031-03-28, 447h30 in all, on 4 work items and 3 projects.',
    );
    const again = await here.svc(['worklogs', 'import', first.file]);
    expect(again.code, again.stderr).toBe(0);
    const there = await here.svc(['worklogs', 'list', '--from', '2031-03-01', '--to', '2031-03-31', '-o', 'ndjson']);
    const entries = there.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { minutes: number });
    expect(entries).toHaveLength(300);
    expect(entries.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(447 * 60 + 30);
  });

  it('keeps project, work item, text, and what is not billable', async () => {
    const { code, stderr } = await importText(
      [
        TOGGL,
        'Sanne,s@x.example,,Web shop,,Plain,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:30:00,,',
        'Sanne,s@x.example,,2,,By id,No,2031-01-02,09:00:00,2031-01-02,10:30:00,0:20:29,,',
        'Sanne,s@x.example,,WEB,,By key,No,2031-01-03,09:00:00,2031-01-02,10:30:00,0:00:10,,',
        'Sanne,s@x.example,,,ABC-5 Anything,Text,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,,',
        'Sanne,s@x.example,,,,Text,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,"ABC-7, other",',
        'Sanne,s@x.example,,,,ABC-3 blocked by ABC-4,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,,',
        'Sanne,s@x.example,,Web shop,Design,Screens in UTF-8,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,,',
      ].join('\n'),
    );
    expect(code, stderr).toBe(0);
    const date = '2031-01-02';
    expect(posted()).toEqual([
      { date, minutes: 90, description: 'Plain', project_id: 2 },
      { date, minutes: 20, description: 'By id', project_id: 2, is_not_billable: true },
      { date: '2031-01-03', minutes: 1, description: 'By key', project_id: 2, is_not_billable: true },
      { date, minutes: 60, description: 'Text', work_item_id: 5 },
      { date, minutes: 60, description: 'Text', work_item_id: 7 },
      { date, minutes: 60, description: 'ABC-3 blocked by ABC-4', work_item_id: 3 },
      { date, minutes: 60, description: 'Design: Screens in UTF-8', project_id: 2 },
    ]);
    expect(stderr).toContain('All rows are of s@x.example, and are logged as yours.');
    expect(stderr).toContain('Rounded to whole minutes: 2 rows.');
    expect(stderr).toContain('Tasks that are no work item here stand before the text instead: Design (1).');
  });

  it('finds a work item by its exact name', async () => {
    const item = await here.plant('/work-items', { title: 'Polish the brass', project_id: 2 });
    here.sandbox.requests.length = 0;
    await importText([TOGGL, 'S,s@x.example,,Web shop,Polish the brass,x,Yes,2031-01-02,,,,01:00:00,,'].join('\n'));
    expect(posted()).toEqual([{ date: '2031-01-02', minutes: 60, description: 'x', work_item_id: item }]);
  });
});

test('an export of Clockify, with its dates and the people it is of', async () => {
  const { code, stderr } = await importText(
    [
      CLOCKIFY,
      'Web shop,,Plan,,Sanne de Vries,,SANNE@example.com,,Yes,03/31/2031,09:00:00 AM,03/31/2031,10:00:00 AM,01:00:00,1.00,,',
      'Internal,,Talk,,Zoë Müller-Lüdenscheidt,,nobody@example.com,,No,04/01/2031,09:00:00 AM,04/01/2031,10:15:00 AM,01:15:00,1.25,,',
    ].join('\n'),
  );
  expect(code, stderr).toBe(0);
  expect(posted()).toEqual([
    { date: '2031-03-31', minutes: 60, description: 'Plan', project_id: 2, user_id: 1 },
    { date: '2031-04-01', minutes: 75, description: 'Talk', project_id: 8, user_id: 3, is_not_billable: true },
  ]);
});

test('an export of Harvest', async () => {
  const { code, stderr } = await importText(
    [
      HARVEST,
      '2031-03-31,Acme,Web shop,ABC-5,Development,Login,1.5,1.5,Yes,No,No,Sanne,de Vries,,,Yes,,,,,Euro - EUR,',
      '2031-04-01,Acme,Internal,,Meeting,,0.33,0.33,No,No,No,Sanne,de Vries,,,Yes,,,,,Euro - EUR,',
    ].join('\n'),
    '--map',
    'Web shop=1',
  );
  expect(code, stderr).toBe(0);
  expect(posted()).toEqual([
    { date: '2031-03-31', minutes: 90, description: 'Login', work_item_id: 5 },
    { date: '2031-04-01', minutes: 20, description: 'Meeting', project_id: 8, is_not_billable: true },
  ]);
});

test('svc’s own columns, with names where there are no ids', async () => {
  const { code, stderr } = await importText(
    'date,duration,project,work_item,description\n2031-01-02,1h30,Web shop,,One\n2031-01-03,2h,,ABC-5,Two\n',
  );
  expect(code, stderr).toBe(0);
  expect(posted()).toEqual([
    { date: '2031-01-02', description: 'One', project_id: 2, minutes: 90 },
    { date: '2031-01-03', description: 'Two', minutes: 120, work_item_id: 5 },
  ]);
});

describe('what is unclear is listed before anything is sent', () => {
  const row = (project: string, text: string, date = '2031-01-02', duration = '01:00:00', task = '') =>
    `S,s@x.example,,${project},${task},${text},Yes,${date},,,,${duration},,`;

  it('each thing once, with its lines', async () => {
    await here.plant('/projects', { name: 'Twin' });
    await here.plant('/projects', { name: 'Twin' });
    here.sandbox.requests.length = 0;
    const { code, stderr, file } = await importText(
      [
        TOGGL,
        row('Nowhere', 'a'),
        row('Nowhere', 'b'),
        row('Twin', 'c'),
        row('', 'about ABC-1 and ABC-2'),
        row('Web shop', 'ABC-5'),
        row('', 'x', '2031-01-02', 'long'),
        row('', 'x', '2031-01-02', '00:00:00'),
        row('Web shop', 'fine'),
      ].join('\n'),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('7 of 8 rows cannot be sent, so nothing was.');
    for (const words of [
      'lines 2 and 3: there is no project "Nowhere".',
      /line 4: "Twin" could be project \d+ or \d+\./,
      'line 5: its description names ABC-1 and ABC-2, and an entry belongs to one.',
      'line 6: work item 5 belongs to project 1, and the row says "Web shop" (2).',
      'line 7: "long" is not a duration.',
      'line 8: there is no time in it.',
    ])
      expect(stderr).toMatch(words);
    expect(posted()).toEqual([]);
    expect(await readFile(`${file}.svc-journal`, 'utf8').catch(() => 'none')).toBe('none');
  });

  it('a project can be named by hand', async () => {
    await importText([TOGGL, row('Nowhere', 'a')].join('\n'), '--map', 'Nowhere=3');
    expect(posted()).toMatchObject([{ project_id: 3 }]);
  });

  it('dates that could be read in two ways, unless somebody says which', async () => {
    const lines = [TOGGL, row('', 'a', '03/04/2031'), row('', 'b', '05/05/2031')].join('\n');
    const { code, stderr } = await importText(lines);
    expect(code).toBe(2);
    expect(stderr).toContain('"03/04/2031" could be 2031-04-03 or 2031-03-04');
    await importText(lines, '--date-order', 'dmy');
    expect(posted().map(({ date }) => date)).toEqual(['2031-04-03', '2031-05-05']);
  });

  it('people who are nobody here', async () => {
    const { code, stderr } = await importText([TOGGL, row('', 'a'), 'Nemo,nemo@x.example,,,,b,Yes,2031-01-02,,,,01:00:00,,'].join('\n'));
    expect(code).toBe(2);
    expect(stderr).toContain('nemo@x.example: no user has this address or name');
    expect(posted()).toEqual([]);
  });

  it('a dry run says the same and sends nothing', async () => {
    const { code, stdout } = await importText([TOGGL, row('Web shop', 'ABC-30 x')].join('\n'), '--dry-run');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ method: 'POST', body: { date: '2031-01-02', minutes: 60, project_id: 2 } }]);
    expect(posted()).toEqual([]);
  });
});

describe('dates of a file', () => {
  const dates = fc.array(
    fc
      .date({ min: new Date('2000-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    { minLength: 1 },
  );
  const parts = (date: string) => date.split('-') as [string, string, string];

  test('are read as they were written, or refused, never swapped', () => {
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

  test.each(['31/02/2031', '2031-13-01', 'soon', '1/2/31', '', '2031/1-2'])('%j is no date', (text) => {
    expect(() => dateReader([text])(text)).toThrow(UsageError);
  });
});

describe('columns', () => {
  test.each([
    [TOGGL, 'Toggl Track'],
    [CLOCKIFY, 'Clockify'],
    [HARVEST, 'Harvest'],
    ['Description,Start date,Duration', 'Toggl Track'],
    ['date,minutes,description', undefined],
    ['Date,Hours', undefined],
  ])('%s', (header, kind) => {
    expect(recogniseExport(header.split(','))?.kind).toBe(kind);
  });

  test.each([
    ['01:30:00', 5400],
    ['0:00:29', 29],
    ['47:06 min', 2826],
    ['0.79 h', 2844],
    ['1.5', 5400],
    ['1,5', 5400],
    ['1:30', 5400],
  ])('the duration %s is %i seconds', (Duration, seconds) => {
    expect(recogniseExport(['Start date', 'Duration'])?.read({ Duration }).seconds).toBe(seconds);
  });

  test.each([
    [0, 0],
    [1, 1],
    [29, 1],
    [89, 1],
    [90, 2],
    [5400, 90],
  ])('%i seconds are %i minutes', (seconds, minutes) => {
    expect(wholeMinutes(seconds)).toBe(minutes);
  });
});
