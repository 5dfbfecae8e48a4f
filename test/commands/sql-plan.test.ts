// Changes that an SQL statement plans: what it shows, what it refuses, and what svc apply sends of it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withHeaders } from '../support/answer-headers.ts';
import { sent } from '../support/sent.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let plan: string;
let count = 0;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  for (const name of ['Twin', 'Twin']) expect((await here.svc(['projects', 'create', '--name', name])).code).toBe(0);
  const { code, stderr } = await here.svc(['sync', 'worklogs', 'projects']);
  expect(code, stderr).toBe(0);
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
  plan = join(here.home, `${++count}.plan`);
});

const planned = (sql: string, ...more: string[]) => here.svc(['sql', '--plan', plan, sql, ...more]);
const writes = () => sent(here.sandbox).filter((line) => !line.startsWith('GET'));
const entry = (id: number): Readonly<Record<string, unknown>> => here.sandbox.rows('worklogs').find((row) => row['id'] === id) ?? {};
const own = () => here.sandbox.rows('worklogs').filter(({ project_id: project }) => project === 1);
const apply = async (...more: string[]) => {
  const { sha256 } = JSON.parse((await here.svc(['apply', plan, '--no-input'])).stdout) as { sha256: string };
  return here.svc(['apply', plan, `--yes=${sha256}`, ...more]);
};

