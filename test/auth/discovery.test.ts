import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discoverAuthorization } from '../../src/auth/discovery.ts';
import { NetworkError, NotFoundError, RateLimitError, SignInError, UnavailableError } from '../../src/errors.ts';
import { type Host, parseHost } from '../../src/values/addresses.ts';
import { type FakeAuthorizationServer, startFakeAuthorizationServer } from '../support/fake-as.ts';
import { testHttp } from '../support/oauth-http.ts';

let fake: FakeAuthorizationServer;
let host: Host;
const http = testHttp();

beforeEach(async () => {
  fake = await startFakeAuthorizationServer();
  host = parseHost(fake.origin);
});
afterEach(() => fake.close());

describe('svc login', () => {
  it('uses the origin as the issuer when the metadata names no issuer', async () => {
    await expect(discoverAuthorization(host, http)).resolves.toMatchObject({
      issuer: fake.origin,
      token_endpoint: `${fake.origin}/oauth/token`,
      authorization_response_iss_parameter_supported: false,
    });
    expect(fake.requests).toMatchObject([
      { method: 'GET', path: '/.well-known/oauth-authorization-server', headers: { 'user-agent': 'svc/test', accept: 'application/json' } },
    ]);
  });

  it('ignores null and malformed values of optional metadata members', async () => {
    fake.metadata['issuer'] = null;
    fake.metadata['revocation_endpoint'] = null;
    fake.metadata['scopes_supported'] = 'api:read';
    const server = await discoverAuthorization(host, http);
    expect(server.revocation_endpoint).toBeUndefined();
    expect(server.scopes_supported).toBeUndefined();
  });

  it.each([
    ['another issuer', 'issuer', 'https://evil.example', /another issuer: https:\/\/evil\.example/],
    ['an issuer below the origin', 'issuer', 'ORIGIN/tenant', /another issuer/],
    ['a token endpoint elsewhere', 'token_endpoint', 'https://evil.example/oauth/token', /token endpoint that is not its own/],
    ['a registration endpoint elsewhere', 'registration_endpoint', 'http://127.0.0.1:1/r', /registration endpoint/],
    ['an authorization endpoint elsewhere', 'authorization_endpoint', 'javascript:alert(1)', /authorization endpoint/],
    ['a revocation endpoint elsewhere', 'revocation_endpoint', 'https://evil.example/', /revocation endpoint/],
    ['a user name in an endpoint', 'token_endpoint', 'USER/oauth/token', /token endpoint/],
    ['a relative endpoint', 'token_endpoint', '/oauth/token', /token endpoint/],
    ['PKCE with plain only (rule 13.12)', 'code_challenge_methods_supported', ['plain'], /S256/],
    ['no PKCE method (rule 13.12)', 'code_challenge_methods_supported', undefined, /S256/],
  ])('refuses metadata with %s', async (_name, member, value, message) => {
    fake.metadata[member] =
      typeof value === 'string' ? value.replace('ORIGIN', fake.origin).replace('USER', fake.origin.replace('://', '://user@')) : value;
    const refused = discoverAuthorization(host, http);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(SignInError);
    expect(fake.requests).toHaveLength(1);
  });

  it.each(['registration_endpoint', 'token_endpoint', 'authorization_endpoint'])(
    'names the missing member %s of the metadata',
    async (member) => {
      delete fake.metadata[member];
      const refused = discoverAuthorization(host, http);
      await expect(refused).rejects.toBeInstanceOf(SignInError);
      await expect(refused).rejects.toMatchObject({
        message: `The sign-in metadata of ${host.name} has no ${member}, so svc cannot sign in with the browser.`,
        hint: `Make a personal access token in the web app under API tokens, then run: svc token set --host ${host.name}`,
      });
    },
  );

  it('shows only the first 100 characters of an address from the metadata', async () => {
    fake.metadata['issuer'] = `https://evil.example/${'x'.repeat(200)}`;
    await expect(discoverAuthorization(host, http)).rejects.toThrow(/: https:\/\/evil\.example\/x{78}…$/);
  });

  it('follows no redirect of the metadata', async () => {
    fake.lie('metadata', { status: 302, headers: { location: `${fake.origin}/elsewhere` } });
    await expect(discoverAuthorization(host, http)).rejects.toThrow(/redirected svc to 127\.0\.0\.1/);
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    ['404 (rule 13.14)', { status: 404 }, NotFoundError, /REST API is switched off, or the host belongs to no organisation/],
    ['500', { status: 500, body: '<html>' }, UnavailableError, /failed to describe how to sign in \(500\)/],
    [
      'a web page without a heading',
      { body: 'Log in', headers: { 'content-type': 'text/html; charset=utf-8' } },
      UnavailableError,
      /a web page/,
    ],
    ['a plain text', { body: 'Log in', headers: { 'content-type': 'text/plain' } }, UnavailableError, /something svc cannot read/],
    [
      'a web page',
      { body: '<!doctype html><p>Log in to the Wi-Fi', headers: { 'content-type': 'text/html' } },
      UnavailableError,
      /a web page/,
    ],
    ['invalid JSON', { body: '{"token_endpoint":' }, UnavailableError, /cannot read/],
    ['an array', { body: [] }, UnavailableError, /cannot read/],
    ['10 MB', { body: 'x'.repeat(10_000_000) }, NetworkError, /sent an answer that is too large/],
    ['403', { status: 403, body: { detail: 'Blocked\u001b[31m here' } }, Error, /refused .* \(403\)\. It reported: Blocked \[31m here/],
  ])('reports the cause when the metadata answer is %s', async (_name, lie, type, message) => {
    fake.lie('metadata', lie);
    const refused = discoverAuthorization(host, http);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(type);
  });

  it('waits for a Retry-After of 7 s, and prints the wait (rules 14.29, 15.43)', async () => {
    const patient = testHttp();
    fake.lie('metadata', { status: 429, headers: { 'retry-after': '7' } });
    await expect(discoverAuthorization(host, patient)).resolves.toBeDefined();
    expect(patient.clock.slept).toEqual([7000]);
    expect(patient.told).toEqual([expect.stringContaining('tries again in 7 s')]);
  });

  it('fails at once when Retry-After is an hour', async () => {
    fake.lie('metadata', { status: 429, headers: { 'retry-after': '3600' } });
    const refused = discoverAuthorization(host, http);
    await expect(refused).rejects.toBeInstanceOf(RateLimitError);
    await expect(refused).rejects.toMatchObject({ details: { retry_after: 3600 } });
  });
});
