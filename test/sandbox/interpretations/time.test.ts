import { describe, expect, test } from 'vitest';
import { problem, sandbox, send } from '../support.ts';

/** The absence of a person that begins in this local month: whole days, as they were made. */
const WHOLE_DAY = '/absences?filter[user_id]=1&filter[start][gte]=2025-03-28T00:00:00Z&filter[start][lte]=2025-03-29T12:00:00Z';

describe('whole days of leave', () => {
  test.each([
    ['last-second', '2025-03-31T21:59:59Z'],
    ['next-midnight', '2025-03-31T22:00:00Z'],
    ['same-date', '2025-03-30T22:00:00Z'],
  ] as const)('with wholeDayEnd %s end at %s, also across a clock change', async (wholeDayEnd, end) => {
    const service = await sandbox({ interpretations: { wholeDayEnd } });
    const { body } = await send(service, WHOLE_DAY);
    expect(body.data).toMatchObject([{ user_id: 1, start: '2025-03-28T23:00:00Z', end }]);
    // Filters compare what is shown.
    for (const [operator, value, found] of [
      ['gte', end, 1],
      ['lte', end, 1],
      ['gte', '2025-03-31T22:00:01Z', 0],
    ] as const) {
      expect((await send(service, `${WHOLE_DAY}&filter[end][${operator}]=${value}`)).body.meta.page.total).toBe(found);
    }
  });

  test('keep the end that a client sent', async () => {
    const service = await sandbox({ interpretations: { wholeDayEnd: 'next-midnight' } });
    const { id } = (await send(service, WHOLE_DAY)).body.data[0];
    const end = '2025-04-01T21:59:59Z';
    const { body } = await send(service, `/absences/${id}`, { method: 'PATCH', body: { end } });
    expect(body.data.end).toBe(end);
  });

  test.each([
    ['last-second', '2025-03-31'],
    ['next-midnight', '2025-04-01'],
    ['same-date', '2025-03-31'],
  ] as const)('with absenceBounds date and wholeDayEnd %s end on %s', async (wholeDayEnd, end) => {
    const service = await sandbox({ interpretations: { absenceBounds: 'date', wholeDayEnd } });
    expect((await send(service, WHOLE_DAY)).body.data).toMatchObject([{ start: '2025-03-29', end }]);
  });

  test('end with the last second of the person’s day, also west of Greenwich', async () => {
    const service = await sandbox();
    const path = '/absences?filter[user_id]=12&filter[start][lte]=2025-07-25T12:00:00Z&filter[start][gte]=2025-07-25T00:00:00Z';
    expect((await send(service, path)).body.data).toMatchObject([{ start: '2025-07-25T02:30:00Z', end: '2025-07-26T02:29:59Z' }]);
  });
});

test('the option absenceBounds with the value date shows dates although filters take date-times, and keeps a missing end null', async () => {
  const service = await sandbox();
  const path = '/absences?per_page=100&filter[start][gte]=2025-01-01T00:00:00Z&filter[user_id]=2';
  const timestamps = (await send(service, path)).body.data;
  service.interpretations.absenceBounds = 'date';
  const days = (await send(service, path)).body.data;
  expect(timestamps[0].start).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  // Lagos is an hour ahead of UTC; these begin in the middle of a day.
  expect(days.map((row: { start: string }) => row.start)).toEqual(timestamps.map((row: { start: string }) => row.start.slice(0, 10)));
  const running = await send(service, '/absences?filter[end][null]=true');
  expect(running.body.data.map((row: { end: unknown }) => row.end)).toEqual([null, null, null]);
});

test('the option absenceBounds with the value date-only accepts only dates in bodies and filters', async () => {
  const service = await sandbox({ interpretations: { absenceBounds: 'date-only' } });
  const body = { user_id: 1, start: '2026-12-07', end: '2026-12-11' };
  const made = (await send(service, '/absences', { method: 'POST', body })).body.data;
  expect(made).toMatchObject(body);
  const found = await send(service, '/absences?filter[user_id]=1&filter[start][gte]=2026-12-07&filter[end][lte]=2026-12-11');
  expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([made.id]);
  const at = 'filter[start][lte]';
  expect(problem(await send(service, `/absences?${at}=2026-12-07T00:00:00Z`))).toMatchObject({ status: 400, code: 'invalid_format', at });
  const times = { ...body, start: '2026-12-07T00:00:00Z' };
  expect(problem(await send(service, '/absences', { method: 'POST', body: times }))).toMatchObject({ status: 422, code: 'date_format' });
});

