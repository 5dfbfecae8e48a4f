// svc history --for: the writes in a sandbox with the records of an organisation, as a plan for the organisation.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openSandboxOrigins } from '../../src/config/sandbox-origins.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { sent } from '../support/sent.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';
import { startTenant } from '../support/tenant/start-tenant.ts';

/** The organisation is the signed-in sandbox. The rehearsal is another sandbox with the same records and fewer of the new ones. */
let here: SignedIn;
let sandbox: Awaited<ReturnType<typeof startTenant>>;
let there: string;
let plan: string;
let count = 0;
const origins = () => openSandboxOrigins(nodeFiles(), join(here.home, '.local', 'state', 'svc'));
const keepOrigin = (started = new Date().toISOString(), more: { readonly pseudonyms?: true } = {}) => {
  const origin = {
    url: sandbox.origin,
    from: here.host,
    pseudonyms: false,
    read_at: started,
    started_at: started,
    last_ids: { labels: 6 },
  };
  return origins().keep({ ...origin, ...more });
};
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  sandbox = await startTenant({ approve: true, limits: 'off' });
  there = new URL(sandbox.origin).host;
  await rehearse('login', there);
  expect((await here.svc(['token', 'set', '--host', there], { stdin: sandbox.tokens[0]?.value ?? '' })).code).toBe(0);
  // The next ids of the organisation are other ids than those of the sandbox.
  for (const noun of ['projects', 'work-items', 'labels']) {
    const more = noun === 'work-items' ? ['--title', 'Theirs', '--project', '1'] : ['--name', 'Theirs'];
    expect((await here.svc([noun, 'create', ...more, '--host', here.host])).code).toBe(0);
  }
});
afterAll(async () => {
  await sandbox.close();
  await here.remove();
});
beforeEach(async () => {
  for (const service of [here.sandbox, sandbox]) service.setFaults([]);
  await keepOrigin();
  here.sandbox.requests.length = 0;
  plan = join(here.home, `${++count}.plan`);
});

const svc = (host: string, argv: readonly string[], options: RunOptions = {}) => here.svc([...argv, '--host', host], options);
async function rehearse(...argv: string[]): Promise<{ id: number; issue_key: string }> {
  const result = await (argv[0] === 'login' ? here.svc(argv) : svc(there, argv));
  expect(result.code, `${argv.join(' ')}: ${result.stderr}`).toBe(0);
  const body = argv[0] === 'login' ? {} : JSON.parse(result.stdout);
  return body.data ?? body;
}
const planned = (...more: string[]) => svc(there, ['history', '--for', here.host, '--plan', plan, ...more]);
const lines = async () =>
  (await readFile(plan, 'utf8'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line));
async function apply(file = plan) {
  const shown = await svc(here.host, ['apply', file, '--no-input']);
  return svc(here.host, ['apply', file, `--yes=${JSON.parse(shown.stdout).sha256}`]);
}
const rowOf = (service: typeof sandbox, noun: string, id: unknown): Readonly<Record<string, unknown>> =>
  service.rows(noun).find((row) => row['id'] === id) ?? {};
const writes = () => sent(here.sandbox).filter((line) => !line.startsWith('GET'));

