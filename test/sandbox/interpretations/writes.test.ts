import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { type Answer, problem, sandbox, send, tokenNamed } from '../support.ts';

const HOURS = { date: '2026-06-15', minutes: 5 };

function post(to: Sandbox, path: string, body: unknown, token?: string): Promise<Answer> {
  return send(to, path, { method: 'POST', body, headers: { 'idempotency-key': 'k' }, ...(token === undefined ? {} : { token }) });
}

/** Whether the answer was stored. */
const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';

describe('the option idempotencyKey', () => {
  test('with the value documented uses a key only on the documented operations', async () => {
    const service = await sandbox({ interpretations: { idempotencyKey: 'documented' } });
    const made = service.rows('worklogs').length;
    for (let sent = 0; sent < 2; sent++) expect(isReplayed(await post(service, '/worklogs', HOURS))).toBe(false);
    expect(service.rows('worklogs')).toHaveLength(made + 2);
    for (const [path, body] of [
      ['/workflows', { name: 'x' }],
      ['/work-items/12/actions/transition', { workflow_status_id: 3 }],
    ] as const) {
      expect(isReplayed(await post(service, path, body))).toBe(false);
      expect(isReplayed(await post(service, path, body))).toBe(true);
    }
  });

  test('with the value required refuses a POST without a key', async () => {
    const service = await sandbox({ interpretations: { idempotencyKey: 'required' } });
    expect(problem(await send(service, '/worklogs', { method: 'POST', body: HOURS })).type).toBe('idempotency-key-required');
    expect((await post(service, '/worklogs', HOURS)).status).toBe(201);
  });

  test('with the value optional accepts a POST without a key, and stores answers under keys', async () => {
    const service = await sandbox();
    expect((await send(service, '/worklogs', { method: 'POST', body: HOURS })).status).toBe(201);
    await post(service, '/worklogs', HOURS);
    expect(isReplayed(await post(service, '/worklogs', HOURS))).toBe(true);
  });
});

test.each([
  [422, { status: 422, type: 'validation-failed', code: 'idempotency_key_reused', at: 'Idempotency-Key' }],
  [409, { status: 409, type: 'state-conflict' }],
  ['replayed', undefined],
] as const)('the option reusedKey with the value %s sets the answer to a key that comes with another body', async (reusedKey, refused) => {
  const service = await sandbox({ interpretations: { reusedKey } });
  const first = await post(service, '/worklogs', HOURS);
  const again = await post(service, '/worklogs', { ...HOURS, minutes: 6 });
  if (refused === undefined) expect([isReplayed(again), again.body]).toEqual([true, first.body]);
  else expect(problem(again)).toEqual(refused);
});

test('the option keyOwner decides whether two tokens of one person share a key, and two people never share a key', async () => {
  for (const [keyOwner, replayed] of [
    ['token', false],
    ['user', true],
  ] as const) {
    const service = await sandbox({ interpretations: { keyOwner } });
    await post(service, '/worklogs', HOURS);
    expect(isReplayed(await post(service, '/worklogs', HOURS, tokenNamed(service, 'hours-only')))).toBe(replayed);
    expect(isReplayed(await post(service, '/worklogs', HOURS, tokenNamed(service, 'manager')))).toBe(false);
  }
});

test.each([
  ['hour', [true, false, false]],
  ['day', [true, true, false]],
  ['forever', [true, true, true]],
] as const)('the option keyLifetime %s keeps an answer for 59 minutes, 23 hours and 30 days: %j', async (keyLifetime, expected) => {
  const replayed = [];
  for (const minutes of [59, 23 * 60, 30 * 24 * 60]) {
    const service = await sandbox({ interpretations: { keyLifetime } });
    await post(service, '/worklogs', HOURS);
    service.advance(minutes * 60_000);
    replayed.push(isReplayed(await post(service, '/worklogs', HOURS)));
  }
  expect(replayed).toEqual(expected);
});

test('the option storedErrors decides whether a repeated key returns the stored refusal', async () => {
  for (const [storedErrors, status] of [
    [false, 200],
    [true, 409],
  ] as const) {
    const service = await sandbox({ interpretations: { storedErrors } });
    // From In progress no move leads to status 5; then somebody makes one.
    const path = '/work-items/12/actions/transition';
    const refused = await post(service, path, { workflow_status_id: 5 });
    expect(refused.status).toBe(409);
    const move = { from_status_id: 2, to_status_id: 5 };
    expect((await send(service, '/workflow-transitions', { method: 'POST', body: move })).status).toBe(201);
    const again = await post(service, path, { workflow_status_id: 5 });
    expect([again.status, isReplayed(again)]).toEqual([status, storedErrors]);
    if (storedErrors) expect(again.body).toMatchObject({ detail: refused.body.detail, conflict: refused.body.conflict });
  }
});

test.each([
  ['nothing', 204],
  ['record', 200],
  ['accepted', 202],
] as const)('the option deleteAnswers with the value %s answers a delete with %i', async (deleteAnswers, status) => {
  const service = await sandbox({ interpretations: { deleteAnswers } });
  const answer = await send(service, '/worklogs/1', { method: 'DELETE' });
  expect([answer.status, answer.body?.data.id]).toEqual([status, status === 204 ? undefined : 1]);
  expect((await send(service, '/worklogs/1')).status).toBe(404);
});

test('the option staleNoop sets the answer to a transition to the current status with an old If-Match', async () => {
  for (const staleNoop of [412, 200] as const) {
    const service = await sandbox({ interpretations: { staleNoop } });
    const { workflow_status_id } = (await send(service, '/work-items/12')).body.data;
    const options = { method: 'POST', body: { workflow_status_id }, headers: { 'if-match': '"stale.0"' } };
    expect((await send(service, '/work-items/12/actions/transition', options)).status).toBe(staleNoop);
  }
});
