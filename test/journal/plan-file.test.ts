import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import {
  decodePlan,
  encodeHead,
  encodePlan,
  encodeWrite,
  type Plan,
  type PlannedWrite,
  planDigest,
  planRows,
} from '../../src/journal/plan-file.ts';
import { withIds } from '../../src/journal/plan-references.ts';

const HEAD = { origin: 'https://acme.example.com', account: '12' };
const ADD: PlannedWrite = {
  method: 'POST',
  path: '/worklogs?view=detail',
  body: '{"date":"2026-01-15","minutes":90}',
  key: 'k1',
  ifMatch: undefined,
  noun: 'worklogs',
  command: ['worklogs', 'add', '--minutes', '90'],
};
const CHANGE: PlannedWrite = { ...ADD, method: 'PATCH', path: '/worklogs/5902', body: '{"minutes":1.10}', key: 'k2', ifMatch: 'W/"e1"' };
const GONE: PlannedWrite = { ...CHANGE, method: 'DELETE', body: undefined, key: 'k3', ifMatch: undefined, noun: undefined, command: [] };
const PLAN: Plan = { ...HEAD, writes: [ADD, CHANGE, GONE] };

const bytes = (text: string) => Buffer.from(text);
const text = encodePlan(PLAN);

test('a plan has a first line and a line for each write, and reads back as the same plan', () => {
  expect(decodePlan(bytes(text))).toEqual(PLAN);
  expect(encodeHead(HEAD) + [ADD, CHANGE, GONE].map(encodeWrite).join('')).toBe(text);
  expect(decodePlan(bytes(encodeHead(HEAD)))).toEqual({ ...HEAD, writes: [] });
  expect(text.split('\n')[1]).toBe(
    '{"method":"POST","path":"/worklogs?view=detail","body":"{\\"date\\":\\"2026-01-15\\",\\"minutes\\":90}","key":"k1","noun":"worklogs","command":["worklogs","add","--minutes","90"]}',
  );
});

