// Every page of `--html` on a phone and on a desk, as a reader sees it. With SVC_TEST_PICTURES=<directory>, the pictures are kept there.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { layoutFindings } from '../support/layout.ts';
import { partOf } from '../support/parts.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

/** Names that a layout of short Latin names does not fit. */
const NAMES = [
  'Web shop',
  'متجر الويب 2026',
  'חנות מקוונת',
  'Launch 👩🏽‍💻🚀 of the family 👨‍👩‍👧‍👦 plan',
  'Renovation of the harbour crane and of everything that stands beside it, second part',
  'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselverwaltungsprogramm',
];

const PAGES: Readonly<Record<string, readonly string[]>> = {
  week: ['week'],
  'week without hours': ['week', '2027-05-03'],
  'week of a team': ['week', '--team'],
  'report by project and user': ['report', '--by', 'project,user', '--from', '2026-01-01'],
  'report by user': ['report', '--by', 'user'],
  'report by day': ['report', '--by', 'day'],
  'report by month': ['report', '2026', '--by', 'month'],
  'report of names': ['report', '2031-03', '--by', 'project'],
  'report of a hundred rows': ['report', '2031-04', '--by', 'project'],
  'report of one row': ['report', '2031-05', '--by', 'project'],
  'report without hours': ['report', '2019-01'],
  budgets: ['budgets', 'burn', '--project', 'متجر الويب 2026'],
  'budgets of every project': ['budgets', 'burn'],
  sprint: ['sprints', 'burndown', 'SPRINT'],
  absences: ['absences', 'calendar', '2026-06'],
  'sheet for a customer': ['report', '2031-03', '--for', 'مخبز يانسن', '--by', 'project', '--rate', '95'],
};

describe.skipIf(command === undefined)('HTML pages (skipped where there is no Chromium)', () => {
  let here: PinnedSandbox;
  let chromium: Chromium;
  let page: Page;
  const pictures = process.env['SVC_TEST_PICTURES'];

  beforeAll(async () => {
    here = await signInAt('2026-06-19T10:00:00Z');
    const customer_id = await here.addRecord('/customers', { name: 'مخبز يانسن', address: 'Oudegracht 12', city: 'Utrecht' });
    const sprint = await here.addRecord('/sprints', { name: 'سباق', start_date: '2026-06-08', end_date: '2026-06-28' });
    for (const [index, name] of NAMES.entries()) {
      const project_id = await here.addRecord('/projects', { name, customer_id });
      const item = await here.addRecord('/work-items', { project_id, title: `${name} · review`, estimation: 480, sprint_id: sprint });
      const budget_id = await here.addRecord('/budgets', { project_id, name: `${name} 12`, budget: 1200 - index * 150 });
      const entry = { minutes: 45 + index * 20, user_id: 1, description: `${name}: 3 (${index})`, is_not_billable: index === 4 };
      for (const date of ['2026-05-04', '2026-05-20', '2026-06-09', '2026-06-15', '2026-06-17'])
        await here.addRecord('/worklogs', { ...entry, date, work_item_id: item, budget_id });
      for (const date of ['2031-03-03', '2031-03-12']) await here.addRecord('/worklogs', { ...entry, date, project_id });
    }
    for (let index = 0; index < 100; index += 1) {
      const project_id = await here.addRecord('/projects', { name: `Project ${index + 1}` });
      await here.addRecord('/worklogs', { date: '2031-04-01', minutes: 5 + index, user_id: 1, project_id });
      if (index === 0) await here.addRecord('/worklogs', { date: '2031-05-01', minutes: 90, user_id: 1, project_id });
    }
    for (const [name, argv] of Object.entries(PAGES)) {
      const made = await here.svc([...argv.map((word) => (word === 'SPRINT' ? String(sprint) : word)), '--html', fileOf(name)]);
      expect(made.code, `${name}: ${made.stderr}`).toBe(0);
    }
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
    if (pictures !== undefined) await mkdir(pictures, { recursive: true });
  });
  afterAll(async () => {
    await chromium.close();
    await here.remove();
  });

  const fileOf = (name: string) => join(here.home, `${name.replaceAll(' ', '-')}.html`);

  const show = async (name: string) => {
    await page.open('about:blank');
    await page.until(`location.href === 'about:blank'`);
    await page.open(pathToFileURL(fileOf(name)).href);
    await page.until(`document.readyState === 'complete' && document.querySelector('h1') !== null`);
  };

  const keep = async (name: string, picture: () => Promise<Buffer>) => {
    if (pictures !== undefined) await writeFile(join(pictures, name.replaceAll(' ', '-')), await picture());
  };

  describe.each([390, 1280])('with a width of %i pixels,', (width) => {
    it.each(partOf(Object.keys(PAGES), 3))('show the texts of %s without cuts or overlaps, and pass axe', async (name) => {
      await page.resize(width, 844);
      for (const scheme of ['light', 'dark'] as const) {
        await page.prefer(scheme);
        await show(name);
        await keep(`${name} ${width} ${scheme}.png`, () => page.screenshot());
        expect(await layoutFindings(page)).toEqual([]);
        expect(await axeFindings(page), scheme).toEqual([]);
      }
      expect(page.complaints).toEqual([]);
    });
  });

  // Nobody but a reader judges paper, so these run only to make pictures.
  it.each(pictures === undefined ? [] : Object.keys(PAGES))('have a picture of %s on paper', async (name) => {
    await page.resize(1280, 844);
    await page.prefer('light');
    await show(name);
    await keep(`${name}.pdf`, () => page.pdf());
  });
});
