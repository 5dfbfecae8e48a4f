import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
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

describe('an export of Toggl Track', () => {
  it('becomes 300 entries for 300 lines, and a second import adds none', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => {
      const day = `2031-03-${String((index % 28) + 1).padStart(2, '0')}`;
      const project = ['Web shop', 'Internal', 'Aurora: billing and change'][index % 3];
      const text = index % 3 === 2 ? `"ABC-${(index % 12) + 1} Work, ""quoted"""` : `Work ${index}`;
      return `Sanne de Vries,sanne@example.com,,${project},,${text},${index % 2 ? 'Yes' : 'No'},${day},09:00:00,${day},10:00:00,01:${String(index % 60).padStart(2, '0')}:00,,`;
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

  it('keeps the project, work item, description and billable flag', async () => {
    const { code, stderr } = await importText(
      [
        TOGGL,
        'Sanne de Vries,sanne@example.com,,Web shop,,Plain,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:30:00,,',
        'Sanne de Vries,sanne@example.com,,2,,By id,No,2031-01-02,09:00:00,2031-01-02,10:30:00,0:20:29,,',
        'Sanne de Vries,sanne@example.com,,WEB,,By key,No,2031-01-03,09:00:00,2031-01-02,10:30:00,0:00:10,,',
        'Sanne de Vries,sanne@example.com,,,ABC-5 Anything,Text,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,,',
        'Sanne de Vries,sanne@example.com,,,,Text,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,"ABC-7, other",',
        'Sanne de Vries,sanne@example.com,,,,ABC-3 blocked by ABC-4,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,,',
        'Sanne de Vries,sanne@example.com,,Web shop,Design,Screens in UTF-8,Yes,2031-01-02,09:00:00,2031-01-02,10:30:00,01:00:00,,',
      ].join('\n'),
    );
    expect(code, stderr).toBe(0);
    const date = '2031-01-02';
    expect(inAnyOrder(posted())).toEqual(
      inAnyOrder([
        { date, minutes: 90, description: 'Plain', project_id: 2 },
        { date, minutes: 20, description: 'By id', project_id: 2, is_not_billable: true },
        { date: '2031-01-03', minutes: 1, description: 'By key', project_id: 2, is_not_billable: true },
        { date, minutes: 60, description: 'Text', work_item_id: 5 },
        { date, minutes: 60, description: 'Text', work_item_id: 7 },
        { date, minutes: 60, description: 'ABC-3 blocked by ABC-4', work_item_id: 3 },
        { date, minutes: 60, description: 'Design: Screens in UTF-8', project_id: 2 },
      ]),
    );
    expect(stderr).toContain('Users of the hours: you, 7 rows.');
    expect(stderr).toContain('Rounded to whole minutes: 2 rows.');
    expect(stderr).toContain('No work item has these names, so svc puts the tasks before the text: Design (1).');
  });

  it('can name a work item by its exact title', async () => {
    const item = await here.addRecord('/work-items', { title: 'Polish the brass', project_id: 2 });
    here.sandbox.requests.length = 0;
    await importText([TOGGL, 'Sanne de Vries,sanne@example.com,,Web shop,Polish the brass,x,Yes,2031-01-02,,,,01:00:00,,'].join('\n'));
    expect(posted()).toEqual([{ date: '2031-01-02', minutes: 60, description: 'x', work_item_id: item }]);
  });
});

test('an export of Clockify keeps its dates and its people', async () => {
  const { code, stderr } = await importText(
    [
      CLOCKIFY,
      'Web shop,,Plan,,Sanne de Vries,,SANNE@example.com,,Yes,03/31/2031,09:00:00 AM,03/31/2031,10:00:00 AM,01:00:00,1.00,,',
      'Internal,,Talk,,Zoë Müller-Lüdenscheidt,,nobody@example.com,,No,04/01/2031,09:00:00 AM,04/01/2031,10:15:00 AM,01:15:00,1.25,,',
    ].join('\n'),
  );
  expect(code, stderr).toBe(0);
  expect(inAnyOrder(posted())).toEqual(
    inAnyOrder([
      { date: '2031-03-31', minutes: 60, description: 'Plan', project_id: 2 },
      { date: '2031-04-01', minutes: 75, description: 'Talk', project_id: 8, user_id: 3, is_not_billable: true },
    ]),
  );
});

test('an export of Harvest keeps its hours, work item and project', async () => {
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
  expect(inAnyOrder(posted())).toEqual(
    inAnyOrder([
      { date: '2031-03-31', minutes: 90, description: 'Login', work_item_id: 5 },
      { date: '2031-04-01', minutes: 20, description: 'Meeting', project_id: 8, is_not_billable: true },
    ]),
  );
});

test('a file with the columns of svc can have names instead of ids', async () => {
  const { code, stderr } = await importText(
    'date,duration,project,work_item,description\n2031-01-02,1h30,Web shop,,One\n2031-01-03,2h,,ABC-5,Two\n',
  );
  expect(code, stderr).toBe(0);
  expect(inAnyOrder(posted())).toEqual(
    inAnyOrder([
      { date: '2031-01-02', description: 'One', project_id: 2, minutes: 90 },
      { date: '2031-01-03', description: 'Two', minutes: 120, work_item_id: 5 },
    ]),
  );
});

describe('the list of problems before an import', () => {
  const row = (project: string, text: string, date = '2031-01-02', duration = '01:00:00', task = '') =>
    `Sanne de Vries,sanne@example.com,,${project},${task},${text},Yes,${date},,,,${duration},,`;

  it('has each problem once, with its lines', async () => {
    await here.addRecord('/projects', { name: 'Twin' });
    await here.addRecord('/projects', { name: 'Twin' });
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
    expect(stderr).toContain('6 of 8 rows have a problem, so svc sent nothing.');
    for (const words of [
      'lines 2 and 3: there is no project "Nowhere".',
      /line 4: "Twin" could be project \d+ or \d+\./,
      'line 5: the description names ABC-1 and ABC-2, and an entry has only one work item.',
      'line 6: work item 5 belongs to project 1, and the row says "Web shop" (2).',
      'line 7: column "Duration": "long" is not a duration.',
    ])
      expect(stderr).toMatch(words);
    expect(stderr.match(/there is no project/g)).toHaveLength(1);
    expect(posted()).toEqual([]);
    expect(await readFile(`${file}.svc-journal`, 'utf8').catch(() => 'none')).toBe('none');
  });

  it('names four lines with a problem, or the first three of five', async () => {
    const many = (count: number) => importText([TOGGL, ...Array.from({ length: count }, () => row('Nowhere', 'a'))].join('\n'));
    expect((await many(4)).stderr).toContain('lines 2, 3, 4 and 5: there is no project');
    expect((await many(5)).stderr).toContain('lines 2, 3, 4 and 2 more: there is no project');
  });

  it('does not include a project that you map by hand', async () => {
    await importText([TOGGL, row('Nowhere', 'a')].join('\n'), '--map', 'Nowhere=3');
    expect(posted()).toMatchObject([{ project_id: 3 }]);
  });

  it('includes ambiguous dates, unless you name the order', async () => {
    const lines = [TOGGL, row('', 'a', '03/04/2031'), row('', 'b', '05/05/2031')].join('\n');
    const { code, stderr } = await importText(lines);
    expect(code).toBe(2);
    expect(stderr).toContain('"03/04/2031" could be 2031-04-03 or 2031-03-04');
    await importText(lines, '--date-order', 'dmy');
    expect(
      posted()
        .map(({ date }) => date)
        .sort(),
    ).toEqual(['2031-04-03', '2031-05-05']);
  });

  it('includes unknown people', async () => {
    const { code, stderr } = await importText([TOGGL, row('', 'a'), 'Nemo,nemo@x.example,,,,b,Yes,2031-01-02,,,,01:00:00,,'].join('\n'));
    expect(code).toBe(2);
    expect(stderr).toContain('line 3: no user has the address or name "nemo@x.example", "Nemo".');
    expect(posted()).toEqual([]);
  });

  it('is empty in a dry run of a file without problems', async () => {
    const { code, stdout, stderr } = await importText([TOGGL, row('Web shop', 'ABC-30 x')].join('\n'), '--dry-run');
    expect(code).toBe(0);
    expect(stderr).not.toContain('problem');
    expect(JSON.parse(stdout)).toMatchObject([{ method: 'POST', body: { date: '2031-01-02', minutes: 60, project_id: 2 } }]);
    expect(posted()).toEqual([]);
  });
});

describe('the people in a file', () => {
  const HEADER = 'Date,Duration,Member,Description';

  it('keep their own rows, even when all rows belong to another user', async () => {
    const { code, stderr } = await importText(`${HEADER}\n2031-02-03,1h,Olumide Adeyemi,Plan\n`);
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ date: '2031-02-03', minutes: 60, description: 'Plan', user_id: 2 }]);
    expect(stderr).toContain('Users of the hours: Olumide Adeyemi (2), 1 row.');
    await importText([TOGGL, 'Olumide Adeyemi,OLUMIDE@example.com,,,,x,Yes,2031-02-04,,,,01:00:00,,'].join('\n'));
    expect(posted()[1]).toMatchObject({ user_id: 2 });
  });

  it('are found, as projects are, when the file has decomposed letters', async () => {
    await here.addRecord('/projects', { name: 'Café' });
    const text = `Date,Duration,Member,Project,Description\n2031-02-09,1h,Zoë Müller-Lüdenscheidt,Café,Plan\n`.normalize('NFD');
    const { code, stderr } = await importText(text);
    expect(code, stderr).toBe(0);
    expect(posted().at(-1)).toMatchObject({ user_id: 3, project_id: expect.any(Number) });
  });

  it.each(['Member', 'User', 'Person', 'Employee', 'E-Mail', 'Full name', 'Name', 'user'])(
    'are refused when the column %s names an unknown user',
    async (column) => {
      const text = `Date,Duration,${column},Description\n2031-02-03,1h,Nemo,Plan\n`;
      const refused = await importText(text);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('line 2: no user has the address or name "Nemo".');
      expect(refused.stderr).toContain('--user <id>');
      expect(posted()).toEqual([]);
      const resolved = await importText(text, '--user', '3');
      expect(resolved.code, resolved.stderr).toBe(0);
      expect(resolved.stderr).toContain('svc logs all rows as those of user 3, because of --user. The file names Nemo.');
      expect(posted()).toEqual([{ date: '2031-02-03', minutes: 60, description: 'Plan', user_id: 3 }]);
    },
  );

  it('are refused when some rows have no name, or when address and name disagree', async () => {
    const { code, stderr } = await importText(
      'Date,Hours,Name,Email\n2031-02-03,1,,\n2031-02-03,1,Olumide Adeyemi,zoe@example.com\n2031-02-03,1,Olumide Adeyemi,\n',
    );
    expect(code).toBe(2);
    expect(stderr).toContain('line 2: the row names no user, although other rows do.');
    expect(stderr).toMatch(/line 3: .* could be user 3 or 2\./);
    expect(stderr).not.toContain('line 4');
  });

  it('can include only you when you have no permission to see users', async () => {
    here.sandbox.setFaults([{ path: '/users', status: 403, times: Number.POSITIVE_INFINITY }]);
    const own = await importText(`${HEADER}\n2031-02-05,1h,Sanne de Vries,Plan\n`);
    const other = await importText(`${HEADER}\n2031-02-05,1h,Olumide Adeyemi,Plan\n`);
    here.sandbox.setFaults([]);
    expect(own.code, own.stderr).toBe(0);
    expect(other.code).toBe(2);
    expect(posted()).toEqual([{ date: '2031-02-05', minutes: 60, description: 'Plan' }]);
  });

  it.each(['usual', 'documented', 'bare'] as const)('are found with the summary interpretation %s (rule 18.23)', async (summary) => {
    Object.assign(here.sandbox.interpretations, { summary });
    const { code, stderr } = await importText(`Date,Duration,Email\n2031-02-06,1h,olumide@example.com\n`);
    Object.assign(here.sandbox.interpretations, { summary: 'usual' });
    expect(code, stderr).toBe(0);
    expect(posted()).toMatchObject([{ user_id: 2 }]);
  });
});

