import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hiding } from '../commands/billing/support.ts';
import { answering } from './closed-month.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

let here: PinnedSandbox;
beforeAll(async () => {
  // Friday.
  here = await signInAt('2026-06-05T10:00:00Z', { personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.requests.length = 0;
});

/** The bodies of the POSTs that went out. */
function posted(): unknown[] {
  return here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as unknown);
}

async function add(...args: readonly string[]) {
  return here.svc(['worklogs', 'add', ...args]);
}

describe('a natural-language entry of svc worklogs add', () => {
  it('is logged, and svc prints its interpretation of the words', async () => {
    const { code, stdout, stderr } = await add('1h30', 'ABC-12', 'Review');
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ minutes: 90, description: 'Review', work_item_id: 12, date: '2026-06-05' }]);
    expect(stderr).toMatch(/^Understood: 1h30 on Fri 2026-06-05, ABC-12 [^,]+, "Review"\.\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ minutes: 90, work_item_id: 12, date: '2026-06-05' });
  });

  it('accepts flags next to the words', async () => {
    await add('45m', 'Plan', '--project', '2', '--date', 'yesterday', '--overtime', '--not-billable', '-F', 'budget_id=3');
    expect(posted()).toEqual([
      { budget_id: 3, project_id: 2, is_overtime: true, is_not_billable: true, minutes: 45, description: 'Plan', date: '2026-06-04' },
    ]);
  });

  it('accepts a day and a description that look like flags', async () => {
    await add('1h', '--date', '-2d', '--description', '-1d');
    expect(posted()).toEqual([{ minutes: 60, description: '-1d', date: '2026-06-03' }]);
  });

  it('becomes an entry for each of several days, each with its own key', async () => {
    const { stdout, stderr } = await add('15m', 'Stand-up', '--repeat', 'mon-fri', '--idempotency-key', 'k');
    expect(stderr).toContain('15m on each of 5 days, Mon 2026-06-01 to Fri 2026-06-05, 1h15 in all');
    expect((JSON.parse(stdout) as { date: string }[]).map(({ date }) => date)).toEqual([
      '2026-06-01',
      '2026-06-02',
      '2026-06-03',
      '2026-06-04',
      '2026-06-05',
    ]);
    const keys = here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
    expect(keys.toSorted()).toEqual(['k-2026-06-01', 'k-2026-06-02', 'k-2026-06-03', 'k-2026-06-04', 'k-2026-06-05']);
  });

  it('makes svc print the command for the only refused day', async () => {
    // The first goes alone; of the others one is refused.
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', skip: 2, status: 422 }]);
    const { code, stderr, stdout } = await add('15m', 'Stand up', '--repeat', 'mon-thu', '--no-check');
    here.sandbox.setFaults([]);
    expect(code).toBe(10);
    expect(stderr).toContain('3 entries were logged before the failure.');
    const days = (posted() as readonly { date: string }[]).map(({ date }) => date);
    const printed = [...stdout.matchAll(/"date": ?"([^"]*)"/g)].map(([, date]) => date);
    expect(days.toSorted()).toEqual(['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04']);
    expect([days[0], printed.length]).toEqual(['2026-06-01', 3]);
    const [left] = days.filter((date) => !printed.includes(date));
    expect(stderr).toContain(`svc worklogs add 15m 'Stand up' --no-check --date ${left}\n`);
  });

  it('is not sent for other days after a refusal of the first day', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', times: 9, status: 422 }]);
    const { code } = await add('15m', 'Stand up', '--repeat', 'mon-thu', '--no-check');
    here.sandbox.setFaults([]);
    expect(code).toBe(9);
    expect(posted()).toHaveLength(1);
  });

  it('has the minutes between two times on the clock of its day', async () => {
    await add('ABC-12', '--from', '9:15', '--to', '11:00');
    // The clocks skip 02:00 to 03:00 on one of these days and repeat it on the other.
    await add('Night', '--from', '1:30', '--to', '3:30', '--date', '2026-03-29,2026-10-25,2026-06-01');
    const logged = posted().map((body) => body as { date: string; minutes: number });
    expect(logged.map(({ date, minutes }) => `${date} ${minutes}`).toSorted()).toEqual([
      '2026-03-29 60',
      '2026-06-01 120',
      '2026-06-05 105',
      '2026-10-25 180',
    ]);
  });

  it('copies another entry with --like, except overtime and the typed values', async () => {
    const made = JSON.parse((await add('30m', 'ABC-5', 'First', '--not-billable', '--overtime')).stdout) as { id: number };
    here.sandbox.requests.length = 0;
    const like = await add('2h', '--like', 'last');
    expect(like.stderr).toContain(`Entry ${made.id} is overtime. To log overtime too: --overtime\n`);
    expect(like.stderr).not.toContain('does not show');
    await add('Other', '--like', String(made.id));
    await add('--like', 'last', 'ABC-7');
    expect(posted()).toEqual([
      { minutes: 120, description: 'First', project_id: 1, work_item_id: 5, is_not_billable: true, date: '2026-06-05' },
      { minutes: 30, description: 'Other', project_id: 1, work_item_id: 5, is_not_billable: true, date: '2026-06-05' },
      { minutes: 30, description: 'Other', is_not_billable: true, work_item_id: 7, date: '2026-06-05' },
    ]);
  });

  it('copies an included work item with --like, and names hidden fields', async () => {
    const { id } = JSON.parse((await add('30m', 'ABC-5', 'Shown')).stdout) as { id: number };
    here.sandbox.requests.length = 0;
    const around = answering((text) =>
      text.replace(/"(work_item|project)_id":(\d+)/g, '"$1":{"id":$2}').replace(/"(budget|task)_id":null,?/g, ''),
    );
    const { code, stderr } = await here.svc(['worklogs', 'add', '1h', '--like', String(id), '--no-check'], { around });
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ minutes: 60, description: 'Shown', project_id: 1, work_item_id: 5, date: '2026-06-05' }]);
    expect(stderr).toContain(`The service does not show these fields of entry ${id}, so svc does not copy them: budget_id, task_id.\n`);
  });

  it('shows in a dry run where its work item comes from', async () => {
    for (const [which, item] of [
      ['Last ', '<as in your last entry>'],
      ['7', '<as in entry 7>'],
    ] as const) {
      const { stdout, stderr } = await add('1h', '--like', which, '--dry-run');
      expect(JSON.parse(stdout), stderr).toMatchObject({ body: { minutes: 60, work_item_id: item } });
    }
  });

  it('is not sent in a dry run', async () => {
    const { stdout, stderr } = await add('1h', 'ABC-12', 'x', '--date', 'mon,tue', '--dry-run');
    expect(here.sandbox.requests).toEqual([]);
    expect((JSON.parse(stdout) as { body: unknown }[]).map(({ body }) => body)).toEqual([
      { minutes: 60, description: 'x', work_item_id: '<id of ABC-12>', date: '2026-06-01' },
      { minutes: 60, description: 'x', work_item_id: '<id of ABC-12>', date: '2026-06-02' },
    ]);
    expect(stderr).toContain('Understood: 1h on each of 2 days');
    expect(stderr.match(/svc did not look up names and keys/g)).toHaveLength(1);
  });
});

