import { expect, it } from 'vitest';
import { isTooDeep } from '../../src/values/json.ts';

const nested = (levels: number, open: string, close: string) => `${open.repeat(levels)}${close.repeat(levels)}`;

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('svc accepts a thousand levels of %s, and refuses one more', (_, open, close) => {
  expect(isTooDeep(nested(1_000, open, close))).toBe(false);
  expect(isTooDeep(nested(1_001, open, close))).toBe(true);
});

it('svc counts the levels of lists and objects together', () => {
  expect(isTooDeep(nested(500, '[{"a":', '}]'))).toBe(false);
  expect(isTooDeep(nested(501, '[{"a":', '}]'))).toBe(true);
});

it('svc does not count adjacent brackets, or brackets in strings, as levels of JSON', () => {
  expect(isTooDeep(`[${Array.from({ length: 3_000 }, () => '[]').join(',')}]`)).toBe(false);
  expect(isTooDeep(JSON.stringify('['.repeat(3_000)))).toBe(false);
  expect(isTooDeep(`["\\"${'['.repeat(3_000)}"]`)).toBe(false);
});
