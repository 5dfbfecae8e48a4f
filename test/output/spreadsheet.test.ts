import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWriter } from '../../src/output/create-writer.ts';
import { csvCell, defuse, tsvCell } from '../../src/output/csv-writer.ts';

describe('svc in a CSV cell', () => {
  test.each([
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    ';=1',
    ' ; @SUM(A1)',
    ';;＝1',
    ' =1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '-',
    '=',
    '+31 6 1234',
    '--1',
    '-1,5',
    '-0x10',
    '1=1'.slice(1),
  ])('turns %j into plain text', (text) => {
    expect(defuse(text)).toBe(`'${text}`);
  });
  test.each(['', 'a=b', '-1', '+1.5', '-.5', '1e5', '-1.5E-3', '12345678901234567890', '2025-01-01', "'=1", '1=1', ';1', ';'])(
    'leaves %j unchanged',
    (text) => {
      expect(defuse(text)).toBe(text);
    },
  );
});

test('svc keeps line breaks only in CSV, and shows escape codes in CSV and TSV', () => {
  expect(csvCell('a\r\nb\tc\u001b[31m')).toBe('a\nb\tc␛[31m');
  expect(tsvCell('a\r\nb\tc\u001b[31m')).toBe('a b c␛[31m');
});

test('a CSV parser reads any rows back, cell for cell', async () => {
  const record = fc.record({ id: fc.nat(), text: fc.string({ unit: 'binary' }), 'odd,"name': fc.string() });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), async (records) => {
      const writer = await createWriter('csv', { color: false, pretty: false });
      const text = writer.begin() + records.map((each) => writer.row(each)).join('') + writer.end();
      expect(parse(text)).toEqual([
        ['id', 'text', 'odd,"name'],
        ...records.map((each) => [String(each.id), csvCell(each.text), csvCell(each['odd,"name'])]),
      ]);
    }),
  );
});

test('every TSV row is one line with all its cells', async () => {
  const record = fc.record({ a: fc.string({ unit: 'binary' }), b: fc.string({ unit: 'binary' }) });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), async (records) => {
      const writer = await createWriter('tsv', { color: false, pretty: false });
      const text = records.map((each) => writer.row(each)).join('') + writer.end();
      const lines = text.split('\n');
      expect(lines).toHaveLength(records.length + 2);
      for (const line of lines.slice(0, -1)) expect(line.split('\t')).toHaveLength(2);
    }),
  );
});

test('svc quotes a semicolon, which separates cells in some locales', async () => {
  const writer = await createWriter('csv', { color: false, pretty: false, fields: ['a'] });
  expect(writer.row({ a: 'x;=1+1' })).toBe('a\n"x;=1+1"\n');
});
