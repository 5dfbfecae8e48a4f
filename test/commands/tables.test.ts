import { afterEach, describe, expect, test } from 'vitest';
import { textWidth } from '../../src/output/text-width.ts';
import { json } from '../support/http-server.ts';
import { type Recording, startRecording } from '../support/recording.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

// Tables show the names of related records. Every other format has what the service sent.

const page = (...rows: readonly object[]) => json(200, { data: rows, meta: {}, links: { next: null } });
const problem = (status: number, body: object) => json(status, { status, ...body }, { 'content-type': 'application/problem+json' });
const refusedInclude = (extra: object = {}) => problem(400, { type: 'invalid-query-parameter', title: 'No such include', ...extra });

/** Returns the cells of each line. */
function cells(stdout: string): string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, '|'));
}

let here: Recording | SignedIn | undefined;
afterEach(async () => {
  await here?.remove();
  here = undefined;
});

describe('a list as a table', () => {
  async function recording(): Promise<Recording> {
    const machine = await startRecording();
    here = machine;
    return machine;
  }

  test('includes the names of related records, unlike JSON (rule 15.18)', async () => {
    const { server, svc, sent } = await recording();
    const row = {
      id: 5,
      date: '2026-03-02',
      minutes: 90,
      project_id: 7,
      project: { id: 7, name: 'Web shop' },
      work_item_id: 9,
      work_item: { id: 9, issue_key: 'ABC-9', title: 'Undo' },
    };
    server.script(page(row), page(row));
    const table = await svc(['worklogs', 'list', '-o', 'table']);
    expect(cells(table.stdout)).toEqual(['ID|DATE|DURATION|PROJECT|WORK ITEM', '5|2026-03-02|1h30|Web shop|ABC-9 Undo']);
    expect(sent()).toEqual(['GET /worklogs?per_page=100&include=project,work_item,user']);
    expect(JSON.parse((await svc(['worklogs', 'list'])).stdout)).toEqual([row]);
    expect(sent()).toEqual(['GET /worklogs?per_page=100']);
  });

  test('shows the id for a refused relation, and requests the relation again after a day', async () => {
    const { server, svc, sent } = await recording();
    const row = { id: 5, name: 'Web shop', customer_id: 3 };
    server.script(refusedInclude({ parameter: 'include' }), page(row), page(row));
    const first = await svc(['projects', 'list', '-o', 'table']);
    expect([first.code, first.stderr, cells(first.stdout)]).toEqual([0, '', ['ID|NAME|CUSTOMER', '5|Web shop|#3']]);
    expect(sent()).toEqual(['GET /projects?per_page=100&include=customer', 'GET /projects?per_page=100']);
    expect(cells((await svc(['projects', 'list', '-o', 'table'])).stdout)).toEqual(['ID|NAME|CUSTOMER', '5|Web shop|#3']);
    expect(sent()).toEqual(['GET /projects?per_page=100']);
    server.script(page({ ...row, customer: { id: 3, name: 'Acme' } }));
    const later = await svc(['projects', 'list', '-o', 'table'], { now: Date.now() + 25 * 3_600_000 });
    expect(cells(later.stdout)[1]).toBe('5|Web shop|Acme');
  });

  test('leaves out only the relation that the refusal names', async () => {
    const { server, svc, sent } = await recording();
    server.script(
      refusedInclude({ parameter: 'include', detail: 'Unknown include: work_item.' }),
      page({ id: 5, minutes: 30, work_item_id: 9 }),
    );
    expect(cells((await svc(['worklogs', 'list', '-o', 'table'])).stdout)[1]).toBe('5|30m|#9');
    expect(sent()[1]).toBe('GET /worklogs?per_page=100&include=project,user');
  });

  test('leaves out all relations after a refusal without a parameter, and reports a refused --sort', async () => {
    const { server, svc, sent } = await recording();
    server.script(refusedInclude(), page({ id: 5, minutes: 30 }));
    expect((await svc(['worklogs', 'list', '-o', 'table'])).code).toBe(0);
    expect(sent()[1]).toBe('GET /worklogs?per_page=100');
    server.script(problem(400, { type: 'invalid-query-parameter', parameter: 'sort', title: 'No such sort' }));
    const { code, stderr } = await svc(['projects', 'list', '-o', 'table', '--sort', 'colour']);
    expect([code, stderr]).toEqual([9, expect.stringContaining('No such sort')]);
    // svc requests the relation the next time, because the refusal had another cause.
    server.script(page({ id: 5, name: 'Web shop' }));
    sent();
    await svc(['projects', 'list', '-o', 'table']);
    expect(sent()).toEqual(['GET /projects?per_page=100&include=customer']);
  });

  test('exits 9 for a refused relation that you requested', async () => {
    const { server, svc } = await recording();
    server.script(refusedInclude({ parameter: 'include', detail: 'Unknown include: customer.' }));
    expect((await svc(['projects', 'list', '-o', 'table', '--include', 'customer'])).code).toBe(9);
  });

  test('shows a hidden record’s id, an empty cell for null, and no empty column', async () => {
    const { server, svc } = await recording();
    server.script(page({ id: 1, minutes: 10, project_id: 7, project: null }, { id: 2, minutes: 10, project_id: null, project: null }));
    expect(cells((await svc(['worklogs', 'list', '-o', 'table'])).stdout)).toEqual(['ID|DURATION|PROJECT', '1|10m|#7', '2|10m']);
  });

  test('requests the workflow statuses once for two lists', async () => {
    const { server, svc, sent } = await recording();
    const item = { id: 1, issue_key: 'ABC-1', title: 'Undo', workflow_status_id: 4 };
    server.fallback((request, ...rest) =>
      (request.path.endsWith('/workflow-statuses') ? page({ id: 4, name: 'In review' }) : page(item))(request, ...rest),
    );
    for (const _ of [1, 2])
      expect(cells((await svc(['work-items', 'list', '-o', 'table'])).stdout)).toEqual(['KEY|TITLE|STATUS', 'ABC-1|Undo|In review']);
    expect(sent().filter((line) => line.includes('/workflow-statuses'))).toHaveLength(1);
  });

  test('shows status ids when svc has no permission to read the statuses', async () => {
    const { server, svc } = await recording();
    const item = page({ id: 1, issue_key: null, title: 'Undo', workflow_status_id: 4 });
    const refusal = problem(403, { type: 'missing-permission', title: 'No' });
    server.fallback((request, ...rest) => (request.path.endsWith('/workflow-statuses') ? refusal : item)(request, ...rest));
    const { code, stdout } = await svc(['work-items', 'list', '-o', 'table']);
    expect([code, cells(stdout)]).toEqual([0, ['KEY|TITLE|STATUS', '#1|Undo|#4']]);
  });

  test('prints the next command with the relations, and adds no relation to a typed cursor (rule 8.10)', async () => {
    const { server, svc, sent } = await recording();
    server.script(json(200, { data: [{ id: 1, name: 'Web shop' }], meta: {}, links: { next: '?cursor=abc&per_page=1&include=customer' } }));
    const { stderr } = await svc(['projects', 'list', '-L', '1', '-o', 'table']);
    expect(stderr).toContain('svc projects list -L 1 -o table --include customer --cursor abc');
    sent();
    server.script(page({ id: 2, name: 'Mobile app' }));
    await svc(['projects', 'list', '-L', '1', '-o', 'table', '--cursor', 'abc']);
    expect(sent()).toEqual(['GET /projects?per_page=1&cursor=abc']);
  });

  test('escapes control characters in names', async () => {
    const { server, svc } = await recording();
    server.script(page({ id: 1, name: 'x', customer_id: 3, customer: { id: 3, name: 'Acme\u001b[2J\nfake' } }));
    expect((await svc(['projects', 'list'], { terminal: 100 })).stdout).not.toContain('\u001b[2J');
  });
});

