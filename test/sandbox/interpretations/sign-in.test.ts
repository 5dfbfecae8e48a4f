import { expect, test } from 'vitest';
import { authorize, brought, register } from '../oauth-flow.ts';
import { sandbox } from '../support.ts';

test.each([
  ['page', 401],
  ['redirect', 302],
] as const)('the option unknownClient with the value %s gives an unknown app the status %i', async (unknownClient, status) => {
  const service = await sandbox({ interpretations: { unknownClient } });
  const answer = await authorize(service, 'nosuch', { state: 's' });
  expect(answer.status).toBe(status);
  if (status === 302) expect(brought(answer)).toMatchObject({ error: 'invalid_client', state: 's' });
  else expect(await answer.text()).toContain('invalid_client');
  // Nobody is sent to another machine.
  expect((await authorize(service, 'nosuch', { redirect_uri: 'https://evil.example/' })).status).toBe(401);
});

test('the option clientName with the value required refuses a registration without a name', async () => {
  const service = await sandbox();
  const send = async (body: object): Promise<number> =>
    (
      await fetch(`${service.origin}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:1/'], ...body }),
      })
    ).status;
  expect(await send({})).toBe(201);
  service.interpretations.clientName = 'required';
  expect([await send({}), await send({ client_name: 'x' })]).toEqual([400, 201]);
});

test('the option redirectPort with the value required refuses an address without a port', async () => {
  for (const [redirectPort, status] of [
    ['optional', 201],
    ['required', 400],
  ] as const) {
    const service = await sandbox({ interpretations: { redirectPort } });
    expect((await register(service, ['http://127.0.0.1/callback'])).status).toBe(status);
    expect((await register(service, ['http://[::1]:80/callback'])).status).toBe(201);
  }
});
