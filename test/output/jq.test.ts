import { describe, expect, test } from 'vitest';
import { SvcError, UsageError } from '../../src/errors.ts';
import { runJq } from '../../src/output/jq.ts';

const piped = { color: false, pretty: false };

test.each([
  ['.[].name', '[{"name":"a"},{"name":"b\\nc"}]', 'a\nb\nc\n'],
  ['.', '{"b":1,"a":[1,2]}', '{"b":1,"a":[1,2]}\n'],
  ['map(.minutes) | add', '[{"minutes":30},{"minutes":60}]', '90\n'],
  ['empty', '[]', ''],
  ['""', '[]', '\n'],
  ['.[]', '["x",null,true]', 'x\nnull\ntrue\n'],
  // Real jq keeps numbers that nobody calculated with.
  ['.[]', '[12345678901234567890,1.10]', '12345678901234567890\n1.10\n'],
  ['-1', '[]', '-1\n'],
  ['. as [$a] | $a', '[1]', '1\n'],
  ['env | has("HOME_OF_THE_TEST")', '[]', 'false\n'],
])('svc evaluates the jq expression %s of %s', async (expression, json, output) => {
  expect(await runJq(json, expression, piped)).toBe(output);
});

test('svc indents jq values and escapes control characters at a terminal', async () => {
  expect(await runJq('{"a":[1,"\\u001b[31m"]}', '., .a[1]', { color: false, pretty: true })).toBe(
    '{\n  "a": [\n    1,\n    "\\u001b[31m"\n  ]\n}\n␛[31m\n',
  );
  expect(await runJq('[1]', '.', { color: true, pretty: false })).toBe('[\u001b[36m1\u001b[39m]\n');
});

describe('a jq expression that fails', () => {
  test.each([
    ['.[] | foo', '[1]', /^jq: error: foo\/0 is not defined/],
    ['.[', '[1]', /^jq: error: syntax error/],
    ['.a', '[1]', /Cannot index array with/],
    ['error("mine")', '[1]', /mine/],
  ])('is reported with the reason: %s', async (expression, json, message) => {
    await expect(runJq(json, expression, piped)).rejects.toThrow(message);
    await expect(runJq(json, expression, piped)).rejects.toThrow(UsageError);
  });
});

test('svc filters ten megabytes of records with jq', async () => {
  const record = {
    id: 1,
    date: '2025-03-31',
    minutes: 90,
    description: 'x'.repeat(300),
    user: { id: 1, name: 'Someone' },
    created_at: '2025-03-31T12:00:00Z',
  };
  const json = JSON.stringify(Array(25_000).fill(record));
  expect(json.length).toBeGreaterThan(10_000_000);
  expect(await runJq(json, 'map(.minutes) | add', piped)).toBe('2250000\n');
  expect(await runJq(json, '.', piped)).toBe(`${json}\n`);
});

test('svc reports that jq lacks memory, and evaluates the next jq expression', async () => {
  const json = `[${'[],'.repeat(8_000_000)}[]]`;
  await expect(runJq(json, 'length', piped)).rejects.toThrow(SvcError);
  expect(await runJq('[1]', 'length', piped)).toBe('1\n');
});
