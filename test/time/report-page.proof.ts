import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { layoutFindings } from '../support/layout.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

/** Colours of the page as numbers, and how far apart two of them are (WCAG 2, contrast ratio). */
const CONTRAST = `(selector, property) => {
  const numbers = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [getComputedStyle(document.querySelector(selector))[property], getComputedStyle(document.body).backgroundColor].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}`;

describe.skipIf(command === undefined)('the page of a report, in a browser (skipped where there is no Chromium)', () => {
  let here: PinnedSandbox;
  let chromium: Chromium;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    here = await signInAt('2026-06-19T10:00:00Z');
    const file = join(here.home, 'report.html');
    const made = await here.svc(['report', '--by', 'project,user', '--from', '2026-01-01', '--html', file]);
    expect(made.code, made.stderr).toBe(0);
    url = pathToFileURL(file).href;
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
  });
  afterAll(async () => {
    await chromium.close();
    await here.remove();
  });

  const open = async () => {
    await page.open('about:blank');
    await page.open(url);
    await page.until(`document.readyState === 'complete' && document.querySelector('svg') !== null`);
  };

  it.each(['light', 'dark'] as const)('has enough contrast for text and colours in %s mode', async (scheme) => {
    await page.resize(1000, 900);
    await page.prefer(scheme);
    await open();
    const contrast = async (selector: string, property: string) =>
      Number(await page.evaluate(`(${CONTRAST})('${selector}', '${property}')`));
    expect(await contrast('h1', 'color')).toBeGreaterThan(7);
    expect(await contrast('.legend', 'color')).toBeGreaterThan(4.5);
    expect(await contrast('.chart text', 'fill')).toBeGreaterThan(4.5);
    expect(await contrast('rect.bill', 'fill')).toBeGreaterThan(3);
    expect(await contrast('pattern .rest', 'fill')).toBeGreaterThan(2);
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 28)');
    expect(page.complaints).toEqual([]);
  });

  it('draws bars in proportion to the values of its table', async () => {
    await page.resize(1000, 900);
    await open();
    const drawn = (await page.evaluate(`[...document.querySelectorAll('.bars li')].map((row) => [
      row.querySelector('.name').textContent,
      [...row.querySelectorAll('i')].reduce((sum, bar) => sum + bar.getBoundingClientRect().width, 0),
    ])`)) as [string, number][];
    const tabled = (await page.evaluate(
      `[...document.querySelectorAll('.depth0')].map((row) => [row.cells[0].textContent, row.cells[1].textContent])`,
    )) as [string, string][];
    expect(drawn.map(([name]) => name)).toEqual(tabled.map(([name]) => name));
    const minutes = tabled.map(([, time]) => {
      const [, hours = '0', rest = '0'] = /^(?:(\d+)h)?(\d+)?/.exec(time) ?? [];
      return Number(hours) * 60 + Number(rest);
    });
    const longest = drawn[0]?.[1] ?? 0;
    for (const [index, [name, width]] of drawn.entries())
      expect(width / longest, name).toBeCloseTo((minutes[index] ?? 0) / (minutes[0] ?? 1), 1);
  });

  it.each([360, 1000])('fits a screen of %i pixels, and its labels do not overlap', async (width) => {
    await page.resize(width, 740);
    await open();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await layoutFindings(page)).toEqual([]);
  });
});
