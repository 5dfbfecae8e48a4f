import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { createMachine, type RunOptions } from '../support/svc.ts';
import { hurriedFrom, makePlace, NOON, type Place } from './timing.ts';

// It is Friday, 12:00 in Amsterdam.
let here: Place;
beforeAll(async () => {
  here = await makePlace(NOON, { personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => here.clear());

const svc = (argv: readonly string[], options: RunOptions = {}) => here.svc(argv, options);
const posted = () => here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));

describe('svc timers start --from', () => {
  it.each([
    ['9:15', '2026-06-05T07:15:00Z'],
    ['now', '2026-06-05T10:00:00Z'],
    ['yesterday 23:00', '2026-06-04T21:00:00Z'],
    ['2026-06-04 16:30', '2026-06-04T14:30:00Z'],
  ])('starts the timer at %s', async (from, started) => {
    const { code, stdout, stderr } = await svc(['timers', 'start', 'ABC-12', 'Review', '--from', from]);
    expect([code, stderr.includes('not at')], stderr).toEqual([0, false]);
    expect(JSON.parse(stdout)).toMatchObject({ work_item_id: 12, started_at: started });
    expect(posted()).toEqual([{ work_item_id: 12, description: 'Review', started_at: started }]);
  });

  it.each([
    ['12:01', '12:01 is in the future: it is 2026-06-05 12:00.', 'For another day, write the day too: "yesterday 12:01".'],
    ['today 13:00', 'today 13:00 is in the future', 'now or in the past'],
    ['yesterday', '"yesterday" has no time of day.', 'Add the time: "yesterday 9:15".'],
    ['2026-06-04', '"2026-06-04" has no time of day.', '9:15'],
    ['25:00', '"25:00" is not a time of day.', '23:59'],
  ])('refuses %s, and sends nothing', async (from, said, hint) => {
    const { code, stderr } = await svc(['timers', 'start', 'ABC-12', '--from', from]);
    expect([code, posted()]).toEqual([2, []]);
    expect(stderr).toContain(`--from: ${said}`);
    expect(stderr.replaceAll('\n', ' ')).toContain(hint);
  });

  it('uses the second 02:15 when the clocks go back, and refuses a skipped time', async () => {
    const back = await svc(['timers', 'start', 'ABC-12', '--from', '2:15', '--dry-run'], { now: Date.parse('2026-10-25T01:30:00Z') });
    expect(JSON.parse(back.stdout)).toMatchObject({ body: { started_at: '2026-10-25T01:15:00Z' } });
    const skipped = await svc(['timers', 'start', 'ABC-12', '--from', '2:15'], { now: Date.parse('2026-03-29T02:00:00Z') });
    expect([skipped.code, skipped.stderr]).toEqual([2, expect.stringContaining('The clocks skip 2:15 today.')]);
  });

  it('exits 2 when a field sets another start', async () => {
    const { code, stderr } = await svc(['timers', 'start', 'ABC-12', '--from', '9:15', '-F', 'started_at=2026-06-05T09:00:00Z']);
    expect([code, posted(), stderr]).toEqual([2, [], expect.stringContaining('There are two starts')]);
  });

  it.each([
    // The running timer ends when the new one starts, if it began before that.
    ['2026-06-05T06:00:00Z', ` --at '2026-06-05 09:15'`, [{ minutes: 75 }]],
    ['2026-06-05T08:30:00Z', '', [{ minutes: 90 }]],
  ])('begins no second timer beside the timer from %s, and prints commands to stop and start', async (began, flag, logged) => {
    const id = await here.begin(began);
    const { code, stderr } = await svc(['timers', 'start', 'ABC-7', '--from', '9:15']);
    expect([code, posted()]).toEqual([6, []]);
    expect(stderr.replaceAll('\n', ' ')).toContain(`svc timers stop ${id}${flag}, then svc timers start ABC-7 --from 9:15.`);
    const stop = ['timers', 'stop', String(id), ...(flag === '' ? [] : ['--at', '2026-06-05 09:15'])];
    expect((await svc(stop)).code).toBe(0);
    expect(here.logged()).toMatchObject(logged);
    expect((await svc(['timers', 'start', 'ABC-7', '--from', '9:15'])).code).toBe(0);
  });

  it('begins no second timer when you repeat the command after a lost answer', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/timers', drop: 'after', times: 99 }]);
    const argv = ['timers', 'start', 'ABC-7', '--from', '9:15'];
    expect((await svc(argv, hurriedFrom(here.now))).code).toBe(8);
    here.sandbox.setFaults([]);
    expect((await svc(argv, { now: here.now + 60_000 })).code).toBe(0);
    expect(here.running()).toHaveLength(1);
  });
});

