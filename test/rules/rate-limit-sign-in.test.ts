import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

// The limits of the OAuth endpoints: chapter 15 of docs/service-rules.md.

let here: SignedIn;
beforeEach(async () => {
  here = await signedIn();
});
afterEach(() => here.remove());

const asked = () => here.sandbox.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);

test('svc repeats a rate-limited refresh with the same token, because the refresh did not run (rules 14.29, 15.42)', async () => {
  here.sandbox.setFaults([{ path: '/oauth/token', status: 429, retryAfter: 3 }]);
  expect(await here.svc(['auth', 'refresh'], { hurried: true })).toMatchObject({ code: 0 });
  expect(asked()).toEqual(['POST /oauth/token 429', 'POST /oauth/token 200']);
  expect(here.sandbox.requests[1]?.body).toBe(here.sandbox.requests[0]?.body);
});

test('svc keeps the sign-in and exits 7 when the service refuses a refresh for longer than svc waits (rule 15.42)', async () => {
  here.sandbox.setFaults([{ path: '/oauth/token', status: 429, retryAfter: 60, times: 2 }]);
  const { code, stderr } = await here.svc(['auth', 'refresh'], { hurried: true });
  expect([code, stderr]).toEqual([7, expect.stringContaining('Run the same command again in 60 s. svc keeps your sign-in.\n')]);
  expect(await here.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
});

test('svc deletes the sign-in after a rate-limited revocation, and reports the unconfirmed sign-out (rule 15.43)', async () => {
  here.sandbox.setFaults([{ path: '/oauth/revoke', status: 429, retryAfter: 60 }]);
  const result = await here.svc(['logout']);
  expect(result).toMatchObject({ code: 8, stderr: expect.stringContaining('the service did not confirm the sign-out') });
  expect((await here.svc(['auth', 'status'])).code).toBe(4);
});

test('only a sign-in requests the metadata, and only once (rule 15.43)', async () => {
  await here.svc(['login', here.host]);
  await here.svc(['me']);
  await here.svc(['auth', 'refresh']);
  await here.svc(['logout']);
  expect(asked().filter((line) => line.includes('.well-known'))).toEqual(['GET /.well-known/oauth-authorization-server 200']);
});

test('six sign-ins after the first need no new registration (rules 15.40, 15.41)', async () => {
  for (let count = 0; count < 6; count++) expect(await here.svc(['login', here.host])).toMatchObject({ code: 0 });
  expect(asked().filter((line) => line.includes('/oauth/register'))).toEqual([]);
});
