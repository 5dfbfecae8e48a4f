import { describe, expect, test } from 'vitest';
import { defaultInterpretations, INTERPRETATIONS, readInterpretations } from '../../src/sandbox/interpretations.ts';
import { createMachine, signedIn } from '../support/svc.ts';
import { register } from './oauth-flow.ts';
import { problem, sandbox, send } from './support.ts';

// Tests of the interpretations that have no subject of their own. The files of the subjects test the others.

interface Operation {
  readonly method: string;
  readonly path: string;
}

describe('interpretations of the sandbox', () => {
  test('have the same meaning in text and JSON', () => {
    expect(readInterpretations({ issuer: 'false', staleNoop: '200', missingRecordType: 'not-here' })).toEqual(
      readInterpretations({ issuer: false, staleNoop: 200, missingRecordType: 'not-here' }),
    );
    expect(readInterpretations({ ...defaultInterpretations() })).toEqual(defaultInterpretations());
    for (const [name, values] of Object.entries(INTERPRETATIONS)) {
      for (const value of values) expect(readInterpretations({ [name]: String(value) })).toEqual({ [name]: value });
    }
  });

  test('can be set in a running sandbox at the control address, which shows the interpretations', async () => {
    const turned = Object.fromEntries(Object.entries(INTERPRETATIONS).map(([name, values]) => [name, values.at(-1)]));
    const service = await sandbox();
    const body = JSON.stringify({ interpretations: turned });
    expect(await (await fetch(service.controlUrl, { method: 'POST', body })).json()).toMatchObject({ interpretations: turned });
    expect(service.interpretations).toEqual(turned);
  });

  test.each([
    [{ nosuch: 1 }, 'The sandbox has no option nosuch. Its options are wrapSingleRecords,'],
    [{ staleNoop: 413 }, 'The option staleNoop takes 412 or 200, not 413.'],
    [{ missingRecordType: 'a b' }, 'The option missingRecordType takes'],
    [{ constructor: 1 }, 'The sandbox has no option constructor'],
  ])('are refused with %j', (given, why) => {
    expect(() => readInterpretations(given)).toThrow(why);
  });
});

test('the option admission requires rate-limit units for the whole cost, or only one unit', async () => {
  const service = await sandbox();
  const costly = '/worklogs?view=detail&include=project,user,work_item,budget&per_page=1';
  for (let sent = 0; sent < 85; sent++) await send(service, costly);
  for (let sent = 0; sent < 2; sent++) await send(service, '/me');
  // 600 - 85 × 7 - 2 = 3 are left of the 7 that it costs.
  expect((await send(service, costly)).status).toBe(429);
  service.interpretations.admission = 'one';
  const admitted = await send(service, costly);
  expect([admitted.status, admitted.headers.get('ratelimit')]).toEqual([200, 'limit=600, remaining=0, reset=60']);
  expect((await send(service, '/me')).status).toBe(429);
});

test('the option topLevelChildren decides whether child records have a list at the top level (rule 4.43)', async () => {
  const children = ['subtasks', 'work-item-links', 'sales-invoice-rows', 'subscription-items', 'subscription-type-items'];
  for (const topLevelChildren of INTERPRETATIONS.topLevelChildren) {
    const service = await sandbox({ interpretations: { topLevelChildren } });
    const { data } = (await send(service, '/')).body;
    for (const name of children) {
      const entry = data.find((known: { name: string }) => known.name === name);
      const lists = entry.operations.filter(({ method, path }: Operation) => method === 'GET' && path === `/${name}`);
      expect([name, entry.path]).toEqual([name, topLevelChildren === true ? `/${name}` : null]);
      expect([name, lists.length]).toEqual([name, topLevelChildren === true || topLevelChildren === 'operations' ? 1 : 0]);
      expect(entry.item_path).toMatch(new RegExp(`^/${name}/\\{\\w+\\}$`));
      expect([name, (await send(service, `/${name}`)).status]).toEqual([name, topLevelChildren === false ? 404 : 200]);
      expect([name, (await send(service, `/${name}/1`)).status]).toEqual([name, 200]);
    }
  }
});

test('the option cursorBindsInclude decides whether the sandbox accepts a cursor with another include', async () => {
  for (const [cursorBindsInclude, status] of [
    [false, 200],
    [true, 400],
  ] as const) {
    const service = await sandbox({ interpretations: { cursorBindsInclude } });
    const { next_cursor } = (await send(service, '/worklogs?per_page=2')).body.meta.page;
    const answer = await send(service, `/worklogs?per_page=2&include=user&cursor=${next_cursor}`);
    expect(answer.status).toBe(status);
    if (status === 400) expect(problem(answer)).toMatchObject({ type: 'invalid-cursor' });
    expect((await send(service, `/worklogs?per_page=3&cursor=${next_cursor}`)).status).toBe(200);
  }
});

test('the option missingRecordType sets the problem type for a missing record', async () => {
  const service = await sandbox({ interpretations: { missingRecordType: 'endpoint-not-found' } });
  expect(problem(await send(service, '/users/999'))).toMatchObject({ status: 404, type: 'endpoint-not-found' });
});

describe('svc with different interpretations', () => {
  test('still signs in with registrationStatus 200', async () => {
    const signed = await signedIn({ interpretations: { registrationStatus: 200 } });
    expect((await register(signed.sandbox)).status).toBe(200);
    expect((await signed.svc(['me', '--jq', '.name'])).stdout).toBe('Sanne de Vries\n');
    await signed.remove();
  });

  test('still signs in with issuer false, which leaves only the documented metadata', async () => {
    const service = await sandbox({ approve: true, clock: { now: () => Date.now() }, interpretations: { issuer: false } });
    const metadata = await (await fetch(`${service.origin}/.well-known/oauth-authorization-server`)).json();
    expect(Object.keys(metadata as object).toSorted()).toEqual([
      'authorization_endpoint',
      'code_challenge_methods_supported',
      'registration_endpoint',
      'revocation_endpoint',
      'scopes_supported',
      'token_endpoint',
    ]);
    const machine = await createMachine();
    const { host } = new URL(service.origin);
    expect(await machine.svc(['login', host])).toMatchObject({ code: 0 });
    expect(await machine.svc(['auth', 'refresh'])).toMatchObject({ code: 0 });
    expect(await machine.svc(['logout', host])).toMatchObject({ code: 0 });
    expect(service.events).toMatchObject({ signIns: 1, refreshes: 1, revocations: 1 });
    await machine.remove();
  });

  test('reads a record with or without data, and accepts a delete with or without a body', async () => {
    for (const interpretations of [{}, { wrapSingleRecords: false, deleteAnswers: 'record' }] as const) {
      const signed = await signedIn({ personalToken: true, interpretations });
      expect((await signed.svc(['users', 'get', '1', '--jq', '.name'])).stdout).toBe('Sanne de Vries\n');
      expect(await signed.svc(['worklogs', 'delete', '1', '--yes'])).toMatchObject({ code: 0 });
      await signed.remove();
    }
  });
});
