import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { json, startHttpServer } from '../support/http-server.ts';
import { createMachine, type RunOptions } from '../support/svc.ts';
import { HOUR_AND_HALF, hurriedFrom, makePlace, NOON, type Place } from './timing.ts';

let here: Place;
beforeAll(async () => {
  here = await makePlace(NOON, { personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => here.clear());

const svc = (argv: readonly string[], options: RunOptions = {}) => here.svc(argv, options);
const writes = () =>
  here.sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`);

describe('svc timers stop', () => {
  it('logs the time on the work item, ends the timer, and logs nothing at a repeat', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { code, stdout, stderr } = await svc(['timers', 'stop']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      timer_id: id,
      ended: true,
      started_at: '2026-06-05T08:30:00Z',
      elapsed_minutes: 90,
      minutes: 90,
      work_item_id: 12,
      logged_by: 'svc',
    });
    expect([here.logged(), here.running()]).toEqual([[HOUR_AND_HALF], []]);
    expect(writes()).toEqual(['POST /worklogs', `DELETE /timers/${id}`]);
    expect(await svc(['timers', 'stop'])).toMatchObject({ code: 3, stdout: '' });
    expect(here.logged()).toHaveLength(1);
  });

  // It is 12:00:00 in Amsterdam.
  it.each([
    ['with half a minute rounded up', '2026-06-05T09:57:30Z', [], 3],
    ['with less than half a minute rounded down', '2026-06-05T09:57:31Z', [], 2],
    ['with half a minute as one minute', '2026-06-05T09:59:30Z', [], 1],
    ['with 7 minutes as 5', '2026-06-05T09:53:00Z', ['--round', '5m'], 5],
    ['with 8 minutes as 10', '2026-06-05T09:52:00Z', ['--round', '5m'], 10],
    ['with 22.5 minutes as 30 in quarters of an hour', '2026-06-05T09:37:30Z', ['--round', '15m'], 30],
    ['with one minute as 15, not as zero', '2026-06-05T09:59:00Z', ['--round', '15m'], 15],
    ['with a tie rounded up, 10 of 20', '2026-06-05T09:50:00Z', ['--round', '20m'], 20],
    ['with a tie rounded up, 30 as 40', '2026-06-05T09:30:00Z', ['--round', '20m'], 40],
    ['at the current minute', '2026-06-05T08:30:00Z', ['--at', '12:00'], 90],
    ['at a time of today, 11:40 after 10:30', '2026-06-05T08:30:00Z', ['--at', '11:40'], 70],
    ['at a date-time', '2026-06-04T08:30:00Z', ['--at', 'thursday 17:30'], 420],
    ['at the latest such time, 23:00 after 22:00 yesterday', '2026-06-04T20:00:00Z', ['--at', '23:00'], 60],
  ])('rounds the minutes and ends the timer, %s', async (_, started, flags, minutes) => {
    await here.begin(started);
    const { code, stderr } = await svc(['timers', 'stop', ...flags]);
    expect(code, stderr).toBe(0);
    expect([here.logged(), here.running()]).toMatchObject([[{ minutes }], []]);
  });

  it.each([
    ['a time in the future', '2026-06-05T08:30:00Z', '12:01'],
    ['a time before the start', '2026-06-05T08:30:00Z', '10:29'],
    ['a date-time before the start', '2026-06-05T08:30:00Z', 'yesterday 17:00'],
  ])('refuses as an end %s', async (_, started, at) => {
    await here.begin(started);
    const { code, stderr } = await svc(['timers', 'stop', '--at', at]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('is not between the timer’s start (2026-06-05 10:30) and now (2026-06-05 12:00)'),
    ]);
    expect([here.logged(), here.running().length]).toEqual([[], 1]);
  });

  it('logs on the day of the start, in the time zone of the user', async () => {
    // 23:30 on Thursday in Amsterdam, twelve and a half hours before 12:00 on Friday.
    await here.begin('2026-06-04T21:30:00Z');
    expect((await svc(['timers', 'stop', '--at', 'now'])).code).toBe(0);
    expect(here.logged()).toMatchObject([{ date: '2026-06-04', minutes: 750 }]);
    // A late shift past midnight is no forgotten timer.
    await here.begin('2026-06-04T21:30:00Z');
    expect((await svc(['timers', 'stop'], { now: Date.parse('2026-06-05T01:30:00Z') })).code).toBe(0);
    expect(here.logged()[1]).toMatchObject({ date: '2026-06-04', minutes: 240 });
  });

  it.each([
    ['overnight', '2026-06-04T15:00:00Z', '2026-06-04 17:00: 19h.'],
    ['for more than a day', '2026-06-03T09:59:59Z', '2026-06-03 11:59: 48h.'],
  ])('needs the end of a timer that has run %s', async (_, started, said) => {
    const id = await here.begin(started);
    for (const argv of [
      ['timers', 'stop'],
      ['timers', 'switch', 'ABC-7'],
    ]) {
      const { code, stderr } = await svc(argv);
      expect([code, here.logged()], argv.join(' ')).toEqual([2, []]);
      expect(stderr).toContain(`has run since ${said}`);
      expect(stderr).toContain(
        `svc timers stop ${id} --at "${said.slice(0, 10)} 17:30". To end the timer now: svc timers stop ${id} --at now.`,
      );
    }
  });

  it('asks for the end of a timer that ran overnight, and prints the complete command', async () => {
    const id = await here.begin('2026-06-04T15:00:00Z');
    const terminal = { terminal: 100, env: { NO_COLOR: '1' } };
    const stopped = await svc(['timers', 'stop'], { ...terminal, answers: ['8:00 or so', '16:00', 'thursday 17:30'] });
    expect(stopped.code, stopped.stderr).toBe(0);
    expect(stopped.stderr.replaceAll('\n', ' ')).toContain(
      `? Timer ${id}, ABC-12 Show the deleted rows, "Review", since 2026-06-04 17:00 (19h): when did the work end (17:30, "friday 17:30", now)?`,
    );
    expect(stopped.stderr).toContain("The same with your answers: svc timers stop --at 'thursday 17:30'\n");
    expect([here.logged(), here.running()]).toMatchObject([[{ date: '2026-06-04', minutes: 30 }], []]);
    await here.begin('2026-06-04T15:00:00Z');
    const switched = await svc(['timers', 'switch', 'ABC-7', '--output', 'json'], { ...terminal, answers: ['now'] });
    expect([switched.code, here.logged()[1]], switched.stderr).toEqual([0, expect.objectContaining({ minutes: 1140 })]);
  });

  it('asks for the end of a timer that ran for more than ten hours of one day', async () => {
    const id = await here.begin('2026-06-04T23:59:00Z');
    const inScript = await svc(['timers', 'stop']);
    expect(inScript).toMatchObject({ code: 2, stderr: expect.stringContaining('since 2026-06-05 01:59: 10h01') });
    expect(inScript.stderr).toContain(`svc timers stop ${id} --at "2026-06-05 09:59"`);
    here.clear();
    await here.begin('2026-06-04T23:59:00Z');
    const asked = await svc(['timers', 'stop'], { terminal: 100, answers: ['3:59'] });
    expect([asked.code, here.logged()], asked.stderr).toMatchObject([0, [{ date: '2026-06-05', minutes: 120 }]]);
    await here.begin('2026-06-05T00:01:00Z');
    expect((await svc(['timers', 'stop'])).code).toBe(0);
    expect(here.logged()[1]).toMatchObject({ minutes: 599 });
  });

  it.each([[[]], [['--round', '15m']]])('logs nothing for less than half a minute with %j', async (flags) => {
    const id = await here.begin('2026-06-05T09:59:31Z');
    const { code, stdout, stderr } = await svc(['timers', 'stop', ...flags]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      timer_id: id,
      ended: true,
      elapsed_minutes: 0,
      minutes: 0,
      worklog_id: null,
      logged_by: null,
    });
    expect([here.logged(), here.running()]).toEqual([[], []]);
    expect(stderr).toContain(`Timer ${id} had only just begun, so svc logs nothing.`);
  });

  it('prefers typed values to the values of the timer, and sends a typed field', async () => {
    await here.begin('2026-06-05T09:00:00Z', { project_id: 1, description: 'Call' });
    const { code, stderr } = await svc([
      'timers',
      'stop',
      '--description',
      'Call with Ada',
      '-F',
      'project_id=2',
      '-F',
      'is_not_billable=true',
    ]);
    expect(code, stderr).toBe(0);
    expect(here.logged()).toMatchObject([{ minutes: 60, description: 'Call with Ada', project_id: 2, work_item_id: null }]);
    expect(JSON.parse(here.sandbox.requests.find(({ method }) => method === 'POST')?.body ?? '')).toMatchObject({ is_not_billable: true });
  });

  it('exits 2 when several timers run, and accepts the id of a timer', async () => {
    const [first, second] = [await here.begin('2026-06-05T09:00:00Z'), await here.begin('2026-06-05T09:30:00Z', { project_id: 2 })];
    const { code, stderr } = await svc(['timers', 'stop']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Give one of these ids: ${first}, ${second}.`)]);
    expect((await svc(['timers', 'stop', String(second)])).code).toBe(0);
    expect([here.logged(), here.running()]).toMatchObject([[{ minutes: 30, project_id: 2 }], [first]]);
    expect((await svc(['timers', 'stop', '99999'])).code).toBe(3);
  });

  it('prints only the requests with --dry-run', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { stdout } = await svc(['timers', 'stop', '--dry-run']);
    expect(JSON.parse(stdout)).toMatchObject([
      { method: 'POST', url: expect.stringContaining('/worklogs'), body: { date: '2026-06-05', minutes: 90, work_item_id: 12 } },
      { method: 'DELETE', url: expect.stringContaining(`/timers/${id}`) },
    ]);
    expect([writes(), here.running()]).toEqual([[], [id]]);
  });

  it('logs the hours again after an undo', async () => {
    await here.begin('2026-06-05T08:30:00Z');
    here.sandbox.setFaults([{ method: 'DELETE', path: '/timers*', status: 403 }]);
    const shown = await svc(['timers', 'stop'], { terminal: 100, answers: [] });
    const [, number = ''] = /svc undo (\d+)/.exec(shown.stderr) ?? [];
    expect((await svc(['undo', number])).code).toBe(0);
    expect(here.logged()).toEqual([]);
    expect((await svc(['timers', 'stop'])).code).toBe(0);
    expect([here.logged(), here.running()]).toEqual([[HOUR_AND_HALF], []]);
  });

  it('can be undone, and svc prints that the timer itself is unchanged', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const shown = await svc(['timers', 'stop'], { terminal: 100, answers: [] });
    const [, number = ''] = /To undo the hours: svc undo (\d+)/.exec(shown.stderr) ?? [];
    const undone = await svc(['undo', number], { terminal: 100, answers: [true] });
    expect([undone.code, undone.stdout]).toEqual([
      0,
      `Undone: the hours of timer ${id} (entry ${number}). svc does not start the timer again.\n`,
    ]);
    expect([here.logged(), here.running()]).toEqual([[], []]);
  });

  it('prints one line about the hours at a terminal', async () => {
    await here.begin('2026-06-05T08:30:00Z');
    const { stdout } = await svc(['timers', 'stop'], { terminal: 100, answers: [] });
    expect(stdout).toMatch(/^Logged 1h30 on ABC-12 Show the deleted rows, "Review" · 2026-06-05 · #\d+ · timer \d+ has ended\n$/);
  });
});

