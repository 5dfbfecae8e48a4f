import { parse as parseCsv } from 'csv-parse/sync';
import { load as parseYaml, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { createWriter, renderRecord } from '../../src/output/create-writer.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '../../src/output/format.ts';
import { textWidth } from '../../src/output/text-width.ts';
import type { Column, WriterOptions } from '../../src/output/writer.ts';
import { type JsonObject, parseJson } from '../../src/values/json.ts';

const columns: readonly Column[] = [
  { path: 'id', kind: 'id' },
  { path: 'date', kind: 'date' },
  { path: 'minutes', header: 'TIME', kind: 'duration' },
  { path: 'description', kind: 'html' },
  { path: 'user' },
  { path: 'created_at', kind: 'date-time' },
];

/** Awkward on purpose: wide, right-to-left and composed letters, escapes, a formula, numbers JavaScript would change. */
const records = (
  parseJson(`[
    {"id":1,"date":"2025-03-31","minutes":90,"description":"<p>日本語 👩‍👩‍👧 &amp; café</p><p>second \\u001b[31mline</p>","user":{"id":3,"name":"Zoë"},
     "price":"12.50","labels":[{"name":"a"},{"name":"b"}],"created_at":"2025-03-31T12:00:00Z","is_overtime":true},
    {"id":9007199254740993,"date":"2025-04-01","minutes":5,"description":"=HYPERLINK(\\"x\\") שלום עולם \\u202eevil, and a text that goes on and on",
     "user":null,"price":"-3.00","labels":[],"created_at":null,"is_overtime":false},
    {"id":3,"date":"no","minutes":-90,"description":"yes","user":{"id":4},"price":"0","labels":["x","y","z","p","q","r","s"],
     "created_at":"2025-12-31T23:30:00Z","rate":1.10,"tab":"a\\tb; \\"c\\""}
  ]`) as readonly JsonObject[]
).slice();

const piped: WriterOptions = { color: false, pretty: false, columns };
const terminal: WriterOptions = { color: true, pretty: true, columns, width: 80, timeZone: 'Europe/Amsterdam' };

describe.each(OUTPUT_FORMATS)('the output format %s', (format) => {
  test.each([
    ['piped', piped],
    ['terminal', terminal],
  ])('prints wide letters, escape codes and exact numbers as in its snapshot (%s)', async (place, options) => {
    const list = await render(format, records, options);
    const one = await Promise.all(records.map((record) => renderRecord(record, format, options)));
    const shown = [list, ...one].join('\n----\n').replaceAll('\u001b', '‹ESC›');
    await expect(shown).toMatchFileSnapshot(`goldens/${format}-${place}.txt`);
  });

  test('contains no escape codes except colours', async () => {
    const all = (await render(format, records, terminal)) + (await renderRecord(records[0] ?? {}, format, terminal));
    // biome-ignore lint/complexity/useRegexLiterals: spelled out so that the escape character is seen.
    expect(all.replace(new RegExp('\u001b\\[\\d+m', 'g'), '').replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

test.each([
  ['json', '[]\n'],
  ['ndjson', ''],
  ['csv', `${columns.map(({ path }) => path).join(',')}\n`],
  ['tsv', `${columns.map(({ path }) => path).join('\t')}\n`],
  ['yaml', '[]\n'],
  ['ids', ''],
  ['table', ''],
] as const)('svc prints an empty list in the format %s as %j', async (format, text) => {
  expect(await render(format, [], piped)).toBe(text);
});

test('svc prints the CSV header without rows when you name the fields', async () => {
  expect(await render('csv', [], { ...piped, fields: ['id', 'user.name'] })).toBe('id,user.name\n');
});

describe('fields', () => {
  const fields = ['user.name', 'id', 'nope'];
  test.each([
    ['json', '[\n{"user":{"name":"Zoë"},"id":1},\n{"user":null,"id":9007199254740993},\n{"user":{},"id":3}\n]\n'],
    ['ndjson', '{"user":{"name":"Zoë"},"id":1}\n{"user":null,"id":9007199254740993}\n{"user":{},"id":3}\n'],
    ['csv', 'user.name,id,nope\nZoë,1,\n,9007199254740993,\n,3,\n'],
    ['tsv', 'user.name\tid\tnope\nZoë\t1\t\n\t9007199254740993\t\n\t3\t\n'],
    ['yaml', '- user:\n    name: Zoë\n  id: 1\n- user: null\n  id: 9007199254740993\n- user: {}\n  id: 3\n'],
    ['table', 'USER.NAME                ID  NOPE\nZoë                       1\n           9007199254740993\n                          3\n'],
  ] as const)('are in the order of --fields in %s', async (format, text) => {
    const writer = await createWriter(format, { ...piped, fields });
    expect(writer.begin() + records.map((record) => writer.row(record)).join('') + writer.end()).toBe(text);
    expect(writer.missing).toEqual(['nope']);
  });

  test('replace the id in the format ids when you name one field', async () => {
    expect(await render('ids', records.slice(0, 1), { ...piped, fields: ['user.name'] })).toBe('Zoë\n');
    await expect(render('ids', [{ name: 'x' }], piped)).rejects.toThrow(UsageError);
  });
});

describe('a writer', () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({ id: index, name: index === 200 ? 'x'.repeat(50) : `n${index}` }));

  test.each(['json', 'ndjson', 'yaml', 'ids'] as const)('writes every row at once as %s', async (format) => {
    const writer = await createWriter(format, piped);
    writer.begin();
    for (const row of rows) expect(writer.row(row)).not.toBe('');
    expect(writer.flush()).toBe('');
  });

  test.each(['table', 'csv', 'tsv'] as const)('buffers at most one page as %s', async (format) => {
    const writer = await createWriter(format, { color: false, pretty: false });
    const pieces = rows.map((row) => writer.row(row));
    expect(pieces.map((piece) => piece.split('\n').length - 1)).toEqual([...Array(99).fill(0), 101, ...Array(150).fill(1)]);
    expect(writer.end()).toBe('');
  });

  test('prints the buffered rows when the list stops in the middle', async () => {
    const writer = await createWriter('table', piped);
    expect(writer.row({ id: 1 })).toBe('');
    expect(writer.flush()).toContain('1');
    expect(writer.flush()).toBe('');
    expect((await createWriter('table', piped)).flush()).toBe('');
  });

  test('names a field that appears after the header', async () => {
    const writer = await createWriter('csv', { color: false, pretty: false });
    for (const row of rows) writer.row(row);
    writer.row({ id: 1, name: 'n', late: 1 });
    writer.row({ id: 1, name: 'n', links: { self: '/' } });
    expect(writer.dropped).toEqual(['late']);
  });
});

describe('a table', () => {
  test('fits the terminal, with at most two lines for each row, also after the first page', async () => {
    const wide = Array.from({ length: 150 }, (_, index) => ({
      id: index,
      a: '日本'.repeat(index),
      b: 'word '.repeat(index),
      c: '👩‍👩‍👧'.repeat(index % 40),
    }));
    const text = await render('table', wide, { color: false, pretty: true, width: 60 });
    // The header, each row on a line or two, and the end of the last.
    expect(text.split('\n').length).toBeLessThanOrEqual(1 + 2 * wide.length + 1);
    expect(text.match(/^ *\d+…?(?: {2}|$)/gm)).toHaveLength(wide.length);
    for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(60);
  });

  test('has the same columns in each width from 28 to 76 as in its snapshot', async () => {
    const rows = records.map((record) => ({ ...record, date: '2025-03-31', title: 'A title that is rather long' }));
    const wide: readonly Column[] = [...columns.slice(1), { path: 'title' }, { path: 'labels' }];
    const heads: string[] = [];
    for (let width = 28; width <= 76; width += 1) {
      const options = { color: false, pretty: true, columns: wide, width, timeZone: 'Europe/Amsterdam' };
      const [head = '', first = ''] = (await render('table', rows, options)).split('\n');
      heads.push(`${width}  ${head}\n    ${first}\n`);
      if (head.startsWith('DATE')) expect(textWidth(first)).toBeLessThanOrEqual(width);
    }
    await expect(heads.join('')).toMatchFileSnapshot('goldens/table-widths.txt');
  });

  test('cuts nothing outside a terminal', async () => {
    expect(await render('table', [{ a: 'x'.repeat(500) }], { color: false, pretty: false })).toBe(`A\n${'x'.repeat(500)}\n`);
  });

  test('aligns its columns by the width on the screen', async () => {
    const text = await render(
      'table',
      [
        { a: '日本', b: 1 },
        { a: 'abc', b: 2 },
        { a: '👩‍👩‍👧', b: 3 },
        { a: 'e\u0301', b: 4 },
      ],
      { color: false, pretty: false },
    );
    const columnsOfB = text
      .trimEnd()
      .split('\n')
      .map((line) => textWidth(line.slice(0, line.search(/[B1234]$/))));
    expect(new Set(columnsOfB)).toEqual(new Set([6]));
  });

  test('escapes every cell and header, each on one line', async () => {
    const text = await render('table', [{ 'a\u001b[2J': 'x\n\u001b[1Ay', b: [{ name: '\u202e' }] }], {
      color: false,
      pretty: false,
      fields: ['a\u001b[2J', 'b'],
    });
    expect(text).toBe('A␛[2J    B\nx ␛[1Ay  \\u202e\n');
  });
});

test('JSON, NDJSON and YAML parse back to the same values, and CSV to as many rows', async () => {
  for (const options of [piped, { ...terminal, color: false }]) {
    expect(parseJson(await render('json', records, options))).toEqual(records);
    const lines = (await render('ndjson', records, options)).trimEnd().split('\n');
    expect(lines.map((line) => parseJson(line))).toEqual(records);
    const plain = JSON.parse(JSON.stringify(records)) as unknown;
    expect(parseYaml(await render('yaml', records, options))).toEqual(plain);
    expect(parseYaml(await render('yaml', records, options), { schema: YAML11_SCHEMA })).toEqual(plain);
    expect(parseCsv(await render('csv', records, options))).toHaveLength(4);
  }
});

async function render(format: OutputFormat, rows: readonly JsonObject[], options: WriterOptions): Promise<string> {
  const writer = await createWriter(format, options);
  return writer.begin() + rows.map((row) => writer.row(row)).join('') + writer.end();
}