describe('the warnings before an entry', () => {
  beforeAll(async () => {
    await here.addRecord('/holidays', { name: 'Town fair', date: '2026-08-03' });
    await here.addRecord('/absences', { user_id: 1, type: 'sick', start: '2026-08-04T10:00:00Z', end: '2026-08-04T15:00:00Z' });
    await here.addRecord('/worklogs', { user_id: 1, date: '2026-08-05', minutes: 1380 });
  });
  const risky = ['2h', 'x', '--date', '2026-08-03..2026-08-05'];

  it('name a day that was full before, but not a day that the entry fills', async () => {
    await here.addRecord('/worklogs', { user_id: 1, date: '2026-08-12', minutes: 420 });
    expect((await add('1h', 'x', '--date', '2026-08-12')).stderr).not.toContain('Careful');
    const full = await add('15m', 'y', '--date', '2026-08-12');
    expect([full.code, full.stderr]).toEqual([0, expect.stringContaining('Careful: Wed 2026-08-12 is full: 8h of 8h are logged.\n')]);
  });

  it('name a day of 24 hours as full, but no Sunday', async () => {
    await here.addRecord('/worklogs', { user_id: 1, date: '2026-08-19', minutes: 1380 });
    const day = await add('1h', 'x', '--date', '2026-08-19');
    expect(day.stderr).toContain('Careful: Wed 2026-08-19 is full: 23h of 8h are logged.\n');
    const sunday = await add('1h', 'x', '--date', '2026-08-23');
    expect([sunday.code, sunday.stderr]).toEqual([0, 'Understood: 1h on Sun 2026-08-23, no work item and no project, "x".\n']);
  });

  it('name holidays, absences and days of more than 24 hours', async () => {
    const { code, stderr } = await add(...risky);
    expect(code).toBe(0);
    expect(stderr.split('\n').filter((line) => line.startsWith('Careful'))).toEqual([
      'Careful: Mon 2026-08-03: Town fair (holiday).',
      'Careful: Tue 2026-08-04: Absent from 12:00 until 17:00 (sick, requested).',
      'Careful: Wed 2026-08-05 gets 25h, and a day has 24h.',
    ]);
    expect(posted()).toHaveLength(3);
  });

  it('name a holiday without a visible name by its kind', async () => {
    const { stderr } = await here.svc(['worklogs', 'add', '2h', 'x', '--date', '2026-08-03'], { around: hiding('/holidays', ['name']) });
    expect(stderr).toContain('Careful: Mon 2026-08-03: holiday (holiday).\n');
  });

  it('become a question at a terminal, and a no logs nothing', async () => {
    const { code, stderr } = await here.svc(['worklogs', 'add', ...risky], { answers: [false] });
    expect(code).toBe(1);
    expect(stderr).toContain('? Log all 3 entries anyway?');
    expect(posted()).toEqual([]);
    await here.svc(['worklogs', 'add', ...risky, '--yes'], { answers: [] });
    expect(posted()).toHaveLength(3);
  });

  it('do not appear with --no-check', async () => {
    const { stderr } = await add(...risky, '--no-check');
    expect(stderr).not.toContain('Careful');
    const sent = here.sandbox.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*|\/api\/v2/g, '')}`);
    // The text may name a project or a work item.
    expect(sent.toSorted()).toEqual(['GET /projects', 'GET /work-items', ...Array(3).fill('POST /worklogs')]);
  });

  it('do not stop an entry when you have no permission to read hours', async () => {
    const token = here.sandbox.tokens.find(({ name }) => name === 'contractor')?.value ?? '';
    const { code, stderr } = await here.svc(['worklogs', 'add', '1h', 'x'], { env: { SVC_TOKEN: token, SVC_HOST: here.host } });
    expect(code, stderr).toBe(0);
    expect(posted()).toHaveLength(1);
  });
});

describe('the work item or project of the directory', () => {
  const inDirectory = async (files: Readonly<Record<string, string>>, args: readonly string[], deeper = '') => {
    const cwd = join(here.home, `work-${Math.random().toString(36).slice(2)}`);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(cwd, name, '..'), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    await mkdir(join(cwd, deeper), { recursive: true });
    const result = await here.svc(['worklogs', 'add', ...args, ...(args[0]?.startsWith('--') ? [] : ['--no-check'])], {
      cwd: join(cwd, deeper),
    });
    return { ...result, stderr: result.stderr.replaceAll(cwd, '…') };
  };
  const head = (branch: string) => ({ '.git/HEAD': `ref: refs/heads/${branch}\n` });

  it('is the key of the git branch, and svc prints the branch', async () => {
    const { stderr } = await inDirectory(head('feature/ABC-12-login'), ['1h', 'Review'], 'src/deep');
    expect(posted()).toEqual([{ minutes: 60, description: 'Review', work_item_id: 12, date: '2026-06-05' }]);
    expect(stderr).toContain('svc uses ABC-12, from the branch feature/ABC-12-login.');
  });

  it('comes from the branch of a worktree', async () => {
    await inDirectory({ '.git': 'gitdir: ../elsewhere/x\n', '../elsewhere/x/HEAD': 'ref: refs/heads/ABC-5\n' }, ['1h', 'Review']);
    expect(posted()).toMatchObject([{ work_item_id: 5 }]);
  });

  it.each([
    ['main', undefined],
    ['release/UTF-8', 'names UTF-8, and there is no such work item'],
    ['ABC-1-and-ABC-2', 'names ABC-1 and ABC-2, so svc uses none of these keys'],
  ])('is not taken from the branch %s', async (branch, words) => {
    const { code, stderr } = await inDirectory(head(branch), ['1h', 'Review']);
    expect(code, stderr).toBe(0);
    expect(posted()).toEqual([{ minutes: 60, description: 'Review', date: '2026-06-05' }]);
    if (words !== undefined) expect(stderr).toContain(words);
  });

  it.each([
    [{ project: 2 }, { project_id: 2 }, 'svc uses project 2, from …/.svc.json.'],
    [{ project: 'Web shop' }, { project_id: 2 }, 'svc uses project Web shop, from'],
    [{ work_item: 'ABC-5', project: 2 }, { work_item_id: 5 }, 'svc uses work item ABC-5, from …/.svc.json'],
  ])('comes from .svc.json with %j, with and without a natural-language entry', async (content, fields, words) => {
    for (const args of [['1h'], ['--minutes', '60']]) {
      here.sandbox.requests.length = 0;
      const { stderr } = await inDirectory({ '.svc.json': JSON.stringify(content) }, args, 'a/b');
      expect(posted()).toEqual([{ minutes: 60, ...fields, date: '2026-06-05' }]);
      expect(stderr).toContain(words);
    }
  });

  it('is ignored when you type a work item, a project or --no-context', async () => {
    const files = { ...head('ABC-12'), '.svc.json': '{"project": 2}' };
    await inDirectory(files, ['1h', 'ABC-5', 'x']);
    await inDirectory(files, ['1h', 'x', '--project', '3']);
    await inDirectory(files, ['1h', 'x', '--no-context']);
    expect(posted()).toEqual([
      { minutes: 60, description: 'x', work_item_id: 5, date: '2026-06-05' },
      { project_id: 3, minutes: 60, description: 'x', date: '2026-06-05' },
      { minutes: 60, description: 'x', date: '2026-06-05' },
    ]);
  });

  it('applies only to the host that .svc.json names', async () => {
    const { stderr } = await inDirectory({ '.svc.json': '{"project": 2, "host": "other.example.com"}' }, ['1h', 'x', '--host', here.host]);
    expect(stderr).toContain('is for other.example.com, so svc does not use its project and work item');
    expect(posted()).toEqual([{ minutes: 60, description: 'x', date: '2026-06-05' }]);
  });

  it('applies to the host whose address .svc.json names', async () => {
    const { stderr } = await inDirectory({ '.svc.json': `{"project": 2, "host": "http://${here.host}/app"}` }, ['1h', 'x']);
    expect(stderr).toContain('svc uses project 2, from');
    expect(posted()).toEqual([{ project_id: 2, minutes: 60, description: 'x', date: '2026-06-05' }]);
  });

  it('costs no additional request when you type only flags', async () => {
    await inDirectory(head('ABC-12'), ['--minutes', '90']);
    await inDirectory({ ...head('ABC-12'), '.svc.json': '{"project": 2}' }, ['--minutes', '90']);
    expect(here.sandbox.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      'POST /api/v2/worklogs {"minutes":90,"date":"2026-06-05"}',
      'POST /api/v2/worklogs {"minutes":90,"project_id":2,"date":"2026-06-05"}',
    ]);
  });
});

describe('an entry that svc refuses without a request', () => {
  it.each([
    [['ABC-12', 'Review'], 'The entry needs a duration.'],
    [['1h', '--minutes', '2h'], 'There are two values: --minutes, and 1h in the natural-language entry.'],
    [['1h', 'x', '--description', 'y'], 'There are two values: --description, and "x" in the natural-language entry.'],
    [['1h', 'ABC-12', '--project', '3'], 'There are two values: --work-item or --project, and "ABC-12" in the natural-language entry.'],
    [['x', '--from', '9:00'], '--from needs --to.'],
    [['x', '--to', '9:00'], '--to needs --from.'],
    [['1h', '--from', '9:00', '--to', '10:00'], 'The entry has a duration, and also --from and --to'],
    [['x', '--from', '11:00', '--to', '9:00'], 'On 2026-06-05, 09:00 is not after 11:00'],
    [['x', '--from', '22:30', '--to', '0:30'], 'the day it began: give the duration (2h) and that day (--date)'],
    [['x', '--from', 'nine', '--to', '10:00'], '--from: "nine" is not a time of day.'],
    [['1h', 'x', '--date', 'soon'], '--date: "soon" is not a date.'],
    [['1h', 'x', '--like', 'first'], '"first" is neither last nor the id'],
  ])('makes svc exit 2 for %j', async (args, words) => {
    const { code, stderr } = await add(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(here.sandbox.requests).toEqual([]);
  });
});

it('svc worklogs add exits 3 for a key that no work item has, and suggests quotes for text', async () => {
  const { code, stderr } = await add('1h', 'pre-2020', 'cleanup');
  expect(code).toBe(3);
  expect(stderr).toContain('There is no work item PRE-2020.');
  expect(stderr).toContain('quote the text');
  expect(posted()).toEqual([]);
});
