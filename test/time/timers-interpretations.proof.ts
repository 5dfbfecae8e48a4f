import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { createMachine } from '../support/svc.ts';
import { HOUR_AND_HALF, hurriedFrom, makePlace, NOON } from './timing.ts';

describe('the end of a timer (rule 18.32)', () => {
  it.each([
    // option, logging ends timers, personal token → who logs, what still runs
    ['delete', false, true, 'svc', 0],
    ['delete', false, false, 'svc', 1],
    ['delete', true, false, 'svc', 0],
    ['delete', true, true, 'svc', 0],
    ['patch', false, false, 'svc', 1],
    ['action', false, false, 'svc', 0],
    ['action', true, true, 'svc', 0],
    ['logging-action', false, false, 'service', 0],
    ['logging-action', true, true, 'service', 0],
  ] as const)(
    'leads to one entry (timerEnds %s, worklogEndsTimers %s, personal access token %s)',
    async (timerEnds, worklogEndsTimers, personalToken, by, left) => {
      const here = await makePlace(NOON, { personalToken, interpretations: { timerEnds, worklogEndsTimers } });
      await here.begin('2026-06-05T08:30:00Z');
      const { code, stdout, stderr } = await here.svc(['timers', 'stop']);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ ended: left === 0, minutes: 90, logged_by: by });
      expect(here.running()).toHaveLength(left);
      expect(here.logged()).toEqual([{ ...HOUR_AND_HALF, ...(by === 'service' && { project_id: null }) }]);
      if (left === 1) expect(stderr).toContain('still runs, though its hours are logged. svc ends a timer with a DELETE');
      // Typed again an hour later.
      const second = await here.svc(['timers', 'stop'], { now: here.now + 3_600_000 });
      expect(second.code, second.stderr).toBe(left === 1 ? 0 : 3);
      expect(here.logged()).toHaveLength(1);
      await here.remove();
    },
  );

  it('can leave the timer running, which svc reports at the next start', async () => {
    const here = await makePlace(NOON);
    const id = await here.begin('2026-06-05T08:30:00Z');
    await here.svc(['timers', 'stop']);
    const [logged] = JSON.parse((await here.svc(['timers', 'status'])).stdout) as { readonly worklog_id: number | null }[];
    expect(logged?.worklog_id).toBeGreaterThan(0);
    const start = await here.svc(['timers', 'start', 'ABC-7']);
    expect([start.code, start.stderr]).toEqual([
      0,
      expect.stringContaining(`Timer ${id} still runs at the service, though its hours are logged.`),
    ]);
    const stop = await here.svc(['timers', 'stop'], { now: here.now + 600_000 });
    expect(JSON.parse(stop.stdout)).toMatchObject({ work_item_id: 7, minutes: 10 });
    expect(here.logged()).toHaveLength(2);
    await here.remove();
  });

  it('lets svc timers stop log the hours later if the service refused the hours', async () => {
    const here = await makePlace(NOON, { interpretations: { timerEnds: 'action' } });
    await here.begin('2026-06-05T08:30:00Z');
    const first = await here.svc(['timers', 'stop', '-F', 'nosuch=1']);
    expect([first.code, here.logged(), here.running()]).toEqual([9, [], []]);
    expect(first.stderr).toContain('its hours are not logged yet. To log the hours: svc timers stop');
    expect((await here.svc(['timers', 'status'])).stderr).toContain(
      'svc does not know whether its hours are logged. To log the hours: svc timers stop',
    );
    const second = await here.svc(['timers', 'stop', '--description', 'Review'], { now: here.now + 60_000 });
    expect(second.code, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ ended: true, minutes: 90, logged_by: 'svc' });
    expect(here.logged()).toEqual([HOUR_AND_HALF]);
    expect((await here.svc(['timers', 'stop'], { now: here.now + 120_000 })).code).toBe(3);
    expect(here.logged()).toHaveLength(1);
    await here.remove();
  });

  it.each([
    // What is logged meanwhile from elsewhere, and whether the service may have done that.
    ['of another day', { date: '2026-06-03', minutes: 90, project_id: 1 }, false],
    ['of another project', { minutes: 90, project_id: 2 }, false],
    ['of a work item', { minutes: 90, work_item_id: 12 }, false],
    ['of no project', { minutes: 90 }, false],
    ['that are a quarter longer', { minutes: 105, project_id: 1, description: 'Review' }, true],
  ] as const)('without an answer lets svc decide whether hours %s belong to the timer (rule 18.32)', async (_, fields, isService) => {
    const here = await makePlace(NOON, { interpretations: { timerEnds: 'action' } });
    const id = await here.begin('2026-06-05T08:30:00Z', { project_id: 1, description: 'Review' });
    here.sandbox.setFaults([{ method: 'POST', path: `/timers/${id}/actions/stop`, drop: 'after', times: 99 }]);
    const first = await here.svc(['timers', 'stop'], hurriedFrom(here.now));
    expect([first.code, here.logged(), here.running()], first.stderr).toEqual([8, [], []]);
    here.sandbox.setFaults([]);
    await here.log({ date: '2026-06-05', ...fields });
    const second = await here.svc(['timers', 'stop'], { now: here.now + 3_600_000 });
    expect(second.code, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ minutes: isService ? 105 : 90, logged_by: isService ? 'service' : 'svc' });
    expect(here.logged()).toHaveLength(isService ? 1 : 2);
    await here.remove();
  });

  it.each([
    ['that are shorter', { minutes: 15, project_id: 1, description: 'Review' }],
    ['of another text', { minutes: 90, project_id: 1, description: 'Stand-up' }],
  ] as const)('without an answer makes svc ask whether hours %s belong to the timer', async (_, fields) => {
    const here = await makePlace(NOON, { interpretations: { timerEnds: 'action' } });
    for (const answer of [true, false]) {
      const id = await here.begin('2026-06-05T08:30:00Z', { project_id: 1, description: 'Review' });
      here.sandbox.setFaults([{ method: 'POST', path: `/timers/${id}/actions/stop`, drop: 'after', times: 99 }]);
      expect((await here.svc(['timers', 'stop'], hurriedFrom(here.now))).code).toBe(8);
      here.sandbox.setFaults([]);
      await here.log({ date: '2026-06-05', ...fields });
      const later = { now: here.now + 3_600_000 };
      const unsure = await here.svc(['timers', 'stop'], later);
      expect([unsure.code, here.logged().length]).toEqual([6, 1]);
      expect(unsure.stderr).toMatch(/Entry #\d+ \((15m, "Review"|1h30, "Stand-up")\) appeared when timer \d+ ended\./);
      expect(unsure.stderr).toMatch(/If the entry has the hours of the timer: svc outbox drop \d+\./);
      const asked = await here.svc(['timers', 'stop'], { ...later, answers: [answer] });
      expect([asked.code, here.logged().length], asked.stderr).toEqual([0, answer ? 1 : 2]);
      expect((await here.svc(['timers', 'stop'], later)).code).toBe(3);
      await here.clear();
    }
    await here.remove();
  });

  it('lets svc log the hours despite an unrelated entry of the same length', async () => {
    const here = await makePlace(NOON, { interpretations: { timerEnds: 'action' } });
    const id = await here.begin('2026-06-05T08:30:00Z', { project_id: 1 });
    here.sandbox.setFaults([{ method: 'POST', path: `/timers/${id}/actions/stop`, drop: 'after', times: 99 }]);
    expect((await here.svc(['timers', 'stop'], hurriedFrom(here.now))).code).toBe(8);
    here.sandbox.setFaults([]);
    const now = here.now + 3_600_000;
    const other = await here.svc(['worklogs', 'add', '90m', '--project', '1', '--description', 'Unrelated stand-up'], { now });
    expect(other.code, other.stderr).toBe(0);
    const second = await here.svc(['timers', 'stop'], { now });
    expect(JSON.parse(second.stdout)).toMatchObject({ minutes: 90, logged_by: 'svc' });
    expect(here.logged()).toHaveLength(2);
    await here.remove();
  });

  it('lets svc find the hours that the service logged, although the answer got lost', async () => {
    const here = await makePlace(NOON, { interpretations: { timerEnds: 'logging-action' } });
    const id = await here.begin('2026-06-05T08:30:00Z', { project_id: 1, description: 'Review' });
    here.sandbox.setFaults([{ method: 'POST', path: `/timers/${id}/actions/stop`, drop: 'after', times: 99 }]);
    expect((await here.svc(['timers', 'stop', '--at', '11:00'], hurriedFrom(here.now))).code).toBe(8);
    here.sandbox.setFaults([]);
    await here.log({ date: '2026-06-05', minutes: 30, project_id: 1, description: 'Review' });
    const second = await here.svc(['timers', 'stop'], { now: here.now + 3_600_000 });
    expect(JSON.parse(second.stdout), second.stderr).toMatchObject({ minutes: 90, logged_by: 'service' });
    expect(here.logged()).toHaveLength(2);
    await here.remove();
  });

  it.each([422, 409, 'replayed'] as const)(
    'leads to one entry after the loss of the journal, with reusedKey %s (rule 18.29)',
    async (reusedKey) => {
      const here = await makePlace(NOON, { interpretations: { reusedKey } });
      await here.begin('2026-06-05T08:30:00Z');
      await here.svc(['timers', 'stop']);
      await rm(join(here.home, '.local', 'state', 'svc', 'journal'), { recursive: true });
      for (const minutes of [10, 20]) {
        const { code, stderr } = await here.svc(['timers', 'stop'], { now: here.now + minutes * 60_000 });
        expect([code, here.logged().length], stderr).toEqual([reusedKey === 'replayed' ? 0 : 6, 1]);
        if (code === 6) expect(stderr).toContain('To log these hours too:');
      }
      const again = await here.svc(['timers', 'stop', '--again'], { now: here.now + 1_800_000 });
      expect([again.code, here.logged().length], again.stderr).toEqual([0, 2]);
      await here.remove();
    },
  );

  it('lets svc plan both writes when the end is a delete', async () => {
    const here = await makePlace(NOON, { personalToken: true });
    const id = await here.begin('2026-06-05T08:30:00Z');
    const planned = await here.svc(['timers', 'stop', '--plan', `${here.home}/plan`]);
    expect(planned.code, planned.stderr).toBe(0);
    expect(JSON.parse(planned.stdout)).toMatchObject({ timer_id: id, ended: null, worklog_id: null, minutes: 90, logged_by: null });
    expect(planned.stderr).not.toContain('still runs');
    const lines = (await readFile(`${here.home}/plan`, 'utf8')).trimEnd().split('\n').slice(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'POST', path: '/worklogs' },
      { method: 'DELETE', path: `/timers/${id}` },
    ]);
    expect([here.logged(), here.running()]).toEqual([[], [id]]);
    await here.remove();
  });

  it('makes svc exit 2 for --plan if the service possibly logs the hours', async () => {
    const here = await makePlace(NOON, { interpretations: { timerEnds: 'logging-action' } });
    await here.begin('2026-06-05T08:30:00Z');
    expect((await here.svc(['timers', 'stop', '--plan', `${here.home}/plan`])).code).toBe(2);
    const dry = await here.svc(['timers', 'stop', '--dry-run']);
    expect(JSON.parse(dry.stdout)).toMatchObject([
      { method: 'POST', url: expect.stringContaining('/actions/stop') },
      { body: { minutes: 90 } },
    ]);
    expect(dry.stderr).toContain('unless the service logs them');
    expect(here.running()).toHaveLength(1);
    await here.remove();
  });
});

