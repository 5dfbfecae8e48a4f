import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { type Chromium, findChromium, type Page, startChromium } from '../support/chromium.ts';
import { CHALLENGE, register, signIn } from './oauth-flow.ts';
import { sandbox, send } from './support.ts';

const command = findChromium();
if (command === undefined && process.env['SVC_TEST_BROWSER'] === 'required')
  throw new Error('SVC_TEST_BROWSER=required: there is no Chromium.');

describe.skipIf(command === undefined)('in a browser (skipped where there is no Chromium)', () => {
  let chromium: Chromium;
  let page: Page;

  beforeAll(async () => {
    chromium = await startChromium(command ?? '');
    page = await chromium.newPage();
  });
  afterAll(() => chromium.close());

  async function open(url: string, service: Sandbox): Promise<void> {
    await page.open(service.startUrl);
    await page.until(`location.pathname === '/'`);
    await page.open(url);
    await page.until(`document.readyState === 'complete' && location.href === ${JSON.stringify(url)}`);
  }

  test.each(['/', '/sandbox/tokens', '/sandbox/apps', '/work-items/ABC-12', '/projects/999999'])(
    'the page %s fits a phone, in a light and in a dark colour scheme',
    async (path) => {
      const service = await sandbox();
      await signIn(service);
      await send(service, `/worklogs?q=${'x'.repeat(400)}`);
      const grounds: unknown[] = [];
      await page.resize(360, 740);
      for (const scheme of ['light', 'dark'] as const) {
        await page.prefer(scheme);
        await open(service.origin + path, service);
        // A page that is wider than the screen scrolls sideways.
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
        grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      }
      expect(new Set(grounds).size).toBe(2);
    },
  );

  test('a person creates and uses a token, whose secret appears only once (rule 12.12)', async () => {
    const service = await sandbox();
    await open(`${service.origin}/sandbox/tokens`, service);
    await page.evaluate(`
      document.querySelector('#name').value = 'From a <browser>';
      document.querySelector('[name=scope][value=write]').click();
      document.querySelector('[name=resource][value=times]').click();
      document.querySelector('button.go').click();
    `);
    await page.until(`document.querySelector('#secret') !== null`);
    const secret = String(await page.evaluate(`document.querySelector('#secret').textContent`));
    expect(service.tokens.at(-1)).toMatchObject({
      name: 'From a <browser>',
      abilities: ['api:read:times', 'api:write:times'],
      value: secret,
    });
    expect((await send(service, '/worklogs', { token: secret })).status).toBe(200);
    await page.evaluate('location.reload()');
    await page.until(`document.body.textContent.includes('From a <browser>') && document.querySelector('#secret') === null`);
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(secret);
  });

  test('a person approves an app, and the browser returns the code to the app (rules 13.27, 13.60, 13.61)', async () => {
    const service = await sandbox();
    const callback = createServer((_, response) => response.end('<title>back</title>')).listen(0, '127.0.0.1');
    await new Promise((resolve) => callback.once('listening', resolve));
    const redirect = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
    const { body } = await register(service, [redirect]);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: body.client_id,
      redirect_uri: redirect,
      scope: 'api:read',
      state: 'the state',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    await page.open(`${service.origin}/oauth/authorize?${query}`);
    await page.until(`document.querySelector('button[value=approve]') !== null`);
    expect(await page.evaluate('document.querySelector("h1").textContent')).toContain('A <test> app');
    await page.evaluate(`document.querySelector('button[value=approve]').click()`);
    await page.until(`document.title === 'back'`);
    const landed = new URL(String(await page.evaluate('location.href')));
    callback.close();
    callback.closeAllConnections();
    expect(`${landed.origin}${landed.pathname}`).toBe(redirect);
    expect([landed.searchParams.get('state'), landed.searchParams.get('code')]).toEqual(['the state', expect.stringMatching(/^oac_/)]);
  });

  test('no page violates its content security policy', () => {
    expect(page.complaints.filter((complaint) => !complaint.includes('favicon.ico') && !complaint.includes('999999'))).toEqual([]);
  });
});
