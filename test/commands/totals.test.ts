import { afterEach, describe, expect, test } from 'vitest';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import type { RunOptions } from '../support/svc.ts';

// Totals, states and dates in a table at a terminal.

let here: Recording | undefined;
afterEach(async () => {
  await here?.remove();
  here = undefined;
});

const atTerminal: RunOptions = { terminal: 100, env: { NO_COLOR: '1' } };

/** Returns the lines of a table of these rows. `next` is the address of another page. */
async function table(
  argv: readonly string[],
  rows: readonly object[],
  options = atTerminal,
  next: string | null = null,
): Promise<string[]> {
  here ??= await startRecording();
  const machine = here;
  const page = json(200, { data: rows, meta: {}, links: { next } });
  const none = json(200, { data: [], meta: {}, links: { next: null } });
  machine.server.fallback((request, ...rest) => (request.path.endsWith('/workflow-statuses') ? none : page)(request, ...rest));
  const { code, stdout, stderr } = await machine.svc(argv, options);
  expect(code, stderr).toBe(0);
  return stdout.trimEnd().split('\n');
}

const hours = (...minutes: readonly unknown[]) => minutes.map((value, index) => ({ id: index + 1, date: '2026-03-02', minutes: value }));
const LIST = ['worklogs', 'list', '--columns', 'id,date,minutes'];

describe('a total', () => {
  test('is printed below its column when all rows are listed', async () => {
    expect(await table(LIST, hours(90, 120, 5))).toEqual([
      'ID  DATE        DURATION',
      ' 1  2026-03-02      1h30',
      ' 2  2026-03-02        2h',
      ' 3  2026-03-02        5m',
      '1–3 of 3            3h35',
    ]);
  });

  test('skips empty values, and is absent when all values are empty', async () => {
    expect((await table(LIST, hours(null, 30)))[3]).toBe('1–2 of 2             30m');
    expect(await table(LIST, hours(null, null))).toHaveLength(3);
  });

  test('has a shorter label in a narrow place, and no label as the first column', async () => {
    const argv = (columns: string) => ['worklogs', 'list', '--columns', columns];
    const named = (task_id: string) => [{ ...hours(90)[0], task_id }];
    expect((await table(argv('task_id,minutes'), named('12345678'))).at(-1)).toBe('1–1 of 1      1h30');
    expect((await table(argv('task_id,minutes'), named('1234567'))).at(-1)).toBe('Total        1h30');
    expect((await table(argv('id,minutes'), hours(90))).at(-1)).toBe('        1h30');
    expect((await table(argv('minutes,date'), hours(90, 30))).at(-1)).toBe('      2h');
  });

  test.each([
    ['lacks the field', [{ id: 9, date: '2026-03-02' }]],
    ['has a value of another type', [{ id: 9, date: '2026-03-02', minutes: '90' }]],
  ])('is absent when a row %s', async (_, more) => {
    expect(await table(LIST, [...hours(30, 60), ...more])).toHaveLength(4);
  });

  test.each([
    ['the list has more rows', [...LIST, '-L', '2'], atTerminal, '/api/v2/worklogs?cursor=x'],
    ['the list starts at a cursor', [...LIST, '--cursor', 'x'], atTerminal, null],
    ['the output is a pipe', [...LIST, '-o', 'table'], { env: { NO_COLOR: '1' } }, null],
    ['--fields is given', ['worklogs', 'list', '--fields', 'id,minutes'], atTerminal, null],
  ])('is absent when %s', async (_, argv, options, next) => {
    expect(await table(argv, hours(30, 60), options, next)).toHaveLength(3);
  });

  test('adds up money exactly, but no unit prices', async () => {
    const rows = [
      { id: 1, number: 'A', total_amount: '0.10', unit_price: '5.00' },
      { id: 2, number: 'B', total_amount: '90071992547409.93', unit_price: '5.00' },
      { id: 3, number: 'C', total_amount: '-0.05', unit_price: '5.00' },
    ];
    const lines = await table(['sales-invoices', 'list', '--columns', 'number,total_amount'], rows);
    expect(lines[4]?.trim().split(/ {2,}/).at(-1)).toBe('90071992547409.98');
    expect(await table(['sales-invoice-rows', 'list', '--columns', 'id,unit_price'], rows)).toHaveLength(4);
  });

  test('is absent for two currencies', async () => {
    const row = (id: number, currency: unknown) => ({ id, number: 'A', total_amount: '1.00', ...(currency !== undefined && { currency }) });
    const argv = ['sales-invoices', 'list', '--columns', 'number,total_amount'];
    expect(await table(argv, [row(1, 'EUR'), row(2, 'EUR')])).toHaveLength(4);
    expect(await table(argv, [row(1, 'EUR'), row(2, 'USD')])).toHaveLength(3);
    expect(await table(argv, [row(1, 'EUR'), row(2, undefined)])).toHaveLength(3);
  });
});