describe('svc timers start --from at other services', () => {
  const FROM = ['timers', 'start', '--project', '3', '--description', 'Call', '--from', '9:15'];
  const answering = async (status: number, answer: object, argv: readonly string[] = FROM) => {
    const machine = await createMachine();
    const server = await startHttpServer();
    onTestFinished(async () => {
      await server.close();
      await machine.remove();
    });
    server.fallback((request, ...rest) => {
      const operations = ['GET', 'POST'].map((method) => ({ method, path: '/timers' }));
      if (request.path === '/api/v2/')
        return json(200, { data: [{ path: '/timers', item_path: '/timers/{timer}', operations }], links: { next: null } })(
          request,
          ...rest,
        );
      if (request.path === '/api/v2/me') return json(200, { data: { id: 7, timezone: 'Europe/Amsterdam' } })(request, ...rest);
      if (request.method === 'POST') return json(status, answer)(request, ...rest);
      return json(200, { data: [], links: { next: null } })(request, ...rest);
    });
    const env = { SVC_TOKEN: 'token', SVC_HOST: new URL(server.origin).host, TZ: 'Europe/Amsterdam' };
    const { code, stdout, stderr } = await machine.svc(argv, { env, now: Date.parse(NOON) });
    return { code, stdout, said: stderr.replaceAll('\n', ' ') };
  };

  it('reports an ignored start, and the command that logs the missing time', async () => {
    const { code, stdout, said } = await answering(201, { id: 31, project_id: 3, started_at: '2026-06-05T10:00:00.000Z' });
    expect([code, JSON.parse(stdout).started_at]).toEqual([0, '2026-06-05T10:00:00.000Z']);
    expect(said).toContain('The service started the timer at 2026-06-05 12:00, not at 2026-06-05 09:15.');
    expect(said).toContain('To log the time between: svc worklogs add 2h45 --project 3 --description Call --date 2026-06-05');
  });

  it.each([
    [
      'reports a start that the service hides',
      { id: 31 },
      'does not show the start of the timer, so svc cannot check the start at 2026-06-05 09:15.',
    ],
    ['accepts another form of the start', { id: 31, started_at: '2026-06-05T09:15:00+02:00' }, undefined],
  ])('%s', async (_, answer, notice) => {
    const { code, said } = await answering(201, answer);
    expect(code).toBe(0);
    if (notice === undefined) expect(said).not.toContain('start of the timer');
    else expect(said).toContain(notice);
  });

  it('suggests a start without --from when the service refuses the start time', async () => {
    const refusal = { type: 'https://x/validation-failed', title: 'No', status: 422, detail: 'Unknown key.', parameter: 'started_at' };
    const { code, said } = await answering(422, refusal);
    expect(code).toBe(9);
    expect(said).toContain('Start the timer without --from. To log the time before: svc worklogs add --help');
  });
});

describe('svc timers continue', () => {
  it('starts a timer on the work and with the text of your last entry', async () => {
    await here.log({ date: '2026-06-05', minutes: 60, work_item_id: 7, description: 'Form', user_id: 2 });
    await here.begin('2026-06-05T08:30:00Z');
    expect((await svc(['timers', 'stop'])).code).toBe(0);
    await here.log({ date: '2026-06-05', minutes: 60, work_item_id: 7, description: 'Of a colleague', user_id: 2 });
    const { code, stdout, stderr } = await svc(['timers', 'continue']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ work_item_id: 12, description: 'Review' });
    expect(posted().at(-1)).toEqual({ work_item_id: 12, description: 'Review' });
    expect(stderr).toMatch(/^Your last entry \(2026-06-05\): ABC-12 Show the deleted rows, project .+, "Review"\.$/m);
    expect(here.running()).toHaveLength(1);
  });

  it('prints one line at a terminal, and starts at a past time', async () => {
    await here.log({ date: '2026-06-04', minutes: 30, project_id: 2, description: '' });
    const { code, stdout, stderr } = await svc(['timers', 'continue', '--from', '9:15'], {
      terminal: 100,
      env: { NO_COLOR: '1' },
      answers: [],
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Started on Web shop · #\d+\n$/);
    expect(stderr).toContain('Your last entry (2026-06-04): Web shop, no text.');
    expect(posted()).toEqual([{ project_id: 2, started_at: '2026-06-05T07:15:00Z' }]);
  });

  it('sends nothing with --dry-run', async () => {
    await here.log({ date: '2026-06-04', minutes: 30, description: 'Alone' });
    const { stdout, stderr } = await svc(['timers', 'continue', '--dry-run']);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'POST', body: { description: 'Alone' } });
    expect([posted(), stderr]).toEqual([[], expect.stringContaining('no work item or project, "Alone".')]);
  });

  it.each([
    [[], `svc timers switch --work-item 12 --description 'Review it'`],
    [['--from', '11:00'], `--at '2026-06-05 11:00', then svc timers start --work-item 12 --description 'Review it' --from 11:00`],
  ])('begins no second timer with %j, and prints the next commands', async (flags, next) => {
    await here.log({ date: '2026-06-04', minutes: 30, work_item_id: 12, description: 'Review it' });
    const id = await here.begin('2026-06-05T08:30:00Z', { project_id: 2 });
    const { code, stderr } = await svc(['timers', 'continue', ...flags]);
    expect([code, posted(), here.running()]).toEqual([6, [], [id]]);
    const said = stderr.replaceAll('\n', ' ');
    expect(said).toContain(`One of your timers is running: ${id}, Web shop`);
    expect(said).toContain(`${next}. To log the hours only: svc timers stop`);
  });
});

