import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

const canReadPdf = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

if (!canReadPdf && process.env['SVC_TEST_BROWSER'] === 'required') throw new Error('SVC_TEST_BROWSER=required: there is no pdftotext.');

const ENTRIES = 70;
const LONG = `${'Something was done that takes many words to say. '.repeat(8)}https://example.com/${'without-a-break'.repeat(12)} Endmark.`;

describe.skipIf(command === undefined)('the page for a customer, in a browser (skipped where there is no Chromium)', () => {
  let here: PinnedSandbox;
  let chromium: Chromium;
  let page: Page;

  beforeAll(async () => {
    here = await signInAt('2026-06-19T10:00:00Z');
    const customer_id = await here.addRecord('/customers', { name: 'مخبز يانسن', address: 'Oudegracht 12', city: 'Utrecht' });
    const projects = [
      await here.addRecord('/projects', { name: 'Web shop', customer_id }),
      await here.addRecord('/projects', { name: 'متجر الويب', customer_id }),
    ];
    const texts = ['Review', LONG, '<script>document.title = "no"</script><b>x</b>', 'إصلاح صفحة الدخول'];
    for (let index = 0; index < ENTRIES; index += 1)
      await here.addRecord('/worklogs', {
        date: `2031-05-${String(1 + (index % 28)).padStart(2, '0')}`,
        minutes: 20,
        user_id: 1 + (index % 3),
        project_id: projects[index % 10 === 9 ? 1 : 0] ?? 0,
        description: `${index + 1}. ${texts[index % 4]}`,
      });
    const set = await here.svc(['config', 'set', 'report-letterhead', 'Studio Noord\nHerengracht 1']);
    expect(set.code, set.stderr).toBe(0);
    const file = join(here.home, 'sheet.html');
    const flags = ['--for', String(customer_id), '--by', 'day,project', '--rate', '95', '--hours', 'decimal'];
    const made = await here.svc(['report', '2031-05', ...flags, '--html', file]);
    expect(made.code, made.stderr).toBe(0);
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
    await page.open(pathToFileURL(file).href);
    await page.until(`document.readyState === 'complete' && document.querySelector('.sheet') !== null`);
  });
  afterAll(async () => {
    await chromium.close();
    await here.remove();
  });

  it.each([
    ['light', 1000],
    ['dark', 1000],
    ['light', 390],
    ['dark', 320],
  ] as const)('passes axe and fits the window in %s mode at %i pixels', async (scheme, width) => {
    await page.prefer(scheme);
    await page.resize(width, 900);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.title')).toBe('Hours for مخبز يانسن');
    expect(page.complaints).toEqual([]);
  });

  it('shows amounts that add up to the total, and exact total hours', async () => {
    const rows = (await page.evaluate(
      `[...document.querySelectorAll('.sheet tbody tr:not(.group):not(.sum)')].map((row) => [...row.querySelectorAll('.num')].map((cell) => cell.textContent))`,
    )) as readonly (readonly [string, string])[];
    expect(rows).toEqual(Array(ENTRIES).fill(['0.33', '31.67']));
    const total = await page.evaluate(`[...document.querySelectorAll('tfoot .num')].map((cell) => cell.textContent)`);
    // 70 * 20 minutes are 1400, or 23.33 hours; 70 * 31.67.
    expect(total).toEqual(['23.33', '2216.90']);
  });

  describe.skipIf(!canReadPdf)('printed (skipped where there is no pdftotext),', () => {
    it('has heading and page number on every page, and one total', async () => {
      const file = join(here.home, 'sheet.pdf');
      await writeFile(file, await page.pdf());
      const pages = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1);
      expect(pages.length).toBeGreaterThan(4);
      for (const [index, text] of pages.entries()) {
        expect(text, `page ${index + 1}`).toMatch(/Date +Person +Work +Hours +Amount/);
        expect(text).toContain(`${index + 1} / ${pages.length}`);
        // A long entry ends on the page on which it begins.
        expect(text.match(/\d+\. Something/g)?.length ?? 0).toBe(text.match(/Endmark\./g)?.length ?? 0);
      }
      const all = pages.join('\n');
      expect(all.match(/^ *Total/gm)).toHaveLength(1);
      expect(pages.at(-1)).toMatch(/Total +23\.33 +2216\.90/);
      // Every fourth is written from right to left, its number at the end.
      for (let index = 1; index <= ENTRIES; index += 1) if (index % 4 > 0) expect(all).toMatch(new RegExp(`(^|\\D)${index}\\. `));
      // No group has its name on one page and its first entry on the next.
      for (const text of pages) {
        const lines = text.split('\n').filter((line) => line.trim() !== '');
        expect(lines.at(-2)).not.toMatch(/^ *(2031-05-\d\d|Web shop|.?متجر الويب.?) *$/);
      }
    });
  });
});
