import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textWidth } from '../../src/output/text-width.ts';
import { hiding } from '../commands/billing/support.ts';
import { pageBody } from '../support/page-body.ts';
import { type PinnedSandbox, screen, signInAt } from './support.ts';

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-19T10:00:00Z');
});
afterAll(() => here.remove());

describe('svc report', () => {
  it.each([
    ['terminal-80', { terminal: 80 }],
    ['terminal-140', { terminal: 140 }],
    ['no-color', { terminal: 80, env: { NO_COLOR: '1' } }],
    ['piped', {}],
  ] as const)('prints the report as in the golden file (%s)', async (name, options) => {
    const result = await here.svc(['report', '--by', 'project,user', '--from', '2026-06-15', '--project', '1'], options);
    expect(result.code, result.stderr).toBe(0);
    await expect(screen(result.stdout)).toMatchFileSnapshot(`goldens/report-${name}.txt`);
  });

  it('prints a notice for days without hours', async () => {
    const { stdout } = await here.svc(['report', '--from', '2031-01-01', '--to', '2031-01-02'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toBe('Hours from 2031-01-01 to 2031-01-02, by project\n\nNo hours were logged.\n');
  });
});

it.each([
  [['report', '--from', '2026-06-01'], /^PROJECT +TIME +SHARE/m, 'The terminal is too narrow for: Not billable, Overtime'],
  [['week', '--balance', '--from', '2026-06-01'], /^WEEK +TARGET +LOGGED +DIFFERENCE +BALANCE$/m, 'The terminal is too narrow for: Days'],
  [['week', '--team'], /^USER +TARGET +LOGGED +AWAY +MISSING$/m, 'The terminal is too narrow for: Last entry'],
  [['status'], /^Yours +[A-Z]+-\d+ (?!In |To | )\S/m, 'Outbox'],
])('svc prints lines of at most 50 columns for %j', async (argv, head, more) => {
  const { stdout } = await here.svc(argv, { terminal: 50, env: { NO_COLOR: '1' } });
  expect(stdout).toMatch(head);
  expect(stdout.replaceAll('\n', ' ')).toContain(more);
  for (const line of stdout.split('\n')) expect(textWidth(line), line).toBeLessThanOrEqual(50);
});

describe('the numbers of svc report', () => {
  // Far from everything the sandbox comes with: 10h, of which 2h are not billable and 3h overtime.
  beforeAll(async () => {
    const logged = [
      { date: '2030-12-30', minutes: 120, project_id: 1, user_id: 1 },
      { date: '2030-12-31', minutes: 180, project_id: 1, user_id: 2, is_overtime: true },
      { date: '2031-01-01', minutes: 120, project_id: 2, user_id: 1, is_not_billable: true },
      { date: '2031-01-06', minutes: 180, user_id: 1 },
    ];
    for (const entry of logged) await here.addRecord('/worklogs', entry);
  });
  afterAll(() => here.sandbox.setFaults([]));
  const range = ['--from', '2030-12-30', '--to', '2031-01-31'];

  const report = async (...flags: readonly string[]) => {
    const { code, stdout, stderr } = await here.svc(['report', ...range, ...flags]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as Record<string, unknown>[];
  };

  it('include a column of overtime only when hours were overtime', async () => {
    for (const [from, has] of [
      ['2030-12-30', true],
      ['2031-01-01', false],
    ] as const) {
      const { stdout } = await here.svc(['report', '--from', from, '--to', '2031-01-31'], { terminal: 80 });
      expect(stdout).toContain('NOT BILLABLE');
      expect(stdout.includes('OVERTIME')).toBe(has);
    }
  });

  it('include the minutes of unknown overtime when the service hides overtime', async () => {
    const { stdout } = await here.svc(['report', ...range, '--by', 'user'], { around: hiding('/worklogs', ['is_overtime']) });
    expect(JSON.parse(stdout)).toMatchObject([
      { overtime_minutes: null, overtime_unknown_minutes: 420 },
      { overtime_minutes: null, overtime_unknown_minutes: 180 },
    ]);
  });

  it('separate billable hours, other hours and overtime, and show shares of the total', async () => {
    expect(await report('--by', 'project')).toEqual([
      {
        project_id: 1,
        project: 'Aurora: billing and change',
        minutes: 300,
        billable_minutes: 300,
        not_billable_minutes: 0,
        billable_unknown_minutes: 0,
        overtime_minutes: 180,
        overtime_unknown_minutes: 0,
        entries: 2,
        share: 50,
      },
      {
        project_id: null,
        project: null,
        minutes: 180,
        billable_minutes: 180,
        not_billable_minutes: 0,
        billable_unknown_minutes: 0,
        overtime_minutes: 0,
        overtime_unknown_minutes: 0,
        entries: 1,
        share: 30,
      },
      {
        project_id: 2,
        project: 'Web shop',
        minutes: 120,
        billable_minutes: 0,
        not_billable_minutes: 120,
        billable_unknown_minutes: 0,
        overtime_minutes: 0,
        overtime_unknown_minutes: 0,
        entries: 1,
        share: 20,
      },
    ]);
  });

  it('count the days around New Year in their ISO week and their own month', async () => {
    expect((await report('--by', 'week')).map(({ week, minutes }) => [week, minutes])).toEqual([
      ['2031-W01', 420],
      ['2031-W02', 180],
    ]);
    expect((await report('--by', 'month')).map(({ month, minutes }) => [month, minutes])).toEqual([
      ['2030-12', 300],
      ['2031-01', 300],
    ]);
  });

  it('are nested in the order of --by', async () => {
    const rows = await report('--by', 'user,day');
    expect(rows.map(({ user_id, day, minutes }) => [user_id, day, minutes])).toEqual([
      [1, '2030-12-30', 120],
      [1, '2031-01-01', 120],
      [1, '2031-01-06', 180],
      [2, '2030-12-31', 180],
    ]);
  });

  it('come from a request that includes only the relations of --by', async () => {
    here.sandbox.requests.length = 0;
    await report('--by', 'day', '--user', 'me');
    await report('--by', 'work-item,user');
    expect(here.sandbox.requests.map(({ path }) => new URL(path, 'http://x').searchParams.get('include'))).toEqual([
      null,
      'work_item,user',
    ]);
  });

  it('are available as CSV for a spreadsheet', async () => {
    const { stdout } = await here.svc(['report', ...range, '--by', 'month', '-o', 'csv']);
    expect(stdout).toBe(
      'month,minutes,billable_minutes,not_billable_minutes,billable_unknown_minutes,overtime_minutes,overtime_unknown_minutes,entries,share\n2030-12,300,300,0,0,180,0,2,50\n2031-01,300,180,120,0,0,0,2,50\n',
    );
  });

  it('appear on a page that needs no other file and no script', async () => {
    await here
      .addRecord('/projects', { name: '<script>alert(1)</script> & "x"' })
      .then((project_id) => here.addRecord('/worklogs', { date: '2031-01-07', minutes: 60, project_id, user_id: 1 }));
    const file = join(here.home, 'report.html');
    const { code, stdout, stderr } = await here.svc(['report', ...range, '--by', 'project,user', '--html', file]);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('');
    const page = await readFile(file, 'utf8');
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).toContain('@media print');
    expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\((?!#)/i);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;');
    // Every day of the range has its place in the chart, also those without hours.
    expect(page.match(/<g><title>/g)).toHaveLength(33);
    expect(page).toContain('<title>2030-12-31: 3h billable, 0m not billable</title>');
    await expect(pageBody(page, here.host)).toMatchFileSnapshot('goldens/report-page.txt');
    // Each closing tag has its opening one.
    for (const tag of ['table', 'section', 'svg', 'tr', 'th', 'td', 'li', 'main'])
      expect(page.match(new RegExp(`<${tag}[ >]`, 'g'))?.length, tag).toBe(page.match(new RegExp(`</${tag}>`, 'g'))?.length);
  });
});

describe('svc report', () => {
  it('has the same columns and bars in each width from 40 to 76 as in the golden file', async () => {
    const heads: string[] = [];
    for (let terminal = 40; terminal <= 76; terminal += 1) {
      const options = { terminal, env: { NO_COLOR: '1' } };
      const { stdout } = await here.svc(['report', '--by', 'project,user', '--from', '2026-06-15', '--project', '1'], options);
      const [, table = ''] = stdout.split('\n\n');
      heads.push(`${terminal}  ${table.split('\n').slice(0, 2).join('\n    ')}\n`);
    }
    await expect(heads.join('')).toMatchFileSnapshot('goldens/report-widths.txt');
  });

  it('prints a table of 20 characters for each bar outside a terminal', async () => {
    const { stdout } = await here.svc(['report', '--by', 'project', '--from', '2026-06-15', '--project', '1', '-o', 'table']);
    expect(stdout.split('\n').filter((line) => line.includes('██'))).toEqual([expect.stringMatching(/ {2}█{20} {2}/)]);
  });

  it('draws 25 bars on a page, and counts the other groups', async () => {
    const file = join(here.home, 'items.html');
    expect((await here.svc(['report', '2026-06', '--by', 'work-item', '--html', file])).code).toBe(0);
    const page = await readFile(file, 'utf8');
    const bars = [...page.matchAll(/<li><span class="name">/g)].length;
    const groups = Number(/<p>(\d+) more groups are in the table\.<\/p>/.exec(page)?.[1]);
    const rows = JSON.parse((await here.svc(['report', '2026-06', '--by', 'work-item'])).stdout) as readonly unknown[];
    expect([bars, groups]).toEqual([25, rows.length - 25]);
  });

  it.each([
    [['--by', 'projekt'], 'Did you mean project?'],
    [['--by', 'user,user'], 'the same name twice'],
    [['--from', '2026-02-30'], '--from: "2026-02-30": there is no such day'],
    [['--from', 'tomorrow'], 'is after'],
    [['--to', '2020-01-01'], 'Set the first day too'],
  ])('refuses the flags %j with the reason, and sends nothing', async (flags, words) => {
    here.sandbox.requests.length = 0;
    const { code, stderr } = await here.svc(['report', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(here.sandbox.requests).toEqual([]);
  });
});

describe('svc report --rounding', () => {
  // 20 + 25 + 30 minutes of one user: in quarters of an hour 30 + 30 + 30.
  beforeAll(async () => {
    for (const [date, minutes] of [
      ['2032-02-02', 20],
      ['2032-02-03', 25],
      ['2032-02-03', 30],
    ] as const)
      await here.addRecord('/worklogs', { date, minutes, project_id: 1, user_id: 1 });
  });
  const FEBRUARY = ['report', '2032-02'];
  const NOTE = 'Each entry is rounded up to a multiple of 15m.';

  it('rounds each entry up before the sum, and marks each row', async () => {
    const { stdout } = await here.svc([...FEBRUARY, '--by', 'day', '--rounding', '15m']);
    expect(JSON.parse(stdout)).toMatchObject([
      { day: '2032-02-02', minutes: 30, billable_minutes: 30, entries: 1, share: 33.3, rounding_minutes: 15 },
      { day: '2032-02-03', minutes: 60, billable_minutes: 60, entries: 2, share: 66.7, rounding_minutes: 15 },
    ]);
    const plain = JSON.parse((await here.svc(FEBRUARY)).stdout);
    expect(plain).toMatchObject([{ minutes: 75 }]);
    expect(plain[0]).not.toHaveProperty('rounding_minutes');
  });

  it('adds a note to a table, to Markdown and to a page', async () => {
    const table = await here.svc([...FEBRUARY, '--rounding', '0:15'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^Total +1h30 +100\.0%/m);
    expect(table.stdout).toContain(`\n${NOTE}\n`);
    const markdown = await here.svc([...FEBRUARY, '--rounding', '15m', '-o', 'md']);
    expect(markdown.stdout).toContain(`\n- ${NOTE}\n`);
    expect(markdown.stdout).toMatch(/^\| \*\*Total\*\* \| 1h30 \| 100\.0% \|/m);
    const file = join(here.home, 'rounded.html');
    expect((await here.svc([...FEBRUARY, '--rounding', '15m', '--html', file])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain(`<p>${NOTE}</p>`);
  });

  it.each(['0m', '25h', 'often'])('refuses a step of %s, and sends nothing', async (step) => {
    here.sandbox.requests.length = 0;
    expect((await here.svc([...FEBRUARY, '--rounding', step])).code).toBe(2);
    expect(here.sandbox.requests).toEqual([]);
  });
});

it('svc report in Markdown has a column for each level, and escaped texts', async () => {
  const project = await here.addRecord('/projects', { name: 'A|B <i>*x*</i>' });
  await here.addRecord('/worklogs', { date: '2033-03-01', minutes: 90, project_id: project, user_id: 1 });
  const { stdout } = await here.svc(['report', '2033-03', '--by', 'project,user', '-o', 'md']);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 6)).toEqual([
    '## Hours from 2033-03-01 to 2033-03-31, by project and user',
    '',
    '### Table',
    '',
    '| Project | User | Time | Share | Billable | Not billable |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
  ]);
  expect(lines[6]).toMatch(/^\| A\\\|B &lt;i&gt;\\\*x\\\*&lt;\/i&gt; \| {2}\| 1h30 \| 100\.0% \| 1h30 \| · \|$/);
  expect(lines[7]).toMatch(/^\| {2}\| [^|]+ \| 1h30 \| 100\.0% \| 1h30 \| · \|$/);
  expect(lines[8]).toMatch(/^\| \*\*Total\*\* \| {2}\| 1h30 \|/);
});
