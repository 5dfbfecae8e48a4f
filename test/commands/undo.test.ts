import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** The history of writes, and their undo. */
let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

type Line = { number: number; outcome: string; writes: number; what: string; undone_by: number | null; record_id: number };
const history = async (...more: string[]) => JSON.parse((await here.svc(['history', ...more])).stdout) as Line[];
const create = async (...more: string[]) =>
  (JSON.parse((await here.svc(['worklogs', 'add', '--minutes', '30', ...more])).stdout) as { id: number }).id;
const minutesOf = async (id: number) =>
  (JSON.parse((await here.svc(['worklogs', 'get', String(id)])).stdout) as { minutes: number }).minutes;

describe('svc history', () => {
  it('lists writes, newest first, without a request', async () => {
    const id = await create('--description', 'For the history');
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45']);
    here.sandbox.requests.length = 0;
    const [last, before] = await history('--resource', 'worklogs');
    expect(last).toMatchObject({ outcome: 'done', what: `PATCH /worklogs/${id}: minutes 45`, writes: 1 });
    expect(before).toMatchObject({ outcome: 'done', record_id: id });
    expect(here.sandbox.requests).toEqual([]);
    expect(await history('--resource', 'absences')).toEqual([]);
    expect(await history('-L', '1')).toHaveLength(1);
    expect(await history('--since', 'tomorrow')).toEqual([]);
  });

  it('shows records, effects and commands at a terminal, or a notice when there are no writes', async () => {
    await here.svc(['worklogs', 'add', '30m', 'ABC-12', 'What I did']);
    await here.svc(['worklogs', 'add', '15m', '--date', '2026-03-02..2026-03-04']);
    await here.svc(['worklogs', 'add', '20m', '--project', '2', '--description', 'Stand-up']);
    await here.svc(['work-items', 'comments', 'create', 'ABC-12', '--body', 'Good']);
    const { stdout } = await here.svc(['history', '-L', '6'], { terminal: 120, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, '|'))).toEqual([
      'NUMBER|AT|WHAT|COMMAND',
      expect.stringMatching(/^\d+\|[\d: -]+\|comment on ABC-12 created\|svc work-items comments create ABC-12/),
      expect.stringMatching(/^\d+\|[\d: -]+\|#\d+ 20m "Stand-up"\|svc worklogs add 20m/),
      expect.stringMatching(/^\d+\|[\d: -]+\|#\d+ 15m and 2 more\|svc worklogs add 15m --date 2026-03-02\.\.2026-03-04 \(3 writes\)$/),
      expect.stringMatching(/^\d+\|[\d: -]+\|#\d+ 30m ABC-12\|svc worklogs add 30m ABC-12 'What I did'$/),
      '',
    ]);
    for (const [terminal, heads] of [
      [80, /^NUMBER +AT +WHAT +COMMAND$/],
      [79, /^NUMBER +AT +WHAT$/],
    ] as const)
      expect((await here.svc(['history'], { terminal, env: { NO_COLOR: '1' } })).stdout.split('\n')[0]).toMatch(heads);
    const none = await here.svc(['history', '--since', 'tomorrow'], { terminal: 120 });
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'This account has no such writes from this machine.\n' });
    expect(await here.svc(['history', '--since', 'tomorrow'])).toMatchObject({ stdout: '[]\n', stderr: '' });
  });
});

it('svc undo shows ten writes of a command at a terminal, and the number of the others', async () => {
  const asked = async (days: string) => {
    await here.svc(['worklogs', 'add', '15m', '--date', days]);
    return (await here.svc(['undo'], { terminal: 120, answers: [false] })).stderr;
  };
  const ten = await asked('2026-04-01..2026-04-10');
  expect(ten.match(/: will be deleted$/gm)).toHaveLength(10);
  expect(ten).toContain('will be deleted\n? Undo all 10 writes of svc worklogs add 15m');
  const twelve = await asked('2026-04-11..2026-04-22');
  expect(twelve.match(/: will be deleted$/gm)).toHaveLength(10);
  expect(twelve).toContain('will be deleted\n  and 2 more\n? Undo all 12 writes of svc worklogs add 15m');
});

