import { expect, test } from 'vitest';
import { apiPath, requestDigest } from '../../src/journal/request-digest.ts';

const digest = (method: string, path: string, body?: string | Uint8Array) =>
  requestDigest(method, path, typeof body === 'string' ? Buffer.from(body) : body);
const same = digest('POST', '/worklogs?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}');

test.each<[string, string, string, string | Uint8Array]>([
  ['a method in another letter case', 'post', '/worklogs?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'],
  ['another order of fields, at any depth', 'POST', '/worklogs?a=1&b=2', '{"tags":[1,{"y":2,"x":1}],"minutes":90}'],
  ['blanks in the body', 'POST', '/worklogs?a=1&b=2', '{ "minutes": 90,\n"tags":[1,{"x":1,"y":2}] }'],
  ['another order of parameters', 'POST', '/worklogs?b=2&a=1', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'],
  ['the full path of the API', 'POST', '/api/v2/worklogs?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'],
  ['a full address', 'POST', 'https://acme.example.com/api/v2/worklogs?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'],
  ['a path without its first slash', 'POST', 'worklogs?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'],
])('the digest of a request is the same for %s', (_name, method, path, body) => {
  expect(digest(method, path, body)).toBe(same);
});

test('the digest of a request differs after a change of method, path, parameter, or a value in the body', () => {
  const all = [
    same,
    digest('PATCH', '/worklogs?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'),
    digest('POST', '/worklogs?a=1&b=3', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'),
    digest('POST', '/absences?a=1&b=2', '{"minutes":90,"tags":[1,{"x":1,"y":2}]}'),
    // A list has an order, and a number is what is written.
    digest('POST', '/worklogs?a=1&b=2', '{"minutes":90,"tags":[{"x":1,"y":2},1]}'),
    digest('POST', '/worklogs?a=1&b=2', '{"minutes":90.0,"tags":[1,{"x":1,"y":2}]}'),
    digest('POST', '/worklogs?a=1&b=2', '{"minutes":"90","tags":[1,{"x":1,"y":2}]}'),
    digest('POST', '/worklogs', '{}'),
    digest('POST', '/worklogs'),
    digest('POST', '/worklogs', ''),
    digest('POST', '/worklogs', 'null'),
    digest('POST', '/worklogs', new Uint8Array([0xff])),
    digest('POST', '/worklogs', new Uint8Array([0xfe])),
    digest('POST', '/worklogs?a=1&a=2'),
    digest('POST', '/worklogs?a=1%26a=2'),
    digest('POST', '/worklogs', '12345678901234567890'),
    digest('POST', '/worklogs', '12345678901234567891'),
    digest('POST', '/worklogs', '{"__proto__":1}'),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test.each([
  ['/api/v2', '/'],
  ['/api/v2?x=1', '/?x=1'],
  ['/api/v20/x', '/api/v20/x'],
  ['//other.example/x', '//other.example/x'],
  ['/a b?c=d e#f', '/a%20b?c=d%20e'],
  ['http://[', 'http://['],
  ['https://ada:word@acme.example.com/api/v2/me', '/me'],
])('svc records the path %s as %s in the journal', (path, noted) => {
  expect(apiPath(path)).toBe(noted);
});