describe('svc sql --plan', () => {
  it('shows each field before and after with names, and sends and changes nothing', async () => {
    const one = own().find(({ description, task_id }) => description !== null && task_id === null);
    const before = await here.svc(['sql', 'SELECT * FROM worklogs']);
    const result = await planned(
      `UPDATE worklogs SET project_id = 2, minutes = minutes + :more, description = NULL, task_id = 5 WHERE id = ${one?.['id']}`,
      '--param',
      'more=5',
    );
    expect(result.code, result.stderr).toBe(0);
    const name = (id: number) => here.sandbox.rows('projects').find((row) => row['id'] === id)?.['name'];
    expect(JSON.parse(result.stdout)).toMatchObject([
      { resource: 'worklogs', id: one?.['id'], field: 'minutes', before: one?.['minutes'], after: Number(one?.['minutes']) + 5 },
      { field: 'description', before: one?.['description'], after: null },
      { field: 'project_id', before: 1, before_name: name(1), after: 2, after_name: name(2) },
      { field: 'task_id', before: null, after: 5 },
    ]);
    expect(result.stderr).toContain('worklogs: 1 changed (minutes 1, description 1, project_id 1, task_id 1).');
    expect(result.stderr).toContain(`Planned 1 write in ${plan}. svc sent nothing.`);
    expect((await here.svc(['sql', 'SELECT * FROM worklogs'])).stdout).toBe(before.stdout);
    expect(here.sandbox.requests).toEqual([]);
  });

  it.each([
    ['UPDATE worklogs SET id = id + 1 WHERE id < 9', 'The statement sets id of worklogs, and svc cannot update that field.'],
    ['UPDATE worklogs SET exceeded_budget = NOT exceeded_budget WHERE id < 9', 'sets exceeded_budget of worklogs'],
    ['INSERT INTO worklogs (id, minutes) VALUES (1, 30)', 'sets id of worklogs, and svc cannot create that field'],
    ["UPDATE worklogs SET minutes = 'soon' WHERE id % 500 = 0", 'minutes: "soon" is'],
    ['UPDATE worklogs SET minutes = 10.5 WHERE id % 500 = 0', 'minutes: "10.5" has no unit'],
    ["UPDATE worklogs SET date = '2026-02-30' WHERE id % 500 = 0", 'date: "2026-02-30"'],
    ["UPDATE worklogs SET project_id = 'Web shop' WHERE id % 500 = 0", 'project_id: "Web shop" is not an id'],
    ["UPDATE worklogs SET description = x'00' WHERE id % 500 = 0", 'description: the statement sets binary data (BLOB)'],
    ['INSERT INTO worklogs DEFAULT VALUES', 'worklogs new: the record has no minutes'],
    ["UPDATE hours SET project = 'Twin' WHERE id % 500 = 0", 'Several records of projects have the name "Twin":'],
    ["UPDATE hours SET project = 'Nobody' WHERE id % 500 = 0", 'No record of projects has the name "Nobody".'],
    ['UPDATE hours SET billing = 7 WHERE id % 500 = 0', 'hours.billing is not a field of worklogs'],
    ['UPDATE worklogs SET project_id = p.id FROM projects p WHERE p.id < 4', 'gives project_id of worklogs'],
    ['UPDATE main.worklogs SET minutes = 1', 'attempt to write a readonly database'],
    ['UPDATE svc_tables SET rows = 1', 'attempt to write a readonly database'],
    ['UPDATE worklogs SET minuts = 1', 'There is no column minuts.'],
    ['DELETE FROM worklogs; DELETE FROM users', 'more than one statement'],
    ["ATTACH 'x.sqlite' AS x", 'ATTACH is not a query'],
    ['UPDATE worklogs SET minutes = minutes + 1', 'records, and the limit is 2.', '--max-changes', '2'],
    ['UPDATE worklogs SET minutes = minutes + 1', 'records, and the limit is 1000.'],
    ['SELECT 1', 'You can use --max-changes only with --plan', '--max-changes', '2'],
  ])('refuses %s with exit 2', async (sql, said, ...more) => {
    const result = await planned(sql, ...more);
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(await readFile(plan, 'utf8').catch(() => undefined)).toBeUndefined();
  });

  it('plans as many changes as --max-changes allows', async () => {
    const [one, two] = own();
    const result = await planned(
      `UPDATE worklogs SET description = 'Both' WHERE id IN (${one?.['id']}, ${two?.['id']})`,
      '--max-changes',
      '2',
    );
    expect(result.code, result.stderr).toBe(0);
  });

  it('resolves names in the views hours and <table>_named, and plans creates and deletes', async () => {
    const [one, two, three] = own();
    const project = here.sandbox.rows('projects').find(({ id }) => id === 2)?.['name'];
    await planned(`UPDATE hours SET project = :to WHERE id = ${one?.['id']}`, '--param', `to=${project}`);
    await planned(
      `WITH some AS (SELECT ${two?.['id']} AS id) UPDATE worklogs_named SET project = :to WHERE id IN some`,
      '--param',
      `to=${project}`,
    );
    await planned(`DELETE FROM hours WHERE id = ${three?.['id']}`);
    await planned(
      `INSERT INTO hours (date, minutes, project, description) SELECT '2026-01-05', 30, :to, 'Made' FROM projects LIMIT 1`,
      '--param',
      `to=${project}`,
    );
    const lines = (await readFile(plan, 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { method: 'PATCH', path: `/worklogs/${one?.['id']}`, body: '{"project_id":2}', before: { project_id: 1 } },
      { method: 'PATCH', path: `/worklogs/${two?.['id']}`, body: '{"project_id":2}', before: { project_id: 1 } },
      { method: 'DELETE', path: `/worklogs/${three?.['id']}`, before: { id: three?.['id'], minutes: three?.['minutes'] } },
      { method: 'POST', path: '/worklogs', body: '{"date":"2026-01-05","minutes":30,"description":"Made","project_id":2}' },
    ]);
    const shown = await here.svc(['plan', 'show', plan]);
    expect(JSON.parse(shown.stdout)).toMatchObject([
      { number: 1, after_name: project },
      { number: 2 },
      { action: 'delete' },
      {},
      {},
      {},
      { action: 'create' },
    ]);
    expect(shown.stderr).toContain('worklogs: 2 changed (project_id 2), 1 created, 1 deleted.');
    expect((await here.svc(['apply', plan, '--dry-run', '--jq', '.cost'])).stdout).toBe('{"write":4,"read":7,"minutes":1}\n');
  });
});