test('a table shows the currency of amounts, and no underscores in states, unlike CSV', async () => {
  const row = { id: 1, status: 'pending_approval', total_amount: '7471.75', currency: 'EUR' };
  const argv = ['sales-invoices', 'list', '--columns', 'number,status,total_amount'];
  const lines = await table(argv, [{ ...row, number: 'A' }]);
  expect(lines[1]).toBe('A       pending approval   7471.75 EUR');
  expect(lines[2]).toMatch(/7471\.75 EUR$/);
  const { currency: _, ...other } = row;
  expect((await table(argv, [{ ...other, number: 'A', currency_code: 'CHF' }]))[1]).toMatch(/7471\.75 CHF$/);
  const data = await table(['sales-invoices', 'list', '-o', 'csv', '--fields', 'status,total_amount'], [row]);
  expect(data).toEqual(['status,total_amount', 'pending_approval,7471.75']);
});

describe('a late due date', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const argv = ['work-items', 'list', '--columns', 'issue_key,workflow_status,due_date'];
  const item = (status: unknown, due: string) => ({
    id: 1,
    issue_key: 'ABC-1',
    workflow_status: status,
    workflow_status_id: 4,
    due_date: due,
  });
  const due = async (status: unknown, day: string, options: RunOptions = {}) =>
    (await table(argv, [item(status, day)], { ...atTerminal, now, ...options }))[1]?.replace(/^ABC-1 +/, '');

  test('is marked "late" unless the work item is done or its status is unknown', async () => {
    expect(await due({ name: 'In review' }, '2026-03-09')).toBe('In review  2026-03-09 late');
    expect(await due({ name: 'In review' }, '2026-03-10')).toBe('In review  2026-03-10');
    expect(await due({ name: 'Done' }, '2026-03-09')).toBe('Done    2026-03-09');
    // The number of the status does not show whether the item is done.
    expect(await due(null, '2026-03-09')).toBe('#4      2026-03-09');
  });

  test('is not marked "late" for a draft invoice', async () => {
    const invoices = ['sales-invoices', 'list', '--columns', 'status,due_date'];
    const row = (status: string) => ({ id: 1, status, due_date: '2026-03-09' });
    expect((await table(invoices, [row('draft')], { ...atTerminal, now }))[1]).toBe('draft   2026-03-09');
    expect((await table(invoices, [row('sent')], { ...atTerminal, now }))[1]).toBe('sent    2026-03-09 late');
  });

  test('is not marked "late" in a pipe', async () => {
    const { terminal: _, ...pipe } = atTerminal;
    const [, row] = await table([...argv, '-o', 'table'], [item({ name: 'In review' }, '2026-03-09')], { ...pipe, now });
    expect(row).toBe('ABC-1  In review  2026-03-09');
  });

  test('has a colour, like the status, except with NO_COLOR', async () => {
    const colored = await due({ name: 'In review' }, '2026-03-09', { env: {} });
    expect(colored).toContain('\u001b[31m2026-03-09 late\u001b[39m');
    expect(colored).toContain('\u001b[33mIn review\u001b[39m');
    expect(await due({ name: 'In review' }, '2026-03-09')).not.toContain('\u001b');
  });
});
