import axe from 'axe-core';
import type { Page } from './chromium.ts';

/**
 * What axe finds wrong with a page as it is shown now, by all of its rules: each with the elements that it is about. The script goes in
 * through the browser's own tools, which no policy of the page stops.
 */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe.source}; undefined`);
  await page.evaluate(`window.axeRun = undefined; axe.run(document).then(
    ({ violations, passes }) => { window.axeRun = { passes: passes.length, violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => id + ': ' + target.join(' ') + ' ' + any.map(({ message }) => message).join(' '))) }; },
    (error) => { window.axeRun = { passes: 1, violations: ['axe failed: ' + error.message] }; },
  ); undefined`);
  await page.until('window.axeRun !== undefined');
  const { passes, violations } = (await page.evaluate('window.axeRun')) as { passes: number; violations: string[] };
  return passes === 0 ? ['axe looked at nothing'] : violations;
}