describe('svc timers stop over a change of the clocks', () => {
  it.each([
    // Amsterdam puts its clocks forward on 2026-03-29 at 02:00: from 01:30 to 03:30 is an hour.
    ['forward', '2026-03-29T01:30:00Z', '2026-03-29T00:30:00Z', [], 60],
    ['forward, and --at is after the change', '2026-03-29T01:30:00Z', '2026-03-29T00:30:00Z', ['--at', '3:15'], 45],
    // And back on 2026-10-25 at 03:00: from 02:30 to 02:30 is an hour, and 02:15 comes twice.
    ['back', '2026-10-25T01:30:00Z', '2026-10-25T00:30:00Z', [], 60],
    ['back, and --at is the second 02:15', '2026-10-25T01:30:00Z', '2026-10-24T23:30:00Z', ['--at', '2:15'], 105],
    ['back, and --at is the first 02:45', '2026-10-25T01:30:00Z', '2026-10-24T23:30:00Z', ['--at', '2:45'], 75],
  ])('logs the elapsed time when the clocks change %s', async (_, now, started, flags, minutes) => {
    await here.begin(started);
    const { code, stderr } = await svc(['timers', 'stop', ...flags], { now: Date.parse(now) });
    expect(code, stderr).toBe(0);
    expect(here.logged()).toMatchObject([{ minutes }]);
  });

  it('refuses a time that the clocks skip', async () => {
    await here.begin('2026-03-29T00:30:00Z');
    const { code, stderr } = await svc(['timers', 'stop', '--at', '2:15'], { now: Date.parse('2026-03-29T02:00:00Z') });
    expect([code, stderr]).toEqual([2, expect.stringContaining('2:15 is not between')]);
  });
});