it('svc history --plan plans the writes of a sandbox in their order, with earlier values and references to new records', async () => {
  const project = await rehearse('projects', 'create', '--name', 'Rehearsed');
  const item = await rehearse('work-items', 'create', '--title', 'Rehearsed', '--project', '1');
  const to = sandbox
    .rows('workflow-transitions')
    .find((row) => row['from_status_id'] === rowOf(sandbox, 'work-items', item.id)['workflow_status_id']);
  await rehearse('work-items', 'transition', item.issue_key, '--to', String(to?.['to_status_id']));
  await rehearse('work-items', 'comments', 'create', item.issue_key, '--body', '{2}');
  const [known] = sandbox.rows('work-items');
  await rehearse('work-items', 'move', String(known?.['issue_key']), '--after', item.issue_key);
  const label = await rehearse('labels', 'create', '--name', 'Rehearsed');
  await rehearse('work-items', 'update', String(known?.['id']), '--data', `{"label_ids":[1,${label.id}]}`);
  const entry = await rehearse('worklogs', 'add', '--minutes', '30', '--project', String(project.id), '--description', '12');
  await rehearse('worklogs', 'update', String(entry.id), '--minutes', '45');
  await rehearse('worklogs', 'update', '5', '--minutes', '45', '--project', String(project.id));
  await rehearse('worklogs', 'update', '5', '--minutes', '50', '--project', '3');
  const deleted = await rehearse('worklogs', 'delete', '6', '--yes');
  expect(deleted).toEqual([{ id: 6, deleted: true }]);

  const result = await planned();
  expect(result.code, result.stderr).toBe(0);
  expect(result.stderr).toContain(`Planned 12 writes in ${plan}. svc sent nothing. To review: svc plan show ${plan} --host ${here.host}`);
  expect(writes()).toEqual([]);
  const old = rowOf(here.sandbox, 'worklogs', 5);
  expect(await lines()).toMatchObject([
    { method: 'POST', path: '/projects', body: '{"name":"Rehearsed"}' },
    { method: 'POST', path: '/work-items', body: '{"title":"Rehearsed","project_id":1}' },
    { path: '/work-items/{2}/actions/transition', before: { workflow_status_id: expect.any(Number) }, takes: [2] },
    { path: '/work-items/{2}/comments', body: '{"body":"<p>{2}</p>"}', takes: [2] },
    { path: `/work-items/${known?.['issue_key']}/actions/move`, body: '{"after_work_item_id":"{2}"}', before: { title: known?.['title'] } },
    { path: '/labels' },
    { path: `/work-items/${known?.['id']}`, body: '{"label_ids":[1,"{6}"]}', before: { label_ids: [] }, takes: [6] },
    { path: '/worklogs', body: expect.stringContaining('"description":"12","project_id":"{1}"'), takes: [1] },
    { path: '/worklogs/{8}', body: '{"minutes":45}', before: { minutes: 30 }, takes: [8] },
    { path: '/worklogs/5', before: { minutes: old['minutes'], project_id: old['project_id'] }, takes: [1] },
    { path: '/worklogs/5', body: '{"minutes":50,"project_id":3}', before: { minutes: 45, project_id: '{1}' }, takes: [1] },
    { method: 'DELETE', path: '/worklogs/6', before: { minutes: rowOf(here.sandbox, 'worklogs', 6)['minutes'] } },
  ]);

  const check = await svc(here.host, ['plan', 'check', plan]);
  expect(check.code, check.stderr).toBe(0);
  expect(JSON.parse(check.stdout)).toMatchObject([
    { result: 'applies' },
    { result: 'applies' },
    { number: 3, result: 'applies after write 2' },
    ...Array(7).fill({}),
    { number: 11, result: 'applies' },
    { number: 12, result: 'applies' },
  ]);
  const shown = JSON.parse((await svc(here.host, ['plan', 'show', plan])).stdout);
  expect(shown).toContainEqual(expect.objectContaining({ number: 4, id: null, record: 'in the work item of write 2' }));
  expect(shown).toContainEqual(expect.objectContaining({ number: 8, after: '{1}', after_name: 'the project of write 1' }));
  expect(shown).toContainEqual(expect.objectContaining({ number: 9, id: null, record: 'the worklog of write 8' }));
  const table = await svc(here.host, ['plan', 'show', plan], { terminal: 140 });
  expect(table.stdout).toMatch(/label_ids +none +1, the label of write 6/);

  const done = await apply();
  expect(done.code, done.stderr).toBe(0);
  const ids = (JSON.parse(done.stdout) as { id: number }[]).map(({ id }) => id);
  expect(ids[7]).not.toBe(undefined);
  expect(rowOf(here.sandbox, 'worklogs', ids[7])).toMatchObject({ project_id: ids[0], minutes: 45, description: '12' });
  expect(rowOf(here.sandbox, 'worklogs', 5)).toMatchObject({ project_id: 3, minutes: 50 });
  expect(rowOf(here.sandbox, 'work-items', known?.['id'])).toMatchObject({ label_ids: [1, ids[5]] });
  expect(rowOf(here.sandbox, 'work-items', ids[1])['workflow_status_id']).toBe(to?.['to_status_id']);
  expect([ids[0], ids[1], ids[5]]).not.toContain(project.id);

  // The same writes have the same keys in the next plan, so svc sends none of them again.
  plan = join(here.home, 'again.plan');
  await rehearse('worklogs', 'update', '7', '--minutes', '17');
  expect((await planned()).code).toBe(0);
  here.sandbox.requests.length = 0;
  const again = await apply();
  expect(again.stderr).toContain('1 done, 12 were done before.');
  expect(writes()).toEqual(['PATCH /api/v2/worklogs/7 {"minutes":17}']);

  // After an undo in the organisation, the next plan has the writes again, and with them the writes that name their records.
  const undone = await svc(here.host, ['undo', '--yes']);
  expect(undone.stderr).toContain('svc could not undo 3 of 13 writes.');
  expect(rowOf(here.sandbox, 'worklogs', 5)).toMatchObject({ minutes: old['minutes'], project_id: old['project_id'] });
  plan = join(here.home, 'redo.plan');
  expect((await planned()).code).toBe(0);
  const redone = await apply();
  expect(redone.stderr).toContain('12 done, 1 was done before.');
});

