import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiFixture, startApi } from '../support/api-fixture.ts';
import { json } from '../support/http-server.ts';

/** All requests of a process share one allowance of retries. */
let api: ApiFixture;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const send = () => api.client.send({ method: 'GET', path: '/me' });
const sendMany = async (count: number) => {
  for (let index = 0; index < count; index += 1) await send().catch(() => undefined);
};

describe('retries', () => {
  it('are at most a tenth of the requests of a bulk run in an outage', async () => {
    api.server.script(...Array.from({ length: 200 }, () => json(503)));
    await sendMany(100);
    expect(api.server.requests).toHaveLength(110);
  });

  it('become possible again, one for each ten good answers', async () => {
    api.server.script(...Array.from({ length: 20 }, () => json(503)));
    await sendMany(10);
    expect(api.server.requests).toHaveLength(20);
    api.server.script(...Array.from({ length: 9 }, () => json(200)), json(503), json(200), json(503), json(200));
    await sendMany(9);
    // Nine good answers allow no retry yet.
    await expect(send()).rejects.toThrow();
    await send();
    await send();
    expect(api.server.requests).toHaveLength(33);
  });

  it('do not count towards the allowed tenth after a 429', async () => {
    api.server.script(...Array.from({ length: 15 }, () => json(429, {}, { 'retry-after': '1' })), json(200));
    await send();
    expect(api.server.requests).toHaveLength(16);
  });
});