describe('svc timers continue at other services', () => {
  it.each([
    [
      'no filters and relations',
      { otherFilters: 'refused', hoursFilters: 'refused', assumedIncludes: 'refused' },
      'work item 12, "Review"',
    ],
    ['bare summaries', { summary: 'bare', falseInSummary: 'left-out' }, 'Show the deleted rows, project Aurora'],
    ['an operation that logs the hours', { timerEnds: 'logging-action' }, 'ABC-12 Show the deleted rows'],
    ['logging that ends timers', { worklogEndsTimers: true }, 'ABC-12 Show the deleted rows'],
  ] as const)('continues the stopped timer, with %s', async (_, interpretations, said) => {
    const place = await makePlace(NOON, { personalToken: true, interpretations });
    onTestFinished(() => place.remove());
    await place.begin('2026-06-05T08:30:00Z');
    expect((await place.svc(['timers', 'stop'])).code).toBe(0);
    const { code, stdout, stderr } = await place.svc(['timers', 'continue']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ work_item_id: 12, description: 'Review' });
    expect(stderr).toContain(`Your last entry (2026-06-05): ${said}`);
  });

  it('refuses while the hours of the last timer are not logged', async () => {
    const place = await makePlace(NOON, { interpretations: { timerEnds: 'action' } });
    onTestFinished(() => place.remove());
    await place.log({ date: '2026-06-04', minutes: 30, work_item_id: 7 });
    await place.begin('2026-06-05T08:30:00Z');
    expect((await place.svc(['timers', 'stop', '-F', 'nosuch=1'])).code).toBe(9);
    const refused = await place.svc(['timers', 'continue']);
    expect([refused.code, place.running()]).toEqual([6, []]);
    expect(refused.stderr.replaceAll('\n', ' ')).toContain('To log these hours: svc timers stop, then svc timers continue');
    expect((await place.svc(['timers', 'stop'], { now: place.now + 60_000 })).code).toBe(0);
    const { code, stdout } = await place.svc(['timers', 'continue'], { now: place.now + 60_000 });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { work_item_id: 12 }]);
  });

  it.each([
    ['has no entry', [], 3, 'You have no entry yet that svc can continue.'],
    ['hides the work item', [{ id: 5, date: '2026-06-04', minutes: 5, description: 'x', user_id: 7, project_id: 3 }], 2, 'of entry 5'],
    ['hides the project', [{ id: 5, date: '2026-06-04', minutes: 5, description: 'x', user_id: 7, work_item_id: null }], 2, 'of entry 5'],
  ])('starts nothing when the service %s', async (_, entries, exit, said) => {
    const machine = await createMachine();
    const server = await startHttpServer();
    onTestFinished(async () => {
      await server.close();
      await machine.remove();
    });
    const methods: string[] = [];
    server.fallback((request, ...rest) => {
      methods.push(request.method);
      const page = (data: unknown) => json(200, { data, links: { next: null } })(request, ...rest);
      const operations = ['GET', 'POST'].map((method) => ({ method, path: '/timers' }));
      if (request.path === '/api/v2/') return page([{ path: '/timers', item_path: '/timers/{timer}', operations }]);
      if (request.path === '/api/v2/me') return json(200, { data: { id: 7 } })(request, ...rest);
      return page(request.path.startsWith('/api/v2/worklogs') ? entries : []);
    });
    const env = { SVC_TOKEN: 'token', SVC_HOST: new URL(server.origin).host };
    const { code, stdout, stderr } = await machine.svc(['timers', 'continue'], { env, now: Date.parse(NOON) });
    expect([code, stdout, methods.filter((method) => method !== 'GET')]).toEqual([exit, '', []]);
    expect(stderr).toContain(said);
  });
});
