// Whoever did not start the sandbox: a page of another site, a name that was bound anew to this machine, another user of it.
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/sandbox/api/operations.ts';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { rawExchange } from '../support/raw-http.ts';
import { sandbox, send, tokenNamed, visiting } from './support.ts';

/** Every route there is, with its ids filled in. */
function routes(service: Sandbox): string[] {
  const { pathname: control } = new URL(service.controlUrl);
  const { pathname: start } = new URL(service.startUrl);
  const api = OPERATIONS.map(({ method, path }) => `${method} /api/v2${path.replaceAll(/\{\w+\}/g, '1')}`);
  const own = ['/', start, '/sandbox/tokens', '/sandbox/apps', '/projects/1', '/work-items/1', control, `${control}/requests`];
  const posts = ['/sandbox/tokens', '/sandbox/tokens/roll', '/sandbox/tokens/revoke', '/sandbox/apps/disconnect', control];
  const oauth = ['GET /.well-known/oauth-authorization-server', 'GET /.well-known/oauth-protected-resource/api/v2', 'GET /oauth/authorize'];
  const oauthPosts = ['register', 'token', 'revoke', 'authorize'].map((name) => `POST /oauth/${name}`);
  return [
    ...api,
    ...own.map((path) => `GET ${path}`),
    ...posts.map((path) => `POST ${path}`),
    `DELETE ${control}/requests`,
    ...oauth,
    ...oauthPosts,
    'OPTIONS /oauth/token',
    'GET /nowhere',
  ];
}

/** The status of a request as it is written. */
async function raw(service: Sandbox, text: string): Promise<number> {
  const answer = await rawExchange('127.0.0.1', Number(new URL(service.origin).port), text);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

test('every route refuses a request with a foreign host name, even with a valid token and cookie', async () => {
  const service = await sandbox({ limits: 'off' });
  const { port } = new URL(service.origin);
  const good = `Authorization: Bearer ${tokenNamed(service, 'full')}\r\nCookie: ${visiting(service).cookie}\r\nConnection: close\r\n`;
  for (const route of routes(service)) {
    for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `localhost.evil.example`, `10.0.0.1:${port}`]) {
      expect([route, host, await raw(service, `${route} HTTP/1.1\r\nHost: ${host}\r\n${good}\r\n`)]).toEqual([route, host, 403]);
    }
    const whole = route.replace(' /', ` http://evil.example:${port}/`);
    expect([whole, await raw(service, `${whole} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${good}\r\n`)]).toEqual([whole, 403]);
    expect([route, await raw(service, `${route} HTTP/1.0\r\n${good}\r\n`)]).toEqual([route, 400]);
  }
});

test('every route refuses a request from a page of another site', async () => {
  const service = await sandbox({ limits: 'off' });
  const { host, port } = new URL(service.origin);
  for (const route of routes(service)) {
    for (const origin of ['https://evil.example', 'null', `http://localhost:${port}`, 'http://127.0.0.1:1']) {
      const text = `${route} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${visiting(service).cookie}\r\nConnection: close\r\n\r\n`;
      expect([route, origin, await raw(service, text)]).toEqual([route, origin, 403]);
    }
  }
});

test('only a visitor with the start address sees the pages with tokens', async () => {
  const [service, other] = [await sandbox(), await sandbox()];
  for (const path of ['/', '/sandbox/tokens', '/sandbox/apps']) {
    for (const headers of [{}, visiting(other), { cookie: visiting(service).cookie.slice(0, -1) }]) {
      const answer = await fetch(service.origin + path, { headers });
      const text = await answer.text();
      expect([path, answer.status]).toEqual([path, 403]);
      for (const { value } of service.tokens) expect(text).not.toContain(value);
    }
  }
  const made = await fetch(`${service.origin}/sandbox/tokens`, {
    method: 'POST',
    body: new URLSearchParams({ user: '1', name: 'x', scope: 'read' }),
  });
  expect(made.status).toBe(403);
  expect((await fetch(`${service.startUrl}x`, { redirect: 'manual' })).status).toBe(404);
  const start = await fetch(service.startUrl, { redirect: 'manual' });
  const cookie = start.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await fetch(service.origin, { headers: { cookie } });
  expect([page.status, (await page.text()).includes(tokenNamed(service, 'full'))]).toEqual([200, true]);
});

test('the sandbox refuses an oversized body with or without Content-Length, and answers the next request', async () => {
  const service = await sandbox();
  const headers = { authorization: `Bearer ${tokenNamed(service, 'full')}`, 'content-type': 'application/json' };
  const { host } = new URL(service.origin);
  const announced = `POST /api/v2/worklogs HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9999999999\r\nConnection: close\r\n\r\n`;
  expect(await raw(service, announced)).toBe(413);
  let left = 200;
  const pieces = new ReadableStream({
    pull(controller) {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  const sent = fetch(`${service.baseUrl}/worklogs`, { method: 'POST', headers, body: pieces, duplex: 'half' } as RequestInit);
  // The sandbox may close before the answer is read.
  expect(
    await sent.then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
  expect((await send(service, '/me')).status).toBe(200);
});

test('the full request log removes its oldest bodies', async () => {
  const service = await sandbox({ limits: 'off' });
  const body = { description: 'x'.repeat(4 * 1024 * 1024), minutes: 1, date: '2026-06-15' };
  for (let sent = 0; sent < 6; sent++) await send(service, '/worklogs', { method: 'POST', body });
  const sizes = service.requests.map((request) => request.body.length);
  expect(sizes.slice(0, 2)).toEqual([0, 0]);
  expect(sizes.at(-1)).toBeGreaterThan(4 * 1024 * 1024);
});