describe('svc timers stop after a failure', () => {
  it.each([
    ['the service refuses the end', [{ method: 'DELETE', path: '/timers*', status: 503, times: 99 }], 8],
    ['the answer to the hours gets lost', [{ method: 'POST', path: '/worklogs', drop: 'after', times: 99 }], 8],
    ['the hours never arrive', [{ method: 'POST', path: '/worklogs', drop: 'before', times: 99 }], 8],
  ] as const)('loses no hours and logs no hours twice when %s', async (_, faults, code) => {
    await here.begin('2026-06-05T08:30:00Z');
    here.sandbox.setFaults(faults);
    const first = await svc(['timers', 'stop'], hurriedFrom(here.now));
    expect(first.code, first.stderr).toBe(code);
    here.sandbox.setFaults([]);
    const second = await svc(['timers', 'stop'], { now: here.now + 300_000 });
    expect(second.code, second.stderr).toBe(0);
    expect([here.logged().length, here.running()]).toEqual([1, []]);
  });

  it('keeps the hours of the first run, and reports another requested end', async () => {
    await here.begin('2026-06-05T08:30:00Z');
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', drop: 'before', times: 99 }]);
    expect((await svc(['timers', 'stop'], hurriedFrom(here.now))).code).toBe(8);
    here.sandbox.setFaults([]);
    const { code, stderr } = await svc(['timers', 'stop', '--at', '2026-06-05 11:00'], { now: here.now + 300_000 });
    expect(code, stderr).toBe(0);
    expect(here.logged()).toEqual([HOUR_AND_HALF]);
    expect(stderr).toMatch(/The hours differ from your flags \(minutes 30\)\. To change the entry: svc worklogs edit \d+/);
  });

  it('keeps the timer running when the service refuses the hours', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { code } = await svc(['timers', 'stop', '-F', 'nosuch=1']);
    expect([code, here.logged(), here.running()]).toEqual([9, [], [id]]);
    expect((await svc(['timers', 'stop'])).code).toBe(0);
    expect(here.logged()).toEqual([HOUR_AND_HALF]);
  });
});