it('svc history --plan names each write that the plan cannot contain, with the reason, and exits 10', async () => {
  const file = join(here.home, 'project.json');
  await writeFile(file, JSON.stringify({ name: 'Large', description: 'x'.repeat(1024 * 1024) }));
  await origins().forget(sandbox.origin);
  const started = new Date().toISOString();
  await rehearse('worklogs', 'update', '21', '--minutes', '33');
  await keepOrigin(started);
  await rehearse('worklogs', 'update', '21', '--description', 'Later');
  await rehearse('labels', 'create', '--name', 'Undone');
  await rehearse('undo');
  await svc(there, ['labels', 'create', '--name', ''], {});
  const large = await rehearse('api', 'POST', '/projects', '--input', file);
  await rehearse('worklogs', 'add', '--minutes', '30', '--project', String(large.id));
  await rehearse('timers', 'stop');
  sandbox.setFaults([{ method: 'POST', path: '/labels', drop: 'after', times: 99 }]);
  expect((await svc(there, ['labels', 'create', '--name', 'Lost'], { hurried: true })).code).toBe(8);
  sandbox.setFaults([]);
  await svc(there, ['worklogs', 'add', '--minutes', '1', '--later']);
  const { id } = await rehearse('labels', 'create', '--name', 'Odd');
  await rehearse('work-items', 'update', '3', '-F', `reporter_id=${id}`);
  await rehearse('worklogs', 'update', '23', '--minutes', '16');
  await rehearse('worklogs', 'delete', '24', '--yes');
  const item = await rehearse('work-items', 'create', '--title', 'New', '--project', '1');
  await rehearse('worklogs', 'update', '25', '--description', `Work on ${item.issue_key}`);
  expect((await svc(here.host, ['token', 'remove'])).code).toBe(0);
  const result = await planned();
  expect((await svc(here.host, ['token', 'set'], { stdin: here.sandbox.tokens[0]?.value ?? '' })).code).toBe(0);
  expect(result.code, result.stderr).toBe(10);
  const rows = JSON.parse(result.stdout) as { number: number; write: number | null; result: string; reason: string }[];
  const first = rows[0]?.number ?? 0;
  expect(rows.map(({ write, reason }) => write ?? reason)).toEqual([
    'svc did not read the earlier values of minutes',
    `the plan does not have entry ${first}, which changed the same record`,
    `undone by entry ${first + 3}`,
    `the write undid entry ${first + 2}`,
    'the service refused the write',
    'svc does not keep the contents of files',
    `the write needs the record of entry ${first + 5}, which the plan does not create`,
    1,
    'a timer would run at another time',
    `the write is unconfirmed: svc outbox send ${first + 9} --host ${there}`,
    `the write waits in the outbox: svc outbox send ${first + 10} --host ${there}`,
    2,
    'svc does not know whether reporter_id names a record that the sandbox created',
    3,
    `a delete needs a personal access token with Delete: svc token set --host ${here.host}`,
    4,
    `its text has ${item.issue_key}, which is another key in ${here.host}`,
  ]);
  expect(rows.filter((row) => row.result === 'no effect')).toHaveLength(3);
  expect(result.stderr).toContain('svc cannot plan 10 of 17 writes.');
  expect(result.stderr).toContain(`Planned 4 writes in ${plan}.`);
  expect(result.stderr).toContain(`entry ${first}, PATCH /worklogs/21: minutes 33: svc did not read`);
  expect((await lines()).map(({ path }) => path)).toEqual(['/worklogs', '/labels', '/worklogs/23', '/work-items']);
  plan = join(here.home, 'none.plan');
  expect((await planned('--resource', 'timers')).code).toBe(2);
  expect(await readFile(plan, 'utf8').catch(() => 'no file')).toBe('no file');
});

it('svc history --plan leaves out writes with possible pseudonyms, or with new records that your own writes did not create', async () => {
  await keepOrigin(undefined, { pseudonyms: true });
  await rehearse('worklogs', 'update', '41', '--description', 'Typed');
  await rehearse('worklogs', 'update', '42', '--minutes', '20');
  await rehearse('worklogs', 'delete', '43', '--yes');
  await rehearse('sales-invoice-rows', 'update', '1', '--unit-price', '12');
  const by = { SVC_TOKEN: sandbox.tokens[0]?.value ?? '' };
  const label = JSON.parse((await svc(there, ['labels', 'create', '--name', 'Hers'], { env: by })).stdout);
  await rehearse('work-items', 'update', '5', '--data', JSON.stringify({ label_ids: [label.id] }));
  const result = await planned();
  expect(result.code, result.stderr).toBe(10);
  expect((JSON.parse(result.stdout) as { write: number | null; reason: string }[]).map(({ write, reason }) => write ?? reason)).toEqual([
    'description can be a pseudonym',
    1,
    2,
    'unit_price can be a pseudonym',
    `the write needs ${label.id} of labels, which the sandbox created and your writes did not`,
  ]);
  const [, deletion] = await lines();
  expect(deletion.before).toMatchObject({ minutes: expect.any(Number), user_id: expect.any(Number) });
  expect(Object.keys(deletion.before)).not.toContain('description');
});

