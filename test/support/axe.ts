import type { Page } from './chromium.ts';
import { loadTool } from './locked-tools.ts';

/**
 * Returns the findings of axe for the current page, by all of its rules, each with the affected elements. The browser’s own tools add the
 * script, so the page’s policy does not block it.
 */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  const axe = await loadTool<{ readonly source: string }>('axe-core', 'axe-core');
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
