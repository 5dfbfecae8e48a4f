import { afterEach, describe, expect, test } from 'vitest';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

// The detail view of a record at a terminal. A program gets what the service sent.

const problem = (status: number, body: object) => json(status, { status, ...body }, { 'content-type': 'application/problem+json' });
const page = (...rows: readonly object[]) => json(200, { data: rows, meta: {}, links: { next: null } });

const ITEM = {
  id: 12,
  issue_key: 'ABC-12',
  title: 'Fix the login page',
  description:
    '<p>People cannot sign in with <strong>a very long</strong> name, which is more than fits on one line of most terminals.</p><ul><li>Try <code>svc login</code> with a name that is so long that it has to go on below</li><li>See <a href="https://acme.example.com/log">the log</a></li></ul><pre>if (name.length &gt; 20)\n  throw new Error("a line of code that is never broken, however narrow the terminal is")</pre>',
  project_id: 3,
  project: { id: 3, name: 'Web shop' },
  workflow_status_id: 2,
  sprint_id: null,
  sprint: null,
  assignee_id: 7,
  assignee: { id: 7, name: 'Ada Okafor' },
  due_date: '2026-03-06',
  estimation: 240,
  version: 4,
  comments_count: 2,
  labels: [],
  web_url: 'https://acme.example.com/work-items/ABC-12',
  created_at: '2026-03-02T13:00:00Z',
  updated_at: '2026-03-02T13:00:00Z',
};

let here: Recording;
afterEach(() => here.remove());

const now = Date.parse('2026-03-10T12:00:00Z');
const atTerminal = (width = 80): RunOptions => ({ terminal: width, env: { NO_COLOR: '1' }, now });

type Answer = ReturnType<typeof json>;

/** Starts a service that answers these paths, and names two statuses. */
async function service(answers: Readonly<Record<string, Answer>>): Promise<Recording> {
  here = await startRecording();
  here.server.fallback((request, ...rest) => {
    const path = request.path.replace('/api/v2', '');
    const statuses = page({ id: 2, name: 'In progress' }, { id: 4, name: 'Done' });
    const answer = answers[path] ?? (path === '/workflow-statuses' ? statuses : problem(404, { type: 'not-found', title: 'Not there' }));
    answer(request, ...rest);
  });
  return here;
}

