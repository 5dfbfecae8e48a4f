import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenForRedirect } from '../../src/auth/loopback.ts';
import type { RedirectSource } from '../../src/auth/redirect-answer.ts';
import { UsageError } from '../../src/errors.ts';
import { rawExchange } from '../support/raw-http.ts';

const STATE = 'state-of-this-sign-in';
const never = new AbortController().signal;

let source: RedirectSource;
let port: number;
let host: string;

beforeEach(async () => {
  source = await listenForRedirect();
  host = new URL(source.redirectUri).host;
  port = Number(new URL(source.redirectUri).port);
  source.expect(STATE);
});
afterEach(() => source.close());

/** Sends one request and returns the complete answer. */
function ask(target: string, options: { method?: string; host?: string; headers?: string; body?: string } = {}): Promise<string> {
  const { method = 'GET', headers = '', body = '' } = options;
  return rawExchange('127.0.0.1', port, `${method} ${target} HTTP/1.1\r\nHost: ${options.host ?? host}\r\n${headers}\r\n${body}`);
}

/** Ends the sign-in with a valid answer, and returns the page. */
async function endSignIn(): Promise<string> {
  const page = ask(`/callback?code=the-code&state=${STATE}`);
  const answer = await source.answer(never);
  await answer.succeed({ host: 'acme.example.com', userName: 'Ann <b>' });
  expect(answer.parameters.get('code')).toBe('the-code');
  return page;
}

describe('a request that does not end the sign-in', () => {
  it.each([
    ['another path', '/callback/?code=x&state=S', {}, 404],
    ['a path that equals the expected path only after normalisation', '/x/../callback?code=x&state=S', {}, 404],
    ['the path of the favicon', '/favicon.ico', {}, 404],
    ['the method HEAD', '/callback?code=x&state=S', { method: 'HEAD' }, 405],
    ['the method OPTIONS', '/callback?code=x&state=S', { method: 'OPTIONS' }, 204],
    ['the method POST', '/callback?code=x&state=S', { method: 'POST', headers: 'Content-Length: 6\r\n', body: 'code=x' }, 405],
    ['the method PUT', '/callback?code=x&state=S', { method: 'PUT', headers: 'Content-Length: 0\r\n' }, 405],
    ['a prefetch header', '/callback?code=x&state=S', { headers: 'Sec-Purpose: prefetch;prerender\r\n' }, 503],
    ['an old prefetch header', '/callback?code=x&state=S', { headers: 'Purpose: prefetch\r\n' }, 503],
    ['a host name that resolves to this machine (DNS rebinding)', '/callback?code=x&state=S', { host: 'evil.example:80' }, 421],
    ['the host localhost', '/callback?code=x&state=S', { host: 'localhost' }, 421],
    ['another port in Host', '/callback?code=x&state=S', { host: '127.0.0.1:1' }, 421],
    ['no state (rule 13.31)', '/callback?code=x', {}, 400],
    ['an empty state', '/callback?code=x&state=', {}, 400],
    ['a wrong state (rule 13.31)', '/callback?code=x&state=other', {}, 400],
    ['the state with a suffix', '/callback?code=x&state=Sx', {}, 400],
    ['a doubled state', '/callback?code=x&state=S&state=S', {}, 400],
    ['a doubled state, the second wrong', '/callback?code=x&state=S&state=other', {}, 400],
    ['a doubled code', '/callback?code=x&code=y&state=S', {}, 400],
    ['a doubled issuer', '/callback?code=x&state=S&iss=a&iss=b', {}, 400],
    ['neither code nor error', '/callback?state=S', {}, 400],
    ['error= without a state', '/callback?error=access_denied', {}, 400],
    ['error= with a wrong state', '/callback?error=access_denied&state=other', {}, 400],
    ['an address of 8,192 characters', `/callback?code=${'x'.repeat(8192 - '/callback?code='.length)}`, {}, 400],
    ['an address of 8,193 characters', `/callback?code=${'x'.repeat(8193 - '/callback?code='.length)}`, {}, 414],
    ['an address longer than Node takes', `/callback?code=${'x'.repeat(20_000)}&state=S`, {}, 431],
    ['no Host header', '/callback?code=x&state=S', { host: '' }, 421],
    ['a full address as the path', 'http://127.0.0.1/callback?code=x&state=S', {}, 404],
    ['bytes that are not HTTP', '/callback?code=x&state=S\r\nnonsense', {}, 400],
    ['an upgrade of the connection', '/callback?code=x', { headers: 'Connection: Upgrade\r\nUpgrade: websocket\r\n' }, 400],
  ])('has %s, and gets an answer while svc keeps waiting', async (_name, target, options, status) => {
    const answer = await ask(target.replaceAll('state=S', `state=${STATE}`), options);
    expect(Number(answer.split(' ')[1])).toBe(status);
    expect(answer).not.toContain(STATE);
    await expect(endSignIn()).resolves.toContain('You are signed in');
  });

  it('gets Allow, but no CORS header, for HEAD, OPTIONS or POST', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'POST']) {
      const answer = await ask('/callback', { method, headers: 'Origin: https://evil.example\r\nContent-Length: 0\r\n' });
      expect(answer.toLowerCase()).toContain('allow: get');
      expect(answer.toLowerCase()).not.toContain('access-control-');
    }
  });

  it('gets the page “svc keeps waiting” for an error without a state', async () => {
    expect(await ask('/callback?error=access_denied')).toContain('svc keeps waiting');
  });
});