describe('svc apply of a statement', () => {
  it('changes only records with the old values, lists the other records, and exits 10 (6 if all records differ)', async () => {
    const [one, two, three] = own()
      .slice(-3)
      .map(({ id }) => Number(id));
    await planned(`UPDATE worklogs SET minutes = 7 WHERE id IN (${one}, ${two}, ${three})`);
    const before = [one, two, three].map((id) => ({ ...entry(id ?? 0) }));
    await here.svc(['worklogs', 'update', String(two), '--minutes', '99']);
    await here.svc(['worklogs', 'update', String(one), '--description', 'Another field']);
    await here.svc(['worklogs', 'update', String(three), '--minutes', '7']);
    here.sandbox.requests.length = 0;
    const checked = await here.svc(['plan', 'check', plan]);
    expect(checked.code, checked.stderr).toBe(10);
    expect(writes()).toEqual([]);
    const result = await apply();
    expect(result.code, result.stderr).toBe(10);
    const differs = { result: 'differs', differences: [{ field: 'minutes', planned: before[1]?.['minutes'], now: 99 }] };
    expect(JSON.parse(result.stdout)).toMatchObject([
      { id: one, result: 'done' },
      { id: two, ...differs },
      { id: three, result: 'unchanged' },
    ]);
    expect(result.stderr).toContain(`write 2, /worklogs/${two}: minutes was ${before[1]?.['minutes']} in the plan, and is 99 now`);
    expect(writes()).toEqual([`PATCH /api/v2/worklogs/${one} {"minutes":7}`]);
    expect(here.sandbox.requests.findLast(({ method }) => method === 'PATCH')?.headers['if-match']).toBeTruthy();
    // A second run sends nothing, and the undo restores the one record.
    expect((await apply()).code).toBe(10);
    expect(writes()).toHaveLength(1);
    const undone = await here.svc(['undo', '--yes']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(entry(one ?? 0)).toMatchObject({ minutes: before[0]?.['minutes'], description: 'Another field' });

    await writeFile(plan, '');
    await planned(`UPDATE worklogs SET minutes = 8 WHERE id = ${two}`);
    const none = await apply();
    expect([none.code, none.stderr]).toEqual([6, expect.stringContaining('1 of 1 writes do not apply')]);
    expect((await here.svc(['plan', 'check', plan])).code).toBe(6);
  });

  it('continues after a refused record and a lost answer, and svc undo reverts all runs', async () => {
    const ids = own()
      .slice(10, 14)
      .map(({ id }) => Number(id));
    await planned(`UPDATE worklogs SET minutes = minutes + 1 WHERE id IN (${ids})`);
    const before = ids.map((id) => entry(id)['minutes']);
    here.sandbox.setFaults([
      { method: 'PATCH', path: `/worklogs/${ids[1]}`, status: 422, times: 1 },
      { method: 'PATCH', path: `/worklogs/${ids[2]}`, drop: 'after' },
    ] as Parameters<typeof here.sandbox.setFaults>[0]);
    const first = await apply();
    expect(first.code, first.stderr).toBe(8);
    here.sandbox.setFaults([]);
    const second = await apply('--approved-by', 'Grace');
    expect(second.code, second.stderr).toBe(0);
    expect(ids.map((id) => entry(id)['minutes'])).toEqual(before.map((minutes) => Number(minutes) + 1));
    const [{ planned_by: by, approved_by: approver, writes: all }] = JSON.parse((await here.svc(['history', '-L', '8'])).stdout);
    expect([by, approver, all]).toEqual([expect.any(String), 'Grace', expect.any(Number)]);
    expect((await here.svc(['undo', '--yes'])).code).toBe(0);
    expect(ids.map((id) => entry(id)['minutes'])).toEqual(before);
  });

  it('sends a planned update of another account, but no planned create', async () => {
    const id = Number(own()[30]?.['id']);
    await planned(`UPDATE worklogs SET minutes = 21 WHERE id = ${id}`);
    const otherAccount = async () => writeFile(plan, (await readFile(plan, 'utf8')).replace(/"account":"\d+"/, '"account":"99"'));
    await otherAccount();
    expect((await apply()).code).toBe(0);
    expect(entry(id)['minutes']).toBe(21);
    await writeFile(plan, '');
    await planned("INSERT INTO worklogs (date, minutes) VALUES ('2026-01-05', 30)");
    await otherAccount();
    expect(await apply()).toMatchObject({ code: 2, stderr: expect.stringContaining('The plan is for user 99') });
  });

  it('sends no write without a strong ETag', async () => {
    const id = Number(own()[31]?.['id']);
    await planned(`UPDATE worklogs SET minutes = 22 WHERE id = ${id}`);
    const { sha256 } = JSON.parse((await here.svc(['apply', plan, '--no-input'])).stdout) as { sha256: string };
    const around = withHeaders((headers) => Object.assign(headers, { etag: 'W/"weak"' }));
    const result = await here.svc(['apply', plan, `--yes=${sha256}`], { around });
    expect([result.code, result.stderr]).toEqual([8, expect.stringContaining('only a weak ETag')]);
    expect(writes()).toEqual([]);
  });
});

it('svc plan show --html escapes HTML in a planned statement', async () => {
  const [one] = own();
  await planned(
    `UPDATE worklogs SET project_id = 2, description = '<script>alert(1)</script>' -- the <b>reason\n WHERE id = ${one?.['id']}`,
  );
  const page = join(here.home, 'page.html');
  const result = await here.svc(['plan', 'show', plan, '--html', page]);
  expect(result.code, result.stderr).toBe(0);
  const html = await readFile(page, 'utf8');
  expect(html).not.toContain('<script');
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).toContain('the &lt;b&gt;reason');
  expect(html).toMatch(/Hours by project, \d{4}-\d\d-01 to/);
});

