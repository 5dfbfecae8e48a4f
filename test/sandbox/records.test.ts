import { describe, expect, test } from 'vitest';
import { problem, sandbox, send, tokenNamed } from './support.ts';

describe('a create', () => {
  test('gets 201 with Location and a strong ETag, and the record exists (rules 3.4, 7.5, 7.6, 7.12, 9.62)', async () => {
    const service = await sandbox();
    const made = await send(service, '/worklogs', { method: 'POST', body: { minutes: 90, date: '2026-06-15', work_item_id: 12 } });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${service.baseUrl}/worklogs/${made.body.data.id}`);
    expect(made.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(made.body.data).toMatchObject({ minutes: 90, user_id: 1, project_id: 1, created_at: '2026-06-15T12:00:00Z' });
    const read = await send(service, `/worklogs/${made.body.data.id}`);
    expect(read.text).toBe(made.text);
    expect(read.headers.get('etag')).toBe(made.headers.get('etag'));
  });

  test.each([
    ['/worklogs', { date: '2026-06-15' }, 'required', 'minutes'],
    ['/worklogs', { minutes: '90', date: '2026-06-15' }, 'integer', 'minutes'],
    ['/worklogs', { minutes: 90, date: '2026-02-30' }, 'date_format', 'date'],
    ['/worklogs', { minutes: 90, date: '2026-06-15', id: 7 }, 'unknown_key', 'id'],
    ['/worklogs', { minutes: 90, date: '2026-06-15', work_item_id: 'ABC-12' }, 'integer', 'work_item_id'],
    ['/worklogs', { minutes: 90, date: '2026-06-15', work_item_id: 99999 }, 'exists', 'work_item_id'],
    ['/worklogs', { minutes: 90, date: '2026-06-15', __proto: 1 }, 'unknown_key', '__proto'],
    ['/workflows', { name: 'Mine', order: 3 }, 'unknown_key', 'order'],
    ['/projects', { name: 'Mine', status: 'on_hold' }, 'in', 'status'],
    ['/absences', { start: '2026-06-15' }, 'date_format', 'start'],
    ['/absences', { start: '2026-06-15T09:00:00+02:00' }, 'date_format', 'start'],
    ['/subscription-products', { name: 'x', unit_price: '1.234' }, 'decimal', 'unit_price'],
    ['/subscription-products', { name: 'x', unit_price: 12.5 }, 'decimal', 'unit_price'],
    ['/subscription-products', { name: 'x', vat_rate: 101 }, 'out_of_range', 'vat_rate'],
  ])('is refused at %s with %j (rules 2.13, 2.18, 2.19, 2.26, 2.28, 2.32, 2.34, 9.2, 14.7, 14.26)', async (path, body, code, at) => {
    const service = await sandbox();
    expect(problem(await send(service, path, { method: 'POST', body }))).toEqual({ status: 422, type: 'validation-failed', code, at });
  });

  test('returns money with two decimals, and coordinates as strings (rules 2.25, 2.29, 2.30)', async () => {
    const service = await sandbox();
    const product = await send(service, '/subscription-products', { method: 'POST', body: { name: 'x', unit_price: '12.5' } });
    expect(product.body.data.unit_price).toBe('12.50');
    const branch = await send(service, '/company-branches', { method: 'POST', body: { name: 'x', latitude: 52.37281234 } });
    expect(branch.body.data.latitude).toBe('52.3728123');
  });

  test.each([
    ['{', 400, 'malformed-request', 'application/json'],
    ['[]', 400, 'malformed-request', 'application/json'],
    ['minutes=90', 415, 'unsupported-media-type', 'application/x-www-form-urlencoded'],
  ])('with the body %s gets %i (rules 14.15, 14.25)', async (body, status, type, contentType) => {
    const service = await sandbox();
    const answer = await send(service, '/worklogs', { method: 'POST', body, headers: { 'content-type': contentType } });
    expect(problem(answer)).toMatchObject({ status, type });
  });

  test('adds an empty workflow at order 0 (rules 4.22, 4.25, 4.26, 5.11, 5.12, 9.31, 9.43 to 9.45)', async () => {
    const service = await sandbox();
    const workflow = await send(service, '/workflows', { method: 'POST', body: { name: 'Mine' } });
    expect(workflow.body.data).toMatchObject({ name: 'Mine', order: 0, statuses_count: 0 });
    const ids: number[] = [];
    for (const name of ['A', 'B']) {
      const status = await send(service, '/workflow-statuses', { method: 'POST', body: { name, workflow_id: workflow.body.data.id } });
      ids.push(status.body.data.id);
    }
    await send(service, '/workflow-transitions', { method: 'POST', body: { from_status_id: ids[0], to_status_id: ids[1] } });
    const legal = await send(service, `/workflow-transitions?filter[from_status_id]=${ids[0]}`);
    expect(legal.body.data.map((row: { to_status_id: number }) => row.to_status_id)).toEqual([ids[1]]);
  });
});

describe('Idempotency-Key', () => {
  test('creates nothing when used again, and the answer reports the repeat (rules 6.10, 6.12, 7.13)', async () => {
    const service = await sandbox();
    const sending = { method: 'POST', body: { minutes: 5, date: '2026-06-15' }, headers: { 'idempotency-key': 'k1' } };
    const first = await send(service, '/worklogs', sending);
    const second = await send(service, '/worklogs', sending);
    expect(second.text).toBe(first.text);
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    const other = await send(service, '/worklogs', { ...sending, token: tokenNamed(service, 'manager') });
    expect(other.body.data.id).toBe(first.body.data.id + 1);
  });

  test('is accepted again for the corrected request after a refusal', async () => {
    const service = await sandbox();
    const headers = { 'idempotency-key': 'k2' };
    await send(service, '/worklogs', { method: 'POST', body: { minutes: 5 }, headers });
    const mended = await send(service, '/worklogs', { method: 'POST', body: { minutes: 5, date: '2026-06-15' }, headers });
    expect(mended.status).toBe(201);
  });

  test('is refused when too long, reused for another body, or missing although required (rules 6.11, 6.13, 14.16, 16.4)', async () => {
    const service = await sandbox();
    const body = { minutes: 5, date: '2026-06-15' };
    const long = await send(service, '/worklogs', { method: 'POST', body, headers: { 'idempotency-key': 'x'.repeat(256) } });
    expect(long.status).toBe(400);
    const headers = { 'idempotency-key': 'k3' };
    await send(service, '/worklogs', { method: 'POST', body, headers });
    const reused = await send(service, '/worklogs', { method: 'POST', body: { ...body, minutes: 6 }, headers });
    expect(problem(reused)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    service.interpretations.idempotencyKey = 'required';
    const missing = await send(service, '/worklogs', { method: 'POST', body });
    expect(problem(missing)).toMatchObject({ status: 400, type: 'idempotency-key-required' });
  });
});

describe('an update or a delete', () => {
  test('keeps the version and the ETag when nothing changes', async () => {
    const service = await sandbox();
    const before = await send(service, '/work-items/12');
    const same = await send(service, '/work-items/12', { method: 'PATCH', body: { title: before.body.data.title } });
    expect([same.status, same.body.data.version]).toEqual([200, before.body.data.version]);
    expect((await send(service, '/work-items/12')).headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test('runs with If-Match for the current ETag, and not for an earlier ETag (rules 4.32, 6.8, 6.9, 14.24)', async () => {
    const service = await sandbox();
    const before = (await send(service, '/work-items/12')).headers.get('etag') ?? '';
    const first = await send(service, '/work-items/12', { method: 'PATCH', body: { title: 'New' }, headers: { 'if-match': before } });
    expect(first.status).toBe(200);
    const stale = await send(service, '/work-items/12', { method: 'PATCH', body: { title: 'Newer' }, headers: { 'if-match': before } });
    expect(problem(stale)).toEqual({ status: 412, type: 'precondition-failed' });
    const again = await send(service, '/work-items/12', {
      method: 'PATCH',
      body: { title: 'Newer' },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    expect(again.body.data.version).toBe(first.body.data.version + 1);
  });

  test('accepts a strong ETag from a summary with relations, but no weak ETag (rule 7.4)', async () => {
    const service = await sandbox();
    const etag = (await send(service, '/work-items/12?view=summary&include=labels')).headers.get('etag') ?? '';
    const weak = await send(service, '/work-items/12', { method: 'PATCH', body: { title: 'a' }, headers: { 'if-match': `W/${etag}` } });
    expect(weak.status).toBe(412);
    const strong = await send(service, '/work-items/12', { method: 'PATCH', body: { title: 'a' }, headers: { 'if-match': etag } });
    expect(strong.status).toBe(200);
  });

  test('leaves a deleted project only in the trash, and its path answers 404 (rules 2.45, 8.36)', async () => {
    const service = await sandbox();
    const deleted = await send(service, '/projects/6', { method: 'DELETE' });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await send(service, '/projects/6')).status).toBe(404);
    const ids = async (path: string): Promise<number[]> => (await send(service, path)).body.data.map((row: { id: number }) => row.id);
    expect(await ids('/projects')).not.toContain(6);
    expect(await ids('/projects?trashed=only')).toEqual([6]);
  });

  test('returns the deleted record without data, with wrapSingleRecords false and deleteAnswers record', async () => {
    const service = await sandbox({ interpretations: { wrapSingleRecords: false, deleteAnswers: 'record' } });
    expect((await send(service, '/users/1')).body.id).toBe(1);
    expect((await send(service, '/me')).body.data.id).toBe(1);
    expect((await send(service, '/worklogs/1', { method: 'DELETE' })).body.id).toBe(1);
  });
});

describe('the actions of work items and sprints', () => {
  const transition = (to: number, headers = {}) => ({ method: 'POST', body: { workflow_status_id: to }, headers });

  test('change the status, and increase the version by one (rules 5.2, 5.4, 5.5, 9.46)', async () => {
    const service = await sandbox();
    const before = await send(service, '/work-items/ABC-12');
    const moved = await send(service, '/work-items/ABC-12/actions/transition', transition(3));
    expect(moved.status).toBe(200);
    expect(moved.body.data).toMatchObject({ workflow_status_id: 3, version: before.body.data.version + 1 });
    expect(moved.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  test('refuse a forbidden transition with both statuses, and accept the current status (rules 5.6 to 5.9, 9.54, 14.9, 14.23)', async () => {
    const service = await sandbox();
    await send(service, '/work-items/12/actions/transition', transition(1));
    const illegal = await send(service, '/work-items/12/actions/transition', transition(4));
    expect(problem(illegal)).toEqual({ status: 409, type: 'state-conflict' });
    expect(illegal.body.conflict).toEqual({ reason: 'illegal_transition', from_status_id: 1, to_status_id: 4 });
    const before = await send(service, '/work-items/12');
    const same = await send(service, '/work-items/12/actions/transition', transition(1));
    expect([same.status, same.body.data.version]).toEqual([200, before.body.data.version]);
  });

  test('refuse a transition with an old If-Match, unless staleNoop accepts an unchanged status (rule 9.55)', async () => {
    const service = await sandbox();
    const stale = { 'if-match': '"old.old"' };
    expect((await send(service, '/work-items/12/actions/transition', transition(3, stale))).status).toBe(412);
    expect((await send(service, '/work-items/12/actions/transition', transition(2, stale))).status).toBe(412);
    service.interpretations.staleNoop = 200;
    expect((await send(service, '/work-items/12/actions/transition', transition(2, stale))).status).toBe(200);
  });

  test('accept a key in after_work_item_id, and change the order (rules 2.14, 9.58, 9.59, 17.11)', async () => {
    const service = await sandbox();
    const moved = await send(service, '/work-items/1/actions/move', { method: 'POST', body: { after_work_item_id: 'ABC-12' } });
    expect(moved.status).toBe(200);
    const after = await send(service, '/work-items/ABC-12');
    expect(moved.body.data.order).toBe(after.body.data.order + 1);
    const unknown = await send(service, '/work-items/1/actions/move', { method: 'POST', body: { after_work_item_id: 'ABC-999' } });
    expect(problem(unknown)).toMatchObject({ status: 422, at: 'after_work_item_id' });
  });

  test('refuse to complete a completed sprint (rule 9.60)', async () => {
    const service = await sandbox();
    const { body } = await send(service, '/sprints?filter[state]=active');
    const path = `/sprints/${body.data[0].id}/actions/complete`;
    expect((await send(service, path, { method: 'POST' })).body.data.state).toBe('completed');
    expect((await send(service, path, { method: 'POST' })).status).toBe(409);
  });
});

test('a change of an invoice row without Finalise sets the invoice back to Pending approval (rules 5.16, 9.66, 17.13)', async () => {
  const service = await sandbox();
  await send(service, '/sales-invoice-rows/1', { method: 'PATCH', body: { quantity: '2' } });
  expect((await send(service, '/sales-invoices/1')).body.data.status).toBe('paid');
  const changed = await send(service, '/sales-invoice-rows/1', {
    method: 'PATCH',
    body: { quantity: '3' },
    token: tokenNamed(service, 'manager'),
  });
  expect(changed.body.data).toMatchObject({ quantity: '3.00', vat_amount: '59.85', total_amount: '344.85' });
  expect((await send(service, '/sales-invoices/1')).body.data.status).toBe('pending_approval');
});

test('only the employee can see their own emergency contacts (rules 4.41, 4.42, 17.8)', async () => {
  const service = await sandbox();
  const names = async (token?: string): Promise<string[]> =>
    (await send(service, '/contacts?per_page=100&filter[is_emergency_contact]=true', token === undefined ? {} : { token })).body.data.map(
      (row: { name: string }) => row.name,
    );
  expect(await names()).toEqual(['Jan de Vries']);
  expect(await names(tokenNamed(service, 'employee'))).toEqual(['Petra Müller']);
  const other = await send(service, '/contacts', { method: 'POST', body: { name: 'x', user_id: 2, is_emergency_contact: true } });
  expect(problem(other)).toMatchObject({ status: 403, type: 'insufficient-permission' });
});