describe('svc worklogs import', () => {
  it('leaves out breaks of Clockify and empty durations, with a notice', async () => {
    const { code, stderr } = await importText(
      [
        'Project,Description,User,Email,Type,Start Date,Duration (decimal)',
        'Web shop,Plan,Sanne de Vries,sanne@example.com,Regular,2031-03-31,1.00',
        'Web shop,Lunch,Sanne de Vries,sanne@example.com,Break,2031-03-31,0.50',
        'Web shop,Nothing,Sanne de Vries,sanne@example.com,Regular,2031-03-31,0.00',
      ].join('\n'),
    );
    expect(code, stderr).toBe(0);
    expect(posted()).toMatchObject([{ description: 'Plan' }]);
    expect(stderr).toContain('Left out (of the type Break): line 3.');
    expect(stderr).toContain('Left out (without any time): line 4.');
  });

  it('needs --invoiced when Harvest has billed rows (rule 18.33)', async () => {
    const text = [
      HARVEST,
      '2031-03-31,Acme,Web shop,,Development,One,1.5,1.5,Yes,Yes,No,Sanne,de Vries,,,Yes,,,,,Euro - EUR,',
      '2031-04-01,Acme,Web shop,,Development,Two,1,1,Yes,No,No,Sanne,de Vries,,,Yes,,,,,Euro - EUR,',
    ].join('\n');
    const asked = await importText(text);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('The other program has billed 1 row of the file already.');
    expect(asked.stderr).toContain('--invoiced skip');
    expect(posted()).toEqual([]);
    const skipped = await importText(text, '--invoiced', 'skip');
    expect(skipped.code, skipped.stderr).toBe(0);
    expect(skipped.stderr).toContain('Left out (billed by the other program): line 2.');
    expect(posted()).toMatchObject([{ description: 'Development: Two' }]);
    const kept = await importText(text, '--invoiced', 'keep');
    expect(kept.stderr).toContain('svc logs rows that the other program billed already: 1 row.');
    expect(posted()).toHaveLength(3);
  });

  it('sends nothing for a file with only a break, and prints the reason', async () => {
    const { code, stderr, stdout } = await importText('Start Date,Duration (h),Type\n2031-03-31,01:00:00,Break\n');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('svc leaves out all rows, and sends nothing.');
  });
});

