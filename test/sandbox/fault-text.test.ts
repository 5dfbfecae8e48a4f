import { expect, test } from 'vitest';
import { faultText, parseFault } from '../../src/sandbox/http/faults.ts';

test.each([
  ['GET /worklogs 503 x2', { method: 'GET', path: '/worklogs', status: 503, times: 2 }],
  ['429 retry-after=3', { status: 429, retryAfter: 3 }],
  ['/me delay=2', { path: '/me', delayMs: 2000 }],
  ['/me delay=250ms', { path: '/me', delayMs: 250 }],
  ['POST /worklogs drop', { method: 'POST', path: '/worklogs', drop: 'before' }],
  ['POST /worklogs drop=after skip=1', { method: 'POST', path: '/worklogs', drop: 'after', skip: 1 }],
  ['GET /users* truncate x*', { method: 'GET', path: '/users*', truncate: true, times: Number.POSITIVE_INFINITY }],
  ['  /oauth/token   garbage ', { path: '/oauth/token', garbage: true }],
])('the sandbox parses the fault %s', (text, fault) => {
  expect(parseFault(text)).toEqual(fault);
  expect(parseFault(faultText(parseFault(text)))).toEqual(fault);
});

test.each([
  ['', 'has no effect'],
  ['GET /worklogs', 'has no effect'],
  ['GET worklogs 503', '"worklogs" is not understood'],
  ['GET /worklogs 200', '400 to 599'],
  ['503 x', '"x" is not understood'],
  ['503 skip=', 'skip takes a whole number'],
  ['delay=soon', 'delay takes 500ms or 2s'],
  ['delay=9999s', 'an hour at most'],
  ['drop=during', 'before or after'],
  ['delay=1 retry-after=3', 'without a status'],
])('the sandbox refuses the fault "%s"', (text, why) => {
  expect(() => parseFault(text)).toThrow(RangeError);
  expect(() => parseFault(text)).toThrow(why);
});
