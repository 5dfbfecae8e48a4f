import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/values/duration.ts';
import { axeFindings } from '../support/axe.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { htmlRows } from '../support/html-rows.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

let here: PinnedSandbox;
beforeAll(async () => {
  here = await signInAt('2026-06-04T10:00:00Z');
  const project = await here.addRecord('/projects', { name: '<b>Bad</b> \u001b[2J & \u202ename' });
  await here.addRecord('/worklogs', { date: '2026-06-02', minutes: 75, project_id: project, user_id: 1 });
  await here.addRecord('/absences', { user_id: 1, type: 'sick', start: '2026-06-03T11:00:00Z', end: '2026-06-03T15:00:00Z' });
});
afterAll(() => here.remove());

/** Writes a page and gives what is in its file. */
async function written(name: string, argv: readonly string[]): Promise<{ readonly file: string; readonly html: string }> {
  const file = join(here.home, name);
  const { code, stdout, stderr } = await here.svc(['week', ...argv, '--html', file]);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(`Written: ${file}\n`);
  return { file, html: await readFile(file, 'utf8') };
}

describe('svc week --html', () => {
  it('writes a page of the days that only the owner can read, and escapes names', async () => {
    const { file, html } = await written('own.html', []);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(html).toContain(
      '<h1>Week <time>2026-W23</time>, <time>2026-06-01</time> to <time>2026-06-07</time> · <bdi>Sanne de Vries</bdi> · Europe/Amsterdam</h1>',
    );
    expect(html).toContain('<th scope="col">Tue 2</th>');
    expect(html).toContain('&lt;b&gt;Bad&lt;/b&gt; ␛[2J &amp; \\u202ename');
    expect(html).toContain('<li>Wed 3: Absent from 13:00 until 17:00 (sick, requested)</li>');
    expect(html).not.toMatch(/<script|https?:\/\/(?!127)/);
  });

  it.each([
    ['of a user', []],
    ['of a team', ['--team', '--users', '1,3']],
  ])('draws the hours %s by day, with their sums in tiles', async (_, argv) => {
    const { html } = await written('drawn.html', argv);
    const { stdout } = await here.svc(['week', ...argv, '--output', 'json']);
    interface Figures {
      readonly date: string;
      readonly logged_minutes: number;
      readonly target_minutes: number;
      readonly gap_minutes: number;
      readonly days?: readonly Figures[];
    }
    const days = (JSON.parse(stdout) as Figures[]).flatMap((one) => one.days ?? [one]);
    const sum = (figure: 'logged_minutes' | 'target_minutes' | 'gap_minutes', some = days) =>
      formatDuration(some.reduce((total, day) => total + day[figure], 0));
    const tiles = Object.fromEntries(
      [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)(?: <small>.*?)?<\/dd>/g)].map(([, name, value]) => [name, value]),
    );
    expect(tiles).toMatchObject({ Logged: sum('logged_minutes'), Target: sum('target_minutes'), Missing: sum('gap_minutes') });
    const columns = [...html.matchAll(/<g><title>(\S+ \d+): (\S+) billable, (\S+) not billable, target (\S+)<\/title>/g)];
    expect(columns.map(([, , billable = '', other = '', target]) => [parseDuration(billable) + parseDuration(other), target])).toEqual(
      [...Map.groupBy(days, ({ date }) => date).values()].map((some) => [
        parseDuration(sum('logged_minutes', some)),
        sum('target_minutes', some),
      ]),
    );
    expect(columns).toHaveLength(7);
  });

  it('writes the rows of the team table, unknown values, a total and the missing hours', async () => {
    const { html } = await written('team.html', ['--team', '--users', '3,6,4', '--missing']);
    // As `svc week --team` has them.
    const { stdout } = await here.svc(['week', '--team', '--users', '3', '-o', 'table', '--no-color']);
    const [, name, ...figures] = /^(Zoë \S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$/m.exec(stdout) ?? [];
    expect(htmlRows(html)).toContainEqual([name, ...figures]);
    expect(htmlRows(html)).toContainEqual(expect.arrayContaining(['unknown']));
    expect(html).toContain('<p>svc does not know all working hours, so svc does not know all missing hours.</p>');
    expect(html).not.toContain('up to');
    expect(htmlRows(html)).toContainEqual(['Total of 3 people', expect.stringMatching(/^≥\d/), ...Array(4).fill(expect.any(String))]);
    expect(html.match(/<h2>Missing<\/h2>/g)).toHaveLength(1);
  });

  it('shows unknown working hours, and bounds for hidden leave', async () => {
    const own = await written('unknown.html', ['--user', '12']);
    expect(own.html).toContain('<p>svc knows neither the working hours nor the missing hours.</p>');
    const file = join(here.home, 'withheld.html');
    const env = { SVC_HOST: here.host, SVC_TOKEN: here.sandbox.tokens[4]?.value ?? '' };
    await here.svc(['week', '--team', '--users', '4', '--html', file], { env });
    const html = await readFile(file, 'utf8');
    expect(html).toContain('<p>svc does not know all leave: a figure with “up to” can be lower.</p>');
    expect(html).toContain('<dt>Target</dt><dd>up to 45h</dd>');
    // Of Monday, when an hour of nine was logged.
    expect(htmlRows(html).at(-1)?.slice(1, 2)).toEqual(['up to 8h']);
  });

  it('prints a notice when nobody lacks hours', async () => {
    const { html } = await written('nobody.html', ['2027-05-03', '--team', '--users', '3', '--missing']);
    expect(html).toContain('<p>There is nobody to show.</p>');
  });
});

describe.skipIf(command === undefined)('the pages of a week, in a browser (skipped where there is no Chromium)', () => {
  let chromium: Chromium;
  let page: Page;
  beforeAll(async () => {
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
  });
  afterAll(() => chromium.close());

  it.each([
    ['own', []],
    ['team', ['--team']],
  ])('pass axe in light and dark mode, and fit a phone (%s)', async (name, argv) => {
    const url = pathToFileURL((await written(`${name}-seen.html`, argv)).file).href;
    for (const [scheme, width] of [
      ['light', 1000],
      ['dark', 360],
    ] as const) {
      await page.resize(width, 800);
      await page.prefer(scheme);
      await page.open('about:blank');
      await page.open(url);
      await page.until(`document.readyState === 'complete' && document.querySelector('table') !== null`);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    expect(page.complaints).toEqual([]);
  });
});
