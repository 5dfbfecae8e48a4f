import { expect, it } from 'vitest';
import { type FailedAnswer, problemToError } from '../../src/client/problem.ts';

const personal = { token: 'a-token', kind: 'personal' } as const;
const environment = { token: 'a-token', kind: 'environment' } as const;
const type = (name: string, more: object = {}) => ({ type: `https://problems.example/${name}`, ...more });
const said = { detail: 'In its own words.' };

/** Returns the message and the hint for an answer, on two lines. */
function words(status: number, body: object = {}, more: Partial<FailedAnswer> = {}): string {
  const { message, hint } = problemToError({
    host: { name: 'acme.example.com', origin: 'https://acme.example.com' },
    method: 'GET',
    url: 'https://acme.example.com/api/v2/worklogs/7',
    status,
    headers: {},
    text: JSON.stringify(body),
    credential: { token: 'a-token', kind: 'oauth' },
    upload: false,
    retryAfterMs: undefined,
    ...more,
  });
  return `${message}\n${hint}`;
}

it('a 400, 422 or 499 error has the message of the service or the status, and a hint by type', () => {
  expect([words(400), words(422, said), words(499, type('new-type')), words(499, said)]).toMatchInlineSnapshot(`
    [
      "The service refused the request (400).
    To check the request, add --dry-run.",
      "In its own words.
    To check the request, add --dry-run.",
      "The service refused the request (499).
    To check the request, add --dry-run.",
      "In its own words.
    To check the request, add --dry-run.",
    ]
  `);
  const types = ['invalid-query-parameter', 'unsupported-parameter', 'invalid-cursor', 'idempotency-key-required', 'validation-failed'];
  expect(types.map((name) => words(422, type(name, said)).split('\n')[1])).toMatchInlineSnapshot(`
    [
      "Check the value of the filter or flag.",
      "The list does not accept the parameter; leave out the flag.",
      "A cursor works only for the list that printed the cursor. Start again without --cursor.",
      "Add a key: --idempotency-key <key>",
      "Correct the named fields, and run the command again; --dry-run shows the request.",
    ]
  `);
});

it('the error for a 401 names the refused sign-in or token, and the next step', () => {
  expect([
    words(401),
    words(401, {}, { upload: true }),
    words(401, {}, { credential: personal, upload: true }),
    words(401, {}, { credential: environment, upload: true }),
  ]).toMatchInlineSnapshot(`
    [
      "acme.example.com did not accept the sign-in: it has expired or was disconnected.
    Sign in again: svc login acme.example.com",
      "An upload needs a personal access token with Write. A browser sign-in is not enough.
    Make a token in the web app, then: svc token set --host acme.example.com",
      "acme.example.com did not accept the personal access token: it has expired or was revoked.
    Make a new token in the web app, then: svc token set --host acme.example.com",
      "acme.example.com did not accept the token in SVC_TOKEN.
    Set SVC_TOKEN to a token that is neither expired nor revoked.",
    ]
  `);
});

it('the error for a 403 states whether the person or the token lacks the permission', () => {
  const scope = (ability: string) => type('insufficient-token-scope', { ability });
  expect([
    words(403),
    words(403, said),
    words(403, type('insufficient-permission', said)),
    words(403, type('insufficient-permission', { permission: 'hours::read' })),
    words(403, type('insufficient-permission')),
    words(403, type('insufficient-token-scope')),
    words(403, scope('api:write:times')),
    words(403, scope('api:destroy:times')),
    words(403, scope('api:destroy:times'), { credential: personal }),
    words(403, type('insufficient-token-scope', said), { method: 'DELETE' }),
    words(403, type('insufficient-token-scope'), { credential: environment, method: 'DELETE' }),
  ]).toMatchInlineSnapshot(`
    [
      "The token does not cover this request.
    Ask an administrator of acme.example.com to allow this request.",
      "In its own words.
    Ask an administrator of acme.example.com to allow this request.",
      "In its own words.
    Ask an administrator of acme.example.com for the permission for this request.",
      "Your user does not have the permission hours::read.
    Ask an administrator of acme.example.com for the permission hours::read.",
      "Your user does not have the permission for this request.
    Ask an administrator of acme.example.com for the permission for this request.",
      "The token does not cover this request.
    Sign in again with more scopes: svc login acme.example.com",
      "The token does not cover this request.
    Sign in again with more scopes: svc login acme.example.com --scope api:write:times",
      "The token does not cover this request.
    Deleting needs a personal access token with Delete: svc token set --host acme.example.com",
      "The token does not cover this request.
    Create a token with api:destroy:times: you choose abilities when you create a token.",
      "In its own words.
    Deleting needs a personal access token with Delete: svc token set --host acme.example.com",
      "The token does not cover this request.
    Create a token with that ability: you choose abilities when you create a token.",
    ]
  `);
});

