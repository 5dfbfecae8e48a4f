// Every page that svc and its sandbox show, in a real browser, on a phone and on a desk: axe finds nothing, and none scrolls sideways.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failurePage, noticePage, successPage } from '../../src/auth/landing-page.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { axeFindings } from '../support/axe.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { partOf } from '../support/parts.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

const LONG = 'averylongnamethatnobodywouldeverchoose'.repeat(4);
const LANDING = {
  '/good': successPage({ host: 'acme.example.com', userName: `Zoë ${LONG}` }),
  '/bad': failurePage({ message: 'The sign-in was cancelled in the browser.', hint: `Try again: svc login ${LONG}` }),
  '/neutral': noticePage(404, 'There is no page here', 'svc waits for the answer of another page.'),
};

describe.skipIf(command === undefined)('in a browser (skipped where there is no Chromium)', () => {
  let here: SignedIn;
  let chromium: Chromium;
  let page: Page;
  let landing: Server;
  let asking: Sandbox;
  const urls = new Map<string, string>();

  beforeAll(async () => {
    here = await signedIn({ limits: 'off' });
    const origin = here.sandbox.origin;
    // What stands in the pages: requests, refused ones and long ones among them, and an app that is connected.
    await here.svc(['worklogs', 'list', '--limit', '3', '--search', LONG]);
    await here.svc(['projects', 'get', '999999']);
    for (const path of ['/', '/sandbox/tokens', '/sandbox/apps', '/work-items/ABC-12', '/projects/1', '/projects/999999'])
      urls.set(path, origin + path);
    asking = await startSandbox();
    const left = new AbortController();
    await here.svc(['login', new URL(asking.origin).host], {
      signal: left.signal,
      async browser(url) {
        urls.set('consent', url);
        left.abort();
      },
    });
    landing = createServer((request, response) => {
      const { status, headers, body } = LANDING[request.url as keyof typeof LANDING] ?? LANDING['/neutral'];
      response.writeHead(status, headers).end(body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => landing.once('listening', resolve));
    for (const path of Object.keys(LANDING))
      urls.set(`landing ${path}`, `http://127.0.0.1:${(landing.address() as AddressInfo).port}${path}`);
    const reports = {
      'report by project and user': ['--by', 'project,user', '--from', '2026-01-01', '--to', '2026-06-30'],
      'report by day': ['--by', 'day', '--from', '2026-06-01', '--to', '2026-06-30'],
      'report of nothing': ['--from', '2019-01-01', '--to', '2019-01-02'],
    };
    for (const [name, flags] of Object.entries(reports)) {
      const file = join(here.home, `${name}.html`);
      const made = await here.svc(['report', ...flags, '--html', file]);
      expect(made.code, made.stderr).toBe(0);
      urls.set(name, pathToFileURL(file).href);
    }
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
    // Pages with tokens are for whoever has the address that the sandbox prints.
    urls.set('start', here.sandbox.startUrl);
    await show('start');
  });
  afterAll(async () => {
    await chromium.close();
    landing.close();
    landing.closeAllConnections();
    await asking.close();
    await here.remove();
  });

  const show = async (name: string) => {
    const url = urls.get(name) ?? '';
    expect(url, name).not.toBe('');
    await page.open('about:blank');
    await page.until(`location.href === 'about:blank'`);
    await page.open(url);
    await page.until(`document.readyState === 'complete' && location.href !== 'about:blank'`);
  };

  test('axe reports the missing language and the low contrast of a faulty page', async () => {
    await show('/');
    await page.evaluate(`document.documentElement.removeAttribute('lang'); document.body.style.setProperty('color', '#888')`);
    const found = (await axeFindings(page)).join('\n');
    expect(found).toContain('html-has-lang');
    expect(found).toContain('color-contrast');
  });

  const names = [
    '/',
    '/sandbox/tokens',
    '/sandbox/apps',
    '/work-items/ABC-12',
    '/projects/1',
    '/projects/999999',
    'consent',
    'landing /good',
    'landing /bad',
    'landing /neutral',
    'report by project and user',
    'report by day',
    'report of nothing',
  ];

  test.each(partOf(names, 3))('the page "%s" has no problem that axe finds, and does not scroll sideways', async (name) => {
    for (const width of [320, 1280]) {
      await page.resize(width, 800);
      for (const scheme of ['light', 'dark'] as const) {
        await page.prefer(scheme);
        await show(name);
        expect(await axeFindings(page), `${width} pixels, ${scheme}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${width} pixels`).toBeLessThanOrEqual(width);
      }
    }
  });

  test('axe finds no problem on the pages of a new token and of a refused form', async () => {
    await page.resize(320, 800);
    for (const scopes of [['read'], []]) {
      await show('/sandbox/tokens');
      await page.evaluate(`
        document.querySelector('#name').value = ${JSON.stringify(LONG)};
        for (const box of document.querySelectorAll('[name=scope]')) box.checked = ${JSON.stringify(scopes)}.includes(box.value);
        document.querySelector('button.go').click();
      `);
      await page.until(`document.readyState === 'complete' && document.querySelector('.note') !== null`);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    }
  });
});
