// Opens the consent page of the sandbox and the page of svc in a real browser. SVC_TEST_SCREENSHOTS names a directory for
// screenshots.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { createMachine, type Machine } from '../support/svc.ts';

const command = findChromium();
const pictures = process.env['SVC_TEST_SCREENSHOTS'];

describe.skipIf(command === undefined)('svc login in a real browser', () => {
  let chromium: Chromium;
  let sandbox: Sandbox;
  let machine: Machine;
  let page: Page;
  let host: string;
  beforeAll(async () => {
    chromium = await startChromium(command ?? '');
  });
  afterAll(() => chromium.close());
  beforeEach(async () => {
    sandbox = await startSandbox();
    machine = await createMachine();
    page = await chromium.newPage();
    host = new URL(sandbox.origin).host;
  });
  afterEach(async () => {
    await machine.remove();
    await sandbox.close();
  });

  /** Signs in with a person who reads the consent page and presses a button. */
  async function login(button: 'Approve' | 'Cancel', onConsent: () => Promise<void> = async () => {}) {
    const decide = async (url: string) => {
      await page.open(url);
      await page.until(`document.readyState === 'complete' && document.querySelector('button') !== null`);
      await onConsent();
      await page.evaluate(`[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === '${button}').click()`);
    };
    return machine.svc(['login', host], { systemBrowser: decide });
  }

  const text = () => page.evaluate('document.body.innerText');
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');

  async function picture(name: string): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.prefer(scheme);
      const png = await page.screenshot();
      if (pictures === undefined) continue;
      await mkdir(pictures, { recursive: true });
      await writeFile(join(pictures, `${name}-${scheme}.png`), png);
    }
  }

  test('shows "You are signed in" after an approval, with no code in the page or its address', async () => {
    const seen: unknown[] = [];
    const result = await login('Approve', async () => {
      seen.push(await text());
      await picture('consent');
    });
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('you are signed in to') });
    expect(seen[0]).toMatch(/svc[\s\S]*Read everything/);
    await page.until(`document.querySelector('h1')?.textContent === 'You are signed in'`);
    await page.until(`document.readyState === 'complete'`);
    expect(await text()).toContain('You can close this tab');
    expect(await page.evaluate('location.href')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toMatch(/code=|state=|oac_/);
    // The content security policy blocks nothing on the page.
    expect(page.complaints).toEqual([]);
    await picture('signed-in');
    await page.prefer('light');
    const light = await ground();
    await page.prefer('dark');
    expect(await ground()).not.toBe(light);
    expect(await machine.svc(['me'])).toMatchObject({ code: 0 });
  });

  test('reports a cancelled sign-in in the page and in the terminal', async () => {
    const result = await login('Cancel');
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('cancelled in the browser') });
    await page.until(`document.querySelector('h1')?.textContent === 'The sign-in failed'`);
    expect(await text()).toContain('The sign-in was cancelled in the browser.');
    expect(await page.evaluate('location.search')).toBe('');
    await picture('cancelled');
  });

  test('lets no other site read an answer of svc or end the sign-in', async () => {
    let attempts: unknown;
    const result = await login('Approve', async () => {
      const attacker = await chromium.newPage();
      await attacker.open(`${sandbox.origin}/nothing-here`);
      await attacker.until(`document.readyState === 'complete'`);
      const redirect = String(await page.evaluate(`new URLSearchParams(location.search).get('redirect_uri')`));
      // A hostile page can read across origins, post a form, embed the page, and guess the state.
      attempts = await attacker.evaluate(`Promise.all([
        fetch('${redirect}?code=x&state=guess').then((r) => 'read ' + r.status, () => 'refused'),
        fetch('${redirect}?code=x&state=guess', { mode: 'no-cors' }).then((r) => r.type, () => 'refused'),
        fetch('${redirect}', { method: 'POST', mode: 'no-cors', body: 'code=x&state=guess' }).then((r) => r.type, () => 'refused'),
      ]).then((all) => { window.outcome = all.join(' ') })`);
      await attacker.until(`window.outcome !== undefined`);
      attempts = await attacker.evaluate('window.outcome');
    });
    expect(String(attempts)).not.toContain('read');
    expect(result).toMatchObject({ code: 0 });
  });
});
