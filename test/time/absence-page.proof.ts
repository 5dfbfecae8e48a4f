// The page of `svc absences calendar --html`, in a browser.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { HOSTILE, type LeaveBranch, openLeaveBranch } from './leave-branch.ts';

const BRANCH = ['--branch', 'Leave House'];

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

describe.skipIf(command === undefined)('the page of absences, in a browser (skipped where there is no Chromium)', () => {
  let here: LeaveBranch;
  let chromium: Chromium;
  let page: Page;
  const open = async (file: string) => {
    await page.open('about:blank');
    await page.open(pathToFileURL(file).href);
    await page.until(`document.readyState === 'complete' && document.querySelector('table') !== null`);
  };
  let file: string;
  beforeAll(async () => {
    here = await openLeaveBranch();
    file = join(here.home, 'away.html');
    const made = await here.svc(['absences', 'calendar', '2026-11-09..2026-12-31', ...BRANCH, '--html', file]);
    expect(made.code, made.stderr).toBe(0);
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
  });
  afterAll(async () => {
    await chromium.close();
    await here.remove();
  });

  it('has a text in each cell with an absence, without the type', async () => {
    await open(file);
    const said = await page.evaluate(`[...document.querySelectorAll('section')].map((section) => [section.querySelector('h2').textContent,
      [...section.querySelectorAll('tbody tr')].map((row) => [row.querySelector('th[scope=row]').textContent,
        [...row.querySelectorAll('td')].flatMap((cell, index) => cell.querySelector('.say') === null ? [] : [index + ' ' + cell.querySelector('.say').textContent])])])`);
    const [november, december] = said as [string, [string, string[]][]][];
    // November begins with the ninth here.
    expect(november?.[0]).toBe('November 2026');
    expect(november?.[1].map(([, cells]) => cells.slice(0, 2))).toEqual([
      [],
      ['0 away, first half'],
      [],
      ['3 away, second half', '4 away'],
    ]);
    expect(december?.[1][0]).toEqual([HOSTILE.replace('\u202e', '\\u202e'), ['10 away, second half, requested']]);
    expect(december?.[1][1]?.[1].slice(0, 6)).toEqual([
      '15 away, requested',
      '17 away, requested',
      '18 away, requested',
      '19 away, requested',
      '20 away, requested; away',
      '21 away, requested; away',
    ]);
    expect(await readFile(file, 'utf8')).not.toMatch(/vacation|sick|special|parental|unpaid/);
    expect(await page.evaluate(`document.querySelectorAll('b').length`)).toBe(0);
  });

  it.each([
    ['light', 1200],
    ['dark', 1200],
    ['light', 390],
    ['dark', 390],
  ] as const)('passes axe in %s mode at %i pixels', async (scheme, width) => {
    await page.resize(width, 844);
    await page.prefer(scheme);
    await open(file);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(page.complaints).toEqual([]);
  });

  it('scrolls sideways on a phone, while the names stay visible', async () => {
    await page.resize(390, 844);
    await open(file);
    const [before, after, scrolled] = (await page.evaluate(`(() => {
      const region = document.querySelectorAll('.wide')[1];
      const left = () => region.querySelector('tbody th').getBoundingClientRect().left;
      const before = left();
      region.focus();
      region.scrollLeft = 300;
      return [before, left(), document.activeElement === region && region.scrollLeft];
    })()`)) as [number, number, number];
    expect(after).toBe(before);
    expect(scrolled).toBe(300);
  });

  it('shows the types with --types', async () => {
    const other = join(here.home, 'types.html');
    await here.svc(['absences', 'calendar', '2026-12', ...BRANCH, '--html', other, '--types']);
    await open(other);
    const words = await page.evaluate(`[...new Set([...document.querySelectorAll('td .say')].map((cell) => cell.textContent))]`);
    expect(words).toEqual([
      'parental, second half, requested',
      'special, requested',
      'special, requested; vacation',
      'vacation',
      'unpaid',
      'sick',
    ]);
  });
});
