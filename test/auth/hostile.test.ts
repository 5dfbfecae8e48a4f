// A host that is hostile, or was taken over. No answer makes svc send a token to another origin, or lose a sign-in.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, drop, type HttpServer, json, startHttpServer, truncate } from '../support/http-server.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { recordFor } from './fixtures/auth-scenario.ts';

let host: HttpServer;
let evil: HttpServer;
let machine: Machine;
let path: string;

beforeEach(async () => {
  [host, evil, machine] = await Promise.all([startHttpServer(), startHttpServer(), createMachine()]);
  const tokens = join(machine.home, '.config', 'svc', 'tokens');
  path = join(tokens, `${encodeURIComponent(new URL(host.origin).host)}.json`);
  await mkdir(tokens, { recursive: true, mode: 0o700 });
});
afterEach(async () => {
  // This holds for every test.
  expect(evil.requests).toEqual([]);
  await Promise.all([host.close(), evil.close(), machine.remove()]);
});

const svc = (...argv: string[]) => machine.svc([...argv, '--host', host.origin], { hurried: true });

async function keep(grant: Parameters<typeof recordFor>[1] = {}): Promise<string> {
  const text = `${JSON.stringify(recordFor(host.origin, { access_token: 'at-secret', refresh_token: 'rt-secret', ...grant }))}\n`;
  await writeFile(path, text, { mode: 0o600 });
  return text;
}

const away =
  (status: number, suffix = ''): Answer =>
  (_request, response) =>
    void response.writeHead(status, { location: `${evil.origin}/api/v2${suffix}` }).end();

describe('svc with the tokens of an origin', () => {
  test.each([301, 302, 303, 307, 308])('follows no %i redirect to another origin', async (status) => {
    await keep();
    host.script(away(status, '/me'));
    expect(await svc('me')).toMatchObject({ code: 8, stderr: expect.stringContaining('that svc does not follow') });
  });

  test.each([
    ['another port', () => `${evil.origin}/api/v2/projects?cursor=2`],
    ['another host', () => 'https://evil.example/api/v2/projects'],
    ['a user before the host', () => `${host.origin.replace('://', '://x@')}/api/v2/projects`],
    ['the host as a user', () => `http://${new URL(host.origin).host}@${new URL(evil.origin).host}/api/v2/projects`],
    ['a missing scheme', () => `//${new URL(evil.origin).host}/api/v2/projects`],
    ['backslashes', () => `\\\\${new URL(evil.origin).host}/api/v2/projects`],
    ['a file address', () => 'file:///etc/passwd'],
  ])('follows no links.next with %s', async (_name, next) => {
    await keep();
    const page = { next_cursor: 'c', prev_cursor: null, total: null, per_page: 25, current_page: null, last_page: null };
    host.script(json(200, { data: [{ id: 1 }], meta: { page }, links: { self: null, prev: null, next: next() } }));
    expect((await svc('api', '/projects', '--paginate')).code).toBe(8);
    expect(host.requests).toHaveLength(1);
  });

  test('sends no token to the Location of a created record on another origin', async () => {
    await keep();
    host.script(json(201, { data: { id: 7 } }, { location: `${evil.origin}/api/v2/projects/7` }));
    expect(await svc('api', '-X', 'POST', '/projects', '-f', 'name=x')).toMatchObject({ code: 0 });
  });

  test('sends no token to the address in the challenge of a 401', async () => {
    await keep();
    const challenge = `Bearer resource_metadata="${evil.origin}/.well-known/oauth-protected-resource"`;
    host.fallback(json(401, {}, { 'www-authenticate': challenge }));
    expect((await svc('me')).code).not.toBe(0);
  });

  test.each(['token_endpoint', 'revocation_endpoint'])('sends no token to a stored %s on another origin', async (member) => {
    await keep({ expires_at: 0, [member]: `${evil.origin}/oauth/token` });
    expect((await svc(member === 'token_endpoint' ? 'me' : 'logout')).code).not.toBe(0);
  });

  test.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint', 'issuer'])(
    'refuses sign-in metadata with %s on another origin',
    async (member) => {
      const at = (name: string) => `${host.origin}/oauth/${name}`;
      host.fallback(
        json(200, {
          issuer: host.origin,
          authorization_endpoint: at('authorize'),
          token_endpoint: at('token'),
          registration_endpoint: at('register'),
          revocation_endpoint: at('revoke'),
          code_challenge_methods_supported: ['S256'],
          [member]: member === 'issuer' ? evil.origin : `${evil.origin}/oauth`,
        }),
      );
      expect(await machine.svc(['login', host.origin])).toMatchObject({ code: 4 });
      expect(host.requests).toHaveLength(1);
    },
  );

  test('follows no redirect of the metadata or a refresh', async () => {
    host.script(away(302), away(307));
    expect((await machine.svc(['login', host.origin])).code).not.toBe(0);
    await keep({ expires_at: 0 });
    host.fallback(away(307));
    expect((await svc('me')).code).not.toBe(0);
  });

  test('refuses http to a host other than this machine', async () => {
    expect(await machine.svc(['login', 'http://acme.example.com'])).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
    expect((await machine.svc(['me', '--host', 'http://acme.example.com'], { env: { SVC_TOKEN: 'at-secret' } })).code).toBe(2);
  });

  test('sends no token of a host to another host on this machine', async () => {
    await keep();
    expect(await machine.svc(['me', '--host', evil.origin])).toMatchObject({ code: 4 });
  });
});

describe('a faulty token endpoint', () => {
  const page: Answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in to the Wi-Fi');
  const flood: Answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"x":"'.padEnd(10_000_000, 'x'));
  test.each<[string, Answer]>([
    ['closes the connection early', drop],
    ['sends a truncated answer', truncate],
    ['sends a web page', page],
    ['sends 10 MB', flood],
    ['sends an empty object', json(200, {})],
    ['sends a list', json(200, [])],
    ['answers 500', json(500, { error: 'server_error' })],
    ['answers 429', json(429, {}, { 'retry-after': '9999' })],
    ['sends a token of another type', json(200, { token_type: 'mac', access_token: 'x', refresh_token: 'y' })],
    ['sends an empty token', json(200, { token_type: 'Bearer', access_token: '', refresh_token: '' })],
  ])('ends no sign-in when the endpoint %s', async (_name, answer) => {
    const before = await keep({ expires_at: 0 });
    host.fallback(answer);
    const { code, stderr } = await svc('me', '--debug');
    expect(code).not.toBe(0);
    expect(stderr).not.toMatch(/[ar]t-secret/);
    expect(await readFile(path, 'utf8')).toBe(before);
    host.fallback(({ path: asked }, response) => {
      const body =
        asked === '/oauth/token'
          ? { token_type: 'Bearer', access_token: 'new', refresh_token: 'newer', expires_in: 60 }
          : { data: { id: 1 } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    expect(await svc('me')).toMatchObject({ code: 0 });
  });
});