describe('svc timers', () => {
  it('start begins a timer on the named work item, with a typed field', async () => {
    const { code, stderr } = await svc(['timers', 'start', 'ABC-12', 'Review it', '-F', 'started_at=2026-06-05T09:00:00Z']);
    expect(code, stderr).toBe(0);
    expect(here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/api/v2/timers', { work_item_id: 12, description: 'Review it', started_at: '2026-06-05T09:00:00Z' }],
    ]);
  });

  it.each([
    [['--project', 'Web shop', '--description', 'Plan it'], { project_id: 2, description: 'Plan it' }],
    [['project:Web shop', 'Plan it'], { project_id: 2, description: 'Plan it' }],
    [['--project', 'WEB', 'Plan it'], { project_id: 2, description: 'Plan it' }],
    [['--work-item', 'ABC-12'], { work_item_id: 12 }],
  ])('start accepts %j', async (words, body) => {
    const { code, stderr } = await svc(['timers', 'start', ...words]);
    expect(code, stderr).toBe(0);
    const posts = here.sandbox.requests.filter(({ method }) => method === 'POST').map((sent) => JSON.parse(sent.body));
    expect(posts).toEqual([body]);
    expect((await svc(['timers', 'start', ...words])).stderr).toContain('svc timers switch');
  });

  it.each([
    [['ABC-12', '--work-item', 'ABC-7'], 'There are two values: --work-item'],
    [['ABC-12', '--project', 'WEB'], 'runs on a work item or on a project'],
    [['--project', 'Nowhere'], 'There is no project "Nowhere"'],
  ])('start refuses %j', async (words, said) => {
    const { code, stderr } = await svc(['timers', 'start', ...words]);
    expect([code, writes()]).toEqual([2, []]);
    expect(stderr).toContain(said);
  });

  it('start begins no second timer, and names the first timer with two next commands', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { code, stderr } = await svc(['timers', 'start', 'ABC-7']);
    expect([code, writes()]).toEqual([6, []]);
    expect(stderr).toContain(
      `One of your timers is running: ${id}, ABC-12 Show the deleted rows, "Review", since 2026-06-05 10:30 (1h30).`,
    );
    expect(stderr).toContain('svc timers switch');
    expect(stderr).toContain('svc timers stop');
  });

  it('switch begins no second timer after a start whose answer got lost', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/timers', drop: 'after', times: 99 }]);
    expect((await svc(['timers', 'start', 'ABC-7'], hurriedFrom(here.now))).code).toBe(8);
    here.sandbox.setFaults([]);
    const { code, stderr } = await svc(['timers', 'switch', 'ABC-7']);
    expect(code, stderr).toBe(0);
    expect([here.running().length, here.logged()]).toEqual([1, []]);
  });

  it('start refuses a duration', async () => {
    const { code, stderr } = await svc(['timers', 'start', '1h', 'ABC-12']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('A timer measures the time itself')]);
    expect(writes()).toEqual([]);
  });

  it('switch logs the hours of the running timer, and starts the other timer', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { code, stdout, stderr } = await svc(['timers', 'switch', 'ABC-7', 'Form']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ work_item_id: 7, description: 'Form' });
    expect(stderr).toContain('Logged 1h30 on ABC-12 Show the deleted rows.');
    expect(writes()).toEqual(['POST /worklogs', `DELETE /timers/${id}`, 'POST /timers']);
    expect([here.logged(), here.running().length]).toEqual([[HOUR_AND_HALF], 1]);
  });

  it('switch only starts a timer when no timer runs, and ends no timer for an unknown key', async () => {
    const { code, stderr } = await svc(['timers', 'switch', 'ABC-7']);
    expect([code, here.running().length]).toEqual([0, 1]);
    expect(stderr).toContain('No timer of yours was running.');
    expect((await svc(['timers', 'switch', 'ABC-99999'])).code).toBe(3);
    expect([here.logged(), here.running().length]).toEqual([[], 1]);
    const dry = await svc(['timers', 'switch', 'ABC-12', '--dry-run']);
    expect(JSON.parse(dry.stdout)).toMatchObject([{ method: 'DELETE' }, { method: 'POST', url: expect.stringContaining('/timers') }]);
  });

  it('switch gives the hours their description in svc history, without the work item of the next timer', async () => {
    await here.begin('2026-06-05T08:30:00Z');
    await svc(['timers', 'switch', 'ABC-7']);
    const { stdout } = await svc(['history'], { terminal: 200 });
    expect(stdout).toMatch(/1h30 "Review" +svc timers switch ABC-7\n/);
  });

  it('switch refuses to choose between several timers', async () => {
    const ids = [await here.begin('2026-06-05T09:00:00Z'), await here.begin('2026-06-05T09:30:00Z')];
    const { code, stderr } = await svc(['timers', 'switch', 'ABC-7']);
    expect([code, writes()]).toEqual([2, []]);
    expect(stderr).toContain(`svc timers stop ${ids[0]}, then svc timers stop ${ids[1]}`);
  });

  it('cancel ends a timer without hours, after a yes', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    expect((await svc(['timers', 'cancel'])).code).toBe(2);
    expect((await svc(['timers', 'cancel'], { terminal: 100, answers: [false] })).code).toBe(1);
    expect(here.running()).toEqual([id]);
    const { code, stdout } = await svc(['timers', 'cancel', '--yes']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { timer_id: id, ended: true }]);
    expect([here.logged(), here.running()]).toEqual([[], []]);
  });

  it('status shows the start, the duration, and the work item', async () => {
    const id = await here.begin('2026-06-05T08:30:00Z');
    const { stdout } = await svc(['timers', 'status']);
    expect(JSON.parse(stdout)).toEqual([
      {
        id,
        started_at: '2026-06-05T08:30:00Z',
        elapsed_minutes: 90,
        project_id: null,
        project: null,
        work_item_id: 12,
        work_item: 'ABC-12 Show the deleted rows',
        description: 'Review',
        worklog_id: null,
      },
    ]);
    await here.clear();
    // The clock of the service is three minutes ahead.
    await here.begin('2026-06-05T10:03:00Z');
    expect((await svc(['timers', 'status', '--jq', '.[].elapsed_minutes'])).stdout).toBe('0\n');
    await here.clear();
    await here.begin('2026-06-05T09:57:30Z');
    expect((await svc(['timers', 'status', '--jq', '.[].elapsed_minutes'])).stdout).toBe('3\n');
    await here.clear();
    expect(await svc(['timers', 'status'])).toMatchObject({ code: 0, stdout: '[]\n', stderr: 'No timer of yours is running.\n' });
    expect(await svc(['timers', 'status', '--jq', '.[].elapsed_minutes'])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('svc timers with a browser sign-in', () => {
  let there: Place;
  beforeAll(async () => {
    there = await makePlace(NOON);
  });
  afterAll(() => there.remove());
  beforeEach(() => there.clear());

  it('reports that nothing was logged and the timer runs', async () => {
    const id = await there.begin('2026-06-05T09:59:31Z');
    const { code, stdout, stderr } = await there.svc(['timers', 'stop'], { terminal: 200, answers: [] });
    expect([code, stdout, there.logged()]).toEqual([0, `Logged nothing of timer ${id}\n`, []]);
    expect(stderr).toContain(
      `Timer ${id} had only just begun, so svc logs nothing.\nTimer ${id} still runs. svc ends a timer with a DELETE, and a browser sign-in cannot delete.`,
    );
  });

  it('counts no time for a timer with logged hours', async () => {
    const id = await there.begin('2026-06-05T08:30:00Z');
    expect((await there.svc(['timers', 'stop'])).code).toBe(0);
    const still = `Timer ${id} still runs at the service, though its hours are logged. To end it: svc token set, then svc timers cancel ${id}`;
    for (const argv of [['timers', 'status'], ['status']]) {
      const { code, stdout, stderr } = await there.svc(argv, { terminal: 200 });
      expect([code, stderr.includes(still), stdout.includes('Review')], `${argv} ${stdout}${stderr}`).toEqual([0, true, false]);
    }
    expect(JSON.parse((await there.svc(['timers', 'status'])).stdout)).toMatchObject([{ id, elapsed_minutes: null }]);
    expect(JSON.parse((await there.svc(['status'])).stdout)).toMatchObject({ timers: [] });
  });
});

describe('svc timers stop after an end without an answer', () => {
  let there: Place;
  beforeAll(async () => {
    there = await makePlace(NOON, { personalToken: true, interpretations: { timerEnds: 'action' } });
  });
  afterAll(() => there.remove());
  beforeEach(() => there.clear());

  it.each([
    ['takes hours of the same text that are 15 minutes longer', { minutes: 105, description: 'Review' }, '2026-06-05T10:00:00Z', 'service'],
    [
      'asks about hours of the same text that are 16 minutes longer',
      { minutes: 106, description: 'Review' },
      '2026-06-05T10:00:00Z',
      'asks',
    ],
    ['asks about hours of another text', { minutes: 90, description: 'Stand-up' }, '2026-06-05T10:05:00Z', 'asks'],
    ['ignores hours of another text that are an hour younger', { minutes: 90, description: 'Stand-up' }, '2026-06-05T11:00:00Z', 'svc'],
    ['ignores hours of another project', { minutes: 90, description: 'Review', project_id: 2 }, '2026-06-05T10:00:00Z', 'svc'],
    ['ignores hours of a work item for a timer on a project', { minutes: 90, work_item_id: 12 }, '2026-06-05T10:00:00Z', 'svc'],
  ] as const)('%s', async (_, fields, created_at, outcome) => {
    const id = await there.begin('2026-06-05T08:30:00Z', { project_id: 1, description: 'Review' });
    there.sandbox.setFaults([{ method: 'POST', path: `/timers/${id}/actions/stop`, drop: 'after', times: 99 }]);
    expect((await there.svc(['timers', 'stop'], hurriedFrom(there.now))).code).toBe(8);
    there.sandbox.setFaults([]);
    await there.log({ date: '2026-06-05', project_id: 1, ...fields });
    Object.assign(there.sandbox.rows('worklogs').at(-1) ?? {}, { created_at });
    const later = { now: there.now + 7_200_000 };
    const stopped = await there.svc(['timers', 'stop'], later);
    expect(stopped.code, stopped.stderr).toBe(outcome === 'asks' ? 6 : 0);
    if (outcome === 'asks') {
      expect(stopped.stderr).toMatch(/Entry #\d+ \((1h46, "Review"|1h30, "Stand-up")\) appeared when timer \d+ ended\./);
      expect((await there.svc(['timers', 'stop'], { ...later, answers: [false] })).code).toBe(0);
    } else expect(JSON.parse(stopped.stdout)).toMatchObject({ timer_id: id, logged_by: outcome });
    expect(there.logged()).toHaveLength(outcome === 'service' ? 1 : 2);
  });
});

describe('svc timers at a service that logs hours itself', () => {
  it.each([
    ['rounds to whole hours', { minutes: 120, description: 'Review' }],
    ['rounds down to half a day', { minutes: 240, description: 'Review' }],
    ['sets a description of its own', { minutes: 90, description: 'Timer of Ada' }],
    ['rounds to whole hours and sets a description of its own', { minutes: 120, description: 'Timer of Ada' }],
  ])('logs no hours twice when the service %s', async (_, logged) => {
    const machine = await createMachine();
    const server = await startHttpServer();
    let hasEnded = false;
    const posted: string[] = [];
    server.fallback((request, ...rest) => {
      const page = (data: unknown) => json(200, { data, links: { next: null } })(request, ...rest);
      if (request.path === '/api/v2/') {
        const operations = ['/timers', '/timers/{timer}/stop'].map((path) => ({ method: path === '/timers' ? 'GET' : 'POST', path }));
        return page([{ path: '/timers', item_path: '/timers/{timer}', operations }]);
      }
      if (request.path === '/api/v2/me') return json(200, { data: { id: 7 } })(request, ...rest);
      if (request.method === 'POST') {
        posted.push(request.path);
        hasEnded = true;
        return json(200, { id: 31 })(request, ...rest);
      }
      const before = { id: 4, date: '2026-06-05', minutes: 90, description: 'Review', work_item_id: 12, user_id: 7 };
      const hours = { id: 5, date: '2026-06-05', work_item_id: 12, user_id: 7, ...logged };
      if (request.path.startsWith('/api/v2/worklogs')) return page(hasEnded ? [before, hours] : [before]);
      return page([{ id: 31, user_id: 7, work_item_id: 12, description: 'Review', started_at: '2026-06-05T08:30:00Z' }]);
    });
    const env = { SVC_TOKEN: 'token', SVC_HOST: new URL(server.origin).host };
    const { code, stdout, stderr } = await machine.svc(['timers', 'stop'], { env, now: Date.parse(NOON) });
    expect(code, stderr).toBe(0);
    expect(posted).toEqual(['/api/v2/timers/31/stop']);
    expect(JSON.parse(stdout)).toMatchObject({ timer_id: 31, worklog_id: 5, minutes: logged.minutes, logged_by: 'service' });
    await server.close();
    await machine.remove();
  });
});

describe.each(['delete', 'patch', 'action', 'logging-action'] as const)('svc undo after a switch (timerEnds %s)', (timerEnds) => {
  it.each([
    ['undoes only the start, with a personal access token', true],
    ['is not offered without a personal access token', false],
  ])('%s', async (_, personalToken) => {
    const place = await makePlace(NOON, { personalToken, interpretations: { timerEnds } });
    try {
      const person = { terminal: 200, env: { NO_COLOR: '1' } };
      await place.begin('2026-06-05T08:30:00Z');
      const { code, stdout, stderr } = await place.svc(['timers', 'switch', 'ABC-7', 'Form'], { ...person, answers: [] });
      expect(code, stderr).toBe(0);
      const [, started] = /^Started on ABC-7 .* · #(\d+)\n$/.exec(stdout) ?? [];
      expect(stderr.includes('To undo it: svc undo.')).toBe(personalToken);
      if (!personalToken) return;
      const before = place.running();
      const undone = await place.svc(['undo'], { ...person, answers: [true] });
      expect([undone.code, undone.stdout], undone.stderr).toEqual([
        0,
        expect.stringMatching(/^Undone: svc timers switch ABC-7 Form \(entry \d+\)\.\n$/),
      ]);
      expect(place.running()).toEqual(before.filter((id) => id !== Number(started)));
      expect(place.logged()).toMatchObject([{ date: '2026-06-05', minutes: 90 }]);
    } finally {
      await place.remove();
    }
  });
});