describe('the option timerEnds', () => {
  const stop = { method: 'POST', body: {} };
  const patch = { method: 'PATCH', body: { stopped_at: '2026-06-15T12:00:00Z' } };

  test('with the value delete gives timers neither the action stop nor the field stopped_at', async () => {
    const service = await sandbox();
    expect((await send(service, '/timers/1')).body.data).not.toHaveProperty('stopped_at');
    expect(problem(await send(service, '/timers/1/actions/stop', stop))).toMatchObject({ status: 404, type: 'endpoint-not-found' });
    expect(problem(await send(service, '/timers/1', patch))).toEqual({
      status: 422,
      type: 'validation-failed',
      code: 'unknown_key',
      at: 'stopped_at',
    });
  });

  test('with the value patch lets stopped_at end a timer, and removes the timer from the list', async () => {
    const service = await sandbox({ interpretations: { timerEnds: 'patch' } });
    expect((await send(service, '/timers/1')).body.data.stopped_at).toBeNull();
    expect((await send(service, '/timers/1/actions/stop', stop)).status).toBe(404);
    expect((await send(service, '/timers/1', patch)).body.data).toMatchObject({ id: 1, stopped_at: '2026-06-15T12:00:00Z' });
    expect((await send(service, '/timers')).body.data).toMatchObject([{ id: 2 }]);
  });

  test.each([
    ['action', 0],
    ['logging-action', 1],
  ] as const)('with the value %s shows the action stop in discovery, and creates %i worklogs at a stop', async (timerEnds, made) => {
    const service = await sandbox({ interpretations: { timerEnds } });
    const before = service.rows('worklogs').length;
    const entry = (await send(service, '/')).body.data.find((known: { name: string }) => known.name === 'timers');
    expect(entry.operations).toContainEqual({ name: 'stop', method: 'POST', path: '/timers/{timer}/actions/stop' });
    expect(problem(await send(service, '/timers/1', patch))).toMatchObject({ status: 422, at: 'stopped_at' });
    expect((await send(service, '/timers/1/actions/stop', stop)).status).toBe(200);
    expect((await send(service, '/timers')).body.data).toMatchObject([{ id: 2 }]);
    const logged = service.rows('worklogs').slice(before);
    expect(logged).toHaveLength(made);
    // It ran for an hour.
    if (made === 1)
      expect(logged).toMatchObject([{ date: '2026-06-15', minutes: 60, user_id: 1, work_item_id: 12, description: 'Running' }]);
  });
});

test('the option worklogEndsTimers ends only the timers of the person who logs hours', async () => {
  for (const [worklogEndsTimers, left] of [
    [false, [1, 2]],
    [true, [2]],
  ] as const) {
    const service = await sandbox({ interpretations: { worklogEndsTimers } });
    await send(service, '/worklogs', { method: 'POST', body: { date: '2026-06-15', minutes: 5 } });
    expect(service.rows('timers').map(({ id }) => id)).toEqual(left);
  }
});

describe('the option billedWorklogs', () => {
  test.each([
    ['nothing', false, false],
    ['row', true, false],
    ['invoice', false, true],
    ['both', true, true],
  ] as const)('with the value %s sets the invoice fields of billed worklogs', async (billedWorklogs, byRow, byInvoice) => {
    const service = await sandbox({ interpretations: { billedWorklogs } });
    const body = { sales_invoice_id: 1, name: 'Budget', budget_id: 1 };
    const { id } = (await send(service, '/sales-invoice-rows', { method: 'POST', body })).body.data;
    const worklogs = service.rows('worklogs').filter((row) => row['budget_id'] === 1 && row['is_not_billable'] !== true);
    expect(worklogs.length).toBeGreaterThan(10);
    expect(new Set(worklogs.map((row) => row['sales_invoice_row_id']))).toEqual(new Set([byRow ? id : null]));
    expect(new Set(worklogs.map((row) => row['invoice_id']))).toEqual(new Set([byInvoice ? 1 : null]));
    expect(service.rows('worklogs').filter((row) => row['is_not_billable'] === true && row['invoice_id'] !== null)).toEqual([]);
    await send(service, `/sales-invoice-rows/${id}`, { method: 'DELETE' });
    expect(service.rows('worklogs').filter((row) => row['sales_invoice_row_id'] !== null)).toEqual([]);
  });

  test('bills each worklog of the invoice’s project once, for a row without a budget', async () => {
    const service = await sandbox({ interpretations: { billedWorklogs: 'row' } });
    const project = service.rows('sales-invoices')[0]?.['project_id'];
    const row = async (): Promise<number> => {
      const body = { sales_invoice_id: 1, name: 'Hours', billable_minutes: 60 };
      return (await send(service, '/sales-invoice-rows', { method: 'POST', body })).body.data.id;
    };
    const first = await row();
    const billed = service.rows('worklogs').filter((worklog) => worklog['sales_invoice_row_id'] === first);
    expect(new Set(billed.map((worklog) => worklog['project_id']))).toEqual(new Set([project]));
    const second = await row();
    expect(service.rows('worklogs').filter((worklog) => worklog['sales_invoice_row_id'] === second)).toEqual([]);
  });
});

test.each([
  ['same', '2026-06-15T12:00:00Z'],
  ['behind', '2026-06-15T11:59:00Z'],
  ['ahead', '2026-06-15T12:01:00Z'],
] as const)('the option recordClock with the value %s stamps records at noon with %s', async (recordClock, stamp) => {
  const service = await sandbox({ interpretations: { recordClock } });
  const made = (await send(service, '/labels', { method: 'POST', body: { name: 'x' } })).body.data;
  expect([made.created_at, made.updated_at]).toEqual([stamp, stamp]);
  expect((await send(service, '/users/1', { method: 'PATCH', body: { job_title: 'x' } })).body.data.updated_at).toBe(stamp);
  await send(service, '/projects/6', { method: 'DELETE' });
  expect(service.rows('projects')[5]?.['deleted_at']).toBe(stamp);
});