describe('a table', () => {
  const env = { NO_COLOR: '1' };
  async function sandbox(interpretations = {}): Promise<SignedIn> {
    const machine = await signedIn({ limits: 'off', interpretations });
    here = machine;
    return machine;
  }
  const heading = async (machine: SignedIn, argv: readonly string[], terminal: number) =>
    cells((await machine.svc(argv, { terminal, env })).stdout)[0];

  test('has more columns on a wide terminal, and no line longer than the terminal width', async () => {
    const machine = await sandbox();
    expect(await heading(machine, ['work-items', 'list', '-L', '5'], 80)).toBe('KEY|TITLE|STATUS|ASSIGNEE|DUE DATE');
    expect(await heading(machine, ['work-items', 'list', '-L', '5'], 160)).toBe('KEY|TITLE|STATUS|ASSIGNEE|DUE DATE|PROJECT|ESTIMATION');
    const { stdout } = await machine.svc(['worklogs', 'list', '-L', '20'], { terminal: 80, env });
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(cells(stdout)[1]).toMatch(/^\d+\|\d{4}-\d\d-\d\d\|/);
  });

  test('shows complete invoice numbers on a narrow terminal', async () => {
    const { stdout } = await (await sandbox()).svc(['sales-invoices', 'list', '-L', '3'], { terminal: 50, env });
    expect(stdout.match(/\b20\d\d-\d{4}\b/g)).toHaveLength(3);
  });

  test('has fewer columns on a narrow terminal, and svc names the missing columns', async () => {
    const machine = await sandbox();
    const { stdout, stderr } = await machine.svc(['work-items', 'list', '-L', '6'], { terminal: 50, env });
    expect(cells(stdout)[0]).toBe('KEY|TITLE|STATUS|ASSIGNEE');
    expect(stdout).toMatch(/^\S+ +Import customers/m);
    for (const line of stdout.split('\n')) expect(textWidth(line), line).toBeLessThanOrEqual(50);
    expect(stderr.replaceAll('\n', ' ')).toContain(
      'The terminal is too narrow for: DUE DATE, PROJECT, ESTIMATION. To choose the columns: --columns',
    );
    const chosen = await machine.svc(['work-items', 'list', '-L', '6', '--columns', 'KEY,due date,status'], { terminal: 50, env });
    expect([cells(chosen.stdout)[0], chosen.stderr.includes('No record has')]).toEqual(['KEY|DUE DATE|STATUS', false]);
    const again = await machine.svc(['work-items', 'list', '-L', '6'], { terminal: 50, env });
    expect(again.stderr).not.toContain('too narrow');
    expect((await machine.svc(['worklogs', 'list', '-L', '6'], { terminal: 80, env })).stderr).toMatch(
      /^The terminal is too narrow for: USER[,.]/,
    );
  });

  test('leaves out a column that a filter makes the same in every row', async () => {
    const machine = await sandbox();
    expect(await heading(machine, ['work-items', 'list', '--mine', '-L', '5'], 80)).toBe('KEY|TITLE|STATUS|DUE DATE|PROJECT');
    expect(await heading(machine, ['work-items', 'list', '--status', 'To do', '-L', '5'], 80)).toBe('KEY|TITLE|ASSIGNEE|DUE DATE|PROJECT');
  });

  test('comes with a hint about a larger limit, and JSON with a hint about the next page', async () => {
    const machine = await sandbox();
    const argv = ['projects', 'list', '-L', '5'];
    expect((await machine.svc(argv, { terminal: 160, env })).stderr).toMatch(/^5 of 8\. More: -L 50\n/);
    const open = /^5 of (\d+)\. More: -L 50\n(?:.*\n)*\1 of (\d+), \d+ closed: --status all\n/.exec(
      (await machine.svc(['work-items', 'list', '-L', '5'], { terminal: 200, env })).stderr,
    );
    expect(Number(open?.[2])).toBeGreaterThan(Number(open?.[1]));
    expect((await machine.svc(argv)).stderr).toContain(
      'There are more rows than these 5, 8 in all. To continue: svc projects list -L 5 --cursor ',
    );
  });

  test('has only the open work items, unlike JSON in a pipe', async () => {
    const machine = await sandbox();
    const argv = ['work-items', 'list', '--project', '6'];
    const all: readonly { readonly workflow_status_id: number }[] = JSON.parse((await machine.svc(argv)).stdout);
    const done = new Set(
      machine.sandbox.rows('workflow-statuses').flatMap(({ id, name }) => (/^(Done|Closed)$/.test(String(name)) ? [id] : [])),
    );
    const closed = all.filter(({ workflow_status_id: id }) => done.has(id)).length;
    expect(closed).toBeGreaterThan(0);
    const shown = await machine.svc(argv, { terminal: 200, env });
    expect(shown.stderr).toContain(`${all.length - closed} of ${all.length}, ${closed} closed: --status all\n`);
    expect(shown.stdout).not.toMatch(/ (Done|Closed) /);
    const every = await machine.svc([...argv, '--status', 'all'], { terminal: 200, env });
    expect(every.stdout).toMatch(/ (Done|Closed) /);
    expect(every.stderr).not.toContain('closed');
    expect(JSON.parse((await machine.svc([...argv, '--status', 'all'])).stdout)).toEqual(all);
  });

  test.each([
    ['does not filter by status', { otherFilters: 'refused' }],
    ['sends bare summaries', { summary: 'bare' }],
  ] as const)('has the exact number of open work items, or no number, at a service that %s', async (_, interpretations) => {
    const machine = await signedIn({ limits: 'off', interpretations });
    here = machine;
    const { code, stdout, stderr } = await machine.svc(['work-items', 'list', '--columns', 'id'], { terminal: 200, env });
    expect(code, stderr).toBe(0);
    const rows = machine.sandbox.rows('work-items').filter((row) => (row['deleted_at'] ?? null) === null);
    const [, shown, total, closed] = /(\d+) of (\d+), (\d+) closed/.exec(stderr) ?? [];
    if (total === undefined) return expect(stderr).toContain('Closed work items are left out: --status all');
    expect([Number(total), Number(shown) + Number(closed)]).toEqual([rows.length, rows.length]);
    expect(stdout.trimEnd().split('\n').length - 1).toBe(Number(shown));
  });

  test('stays aligned with emoji of several code points', async () => {
    const machine = await sandbox();
    const token = machine.sandbox.tokens[0]?.value ?? '';
    for (const name of ['👩‍👩‍👧 Family', '👍🏽 Yes', '❤️ Hearts', '1️⃣ First']) {
      const init = { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } };
      await fetch(`${machine.sandbox.baseUrl}/projects`, { ...init, body: JSON.stringify({ name, customer_id: 1 }) });
    }
    const { stdout } = await machine.svc(['projects', 'list'], { terminal: 120, env });
    expect(stdout).toMatch(/^ 9 {2}👩 Family +active/m);
    expect(stdout).toMatch(/^10 {2}👍 Yes +active/m);
    expect(stdout).not.toMatch(/[\u200d\ufe0f\u20e3]|\p{Emoji_Modifier}(?<!\d)/u);
    const ends = stdout
      .split('\n')
      .flatMap((line) => (/^(?: 9|1\d) /.test(line) ? [textWidth(line.slice(0, line.indexOf('active')))] : []));
    expect(new Set(ends).size).toBe(1);
  });

  test('has the columns of --columns: relations and fields, or ids instead of names', async () => {
    const machine = await sandbox();
    expect(await heading(machine, ['worklogs', 'list', '-L', '5', '--columns', 'user,minutes,project_id'], 100)).toBe(
      'USER|DURATION|PROJECT',
    );
    const { stdout } = await machine.svc(['worklogs', 'list', '-L', '5', '--columns', 'project_id', '--view', 'detail'], {
      terminal: 100,
      env,
    });
    expect(cells(stdout)[1]).toMatch(/^\d+$/);
    const { stderr } = await machine.svc(['worklogs', 'list', '-L', '5', '--columns', 'date,project_id'], { terminal: 100, env });
    expect(stderr).toContain('No record has: project_id.');
    machine.sandbox.requests.length = 0;
    expect(await heading(machine, ['worklogs', 'list', '-L', '5', '--columns', 'ids'], 100)).toMatch(/^ID\|DATE\|/);
    expect(machine.sandbox.requests.map(({ path }) => path).join()).not.toContain('include');
  });

  test('has a column for a relation in --include', async () => {
    const machine = await sandbox();
    expect(await heading(machine, ['work-items', 'list', '-L', '5', '--include', 'labels'], 100)).toMatch(/\|LABELS/);
  });

  test.each([
    ['-o json', ['-o', 'json']],
    ['-o csv', ['-o', 'csv']],
    ['--fields', ['--fields', 'id']],
  ])('is the only format for --columns, so svc exits 2 with %s', async (_, flags) => {
    const machine = await sandbox();
    const { code, stderr } = await machine.svc(['worklogs', 'list', '--columns', 'id', ...flags], { terminal: 100 });
    expect([code, stderr]).toEqual([2, 'svc: You can use --columns only with tables.\n  For other formats: --fields\n']);
  });

  test.each([
    ['accepts every include', 'taken'],
    ['refuses includes of worklogs', 'not-of-worklogs'],
    ['refuses undocumented includes', 'refused'],
  ] as const)('has as many rows as the list of ids at a service that %s', async (_, assumedIncludes) => {
    const machine = await sandbox({ assumedIncludes, cursorBindsInclude: true });
    for (const noun of ['worklogs', 'work-items', 'absences', 'projects', 'sales-invoices', 'contacts']) {
      const ids = (await machine.svc([noun, 'list', '-o', 'ids', '--limit', '150'])).stdout.trim().split('\n');
      const { code, stdout } = await machine.svc([noun, 'list', '-o', 'table', '--limit', '150']);
      expect([noun, code, stdout.trimEnd().split('\n').length - 1]).toEqual([noun, 0, ids.length]);
    }
  });
});

test('an empty table prints a notice only at a terminal', async () => {
  const machine = await signedIn({ limits: 'off' });
  here = machine;
  const argv = ['work-items', 'list', '--search', 'no such words'];
  const terminal = { terminal: 80 };
  expect(await machine.svc(argv, terminal)).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No work items match --search. Leave out a flag to see more.\n',
  });
  expect(await machine.svc([...argv, '--quiet'], terminal)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await machine.svc([...argv, '-o', 'ids'], terminal)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await machine.svc([...argv, '-o', 'table'])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await machine.svc(['users', 'list', '-L', '1'], terminal)).stderr).not.toContain('match');
});