describe('a request that ends the sign-in', () => {
  it('gets an escaped error page for an error with the right state', async () => {
    const page = ask(`/callback?error=access_denied&state=${STATE}`);
    const answer = await source.answer(never);
    expect(answer.parameters.get('error')).toBe('access_denied');
    await answer.fail({ message: 'Cancelled <script>.' });
    const text = await page;
    expect(text).toContain('The sign-in failed');
    expect(text).toContain('Cancelled &#60;script&#62;.');
  });

  it('can arrive before svc waits for the answer (rule 13.63)', async () => {
    const page = ask(`/callback?code=c&state=${STATE}`);
    await ask('/favicon.ico');
    const answer = await source.answer(never);
    await answer.succeed({ host: 'acme.example.com' });
    await expect(page).resolves.toContain('acme.example.com');
  });

  it('counts for the sign-in with the same state, even beside a newer sign-in', async () => {
    source.expect('newer');
    const page = ask(`/callback?code=c&state=${STATE}`);
    const answer = await source.answer(never);
    expect(answer.state).toBe(STATE);
    await answer.fail({ message: 'no' });
    await page;
  });
});

describe('the page in the browser', () => {
  it('is sent only when the outcome of the sign-in is known', async () => {
    let ended = false;
    const page = ask(`/callback?code=c&state=${STATE}`).finally(() => {
      ended = true;
    });
    const answer = await source.answer(never);
    await ask('/favicon.ico');
    expect(ended).toBe(false);
    await answer.succeed({ host: 'acme.example.com', userName: 'Ann' });
    expect(await page).toMatch(/signed in to <strong><bdi>acme.example.com<\/bdi><\/strong> as <strong><bdi>Ann</);
  });

  it('contains no code and no state, and escapes names', async () => {
    const text = await endSignIn();
    expect(text).not.toContain('the-code');
    expect(text).not.toContain(STATE);
    expect(text).toContain('Ann &#60;b&#62;');
    expect(text).toContain("history.replaceState(null,'',location.pathname)");
  });

  it('loads nothing, and can’t be framed', async () => {
    const text = await endSignIn();
    const head = text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
    expect(head).toContain("content-security-policy: default-src 'none'; style-src 'sha256-");
    expect(head).toContain("frame-ancestors 'none'");
    for (const line of ['cache-control: no-store', 'x-content-type-options: nosniff', 'referrer-policy: no-referrer', 'connection: close'])
      expect(head).toContain(line);
  });

  it('answers "This sign-in is already done" on a second visit', async () => {
    const page = ask(`/callback?code=c&state=${STATE}`);
    const answer = await source.answer(never);
    expect(await ask(`/callback?code=c&state=${STATE}`)).toMatch(/^HTTP\/1\.1 410 [\s\S]*This sign-in is already done/);
    await answer.succeed({ host: 'acme.example.com' });
    expect(await ask(`/callback?code=other&state=${STATE}`)).toMatch(/^HTTP\/1\.1 410 /);
    await page;
  });

  it('does not keep svc waiting when the browser closes the connection', async () => {
    const browser = connect(port, '127.0.0.1');
    browser.write(`GET /callback?code=c&state=${STATE} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const answer = await source.answer(never);
    browser.destroy();
    await once(browser, 'close');
    await answer.succeed({ host: 'acme.example.com' });
  });
});

describe('the sign-in listener', () => {
  it('listens on the literal address 127.0.0.1 and a free port', () => {
    expect(source.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  it('listens on IPv6 when the machine has no IPv4 (rule 13.55)', async () => {
    // No machine has the address 192.0.2.1 (RFC 5737). Listening on it fails as on a machine without IPv4.
    const other = await listenForRedirect({ addresses: ['192.0.2.1', '::1'] });
    const { port: six } = new URL(other.redirectUri);
    expect(other.redirectUri).toBe(`http://[::1]:${six}/callback`);
    other.expect('s');
    const page = rawExchange('::1', Number(six), `GET /callback?code=c&state=s HTTP/1.1\r\nHost: [::1]:${six}\r\n\r\n`);
    await (await other.answer(never)).succeed({ host: 'acme.example.com' });
    await expect(page).resolves.toMatch(/^HTTP\/1\.1 200 /);
    await other.close();
  });

  it('suggests --paste when the machine has no loopback address', async () => {
    await expect(listenForRedirect({ addresses: ['192.0.2.1'] })).rejects.toMatchObject({ hint: expect.stringContaining('--paste') });
  });

  it('reports a fixed port that is in use', async () => {
    const taken = listenForRedirect({ port });
    await expect(taken).rejects.toThrow(UsageError);
    await expect(taken).rejects.toThrow(`Port ${port} is in use`);
  });

  it('listens on a fixed port that is free', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const free = (probe.address() as AddressInfo).port;
    await new Promise((resolve) => probe.close(resolve));
    const fixed = await listenForRedirect({ port: free });
    expect(fixed.redirectUri).toBe(`http://127.0.0.1:${free}/callback`);
    await fixed.close();
  });

  it('refuses the state of another sign-in that runs at the same time', async () => {
    const second = await listenForRedirect();
    second.expect('second');
    const wrong = await ask('/callback?code=c&state=second');
    expect(wrong).toContain('This address is from another sign-in');
    await second.close();
    await endSignIn();
  });

  it('closes every connection when the listener closes, including idle connections', async () => {
    const idle = connect(port, '127.0.0.1');
    const halfway = connect(port, '127.0.0.1');
    halfway.write('GET /callback?code=c HTTP/1.1\r\nHost:');
    const both = [idle, halfway];
    await Promise.all(both.map((socket) => once(socket, 'connect')));
    for (const socket of both) socket.on('error', () => {});
    const closed = Promise.all(both.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    await ask('/favicon.ico');
    await source.close();
    await closed;
    await source.close();
    await expect(ask('/callback')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('stops waiting with the reason of the abort signal', async () => {
    const controller = new AbortController();
    const waiting = source.answer(controller.signal);
    controller.abort(new Error('Ctrl-C'));
    await expect(waiting).rejects.toThrow('Ctrl-C');
    await expect(source.answer(controller.signal)).rejects.toThrow('Ctrl-C');
    await endSignIn();
  });
});