describe('svc history at 50 columns', () => {
  it('names the record and effect of each write, and in JSON the request', async () => {
    const own = await signedIn({ limits: 'off', personalToken: true });
    try {
      const kept = { env: { SVC_KEEP_BEFORE: '1' } };
      const { id } = JSON.parse((await own.svc(['worklogs', 'add', '1h02', 'ABC-12'])).stdout) as { id: number };
      await own.svc(['worklogs', 'update', String(id), '--minutes', '2h'], kept);
      const label = JSON.parse((await own.svc(['labels', 'create', '--name', 'urgent'])).stdout) as { id: number };
      await own.svc(['labels', 'update', 'urgent', '--color', 'red'], kept);
      await own.svc(['work-items', 'transition', 'ABC-12', '--to', 'In review']);
      await own.svc(['undo', '2']);
      await own.svc(['labels', 'delete', String(label.id), '--yes']);
      await own.svc(['timers', 'cancel', '--yes']);
      const timer = JSON.parse((await own.svc(['timers', 'start', 'ABC-12'])).stdout) as { id: number };
      const { stdout } = await own.svc(['history'], { terminal: 50, env: { NO_COLOR: '1' } });
      const lines = stdout.split('\n').slice(0, -1);
      expect(lines.filter((line) => line.length > 50)).toEqual([]);
      expect(
        lines.map((line) =>
          line
            .trim()
            .replace(/^(\d+) .*?:\d\d +/, '$1 ')
            .replace(/ {2,}/g, ' '),
        ),
      ).toEqual([
        'NUMBER AT WHAT',
        `9 timer #${timer.id} ABC-12`,
        '8 timer #1 ended',
        `7 label #${label.id} deleted`,
        `6 #${id} undo of 2`,
        '5 ABC-12 → In review',
        `4 label #${label.id} color none →`,
        'red',
        `3 label #${label.id} urgent`,
        `2 #${id} minutes 1h02 → 2h`,
        '(undone by 6)',
        `1 #${id} 1h02 ABC-12`,
      ]);
      expect(await own.svc(['undo', '1', '--dry-run'])).toMatchObject({ code: 0, stdout: expect.stringContaining(`/worklogs/${id}`) });
      const rows = JSON.parse((await own.svc(['history'])).stdout) as Line[];
      expect(rows.map(({ number, what, record_id }) => [number, what, record_id])).toEqual([
        [9, 'POST /timers: work_item_id 12', timer.id],
        [8, 'DELETE /timers/1', 1],
        [7, `DELETE /labels/${label.id}`, label.id],
        [6, `PATCH /worklogs/${id}: minutes 62`, id],
        [5, 'POST /work-items/ABC-12/actions/transition: workflow_status_id 3', 12],
        [4, `PATCH /labels/${label.id}: color red`, label.id],
        [3, 'POST /labels: name urgent', label.id],
        [2, `PATCH /worklogs/${id}: minutes 120`, id],
        [1, expect.stringMatching(/^POST \/worklogs: minutes 62, work_item_id 12, date [\d-]+$/), id],
      ]);
    } finally {
      await own.remove();
    }
  });
});