describe('the detail view of a record', () => {
  test.each([60, 80, 120])('fits in %i columns', async (width) => {
    const { svc } = await service({ '/work-items/ABC-12': json(200, ITEM) });
    const { code, stdout } = await svc(['work-items', 'get', 'ABC-12'], atTerminal(width));
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`goldens/view-${width}.txt`);
    const wide = stdout.split('\n').filter((line) => line.length > Math.min(width, 100) && !line.startsWith('    '));
    expect(wide).toEqual([]);
  });

  test('costs at most three rate-limit units more than the record, and reads statuses once (rules 15.16, 15.19)', async () => {
    const { svc, sent } = await service({ '/work-items/ABC-12': json(200, ITEM) });
    await svc(['work-items', 'get', 'ABC-12'], atTerminal());
    // svc has to read the statuses, so only two relations fit.
    expect(sent().sort()).toEqual(['GET /work-items/ABC-12?include=assignee,project', 'GET /workflow-statuses?per_page=100']);
    await svc(['work-items', 'get', 'ABC-12'], atTerminal());
    expect(sent()).toEqual(['GET /work-items/ABC-12?include=assignee,project,sprint']);
  });

  test('is not used in a pipe or with an output format', async () => {
    const { svc, sent } = await service({ '/work-items/ABC-12': json(200, ITEM) });
    expect(JSON.parse((await svc(['work-items', 'get', 'ABC-12'])).stdout)).toEqual(ITEM);
    for (const flags of [
      ['-o', 'json'],
      ['-o', 'table'],
      ['--fields', 'id'],
      ['--jq', '.id'],
    ]) {
      const { stdout } = await svc(['work-items', 'get', 'ABC-12', ...flags], atTerminal());
      expect(stdout).not.toContain('Fix the login page ·');
    }
    expect(new Set(sent())).toEqual(new Set(['GET /work-items/ABC-12']));
  });

  test('reads the records of refused relations by id, and requests the relations once', async () => {
    const { assignee: _, project: __, sprint: ___, ...bare } = ITEM;
    const { server, svc, sent } = await service({});
    server.fallback((request, ...rest) => {
      const answer = request.path.endsWith('/workflow-statuses')
        ? page()
        : request.path.endsWith('/users/7')
          ? json(200, { id: 7, name: 'Mira Jansen' })
          : request.url.includes('include=')
            ? problem(400, { type: 'invalid-query-parameter', title: 'No such include', parameter: 'include' })
            : request.path.endsWith('/ABC-12')
              ? json(200, bare)
              : problem(404, { type: 'not-found', title: 'Not found' });
      answer(request, ...rest);
    });
    const first = await svc(['work-items', 'get', 'ABC-12'], atTerminal());
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Status +#2\nAssignee +Mira Jansen\nDue date +Fri 2026-03-06\nProject +#3$/m);
    sent();
    await svc(['work-items', 'get', 'ABC-12'], atTerminal());
    // The third relation, which cost too much the first time.
    expect(sent().filter((request) => request.includes('/work-items/'))).toEqual([
      'GET /work-items/ABC-12?include=sprint',
      'GET /work-items/ABC-12',
    ]);
    await svc(['work-items', 'get', 'ABC-12'], atTerminal());
    expect(sent().filter((request) => request.includes('/work-items/'))).toEqual(['GET /work-items/ABC-12']);
  });

  test('shows names for the ids of fields outside the catalog, with one more request', async () => {
    const bare = { id: 1, name: 'Web shop', project_manager_id: 7, company_branch_id: 4, tag_ids: [2, 3], external_item_id: 'A-1' };
    const { server, svc, sent } = await service({ '/company-branches': page({ id: 4, name: 'Amsterdam' }) });
    const branches = page({ id: 4, name: 'Amsterdam' });
    const tags = [
      { id: 2, name: 'retainer' },
      { id: 3, name: 'vip' },
    ];
    server.fallback((request, ...rest) => {
      const { path, url } = request;
      if (path.endsWith('/company-branches')) return branches(request, ...rest);
      const related = url.includes('project_manager') ? { project_manager: { id: 7, name: 'Ada Okafor' }, tags } : {};
      return (path.includes('/projects/') ? json(200, { ...bare, ...related }) : page())(request, ...rest);
    });
    const { code, stdout } = await svc(['projects', 'get', '1', '2'], atTerminal());
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('\nProject manager  Ada Okafor\nCompany branch   Amsterdam\nTags             retainer, vip\n'),
    ]);
    expect(stdout).not.toContain('#7');
    const requests = sent();
    expect(requests.filter((line) => line.includes('branches'))).toEqual(['GET /company-branches?per_page=100']);
    expect(requests.filter((line) => line.includes('/projects/2'))).toEqual([
      'GET /projects/2?include=customer',
      'GET /projects/2?include=project_manager,tags',
    ]);
    const plain = await svc(['projects', 'get', '1']);
    expect(JSON.parse(plain.stdout)).toEqual(bare);
  });

  test('shows the id of a refused relation, and requests the relation once', async () => {
    const { server, svc, sent } = await service({});
    server.fallback((request, ...rest) => {
      const answer = request.url.includes('reporter')
        ? problem(400, { type: 'invalid-query-parameter', title: 'No such include', parameter: 'include' })
        : request.path.includes('/work-items/')
          ? json(200, { id: 12, title: 'Undo', reporter_id: 9 })
          : page();
      answer(request, ...rest);
    });
    for (const asked of [1, 0]) {
      const { code, stdout } = await svc(['work-items', 'get', '12'], atTerminal());
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^Reporter +#9$/m)]);
      expect(sent().filter((line) => line.includes('reporter'))).toHaveLength(asked);
    }
  });

  test('shows with --all the fields under their own names, including empty fields', async () => {
    const { svc } = await service({ '/work-items/ABC-12': json(200, ITEM) });
    const { stdout } = await svc(['work-items', 'get', 'ABC-12', '--all'], atTerminal());
    const names = stdout.split('\n').map((line) => line.split(' ')[0]);
    const { description: _, project_id: _p, workflow_status_id: _w, sprint_id: _s, assignee_id: _a, ...rest } = ITEM;
    expect(names).toEqual(expect.arrayContaining([...Object.keys(rest), 'workflow_status']));
    expect(stdout).toMatch(/^sprint +–$/m);
  });

  test('names a nameless record by its resource, and formats minutes, amounts and booleans', async () => {
    const { svc } = await service({
      '/worklogs/5': json(200, {
        id: 5,
        date: '2026-03-02',
        minutes: 90,
        is_overtime: false,
        is_not_billable: false,
        description: 'Review',
      }),
      '/sales-invoices/7': json(200, { id: 7, number: '2026-0007', total_amount: '1234567.50', task_id: 4, logged_minutes: 61 }),
    });
    const hours = await svc(['worklogs', 'get', '5'], atTerminal());
    expect(hours.stdout).toBe(
      'Worklog · #5\n\nDate      Mon 2026-03-02\nDuration  1h30\nOvertime  no\nBillable  yes\n\nDescription\nReview\n',
    );
    const invoice = await svc(['sales-invoices', 'get', '7'], atTerminal());
    expect(invoice.stdout).toMatch(/^2026-0007 · #7\n\nTotal amount +1234567.50\nTask +#4\nLogged +1h01\n$/);
  });

  test('shows several records in order, and names the missing records', async () => {
    const project = (id: number) => json(200, { id, name: `Project ${id}`, customer_id: 9, customer: { id: 9, name: 'Acme' } });
    const { svc, sent } = await service({ '/projects/1': project(1), '/projects/3': project(3) });
    const { code, stdout, stderr } = await svc(['projects', 'get', '1', '2', '3'], atTerminal(60));
    expect(stdout).toBe(`Project 1 · #1\n\nCustomer  Acme\n\n${'─'.repeat(60)}\n\nProject 3 · #3\n\nCustomer  Acme\n`);
    expect([code, stderr]).toEqual([3, expect.stringContaining('1 of 3 projects was not found: 2.')]);
    // The requests go out together, so they arrive in any order.
    expect(sent().toSorted()).toEqual([...[1, 2, 3].map((id) => `GET /projects/${id}?include=customer`), 'GET /workflows?per_page=100']);
  });

  test('makes svc exit 3 for a missing record, as in a pipe', async () => {
    const { svc } = await service({});
    const atTty = await svc(['projects', 'get', '9'], atTerminal());
    expect(atTty).toEqual(await svc(['projects', 'get', '9'], { now }));
    expect([atTty.code, atTty.stdout]).toEqual([3, '']);
  });

  test('escapes control characters in every field', async () => {
    const evil = '\u001b]0;owned\u0007\u202e';
    const { svc } = await service({
      '/work-items/1': json(200, {
        id: 1,
        issue_key: evil,
        title: evil,
        [evil]: evil,
        due_date: evil,
        description: `<p>&#27;[2J${evil}</p><a href="javascript:alert(1)">here</a><a href="https://a.example/&#27;[2J">there</a><pre>&#x9b;2J</pre><script>no</script>`,
        assignee_id: 7,
        assignee: { name: evil },
      }),
      '/work-items/1/comments': page({ id: 1, body: `<p>&#27;c${evil}</p>`, user: { name: evil }, created_at: evil }),
      '/work-items/1/subtasks': page({ id: 1, title: evil, is_done: evil, assignee: { name: evil } }),
    });
    const { code, stdout } = await svc(['work-items', 'get', '1', '--comments'], atTerminal());
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout).not.toMatch(/javascript:|no$/);
    expect(stdout).toContain('␛]0;owned␇');
  });

  test('renders undocumented rich text only when the text begins with a tag', async () => {
    const { svc } = await service({
      '/projects/1': json(200, { id: 1, name: 'Web shop', description: '<p>In <strong>three</strong> phases.</p>' }),
      '/projects/2': json(200, { id: 2, name: 'Internal', description: 'a <b> c, and <p>' }),
    });
    expect((await svc(['projects', 'get', '1'], atTerminal())).stdout).toContain('\nDescription\nIn three phases.\n');
    expect((await svc(['projects', 'get', '2'], atTerminal())).stdout).toContain('\nDescription\na <b> c, and <p>\n');
  });

  test('renders 20,000 nested lists in less than 2 MB', async () => {
    const { svc } = await service({ '/work-items/1': json(200, { id: 1, title: 'x', description: '<ul><li>a'.repeat(20_000) }) });
    const { code, stdout } = await svc(['work-items', 'get', '1'], atTerminal());
    expect([code, stdout.length < 2_000_000]).toEqual([0, true]);
  });
});

