import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type WithToken, withToken } from './with-token.ts';

// Chapter 5 of docs/service-rules.md, and the transition of chapter 9.

let here: WithToken;
beforeAll(async () => {
  here = await withToken();
});
afterAll(() => here.remove());
beforeEach(() => void here.sent());

describe('a transition', () => {
  test('sets a status that the workflow allows, and svc prints the detail view (rules 5.1, 5.3, 9.50)', async () => {
    const { id, workflow_status_id } = await here.read('work-items', 'get', 'ABC-12');
    const [{ to_status_id: to }] = await here.read('workflow-transitions', 'list', '--from', String(workflow_status_id));
    here.sent();
    const moved = await here.read('work-items', 'transition', 'ABC-12', '--to', String(to));
    expect(moved).toMatchObject({ id, workflow_status_id: to });
    expect(moved).toHaveProperty('description');
    expect(here.sent()).toEqual([`POST /work-items/ABC-12/actions/transition {"workflow_status_id":${to}}`]);
  });

  test('accepts an ETag and an Idempotency-Key, and runs once with a repeated key (rule 9.48)', async () => {
    const { workflow_status_id, version } = await here.read('work-items', 'get', 'ABC-12');
    const [{ to_status_id: to }] = await here.read('workflow-transitions', 'list', '--from', String(workflow_status_id));
    here.sent();
    const argv = ['work-items', 'transition', 'ABC-12', '--to', String(to), '--idempotency-key', 'k1'];
    for (let times = 0; times < 2; times++) expect((await here.svc(argv)).code).toBe(0);
    expect((await here.svc(['work-items', 'transition', 'ABC-12', '--to', String(to), '--if-match', '"old.old"'])).code).toBe(6);
    const posts = here.sandbox.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers);
    expect(posts.map((headers) => headers['idempotency-key']).slice(0, 2)).toEqual(['k1', 'k1']);
    expect(posts[2]?.['if-match']).toBe('"old.old"');
    expect(await here.read('work-items', 'get', 'ABC-12')).toMatchObject({ workflow_status_id: to, version: version + 1 });
  });

  test('fails with both statuses when the workflow lacks the transition (rules 5.9, 5.13)', async () => {
    const make = async (...argv: string[]): Promise<number> => (await here.read(...argv)).id;
    const workflow = await make('workflows', 'create', '--name', 'bare');
    const status = (name: string) => make('workflow-statuses', 'create', '--workflow', String(workflow), '--name', name);
    const [from, to] = [await status('A'), await status('B')];
    const project = await make('projects', 'create', '--name', 'bare', '-F', `workflow_id=${workflow}`);
    const item = await make('work-items', 'create', '--project', String(project), '--title', 'stuck');
    const { code, stderr } = await here.svc(['work-items', 'transition', String(item), '--to', String(to)]);
    expect(code).toBe(6);
    expect(stderr).toContain(`from_status_id: ${from}`);
    expect(stderr).toContain(`to_status_id: ${to}`);
    expect(stderr).toContain('The workflow allows no transition from A.');
  });

  test('is sent without a view, and svc prints the detail view of the answer (rule 9.47)', async () => {
    const moved = await here.read('work-items', 'transition', 'ABC-12', '--to', '3');
    expect(moved).toHaveProperty('description');
    expect(here.sent()).toEqual(['POST /work-items/ABC-12/actions/transition {"workflow_status_id":3}']);
    const path = '/work-items/ABC-12/actions/transition?view=summary';
    expect((await here.read('api', 'POST', path, '-F', 'workflow_status_id=3')).data).not.toHaveProperty('description');
  });

  test('costs one rate-limit unit for writing and one unit for reading (rule 9.57)', async () => {
    const shown = await here.read('work-items', 'transition', 'ABC-12', '--to', '3', '--dry-run');
    expect([shown.cost, here.sent()]).toEqual([{ write: 1, read: 1 }, []]);
  });
});

test('--running lists the absences without an end (rule 5.14)', async () => {
  const ends = await here.read('absences', 'list', '--running', '--jq', 'map(.end) | unique');
  expect([ends, here.sent()]).toEqual([[null], ['GET /absences?filter[end][null]=true&per_page=100']]);
});