describe('svc undo', () => {
  it('deletes a record that you created, when the record is unchanged', async () => {
    const id = await create();
    here.sandbox.requests.length = 0;
    const undone = await here.svc(['undo']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(JSON.parse(undone.stdout)).toEqual({ id: String(id), deleted: true });
    expect(undone.stderr).toMatch(/^Undone: POST \/worklogs: .* \(entry \d+\)\.$/m);
    expect(here.sandbox.requests.map(({ method }) => method)).toEqual(['DELETE']);
    expect(here.sandbox.requests[0]?.headers['if-match']).toBeTruthy();
    expect((await here.svc(['worklogs', 'get', String(id)])).code).toBe(3);
    const [undo, made] = await history();
    expect(made).toMatchObject({ undone_by: undo?.number });
    const twice = await here.svc(['undo', String(made?.number)]);
    expect(twice).toMatchObject({ code: 1, stdout: '' });
    expect(twice.stderr).toContain('was undone already');
  });

  it('--dry-run shows the requests of an undo, and writes nothing', async () => {
    const id = await create();
    const before = await history();
    here.sandbox.requests.length = 0;
    const shown = await here.svc(['undo', '--dry-run']);
    expect(shown.code, shown.stderr).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({ method: 'DELETE', url: `${here.sandbox.baseUrl}/worklogs/${id}`, cost: { write: 1 } });
    await here.svc(['worklogs', 'add', '15m', '--date', '2026-03-02..2026-03-03']);
    here.sandbox.requests.length = 0;
    const several = await here.svc(['undo', '--dry-run']);
    expect(JSON.parse(several.stdout)).toMatchObject([{ method: 'DELETE' }, { method: 'DELETE' }]);
    expect(here.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await history()).toHaveLength(before.length + 1);
  });

  it('prints one line at a terminal, with the command as typed', async () => {
    const id = await create();
    const one = await here.svc(['undo'], { terminal: 120, answers: [true] });
    expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Undone: svc worklogs add --minutes 30 \(entry \d+\)\.\n$/) });
    expect((await here.svc(['worklogs', 'get', String(id)])).code).toBe(3);
    await here.svc(['worklogs', 'add', '15m', '--date', '2026-03-05,2026-03-06']);
    const both = await here.svc(['undo', '--yes'], { terminal: 120 });
    expect(both.stdout).toMatch(/^Undone: svc worklogs add 15m --date 2026-03-05,2026-03-06 \(entry \d+, 2 writes\)\.\n$/);
    const again = await here.svc(['undo', /entry (\d+)/.exec(both.stdout)?.[1] ?? ''], { terminal: 120 });
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('was undone already');
  });

  it('restores the old values of an update when svc had read the values', async () => {
    const id = await create();
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], { env: { SVC_KEEP_BEFORE: '1' } });
    const undone = await here.svc(['undo']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(await minutesOf(id)).toBe(30);
  });

  it('restores the old values of an update at a terminal', async () => {
    const id = await create();
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], { answers: [] });
    expect((await here.svc(['undo'])).code).toBe(0);
    expect(await minutesOf(id)).toBe(30);
  });

  it('restores the old values after a script with SVC_KEEP_BEFORE=1, at the cost of one request', async () => {
    const id = await create();
    here.sandbox.requests.length = 0;
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], { env: { SVC_KEEP_BEFORE: '1' } });
    expect(here.sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
    expect((await here.svc(['undo'])).code).toBe(0);
    expect(await minutesOf(id)).toBe(30);
  });

  it('shows the effect and asks at a terminal, and undoes one earlier write each time', async () => {
    const id = await create();
    const asked = { terminal: 120, answers: [true] };
    for (const minutes of ['45', '60']) await here.svc(['worklogs', 'update', String(id), '--minutes', minutes], asked);
    const no = await here.svc(['undo'], { terminal: 120, answers: [false] });
    expect([no.code, await minutesOf(id)]).toEqual([1, 60]);
    expect(no.stderr).toContain(
      `  #${id} minutes 45m → 1h: will be minutes 45m again\n? Undo svc worklogs update ${id} --minutes 60 (entry `,
    );
    expect((await here.svc(['undo'], asked)).code).toBe(0);
    expect(await minutesOf(id)).toBe(45);
    const second = await here.svc(['undo'], asked);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain(
      `  #${id} minutes 30m → 45m: will be minutes 30m again\n? Undo svc worklogs update ${id} --minutes 45 (entry `,
    );
    expect(await minutesOf(id)).toBe(30);
    const [created] = (await history()).filter(({ record_id: record }) => record === id).slice(-1);
    const declined = await here.svc(['undo', String(created?.number)], { terminal: 120, answers: [false] });
    expect([declined.code, declined.stderr]).toEqual([1, expect.stringContaining('svc undid nothing.')]);
    const third = await here.svc(['undo'], asked);
    expect(third.stderr).toContain(`  #${id} 30m: will be deleted\n? Undo svc worklogs add --minutes 30 (entry `);
    expect((await here.svc(['worklogs', 'get', String(id)])).code).toBe(3);
  });

  it('undoes a write that changed one of two written fields', async () => {
    const id = await create();
    await here.svc(['worklogs', 'update', String(id), '--minutes', '30', '--description', 'New'], { env: { SVC_KEEP_BEFORE: '1' } });
    const undone = await here.svc(['undo']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(JSON.parse((await here.svc(['worklogs', 'get', String(id)])).stdout)).toMatchObject({ minutes: 30, description: '' });
  });

  it('skips a write that changed nothing', async () => {
    const id = await create();
    const kept = { env: { SVC_KEEP_BEFORE: '1' } };
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], kept);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], kept);
    const [same] = await history();
    const named = await here.svc(['undo', String(same?.number)]);
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining('changed nothing.')]);
    expect((await here.svc(['undo'])).code).toBe(0);
    expect(await minutesOf(id)).toBe(30);
  });

  it('exits 6 when another person changed the record between two writes of yours', async () => {
    const id = await create();
    const kept = { env: { SVC_KEEP_BEFORE: '1' } };
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], kept);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '50'], { env: { XDG_STATE_HOME: `${here.home}/elsewhere` } });
    await here.svc(['worklogs', 'update', String(id), '--description', 'x'], kept);
    expect((await here.svc(['undo'])).code).toBe(0);
    const undone = await here.svc(['undo']);
    expect([undone.code, await minutesOf(id)], undone.stderr).toEqual([6, 50]);
    expect(undone.stderr).toContain('minutes: you wrote 45, the value is now 50');
  });

  it('exits 1 when svc had not read the old values', async () => {
    const id = await create();
    here.sandbox.requests.length = 0;
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45']);
    expect(here.sandbox.requests.map(({ method }) => method)).toEqual(['PATCH']);
    const undone = await here.svc(['undo']);
    expect(undone.code).toBe(1);
    expect(undone.stderr).toContain('svc does not know the old values of entry ');
    expect(undone.stderr).toContain('with SVC_KEEP_BEFORE=1');
    expect(await minutesOf(id)).toBe(45);
  });

  it('reverts the transition of a work item', async () => {
    const statusOf = async () => JSON.parse((await here.svc(['work-items', 'get', 'ABC-12'])).stdout) as { workflow_status_id: number };
    const before = await statusOf();
    const moved = await here.svc(['work-items', 'transition', 'ABC-12', '--to', 'In review']);
    expect(moved.code, moved.stderr).toBe(0);
    expect((await statusOf()).workflow_status_id).not.toBe(before.workflow_status_id);
    const undone = await here.svc(['undo']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(await statusOf()).toMatchObject({ workflow_status_id: before.workflow_status_id });
  });

  it('names your later entry that changed the record, and can undo both entries, the later one first', async () => {
    const id = await create();
    const [made] = await history();
    await here.svc(['worklogs', 'update', String(id), '--minutes', '50'], { env: { SVC_KEEP_BEFORE: '1' } });
    const [later] = await history();
    const { code, stderr } = await here.svc(['undo', String(made?.number)]);
    expect([code, stderr]).toEqual([6, expect.stringContaining(`Your entry ${later?.number} changed the record of entry ${made?.number}`)]);
    expect(stderr).toContain(`To undo that entry first: svc undo ${later?.number}\n`);
    for (const entry of [later, made]) expect((await here.svc(['undo', String(entry?.number)])).code).toBe(0);
  });

  it('exits 6 and prints the difference when the record has changed since the write (rule 6.9)', async () => {
    const id = await create();
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], { env: { SVC_KEEP_BEFORE: '1' } });
    const [update] = await history();
    await here.svc(['worklogs', 'update', String(id), '--minutes', '50']);
    const undone = await here.svc(['undo', String(update?.number)]);
    expect(undone.code, undone.stderr).toBe(6);
    expect(undone.stderr).toContain('minutes: you wrote 45, the value is now 50');
    expect(await minutesOf(id)).toBe(50);
  });

  it('compares the fields when the service gives no ETag, and exits 6 when a field differs', async () => {
    const withoutEtag = (deps: Deps): Deps => ({
      ...deps,
      network: {
        async request(wanted) {
          const answer = await deps.network.request(wanted);
          return Object.assign(answer, { headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== 'etag')) });
        },
        warm: () => undefined,
        close: () => deps.network.close(),
      },
    });
    const add = ['worklogs', 'add', '--minutes', '30'];
    const { id } = JSON.parse((await here.svc(add, { around: withoutEtag })).stdout) as { id: number };
    await here.svc(['worklogs', 'update', String(id), '--minutes', '50'], { env: { XDG_STATE_HOME: `${here.home}/other` } });
    const undone = await here.svc(['undo'], { around: withoutEtag });
    expect(undone.code, undone.stderr).toBe(6);
    expect(undone.stderr).toContain('minutes: you wrote 30, the value is now 50');
    expect(await minutesOf(id)).toBe(50);
    const same = JSON.parse((await here.svc(add, { around: withoutEtag })).stdout) as { id: number };
    expect((await here.svc(['undo'], { around: withoutEtag })).code).toBe(0);
    expect((await here.svc(['worklogs', 'get', String(same.id)])).code).toBe(3);
  });

  it('exits 1 after a delete, and prints the command that creates the record again', async () => {
    const id = await create('--description', 'Gone');
    await here.svc(['worklogs', 'delete', String(id)], { answers: [true] });
    const undone = await here.svc(['undo']);
    expect(undone.code, undone.stderr).toBe(1);
    expect(undone.stderr).toMatch(/Resume with: svc worklogs add --data '\{.*"description":"Gone".*\}'/);
  });

  it('prints the values of earlier writes for a deleted record that svc had not read', async () => {
    const id = await create('--description', 'From here');
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45']);
    await here.svc(['worklogs', 'delete', String(id), '--yes']);
    const undone = await here.svc(['undo']);
    expect(undone.code, undone.stderr).toBe(1);
    expect(undone.stderr).toMatch(/Resume with: svc worklogs add --data '\{.*"minutes":45.*"description":"From here".*\}'/);
    await here.svc(['worklogs', 'delete', '7', '--yes']);
    expect((await here.svc(['undo'])).stderr).toContain('svc did not read the record before the delete');
  });

  it('undoes the writes of a command with --yes, and exits 10 when an undo fails', async () => {
    const added = await here.svc(['worklogs', 'add', '15m', 'Stand-up', '--repeat', 'mon-wed', '--no-check', '--no-context']);
    const ids = (JSON.parse(added.stdout) as { id: number }[]).map(({ id }) => id);
    expect((await history())[0]).toMatchObject({ writes: 3 });
    const unsure = await here.svc(['undo']);
    expect(unsure.code).toBe(2);
    expect(unsure.stderr).toContain('made 3 writes');
    await here.svc(['api', 'PATCH', `/worklogs/${ids[1]}`, '-F', 'minutes=20']);
    const number = (await history())[1]?.number;
    const undone = await here.svc(['undo', String(number), '--yes']);
    expect(undone.code, undone.stderr).toBe(10);
    expect(undone.stderr).toContain('svc could not undo 1 of 3 writes.');
    const there = await Promise.all(ids.map(async (id) => (await here.svc(['worklogs', 'get', String(id)])).code));
    expect(there).toEqual([3, 0, 3]);
  });

  it('exits 3 for an unknown number, and 2 for a word', async () => {
    expect((await here.svc(['undo', '99999'])).code).toBe(3);
    expect((await here.svc(['undo', 'all'])).code).toBe(2);
  });
});