describe('svc worklogs update --where', () => {
  const update = (where: string, ...more: (string | RunOptions)[]) => {
    const words = more.filter((each) => typeof each === 'string');
    return here.svc(
      ['worklogs', 'update', '--where', where, ...words],
      more.find((each) => typeof each !== 'string'),
    );
  };

  it('makes the same plan as svc sql --plan', async () => {
    const ids = own()
      .slice(40, 43)
      .map(({ id }) => id);
    const condition = `project = '${here.sandbox.rows('projects')[0]?.['name']}' AND id IN (${ids})`;
    const short = await update(condition, '--project', '2', '--minutes', '1h31', '--plan', plan);
    expect(short.code, short.stderr).toBe(0);
    const long = `${plan}-2`;
    await here.svc(['sql', '--plan', long, `UPDATE worklogs_named SET minutes = 91, project_id = 2 WHERE ${condition}`]);
    const [one, other] = await Promise.all([plan, long].map(async (file) => JSON.parse((await here.svc(['plan', 'show', file])).stdout)));
    expect(one).toEqual(other);
    expect([...new Set(one.map(({ id }: { readonly id: number }) => id))]).toEqual(ids);
    expect(writes()).toEqual([]);
    expect((await apply()).code).toBe(0);
    expect(ids.map((id) => entry(Number(id)))).toMatchObject(Array(3).fill({ minutes: 91, project_id: 2 }));
    expect((await here.svc(['undo', '--yes'])).code).toBe(0);
  });

  it('shows the changes at a terminal, sends the changes after a yes, and leaves no plan', async () => {
    const id = Number(own()[50]?.['id']);
    const before = entry(id)['minutes'];
    const no = await update(`id = ${id}`, '--minutes', '77', { answers: [false] });
    expect([no.code, no.stderr, entry(id)['minutes']]).toEqual([1, expect.stringContaining('svc sent nothing.'), before]);
    const yes = await update(`id = ${id}`, '--minutes', '77', { terminal: 80, answers: [true] });
    expect([yes.code, yes.stderr]).toEqual([0, expect.stringContaining('1 done.')]);
    expect(yes.stdout).toContain('1h17');
    expect(entry(id)['minutes']).toBe(77);
    expect(await readdir(join(here.home, '.local/state/svc/plans'))).toEqual([]);
    const [{ approved_by: approver }] = JSON.parse((await here.svc(['history', '-L', '1'])).stdout);
    expect(approver).toEqual(expect.any(String));
    expect((await here.svc(['undo', '--yes'])).code).toBe(0);
  });

  it('keeps the plan after a failure, and svc apply accepts the plan', async () => {
    const id = Number(own()[51]?.['id']);
    here.sandbox.setFaults([{ method: 'PATCH', path: `/worklogs/${id}`, status: 403 }]);
    const failed = await update(`id = ${id}`, '--minutes', '78', { answers: [true] });
    expect(failed.code).not.toBe(0);
    const [, kept = ''] = /svc plan show (\S+\.plan)/.exec(failed.stderr) ?? [];
    here.sandbox.setFaults([]);
    const applied = await here.svc(['apply', kept], { answers: [true] });
    expect(applied.code, applied.stderr).toBe(0);
    expect(entry(id)['minutes']).toBe(78);
  });

  it.each([
    ['id = 1', 'svc cannot ask you to approve the changes here', '--minutes', '5', '--yes'],
    [' ', '--where is empty', '--minutes', '5'],
    ['id = :one', 'has a parameter :one', '--minutes', '5'],
    ['id = 1; DELETE FROM worklogs', 'more than one statement', '--minutes', '5'],
    ['id = 1', 'There is nothing to change'],
    ['id = 1', '--where and an id', '1', '--minutes', '5'],
    ['id = 1', 'only for one record', '--minutes', '5', '--view', 'detail'],
    ['id < 9', 'and the limit is 2', '--minutes', '5', '--max-changes', '2'],
    ['id = 1', 'cannot look up names', '--project', 'Web shop', '--dry-run'],
  ])('refuses %j with exit 2: %s', async (where, said, ...more) => {
    const result = await update(where, ...more);
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(writes()).toEqual([]);
  });
});