test('the digest of a plan is the SHA-256 of its bytes', () => {
  expect(planDigest(bytes('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('svc reads back random plans without a difference', () => {
  const write = fc.record({
    method: fc.constantFrom('POST' as const, 'PATCH' as const, 'DELETE' as const),
    path: fc.constantFrom('/worklogs', '/work-items/ABC-1/actions/transition', '/x?a=%20&b=c'),
    body: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    key: fc.uuid(),
    ifMatch: fc.constantFrom(undefined, '"a"', 'W/"b"', '*'),
    noun: fc.constantFrom(undefined, 'work-items'),
    command: fc.array(fc.string({ unit: 'grapheme' })),
  });
  fc.assert(
    fc.property(fc.uniqueArray(write, { selector: ({ key }) => key }), (writes) => {
      expect(decodePlan(bytes(encodePlan({ ...HEAD, writes })))).toEqual({ ...HEAD, writes });
    }),
  );
});

test('svc detects random changes of one byte, as another plan or with a refusal', () => {
  fc.assert(
    fc.property(fc.nat(bytes(text).length - 1), fc.integer({ min: 0, max: 255 }), fc.constantFrom('put', 'cut', 'add'), (at, byte, how) => {
      const before = bytes(text);
      const after = Buffer.concat([
        before.subarray(0, at),
        how === 'cut' ? Buffer.of() : Buffer.of(byte),
        before.subarray(how === 'add' ? at : at + 1),
      ]);
      fc.pre(!after.equals(before));
      expect(planDigest(after)).not.toBe(planDigest(before));
      let other: Plan;
      try {
        other = decodePlan(after);
      } catch (error) {
        expect(error).toMatchObject({ name: 'UsageError', hint: expect.any(String) });
        return;
      }
      expect(other).not.toEqual(PLAN);
    }),
    { numRuns: 2000 },
  );
});

/** The plan with a change to the line of the first write. */
const changed = (from: string | RegExp, to: string) => {
  const result = text.replace(from, to);
  expect(result).not.toBe(text);
  return result;
};

test.each([
  ['no content', ''],
  ['no line end', text.slice(0, -1)],
  ['an empty line', `${text}\n`],
  ['a line that is not JSON', `${text}{\n`],
  ['a line that is not an object', `${text}[]\n`],
  ['no first line', text.slice(text.indexOf('\n') + 1)],
  ['another version number', changed('"svc_plan":1', '"svc_plan":2')],
  ['an unknown member in the first line', changed('"account":"12"', '"account":"12","x":1')],
  ['an origin with a path', changed('acme.example.com"', 'acme.example.com/"')],
  ['an origin with a password', changed('https://acme', 'https://a:b@acme')],
  ['an origin that is not HTTPS', changed('https://acme', 'ftp://acme')],
  ['an account that is not a string', changed('"account":"12"', '"account":12')],
  ['a GET', changed('"POST"', '"GET"')],
  ['a method in small letters', changed('"POST"', '"post"')],
  ['another host', changed('"/worklogs?view=detail"', '"https://evil.example/api/v2/worklogs"')],
  ['another host without a scheme', changed('"/worklogs?view=detail"', '"//evil.example/worklogs"')],
  ['a path that leads up', changed('"/worklogs?view=detail"', '"/worklogs/../users"')],
  ['an encoded path that leads up', changed('"/worklogs?view=detail"', '"/worklogs/%2e%2E/users"')],
  ['the path of the API twice', changed('"/worklogs?view=detail"', '"/api/v2/worklogs"')],
  ['a fragment', changed('view=detail"', 'view=detail#x"')],
  ['a line break in the path', changed('view=detail"', 'view=\\n"')],
  ['no path', changed('"path":"/worklogs?view=detail",', '')],
  ['a body that is an object', changed(/"body":"[^,]*,[^,]*",/, '"body":{},')],
  ['a write without a key', changed('"key":"k1",', '')],
  ['a key with a line break', changed('"k1"', '"k\\r\\nX-A: b"')],
  ['a key of another write', changed('"k1"', '"k2"')],
  ['a key that is too long', changed('"k1"', `"${'k'.repeat(256)}"`)],
  ['an invalid ETag', changed('W/\\"e1\\"', 'e1')],
  ['an ETag with a line break', changed('W/\\"e1\\"', 'W/\\"e\\n1\\"')],
  ['a resource that is a path', changed('"noun":"worklogs"', '"noun":"../x"')],
  ['a command that is a string', changed('["worklogs","add","--minutes","90"]', '"worklogs add"')],
  ['a command with a number in it', changed('"90"]', '90]')],
  ['an unknown member in a line', changed('"key":"k1"', '"key":"k1","headers":{}')],
  ['a duplicate member with another value', changed('"key":"k1"', '"key":"k0","key":"k1"')],
  ['a duplicate method', changed('"method":"POST"', '"method":"POST","method":"POST"')],
  ['members in another order', changed('"method":"POST","path":"/worklogs?view=detail"', '"path":"/worklogs?view=detail","method":"POST"')],
  ['blanks between members', changed('"key":"k1"', '"key": "k1"')],
  ['an escaped character', changed('"k1"', '"\\u006b1"')],
  ['a line break of Windows', text.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\uFEFF${text}`],
])('svc refuses a plan with %s', (_name, plan) => {
  expect(() => decodePlan(bytes(plan))).toThrow(expect.objectContaining({ name: 'UsageError', hint: expect.any(String) }));
});

test('svc refuses bytes that are not text, and oversized files', () => {
  expect(() => decodePlan(Buffer.concat([bytes(text), Buffer.of(0xff, 0x0a)]))).toThrow('The plan is not text.');
  expect(() => decodePlan(Buffer.alloc(16 * 1024 * 1024 + 1))).toThrow('larger than 16 MiB');
});

test('svc names the invalid line of a plan', () => {
  expect(() => decodePlan(bytes(changed('"k2"', '"k 2"')))).toThrow('Line 3 of the plan');
  expect(() => decodePlan(bytes(changed('"key":"k2"', '"key": "k2"')))).toThrow('Line 3 of the plan');
});

test('svc shows each write of a plan as a row, and an ambiguous body as text', () => {
  const twice = { ...ADD, body: '{"minutes":1,"minutes":900}', key: 'k4' };
  expect(planRows({ ...PLAN, writes: [ADD, GONE, twice, { ...ADD, body: 'no JSON', key: 'k5' }] })).toEqual([
    { number: 1, method: 'POST', path: '/worklogs?view=detail', body: { date: '2026-01-15', minutes: 90 }, if_match: null },
    { number: 2, method: 'DELETE', path: '/worklogs/5902', body: null, if_match: null },
    { number: 3, method: 'POST', path: '/worklogs?view=detail', body: '{"minutes":1,"minutes":900}', if_match: null },
    { number: 4, method: 'POST', path: '/worklogs?view=detail', body: 'no JSON', if_match: null },
  ]);
  expect(planRows({ ...PLAN, writes: [CHANGE] })).toMatchObject([{ if_match: 'W/"e1"' }]);
});

const NEXT: PlannedWrite = {
  ...{
    method: 'PATCH',
    path: '/worklogs/{1}',
    body: '{"minutes":1.10,"to":["{1}",{"x":"{9}"}],"text":"12"}',
    key: 'k2',
    ifMatch: undefined,
  },
  ...{ before: { task_id: '{1}' }, takes: [1], noun: 'worklogs', command: [] },
};

test('svc puts the id of a created record into the path and the values of a later write', () => {
  const plan = { ...HEAD, writes: [ADD, NEXT] };
  expect(decodePlan(bytes(encodePlan(plan)))).toEqual(plan);
  expect(withIds(NEXT, () => '77')).toMatchObject({
    path: '/worklogs/77',
    body: '{"minutes":1.10,"to":[77,{"x":"{9}"}],"text":"12"}',
    before: { task_id: 77 },
  });
  expect(withIds(NEXT, () => undefined)).toEqual(NEXT);
  const both = { ...NEXT, path: '/worklogs/{2}', key: 'k3', takes: [1, 2] };
  expect(decodePlan(bytes(encodePlan({ ...HEAD, writes: [ADD, { ...ADD, key: 'k2' }, both] }))).writes[2]).toEqual(both);
});

test.each<[string, PlannedWrite[]]>([
  ['itself', [NEXT]],
  ['a later write', [ADD, { ...NEXT, takes: [3], path: '/worklogs/{3}' }, { ...ADD, key: 'k3' }]],
  ['a change', [{ ...CHANGE, key: 'k1' }, NEXT]],
  ['an action', [{ ...ADD, path: '/work-items/1/actions/move' }, NEXT]],
  ['no write', [ADD, { ...NEXT, takes: [] }]],
  ['one write twice', [ADD, { ...NEXT, takes: [1, 1] }]],
  ['a later write first', [ADD, { ...ADD, key: 'k2' }, { ...NEXT, path: '/worklogs/{2}', key: 'k3', takes: [2, 1] }]],
  ['write 0', [ADD, { ...NEXT, takes: [0, 1], body: '{"x":"{0}"}' }]],
  ['a write that neither path nor body uses', [ADD, { ...ADD, key: 'k2' }, { ...NEXT, key: 'k3', takes: [1, 2] }]],
  ['a write in a path only', [ADD, { ...NEXT, takes: undefined }]],
  ['a write beside text', [ADD, { ...NEXT, path: '/worklogs/{1}x' }]],
  ['a write in a body that is no object', [ADD, { ...NEXT, body: '["{1}"]' }]],
])('svc refuses a plan with a write that takes the id of %s', (_, writes) => {
  expect(() => decodePlan(bytes(encodePlan({ ...HEAD, writes })))).toThrow(UsageError);
});