describe('svc undo without a personal access token', () => {
  it('exits 4 for a create before any question, and records nothing', async () => {
    const other = await signedIn({ limits: 'off' });
    try {
      expect((await other.svc(['undo'])).code).toBe(3);
      await other.svc(['worklogs', 'add', '--minutes', '30']);
      const undone = await other.svc(['undo']);
      expect(undone.code, undone.stderr).toBe(4);
      other.sandbox.requests.length = 0;
      // At a terminal, a question would fail the test, because there is no answer.
      const { code, stderr } = await other.svc(['undo'], { terminal: 100, answers: [] });
      expect([code, other.sandbox.requests]).toEqual([4, []]);
      expect(stderr).toContain('Deleting needs a personal access token');
      expect(stderr).toMatch(/svc would undo entry \d+, and delete its record: svc worklogs add --minutes 30/);
      expect(stderr).not.toContain('will be deleted');
      expect(JSON.parse((await other.svc(['history'])).stdout)).toHaveLength(1);
    } finally {
      await other.remove();
    }
  });
});

describe('svc undo of the end of a timer', () => {
  it('does not offer to create the timer again', async () => {
    const [{ id }] = JSON.parse((await here.svc(['timers', 'status'])).stdout) as [{ id: number }];
    expect((await here.svc(['timers', 'cancel', String(id), '--yes'])).code).toBe(0);
    const { code, stderr } = await here.svc(['undo', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('ended a timer, and svc cannot start this timer again.')]);
    expect(stderr).not.toContain('svc timers create');
  });
});
