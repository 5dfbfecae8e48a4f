import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { signIn } from './oauth-flow.ts';
import { sandbox, send, tokenNamed, visiting } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
async function control(service: Sandbox, body?: object | string): Promise<{ status: number; body: any }> {
  const sent = body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) };
  const answer = await fetch(service.controlUrl, sent);
  return { status: answer.status, body: await answer.json() };
}

/** The status of a request that says it is for another host; fetch would not let it. */
function statusFor(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

test('a GET of the control address shows the state of the sandbox, and the sandbox does not log this request', async () => {
  const service = await sandbox({ faults: [{ method: 'GET', path: '/me', status: 503, times: 2 }] });
  const { body } = await control(service);
  expect(body).toMatchObject({
    now: '2026-06-15T12:00:00.000Z',
    faults: ['GET /me 503 x2'],
    switches: { api: true, mcp: true, 'support-session': false, sprints: true, furlough: false },
    person: 1,
    requests: 0,
  });
  await send(service, '/me');
  expect((await control(service)).body).toMatchObject({ faults: ['GET /me 503'], requests: 1 });
});

describe('the control address of the sandbox', () => {
  test('sets faults, and removes all faults with an empty list', async () => {
    const service = await sandbox();
    await control(service, { faults: ['GET /me 503 x*'] });
    expect((await send(service, '/me')).status).toBe(503);
    expect((await send(service, '/me')).status).toBe(503);
    await control(service, { faults: [] });
    expect((await send(service, '/me')).status).toBe(200);
  });

  test('advances the clock, by seconds or by a string such as 2d', async () => {
    const service = await sandbox();
    expect((await control(service, { advance: 90 })).body.now).toBe('2026-06-15T12:01:30.000Z');
    expect((await control(service, { advance: '2d' })).body.now).toBe('2026-06-17T12:01:30.000Z');
    expect((await send(service, '/me', { token: tokenNamed(service, 'short-lived') })).status).toBe(401);
  });

  test('sets interpretations, switches, roles and the user of the browser', async () => {
    const service = await sandbox();
    await control(service, {
      interpretations: { wrapSingleRecords: false },
      switches: { furlough: true, mcp: false },
      roles: { 3: 'admin' },
      person: 4,
    });
    expect((await send(service, '/users/3')).body).toMatchObject({ id: 3, role: 'admin' });
    expect((await send(service, '/furlough-balance-mutations')).status).toBe(200);
    expect((await control(service)).body).toMatchObject({ person: 4, switches: { mcp: false } });
  });

  test('runs actions, such as the expiry of all access tokens', async () => {
    const service = await sandbox();
    const { access } = await signIn(service);
    await control(service, { do: ['expire-access-tokens'] });
    expect((await send(service, '/me', { token: access })).status).toBe(401);
    await control(service, { do: ['delete-registrations', 'revoke-all'] });
    expect([service.apps, service.tokens]).toEqual([[], []]);
  });

  test('returns the request log for GET, and empties the log for DELETE', async () => {
    const service = await sandbox();
    await send(service, '/me');
    const log = await (await fetch(`${service.controlUrl}/requests`)).json();
    expect(log).toMatchObject({ requests: [{ method: 'GET', path: '/api/v2/me', status: 200, units: 1 }] });
    expect((await fetch(`${service.controlUrl}/requests`, { method: 'DELETE' })).status).toBe(204);
    expect(service.requests).toEqual([]);
  });
});

describe('a refused request to the control address of the sandbox', () => {
  test.each([
    [{ advance: 60, fault: [] }, 'fault'],
    [{ advance: 60, faults: ['GET /me'] }, 'faults'],
    [{ advance: 60, faults: 'GET /me 503' }, 'faults'],
    [{ advance: 60, interpretations: { nosuch: 1 } }, 'interpretations'],
    [{ advance: 60, interpretations: { staleNoop: 413 } }, 'interpretations'],
    [{ advance: 60, switches: { nosuch: true } }, 'switches'],
    [{ advance: 60, switches: { api: 'off' } }, 'switches'],
    [{ advance: 60, roles: { 3: 'king' } }, 'roles'],
    [{ advance: 60, roles: { 99: 'admin' } }, 'roles'],
    [{ advance: 60, person: '1' }, 'person'],
    [{ advance: 60, do: ['nosuch'] }, 'do'],
    [{ person: 2, advance: -60 }, 'advance'],
  ])('gets 422 and changes nothing, with the body %j', async (body, key) => {
    const service = await sandbox();
    const before = await control(service);
    const refused = await control(service, body);
    expect(refused).toMatchObject({ status: 422, body: { key, error: expect.any(String) } });
    expect(await control(service)).toEqual(before);
  });

  test.each(['[]', '{', '"x"'])('gets 400 with the body %s', async (text) => {
    expect((await control(await sandbox(), text)).status).toBe(400);
  });

  test('has a wrong key, a foreign origin or host', async () => {
    const service = await sandbox();
    expect((await fetch(`${service.origin}/sandbox/control/nosuch`)).status).toBe(404);
    expect((await fetch(`${service.origin}/sandbox/control/nosuch/requests`)).status).toBe(404);
    expect(await statusFor(service.controlUrl, { origin: 'http://evil.example' })).toBe(403);
    expect(await statusFor(service.controlUrl, { host: 'evil.example' })).toBe(403);
    for (const path of ['/', '/api/v2', '/api/v2/me', '/oauth/token', '/.well-known/oauth-authorization-server', '/nowhere'])
      expect(await statusFor(`${service.origin}${path}`, { host: 'evil.example' }), path).toBe(403);
    expect(await statusFor(`${service.origin}/`, { host: 'acme.localhost', ...visiting(service) })).toBe(200);
    expect(await statusFor(`${service.origin}/`, { host: 'localhost', ...visiting(service) })).toBe(200);
  });
});