it('the error for a 404 names a missing record if the answer does, and otherwise lists possible causes', () => {
  expect([
    words(404),
    words(404, type('endpoint-not-found', said)),
    words(404, type('record-not-found')),
    words(404, type('record-not-found', said)),
  ]).toMatchInlineSnapshot(`
    [
      "acme.example.com has no /api/v2/worklogs/7. The record does not exist, the feature is not enabled, or the REST API is switched off.
    To see the resources of this organisation: svc resources",
      "acme.example.com has no /api/v2/worklogs/7. The record does not exist, the feature is not enabled, or the REST API is switched off.
    To see the resources of this organisation: svc resources",
      "There is no /api/v2/worklogs/7.
    Check the id, and your permission to see the record.",
      "In its own words.
    Check the id, and your permission to see the record.",
    ]
  `);
});

it('the error for a 409 or 412 suggests reading the record again, or listing the transitions', () => {
  const illegal = { conflict: { reason: 'illegal_transition' } };
  expect([
    words(409),
    words(409, said),
    words(409, illegal),
    words(409, { ...illegal, ...said }),
    words(412),
    words(412, said),
  ]).toMatchInlineSnapshot(`
    [
      "The record is in a state that does not allow this request.
    Read the record again. Repeat the command only if you still want the change.",
      "In its own words.
    Read the record again. Repeat the command only if you still want the change.",
      "The workflow does not allow that transition.
    List the transitions: svc workflow-transitions list",
      "In its own words.
    List the transitions: svc workflow-transitions list",
      "The record has changed since svc read it.
    Read the record again, and repeat the command. Without --if-match or --if-unchanged, svc overwrites the change.",
      "In its own words.
    Read the record again, and repeat the command. Without --if-match or --if-unchanged, svc overwrites the change.",
    ]
  `);
});

it('the error for a 429 has the seconds until the next try, rounded up, if known', () => {
  expect([words(429, said), words(429, {}, { retryAfterMs: 4_001 }), words(429, {}, { retryAfterMs: 4_000 })]).toMatchInlineSnapshot(`
    [
      "The rate limit is used up (429). The service did not run the request.
    Try again later, or allow a longer wait with --max-wait.",
      "The rate limit is used up (429). The service did not run the request.
    Try again in 5 s, or allow a longer wait with --max-wait.",
      "The rate limit is used up (429). The service did not run the request.
    Try again in 4 s, or allow a longer wait with --max-wait.",
    ]
  `);
});

it('the errors for ten further statuses have a message and a hint', () => {
  const statuses = [405, 406, 407, 408, 413, 415, 500, 503, 302, 600];
  expect(statuses.map((status) => words(status))).toMatchInlineSnapshot(`
    [
      "/api/v2/worklogs/7 does not accept GET.
    To see the operations: svc resources",
      "The service cannot answer in the form of the Accept header.
    Leave out the Accept header.",
      "The proxy needs a user name and a password (407).
    Set the user name and the password in HTTPS_PROXY: http://user:password@proxy:port.",
      "acme.example.com failed to answer the request (408).
    Try again later. If the error remains, report the request id to the operator of the service.",
      "The body is larger than the service accepts.
    Send fewer or smaller values at a time.",
      "The service does not accept a body of that type.
    Send JSON, with Content-Type: application/json.",
      "acme.example.com failed to answer the request (500).
    Try again later. If the error remains, report the request id to the operator of the service.",
      "acme.example.com failed to answer the request (503).
    Try again later. If the error remains, report the request id to the operator of the service.",
      "acme.example.com failed to answer the request (302).
    Try again later. If the error remains, report the request id to the operator of the service.",
      "acme.example.com failed to answer the request (600).
    Try again later. If the error remains, report the request id to the operator of the service.",
    ]
  `);
  expect(statuses.map((status) => words(status, said).startsWith('In its own words.'))).toMatchInlineSnapshot(`
    [
      false,
      true,
      false,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
    ]
  `);
});
