import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { createMachine } from '../support/svc.ts';
import { type Still, standStill } from './support.ts';

let here: Still;
beforeAll(async () => {
  here = await standStill('2026-06-05T10:00:00Z');
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

describe('timers', () => {
  it('start on what was said, once discovery shows that they can', async () => {
    const { code, stderr } = await here.svc(['timers', 'start', 'ABC-12', 'Review it', '-F', 'started_at=2026-06-05T09:00:00Z']);
    expect(code, stderr).toBe(0);
    const posts = here.sandbox.requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/api/v2/timers', { work_item_id: 12, description: 'Review it', started_at: '2026-06-05T09:00:00Z' }],
    ]);
  });

  it('say what there is where nothing stops them', async () => {
    const { code, stderr } = await here.svc(['timers', 'stop']);
    expect(code).toBe(1);
    expect(stderr).toContain('Discovery shows no operation that stops a timer.');
    expect(stderr).toContain('It shows: PATCH /timers/<id>');
    expect(here.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it.each([
    ['delete', 1],
    ['patch', 1],
    ['action', 0],
    ['logging-action', 0],
  ] as const)('stop by what discovery shows, or run on and say so: %s (rule 18.32)', async (timerEnds, expected) => {
    const other = await standStill('2026-06-05T10:00:00Z', { knobs: { timerEnds } });
    const mine = async () => JSON.parse((await other.svc(['timers', 'list', '--user', 'me'])).stdout) as { readonly id: number }[];
    for (const { id } of (await mine()).slice(1))
      await other.svc(['api', '-X', 'DELETE', `/timers/${id}`], {
        env: { SVC_HOST: other.host, SVC_TOKEN: other.sandbox.tokens[0]?.value ?? '' },
      });
    if ((await mine()).length === 0) expect(await other.svc(['timers', 'start', 'ABC-12'])).toMatchObject({ code: 0 });
    const { code, stderr } = await other.svc(['timers', 'stop']);
    expect(code, stderr).toBe(expected);
    expect(await mine()).toHaveLength(expected);
    if (expected === 1) expect(stderr).toContain('Discovery shows no operation that stops a timer.');
    await other.remove();
  });

  it('have no length of their own', async () => {
    const { code, stderr } = await here.svc(['timers', 'start', '1h', 'ABC-12']);
    expect(code).toBe(2);
    expect(stderr).toContain('A timer counts by itself');
    expect(here.sandbox.requests).toEqual([]);
  });
});

describe('where discovery shows an operation that stops a timer', () => {
  it.each([
    ['relative', '/timers/{timer}/actions/stop'],
    ['absolute', 'https://127.0.0.1/api/v2/timers/{id}/stop'],
  ])('sends it for the one that runs, its path %s', async (_, path) => {
    const machine = await createMachine();
    const server = await startHttpServer();
    try {
      server.fallback((request, ...rest) => {
        const page = (data: unknown) => json(200, { data, links: { next: null } })(request, ...rest);
        if (request.path === '/api/v2/')
          return page([
            {
              path: '/timers',
              item_path: '/timers/{timer}',
              operations: [
                { method: 'GET', path: '/timers' },
                { method: 'POST', path },
              ],
            },
          ]);
        if (request.path === '/api/v2/me') return json(200, { data: { id: 7 } })(request, ...rest);
        if (request.method === 'GET') return page([{ id: 31, description: 'x' }]);
        return json(200, { id: 31, minutes: 42 })(request, ...rest);
      });
      const env = { SVC_TOKEN: 'token', SVC_HOST: new URL(server.origin).host };
      const { code, stdout, stderr } = await machine.svc(['timers', 'stop', '-F', 'note=done'], { env });
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ id: 31, minutes: 42 });
      expect(server.requests.filter(({ method }) => method === 'POST').map((sent) => [sent.path, sent.body])).toEqual([
        [`/api/v2${path.replace(/^.*\/timers\/\{\w+\}/, '/timers/31')}`, '{"note":"done"}'],
      ]);
      const several = await machine.svc(['timers', 'stop', '7'], { env });
      expect(several.code).toBe(0);
      expect(server.requests.at(-1)?.path).toContain('/timers/7/');
    } finally {
      await server.close();
      await machine.remove();
    }
  });
});