it('svc history --plan compares the writable fields of a deleted child record', async () => {
  const [comment] = sandbox.rows('comments');
  await rehearse('work-items', 'comments', 'delete', String(comment?.['work_item_id']), String(comment?.['id']), '--yes');
  expect((await planned()).code).toBe(0);
  const [{ method, path, before }, ...others] = await lines();
  const address = `/work-items/${comment?.['work_item_id']}/comments/${comment?.['id']}`;
  expect([method, path, before, others]).toEqual(['DELETE', address, { body: comment?.['body'] }, []]);
});

it('svc apply lists a refused create and the writes that need its record, and sends these writes when run again', async () => {
  const customer = await rehearse('customers', 'create', '--name', 'Rehearsed');
  const project = await rehearse('projects', 'create', '--name', 'Rehearsed', '--customer', String(customer.id));
  const entry = await rehearse('worklogs', 'add', '--minutes', '30', '--project', String(project.id));
  await rehearse('worklogs', 'update', String(entry.id), '--minutes', '45');
  await rehearse('worklogs', 'update', '31', '--minutes', '18');
  await rehearse('worklogs', 'update', '31', '--minutes', '19');
  await svc(here.host, ['worklogs', 'update', '31', '--minutes', '20']);
  expect((await planned()).code).toBe(0);
  here.sandbox.requests.length = 0;
  here.sandbox.setFaults([{ method: 'POST', path: '/projects', status: 422 }]);
  const result = await apply();
  expect(result.code, result.stderr).toBe(10);
  expect(JSON.parse(result.stdout)).toMatchObject([
    { number: 1, result: 'done' },
    { number: 2, result: 'refused' },
    { number: 3, path: '/worklogs', result: 'left out', error: 'the write needs the record of write 2, and this record does not exist' },
    {
      number: 4,
      path: '/worklogs/{3}',
      result: 'left out',
      error: 'the write needs the record of write 3, and this record does not exist',
    },
    { number: 5, result: 'differs', error: expect.stringContaining('minutes was') },
    { number: 6, result: 'differs' },
  ]);
  expect(writes().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['POST /api/v2/customers', 'POST /api/v2/projects']);
  expect((await svc(here.host, ['plan', 'check', plan])).code).toBe(10);
  const rest = await apply();
  expect(rest.code, rest.stderr).toBe(10);
  expect((JSON.parse(rest.stdout) as { result: string }[]).map((row) => row.result)).toEqual([
    ...['done before', 'done', 'done', 'done', 'differs', 'differs'],
  ]);
});

it('svc history --plan exits 2 for another sandbox or person, 3 without writes, and 6 for an existing file', async () => {
  const problem = async (argv: readonly string[], options?: RunOptions) => {
    const { code, stderr } = await here.svc(['history', ...argv], options);
    return [code, stderr];
  };
  const flags = ['--host', there, '--for', here.host];
  expect(await problem([...flags, '--plan', plan])).toEqual([3, expect.stringContaining('This account made no such writes')]);
  await rehearse('labels', 'create', '--name', 'One');
  expect(await problem(flags)).toEqual([2, expect.stringContaining('Add --plan month.plan')]);
  expect(await problem([...flags, '--plan', plan, '-L', '1'])).toEqual([2, expect.stringContaining('--limit')]);
  expect(await problem(['--host', here.host, '--for', there, '--plan', plan])).toEqual([
    2,
    expect.stringContaining(`${here.host} is no sandbox with the records of an organisation.`),
  ]);
  expect(await problem(['--host', there, '--for', 'acme.example.com', '--plan', plan])).toEqual([
    2,
    expect.stringContaining(`${there} is a sandbox with the records of ${here.host}.`),
  ]);
  await keepOrigin('2026-01-01T00:00:00Z');
  const other = { SVC_TOKEN: sandbox.tokens.find(({ user }) => user !== sandbox.tokens[0]?.user)?.value ?? '' };
  expect((await svc(there, ['labels', 'create', '--name', 'Two'], { env: other })).code).toBe(0);
  expect(await problem([...flags, '--plan', plan], { env: other })).toEqual([2, expect.stringContaining('and user 1 of')]);
  expect(await problem([...flags, '--plan', plan, '--resource', 'customers', '--dry-run'])).toEqual([
    0,
    'svc wrote no plan, which would have 1 write.\n',
  ]);
  await writeFile(plan, 'mine');
  expect(await problem([...flags, '--plan', plan])).toEqual([6, expect.stringContaining(`${plan} exists`)]);
  expect(await readFile(plan, 'utf8')).toBe('mine');
});