describe('--comments', () => {
  const COMMENTS = page(
    { id: 2, body: '<p>Second</p>', user_id: 7, user: { name: 'Ada Okafor' }, created_at: '2026-03-03T10:00:00Z' },
    { id: 1, body: '<p>First</p>', user_id: 8, user: null, created_at: '2026-03-02T10:00:00Z' },
  );
  const SUBTASKS = page(
    { id: 4, title: 'Write the test', is_done: true },
    { id: 5, title: 'Ship it', is_done: false, assignee: { name: 'Ada Okafor' } },
  );
  const answers = {
    '/work-items/12': json(200, { id: 12, title: 'Undo' }),
    '/work-items/12/comments': COMMENTS,
    '/work-items/12/subtasks': SUBTASKS,
  };

  test('shows subtasks, and comments with the oldest first, and --debug prints their cost', async () => {
    const { svc } = await service(answers);
    const { stdout, stderr } = await svc(['work-items', 'get', '12', '--comments', '--debug'], atTerminal());
    expect(stdout).toBe(
      'Undo · #12\n\nSubtasks (2, 1 done)\n- [x] Write the test\n- [ ] Ship it · Ada Okafor\n\nComments (2)\n#8 · 2026-03-02 11:00\n  First\n\nAda Okafor · 2026-03-03 11:00\n  Second\n',
    );
    expect(stderr).toContain('svc: /work-items/12: 2 subtasks, 2 comments, 4 rate-limit units in all\n');
  });

  test('shows the subtasks, and the reason for the missing comments, when the service refuses the comments', async () => {
    const { svc } = await service({
      ...answers,
      '/work-items/12/comments': problem(403, { type: 'insufficient-permission', title: 'No' }),
    });
    const { code, stdout } = await svc(['work-items', 'get', '12', '--comments'], atTerminal());
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Ship it[\s\S]*\nComments\nNot shown: /)]);
  });

  test.each([
    [['projects', 'get', '1', '--comments'], atTerminal(), '--comments: projects have no comments that svc knows of.'],
    [['work-items', 'get', '1', '--comments'], {}, 'You can use --comments only at a terminal, in the default format.'],
    [['work-items', 'get', '1', '--all', '-o', 'json'], atTerminal(), 'You can use --all only at a terminal, in the default format.'],
  ])('or --all makes svc exit 2 for %j, where the flag has no effect', async (argv, options, line) => {
    const { svc, sent } = await service(answers);
    const { code, stderr } = await svc(argv, options);
    expect([code, stderr.split('\n')[0], sent()]).toEqual([2, `svc: ${line}`, []]);
  });
});

