import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FailedAnswer, problemToError } from '../../src/client/problem.ts';
import { exitCodeOf } from '../../src/errors.ts';

const TOKEN = 'tok|secretsecret';

function errorFor(status: number, body: unknown, extra: Partial<FailedAnswer> = {}) {
  return problemToError({
    host: { name: 'acme.example.com', origin: 'https://acme.example.com' },
    method: 'GET',
    url: 'https://acme.example.com/api/v2/worklogs?q=private',
    status,
    headers: { 'x-request-id': '01HEADERID' },
    text: typeof body === 'string' ? body : JSON.stringify(body),
    credential: { token: TOKEN, kind: 'oauth' },
    upload: false,
    retryAfterMs: undefined,
    ...extra,
  });
}

const type = (name: string) => `https://problems.example/${name}`;

describe('the exit code', () => {
  it.each([
    [400, 9],
    [401, 4],
    [403, 5],
    [404, 3],
    [405, 9],
    [406, 9],
    [407, 8],
    [408, 8],
    [409, 6],
    [412, 6],
    [413, 9],
    [415, 9],
    [418, 9],
    [422, 9],
    [429, 7],
    [500, 8],
    [503, 8],
    [599, 8],
    [300, 8],
  ])('depends only on the status, so that %i means %i', (status, exit) => {
    for (const body of ['', '<html>', '{"type":', '[]', 'null', { type: 'new-type' }]) {
      const error = errorFor(status, body);
      expect(exitCodeOf(error)).toBe(exit);
      expect(error.hint).toBeTruthy();
    }
  });
});

describe('the details of an error', () => {
  it('come from the problem document and the headers', () => {
    const error = errorFor(422, {
      type: type('validation-failed'),
      title: 'Validation failed',
      detail: 'The date is not a date-time.',
      code: 'date_format',
      key: 'start',
      request_id: '01BODYID',
    });
    expect(error.message).toBe('The date is not a date-time.');
    expect(error.details).toEqual({
      status: 422,
      type: 'validation-failed',
      code: 'date_format',
      parameter: 'start',
      request_id: '01HEADERID',
      request: 'GET https://acme.example.com/api/v2/worklogs',
    });
  });

  it.each([
    [{ parameter: 'per_page' }, 'per_page'],
    [{ field: 'minutes' }, 'minutes'],
    [{ pointer: '#/minutes' }, 'minutes'],
    [{ source: { pointer: '/data/minutes' } }, 'data/minutes'],
    [{ errors: [{ key: 'first' }, { key: 'second' }] }, 'first'],
    [{ errors: { minutes: ['Too many.'] } }, 'minutes'],
  ])('name the wrong parameter in %j', (body, parameter) => {
    expect(errorFor(400, body).details.parameter).toBe(parameter);
  });

  it('name no parameter when the member parameter is an object', () => {
    expect(errorFor(400, { parameter: { odd: true } }).details.parameter).toBeUndefined();
  });

  it.each([
    [
      { errors: [{ field: 'minutes', code: 'min', detail: 'Too few.' }, { field: 'date', code: 'required' }, 'plain'] },
      ['minutes: Too few. (min)', 'date: required', 'plain'],
    ],
    [{ errors: { minutes: ['Too few.', { code: 'integer' }] } }, ['minutes: Too few.', 'minutes: integer']],
  ])('list every error of %j', (body, lines) => {
    expect(errorFor(422, body).details.lines).toEqual(lines);
  });

  it('list no errors when the member errors is a string', () => {
    expect(errorFor(422, { errors: 'none' }).details.lines).toBeUndefined();
  });

  it('show the two statuses of a refused transition, by id or with the name', () => {
    const error = errorFor(409, {
      type: type('state-conflict'),
      conflict: { reason: 'illegal_transition', from_status_id: 3, to: { id: 9, name: 'Done' } },
    });
    expect(error.details.reason).toBe('illegal_transition');
    expect(error.details.lines).toEqual(['from_status_id: 3', 'to: Done 9']);
    expect(error.hint).toContain('workflow-transitions list');
  });

  it('contain the seconds to wait, rounded up', () => {
    expect(errorFor(429, {}, { retryAfterMs: 4200 }).details.retry_after).toBe(5);
  });
});

describe('the hint of an error', () => {
  const scope = { type: type('insufficient-token-scope'), detail: 'Needs api:write:times.' };
  it.each([
    ['a sign-in that needs a scope', 403, scope, {}, 'svc login acme.example.com --scope api:write:times'],
    [
      'a delete without the right token',
      403,
      { type: type('insufficient-token-scope') },
      { method: 'DELETE' },
      'svc token set --host acme.example.com',
    ],
    ['a personal access token without the ability', 403, scope, { credential: { token: TOKEN, kind: 'personal' } }, 'api:write:times'],
    ['a missing permission', 403, { type: type('insufficient-permission'), permission: 'hours::read' }, {}, 'hours::read'],
    ['an expired sign-in', 401, {}, {}, 'svc login acme.example.com'],
    ['an expired personal access token', 401, {}, { credential: { token: TOKEN, kind: 'personal' } }, 'svc token set'],
    ['an upload with a sign-in', 401, {}, { upload: true }, 'svc token set'],
    ['a feature that is switched off', 404, { type: type('endpoint-not-found') }, {}, 'svc resources'],
    ['a refused cursor', 400, { type: type('invalid-cursor') }, {}, 'without --cursor'],
  ] as const)('gives the next step for %s', (_what, status, body, extra, part) => {
    expect(errorFor(status, body, extra).hint).toContain(part);
  });

  it('names no ability when the message has several abilities', () => {
    const error = errorFor(403, { type: type('insufficient-token-scope'), detail: 'Has api:read, needs api:write.' });
    expect(error.hint).toBe('Sign in again with more scopes: svc login acme.example.com');
  });
});

describe('a hostile problem document', () => {
  it('shows no token, no control characters and no long text in the error', () => {
    const nasty = `Bearer abc.def ${TOKEN} \u001b[31m\n${'x'.repeat(5000)}`;
    const error = errorFor(422, {
      type: type(TOKEN),
      detail: nasty,
      code: nasty,
      parameter: nasty,
      errors: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index} ${TOKEN}`, [nasty]])),
    });
    const texts = [error.message, error.details.code, error.details.parameter, error.details.type, ...(error.details.lines ?? [])];
    for (const text of texts) {
      expect(text ?? '').not.toMatch(/secretsecret|abc\.def|\p{Cc}/u);
      expect((text ?? '').length).toBeLessThan(800);
    }
    expect(error.details.lines?.length).toBe(21);
  });

  it('shows no token, even when the document escapes the token', () => {
    const text = JSON.stringify({ detail: `You sent ${TOKEN}.` }).replace('|', '\\u007c');
    expect(text).not.toContain(TOKEN);
    expect(errorFor(400, text).message).toBe('You sent ***.');
  });

  it('never prevents svc from reporting the error', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, text) => {
        expect(errorFor(status, text).message).not.toBe('');
      }),
    );
    const members = ['type', 'detail', 'title', 'code', 'errors', 'conflict', 'parameter', 'request_id', 'rate_limit', 'source'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...members), fc.jsonValue()), (body) => {
        expect(errorFor(422, body).message).not.toBe('');
      }),
    );
  });
});