it('svc worklogs import names the unused columns of a file', async () => {
  const { stderr } = await importText(
    [TOGGL, 'Sanne de Vries,,Acme,Web shop,,x,Yes,2031-03-31,09:00:00,,,01:00:00,,'].join('\n'),
    '--dry-run',
  );
  expect(stderr).toContain('Unused columns: Client, Start time.');
});

describe('a file with other column names', () => {
  it('can have a heading in capitals, semicolons, decimal commas, and the day first', async () => {
    const { code, stderr } = await importText(
      'DATE;Hours;Project;Work Item;Notes;Billable\n31.03.2031;1,5;web shop;;a;no\n01.04.2031;0,25;;ABC-5;b;yes\n',
    );
    expect(code, stderr).toBe(0);
    expect(inAnyOrder(posted())).toEqual(
      inAnyOrder([
        { date: '2031-03-31', minutes: 90, project_id: 2, description: 'a', is_not_billable: true },
        { date: '2031-04-01', minutes: 15, work_item_id: 5, description: 'b' },
      ]),
    );
  });

  it('makes svc name the columns in errors as in the file', async () => {
    const { stderr } = await importText('Day,Hours,Project\n2031-03-31,much,Web shop\n2031-03-31,1,Nowhere\n');
    expect(stderr).toContain('line 2: column "Hours": "much" is not a duration.');
    expect(stderr).toContain('line 3: column "Project": there is no project "Nowhere".');
    const clock = await importText('Day,Time\n2031-03-31,09:00\n');
    expect(clock.stderr).toContain('line 2: column "Time": "09:00" can be a time of day or a duration');
    const none = await importText('Day,Project\n2031-03-31,Web shop\n');
    expect(none.stderr).toContain('line 2: the row has no minutes.');
  });

  it('can have two columns of durations; svc uses Duration and names the unused columns', async () => {
    const { stderr, code } = await importText('Date,Hours,Duration,Time\n2031-03-31,"1,5",1h30,09:00\n');
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ date: '2031-03-31', minutes: 90 }]);
    expect(stderr).toContain('Unused columns: Hours, Time.');
  });

  it('makes svc name unknown columns, and leave out rows of 0 minutes', async () => {
    const { stderr } = await importText('date,minutes,colour\n2031-03-31,30,red\n2031-03-31,0,red\n', '--dry-run');
    expect(stderr).toContain('svc does not know these columns, and sends them unchanged: colour.');
    expect(stderr).toContain('Left out (without any time): line 3.');
  });
});
