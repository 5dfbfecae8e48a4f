import { describe, expect, test } from 'vitest';
import { alignsRight, type CellKind, cellText, dateTimeDisplay, mustStayWhole, pageText } from '../../src/output/cell.ts';
import { parseJson } from '../../src/values/json.ts';

const asSent = dateTimeDisplay(undefined);

test.each<[string, CellKind | undefined, string]>([
  ['null', 'duration', ''],
  ['90', 'duration', '1h30'],
  ['90', undefined, '90'],
  ['90.5', 'duration', '90.5'],
  ['"90"', 'duration', '90'],
  ['21', 'percentage', '21%'],
  ['"12.50"', 'money', '12.50'],
  ['1.10', 'decimal', '1.10'],
  ['true', 'boolean', 'yes'],
  ['false', undefined, 'no'],
  ['"2025-03-31T12:00:00Z"', 'date-time', '2025-03-31T12:00:00Z'],
  ['"<p>a &lt; b</p><p>c</p>"', 'html', 'a < b c'],
  ['"<p>a</p>"', 'string', '<p>a</p>'],
  ['"a\\nb\\u001b[2J"', 'markdown', 'a b␛[2J'],
  ['"# Plan\\n\\n- [x] **ship** `it`\\n> see [the page](https://example.com)"', 'markdown', 'Plan ship it see the page'],
  ['"2 * 3 * 4, snake_case_name, _so_"', 'markdown', '2 * 3 * 4, snake_case_name, so'],
  ['{"id":3,"name":"Zoë"}', undefined, 'Zoë'],
  ['{"id":3,"title":"T","name":null}', undefined, 'T'],
  ['{"id":3,"issue_key":"ABC-12"}', undefined, 'ABC-12'],
  ['{"id":3,"name":"","number":"2026-01"}', undefined, '2026-01'],
  ['{"name":true,"title":["T"],"id":1.10}', undefined, '1.10'],
  ['{"x":1.10}', 'json', '{"x":1.10}'],
  ['{"id":12345678901234567890}', undefined, '12345678901234567890'],
  ['[{"name":"a"},{"name":"b"},3,null]', undefined, 'a, b, 3'],
  ['[1,2,3,4,5,6,7]', undefined, '1, 2, 3, 4, 5 +2'],
  ['[1,2,"",3,4,5]', undefined, '1, 2, 3, 4, 5'],
  ['[]', undefined, ''],
])('svc prints %s of the kind %s as %s', (json, kind, text) => {
  expect(cellText(parseJson(json), kind, asSent)).toBe(text);
});

test('svc prints an absent value as an empty cell', () => {
  expect(cellText(undefined, 'duration', asSent)).toBe('');
});

test('svc keeps the lines of a text in a detail view', () => {
  expect(pageText('<p>a</p><p>b</p>', 'html', asSent)).toBe('a\n\nb');
  expect(pageText('a\r\nb\u001b', undefined, asSent)).toBe('a\nb␛');
  expect(pageText('# Plan\n\n- it', 'markdown', asSent)).toBe('# Plan\n\n- it');
});

describe('a date-time', () => {
  test.each([
    ['Europe/Amsterdam', '2025-03-31T12:00:00Z', '2025-03-31 14:00'],
    ['Europe/Amsterdam', '2025-12-31T23:30:00Z', '2026-01-01 00:30'],
    ['Pacific/Kiritimati', '2025-03-31T10:00:00Z', '2025-04-01 00:00'],
    ['Asia/Kathmandu', '2025-03-31T00:00:00Z', '2025-03-31 05:45'],
    ['UTC', '2025-03-31', '2025-03-31'],
    ['UTC', '2025-02-31T99:00:00Z', '2025-02-31T99:00:00Z'],
    ['UTC', 'soon', 'soon'],
  ])('in the zone %s, sent as %s, is shown as %s', (zone, utc, shown) => {
    expect(dateTimeDisplay(zone)(utc)).toBe(shown);
  });
});

test('svc aligns durations and money on the right, and cuts ids and dates last', () => {
  expect([alignsRight('duration'), alignsRight('money'), alignsRight('string'), alignsRight(undefined)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([mustStayWhole('id'), mustStayWhole('date'), mustStayWhole('html'), mustStayWhole(undefined)]).toEqual([true, true, false, false]);
});
