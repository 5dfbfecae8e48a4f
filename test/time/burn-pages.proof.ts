// The pages of budgets and of a sprint, in a browser.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { layoutFindings } from '../support/layout.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

describe.skipIf(command === undefined)('the pages of budgets and sprints, in a browser (skipped where there is no Chromium)', () => {
  let here: PinnedSandbox;
  let chromium: Chromium;
  let page: Page;
  const files: Record<string, string> = {};

  beforeAll(async () => {
    here = await signInAt('2026-01-08T10:00:00Z');
    const project = await here.addRecord('/projects', { name: 'Harbour "crane" & <b>co</b>' });
    const sprint = await here.addRecord('/sprints', { name: 'Spent', start_date: '2025-12-29', end_date: '2026-01-11' });
    const item = await here.addRecord('/work-items', { project_id: project, title: 'Small', estimation: 60, sprint_id: sprint });
    for (const [name, budget] of [
      ['Holds', 6000],
      ['Over', 100],
      ['Nothing yet', 600],
    ] as const) {
      const budget_id = await here.addRecord('/budgets', { project_id: project, name, budget });
      if (name !== 'Nothing yet')
        for (const date of ['2025-11-03', '2025-12-31', '2026-01-06'])
          await here.addRecord('/worklogs', { budget_id, work_item_id: item, date, minutes: 50 });
    }
    for (const [name, argv] of [
      ['budgets', ['budgets', 'burn', '--project', String(project)]],
      ['sprint', ['sprints', 'burndown', String(sprint)]],
    ] as const) {
      files[name] = join(here.home, `${name}.html`);
      const made = await here.svc([...argv, '--html', files[name]]);
      expect(made.code, made.stderr).toBe(0);
    }
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
  });
  afterAll(async () => {
    await chromium.close();
    await here.remove();
  });

  it.each([
    ['budgets', 'light', 1000],
    ['budgets', 'dark', 390],
    ['sprint', 'dark', 390],
  ] as const)('pass axe, without cut or overlapping labels (%s in %s mode at %i pixels)', async (name, scheme, width) => {
    await page.resize(width, 800);
    await page.prefer(scheme);
    await page.open('about:blank');
    await page.open(pathToFileURL(files[name] ?? '').href);
    await page.until(`document.readyState === 'complete' && document.querySelector('svg') !== null`);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await layoutFindings(page)).toEqual([]);
    expect(await page.evaluate(`document.querySelectorAll('.chart text').length`)).toBeGreaterThan(2);
    // A name in the table takes lines of words, and not one of letters.
    const lines = await page.evaluate(
      `Math.max(...[...document.querySelectorAll('tbody th')].map((cell) => cell.getBoundingClientRect().height))`,
    );
    expect(Number(lines)).toBeLessThan(120);
    expect(page.complaints).toEqual([]);
  });
});