describe('svc timers at other services', () => {
  it.each([
    ['no filters', { hoursFilters: 'refused' }],
    ['no relations', { assumedIncludes: 'refused' }],
    ['keys for documented requests only', { idempotencyKey: 'documented' }],
  ] as const)('logs one entry with %s', async (_, interpretations) => {
    const here = await makePlace(NOON, { personalToken: true, interpretations });
    await here.begin('2026-06-05T08:30:00Z');
    const { code, stderr } = await here.svc(['timers', 'stop']);
    expect(code, stderr).toBe(0);
    expect([here.logged(), here.running()]).toEqual([[HOUR_AND_HALF], []]);
    await here.remove();
  });

  it('starts timers, but stops no timer, if you cannot see timers (rules 11.39, 11.40)', async () => {
    const here = await makePlace(NOON);
    await here.begin('2026-06-05T08:30:00Z');
    here.sandbox.setRole(1, 'contractor');
    for (const verb of ['stop', 'status', 'switch']) {
      const { code, stderr } = await here.svc(['timers', verb]);
      expect([verb, code, stderr]).toEqual([
        verb,
        5,
        expect.stringMatching(/hours::read[\s\S]*To log the hours yourself, see: svc worklogs add --help/),
      ]);
    }
    expect((await here.svc(['timers', 'start'])).code).toBe(0);
    await here.remove();
  });

  it.each([
    ['the start', { id: 31, work_item_id: 12 }, 'does not show the start of timer 31, so svc does not know its hours'],
    ['the work item and project', { id: 31, started_at: '2026-06-05T08:30:00Z' }, 'does not show the work item or project of timer 31'],
  ])('stops no timer if the service hides %s', async (_, timer, said) => {
    const machine = await createMachine();
    const server = await startHttpServer();
    server.fallback((request, ...rest) => {
      const page = (data: unknown) => json(200, { data, links: { next: null } })(request, ...rest);
      if (request.path === '/api/v2/') return page([{ path: '/timers', operations: ['GET /timers', 'POST /timers'] }]);
      if (request.path === '/api/v2/me') return json(200, { data: { id: 7 } })(request, ...rest);
      return page([timer]);
    });
    const env = { SVC_TOKEN: 'token', SVC_HOST: new URL(server.origin).host };
    const { code, stderr } = await machine.svc(['timers', 'stop'], { env, now: Date.parse(NOON) });
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    const status = await machine.svc(['timers', 'status'], { env, now: Date.parse(NOON) });
    expect(JSON.parse(status.stdout)).toMatchObject([{ elapsed_minutes: 'started_at' in timer ? 90 : null }]);
    expect(server.requests.every(({ method }) => method === 'GET')).toBe(true);
    await server.close();
    await machine.remove();
  });

  it.each([
    ['relative', '/timers/{timer}/actions/stop'],
    ['absolute', 'https://127.0.0.1/api/v2/timers/{id}/stop'],
  ])('calls the stop operation with the %s path', async (_, path) => {
    const machine = await createMachine();
    const server = await startHttpServer();
    server.fallback((request, ...rest) => {
      const page = (data: unknown) => json(200, { data, links: { next: null } })(request, ...rest);
      if (request.path === '/api/v2/') {
        const operations = [
          { method: 'GET', path: '/timers' },
          { method: 'POST', path },
        ];
        return page([{ path: '/timers', item_path: '/timers/{timer}', operations }]);
      }
      if (request.path === '/api/v2/me') return json(200, { data: { id: 7 } })(request, ...rest);
      if (request.path.startsWith('/api/v2/worklogs') && request.method === 'GET') return page([]);
      if (request.method === 'GET') return page([{ id: 31, work_item_id: null, started_at: '2026-06-05T08:30:00Z' }]);
      return json(201, request.path === '/api/v2/worklogs' ? { id: 5, minutes: 90 } : { id: 31 })(request, ...rest);
    });
    const env = { SVC_TOKEN: 'token', SVC_HOST: new URL(server.origin).host };
    const { code, stdout, stderr } = await machine.svc(['timers', 'stop', '-F', 'note=done'], { env, now: Date.parse(NOON) });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ timer_id: 31, worklog_id: 5, minutes: 90 });
    expect(server.requests.filter(({ method }) => method === 'POST').map((sent) => [sent.path, JSON.parse(sent.body)])).toEqual([
      [`/api/v2${path.replace(/^.*\/timers\/\{\w+\}/, '/timers/31')}`, {}],
      ['/api/v2/worklogs', { date: '2026-06-05', minutes: 90, note: 'done' }],
    ]);
    await server.close();
    await machine.remove();
  });
});