describe('svc me', () => {
  test.each([
    [{ monday: { start: '09:00', end: '17:30' }, tuesday: { start: '09:00', end: '13:00' } }, 'Mon 8h30, Tue 4h'],
    [['08:00', '08:00', '08:00', '08:00', '04:00', null, null], 'Mon to Thu 8h, Fri 4h'],
    [480, 'Mon to Fri 8h'],
    ['as agreed', '"as agreed"'],
  ])('shows the working hours %j as %s', async (hours, text) => {
    const { svc, sent } = await service({
      '/me': json(200, { data: { id: 1, name: 'Ada Okafor', timezone: 'Europe/Lisbon', working_hours: hours } }),
    });
    const { stdout } = await svc(['me'], atTerminal());
    expect(stdout).toBe(`Ada Okafor · #1\n\nTimezone       Europe/Lisbon\nWorking hours  ${text}\n`);
    expect(sent()).toEqual(['GET /me']);
  });
});

describe('the detail view', () => {
  let there: SignedIn | undefined;
  afterEach(async () => {
    await there?.remove();
    there = undefined;
  });

  /** Returns the units that --debug printed. An error costs one (rule 15.27). */
  const unitsOf = (stderr: string) =>
    [...stderr.matchAll(/→ (\d+), \d+ ms, (\d+) units?/g)].reduce(
      (sum, [, status, units]) => sum + (status === '200' ? Number(units) : 1),
      0,
    );

  test.each<[string, Partial<Interpretations>]>([
    ['accepts every include', {}],
    ['refuses undocumented includes', { assumedIncludes: 'refused', wrapSingleRecords: false }],
    ['refuses includes of worklogs', { assumedIncludes: 'not-of-worklogs', assumedSorts: 'refused', descending: 'refused' }],
    ['sends bare summaries', { summary: 'bare', refusalType: 'unsupported-parameter' }],
  ])('costs at most ten rate-limit units more than the record at a service that %s', async (_, interpretations) => {
    here = await startRecording();
    there = await signedIn({ limits: 'off', interpretations });
    for (const argv of [
      ['work-items', 'get', 'ABC-12'],
      ['worklogs', 'get', '5'],
      ['projects', 'get', '1'],
      ['sales-invoices', 'get', '1'],
    ]) {
      const plain = await there.svc([...argv, '--debug']);
      expect(unitsOf(plain.stderr)).toBe(1);
      const view = await there.svc([...argv, '--debug'], { terminal: 80, env: { NO_COLOR: '1' } });
      expect([view.code, view.stdout], view.stderr).toEqual([0, expect.stringContaining(` · #${JSON.parse(plain.stdout).id}\n`)]);
      expect(unitsOf(view.stderr) - unitsOf(plain.stderr), view.stderr).toBeLessThanOrEqual(10);
    }
  });
});

test('svc projects get reads the list once for two names', async () => {
  const { svc, sent } = await service({
    '/projects': page({ id: 1, name: 'Web shop' }, { id: 2, name: 'Internal' }),
    '/projects/1': json(200, { id: 1, name: 'Web shop' }),
    '/projects/2': json(200, { id: 2, name: 'Internal' }),
  });
  const { stdout } = await svc(['projects', 'get', 'Internal', 'web shop']);
  expect(JSON.parse(stdout)).toMatchObject([{ id: 2 }, { id: 1 }]);
  expect(sent().sort()).toEqual(['GET /projects/1', 'GET /projects/2', 'GET /projects?per_page=100']);
});
