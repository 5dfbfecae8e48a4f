import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

function sent(): string[] {
  return here.sandbox.requests.splice(0).map(({ method, path }) => `${method} ${decodeURIComponent(path.replace('/api/v2', ''))}`);
}

async function statusOf(key: string): Promise<{ id: number; version: number }> {
  const { stdout } = await here.svc(['work-items', 'get', key, '--fields', 'workflow_status_id,version']);
  sent();
  const { workflow_status_id: id, version } = JSON.parse(stdout);
  return { id, version };
}

describe('svc work-items transition (rule 5.2)', () => {
  /** A work item of the first workflow, in the status that the test needs. */
  const key = 'ABC-12';
  let names: Map<string, number>;
  let legal: Map<number, number[]>;
  /** A status of another workflow, which no transition reaches. */
  let foreign: number;
  beforeAll(async () => {
    const statuses = JSON.parse((await here.svc(['workflow-statuses', 'list', '--workflow', '1'])).stdout);
    names = new Map(statuses.map(({ id, name }: { id: number; name: string }) => [name, id]));
    foreign = JSON.parse((await here.svc(['workflow-statuses', 'list', '--workflow', '2', '--jq', '.[0].id'])).stdout);
    const moves = JSON.parse((await here.svc(['workflow-transitions', 'list'])).stdout);
    legal = Map.groupBy(moves, ({ from_status_id }: { from_status_id: number }) => from_status_id) as never;
    legal = new Map(
      [...legal].map(([from, list]) => [from, (list as never as { to_status_id: number }[]).map((move) => move.to_status_id)]),
    );
  });
  const nameOf = (id: number) => [...names].find(([, other]) => other === id)?.[0] ?? '';

  it('finds the status by its name in the workflow of the work item (rules 5.5, 9.49)', async () => {
    const { id: before, version } = await statusOf(key);
    const [target = 0] = (legal.get(before) ?? []).filter((id) => [...names.values()].includes(id));
    const result = await here.svc(['work-items', 'transition', key, '--to', nameOf(target).toUpperCase()]);
    expect(result.code, result.stderr).toBe(0);
    expect(sent()).toEqual([`GET /work-items/${key}`, 'GET /workflow-statuses?per_page=100', `POST /work-items/${key}/actions/transition`]);
    expect(await statusOf(key)).toEqual({ id: target, version: version + 1 });
  });

  it('sends one request when --to is the id of a status', async () => {
    const { id: before } = await statusOf(key);
    const [target = 0] = legal.get(before) ?? [];
    expect((await here.svc(['work-items', 'transition', key, '--to', String(target)])).code).toBe(0);
    expect(sent()).toEqual([`POST /work-items/${key}/actions/transition`]);
  });

  it('succeeds without a change for the current status (rule 5.6)', async () => {
    const before = await statusOf(key);
    expect((await here.svc(['work-items', 'transition', key, '--to', nameOf(before.id)])).code).toBe(0);
    expect(await statusOf(key)).toEqual(before);
  });

  it('exits 6 for a transition that does not exist, and lists the allowed transitions (rules 5.7, 5.8, 5.10, 9.54)', async () => {
    const before = await statusOf(key);
    const result = await here.svc(['work-items', 'transition', key, '--to', String(foreign)]);
    expect(result.code).toBe(6);
    expect(result.stderr).toContain('illegal_transition');
    const targets = legal.get(before.id)?.map((id) => `${nameOf(id)} (${id})`) ?? [];
    expect(result.stderr).toContain(`Allowed transitions from ${nameOf(before.id)}: ${targets.join(', ')}.`);
    expect(await statusOf(key)).toEqual(before);
  });

  it('prints the refusal of the service when svc has no permission to read the allowed transitions', async () => {
    here.sandbox.setFaults([{ path: '/api/v2/workflow-transitions', status: 403 }]);
    const result = await here.svc(['work-items', 'transition', key, '--to', String(foreign)]);
    expect([result.code, result.stderr.includes('illegal_transition')]).toEqual([6, true]);
  });

  it('exits 6 when --if-match names another version, and changes nothing (rules 6.9, 9.55)', async () => {
    const before = await statusOf(key);
    const [target = 0] = legal.get(before.id) ?? [];
    const result = await here.svc(['work-items', 'transition', key, '--to', String(target), '--if-match', '"stale"']);
    expect([result.code, result.stderr.includes('precondition-failed')]).toEqual([6, true]);
    expect(await statusOf(key)).toEqual(before);
    await here.svc(['work-items', 'get', key]);
    expect((await here.svc(['work-items', 'transition', key, '--to', String(target), '--if-unchanged'])).code).toBe(0);
  });

  it.each([
    [['--to', 'Nowhere'], 'The statuses are '],
    [[], 'needs --to'],
    [['--to', '1', '--if-match', '"x"', '--if-unchanged'], 'You cannot use --if-match and --if-unchanged together'],
  ])('exits 2 with the flags %j, and sends no write', async (flags, words) => {
    const result = await here.svc(['work-items', 'transition', key, ...flags]);
    expect([result.code, result.stderr.includes(words)], result.stderr).toEqual([2, true]);
    expect(sent().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('--dry-run shows the request or the failure of the real run, without a write', async () => {
    const { id: now } = await statusOf(key);
    const dry = (to: string) => here.svc(['work-items', 'transition', key, '--to', to, '--dry-run']);
    for (const [name, id] of names) {
      const result = await dry(name);
      const isAllowed = id === now || legal.get(now)?.includes(id) === true;
      expect(result.code, `${name}: ${result.stderr}`).toBe(isAllowed ? 0 : 6);
      if (isAllowed)
        expect(JSON.parse(result.stdout)).toMatchObject({
          method: 'POST',
          body: { workflow_status_id: id },
          ability: 'api:write:project_management',
        });
      else expect(result.stderr).toContain('Allowed transitions from');
    }
    const unknown = await dry('Nowhere');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('The statuses are ')]);
    expect(sent().filter((line) => line.startsWith('POST'))).toEqual([]);
  });
});

describe('svc sprints complete (rule 9.60)', () => {
  it('completes a sprint, and exits 6 for a completed sprint', async () => {
    const [{ id }] = JSON.parse((await here.svc(['sprints', 'list', '--state', 'active', '--limit', '1'])).stdout);
    const done = await here.svc(['sprints', 'complete', String(id)]);
    expect(JSON.parse(done.stdout)).toMatchObject({ id, state: 'completed' });
    expect((await here.svc(['sprints', 'complete', String(id)])).code).toBe(6);
  });
});

describe('svc workflows apply', () => {
  const FILE = `
name: Support
statuses: [New, {name: Doing, color: blue}, Done]
transitions:
  - New -> Doing
  - from: doing
    to: [New, Done]
`;

  async function apply(text: string, ...flags: string[]) {
    const file = join(here.home, 'workflow.yaml');
    await writeFile(file, text);
    return here.svc(['workflows', 'apply', file, '--output', 'ndjson', ...flags]);
  }

  const results = (stdout: string) =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ step, name, result }) => `${step} ${name}: ${result}`);

  async function there(): Promise<readonly [number, number, number]> {
    const count = async (...argv: string[]) => JSON.parse((await here.svc([...argv, '--jq', 'length'])).stdout);
    const [workflow] = JSON.parse((await here.svc(['workflows', 'list', '--jq', '[.[] | select(.name == "Support")]'])).stdout);
    if (workflow === undefined) return [0, 0, 0];
    const statuses = JSON.parse(
      (await here.svc(['workflow-statuses', 'list', '--workflow', String(workflow.id), '--jq', 'map(.id)'])).stdout,
    );
    const moves = await count('workflow-transitions', 'list', '--filter', `from_status_id.in=${statuses.join(',') || 0}`);
    return [1, statuses.length, moves];
  }

  it('--dry-run shows every step, and sends nothing', async () => {
    const { stdout } = await apply(FILE, '--dry-run');
    const plan = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(plan.map(({ step, name }) => `${step} ${name}`)).toEqual([
      'workflow Support',
      'status New',
      'status Doing',
      'status Done',
      'transition New -> Doing',
      'transition Doing -> New',
      'transition Doing -> Done',
    ]);
    expect(plan[2].body).toEqual({ workflow_id: '<id of Support>', name: 'Doing', color: 'blue' });
    expect(sent()).toEqual([]);
  });

  it('resumes after a failure at any step, and creates nothing twice (rules 5.11, 5.12, 9.43 to 9.45)', async () => {
    const refused = { method: 'POST', status: 422, times: Number.POSITIVE_INFINITY };
    // Each run completes one write and fails at the next. Every second run also loses an answer.
    for (let step = 1; step <= 6; step += 1) {
      here.sandbox.setFaults(step % 2 === 0 ? [{ method: 'POST', drop: 'after' }, refused] : [{ ...refused, skip: 1 }]);
      const failed = await apply(FILE);
      expect(failed.code, failed.stderr).toBe(9);
      expect(failed.stderr.includes('Run the same command again to continue')).toBe(true);
    }
    here.sandbox.setFaults([]);
    const result = await apply(FILE);
    expect(result.code, result.stderr).toBe(0);
    expect(await there()).toEqual([1, 3, 3]);
  });

  it('adds the new parts of the file, and leaves existing parts unchanged', async () => {
    const grown = FILE.replace('Done]', 'Done, Closed]').replace('to: [New, Done]', 'to: [New, Done, Closed]');
    expect(results((await apply(grown)).stdout).filter((line) => line.endsWith(': created'))).toEqual([
      'status Closed: created',
      'transition Doing -> Closed: created',
    ]);
    sent();
    const again = await apply(grown);
    expect(results(again.stdout).every((line) => line.endsWith('exists already'))).toBe(true);
    expect(sent().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('creates deleted parts again (rules 6.12, 7.13)', async () => {
    const [{ id }] = JSON.parse((await here.svc(['workflows', 'list', '--jq', '[.[] | select(.name == "Support")]'])).stdout);
    for (const noun of ['workflow-transitions', 'workflow-statuses']) {
      const rows = JSON.parse((await here.svc([noun, 'list', '--filter', `workflow_id=${id}`, '--jq', 'map(.id)'])).stdout);
      await here.svc([noun, 'delete', ...rows.map(String), '--yes']);
    }
    await here.svc(['workflows', 'delete', String(id), '--yes']);
    expect(await there()).toEqual([0, 0, 0]);
    const result = await apply(FILE);
    expect(result.code, result.stderr).toBe(0);
    expect(results(result.stdout).filter((line) => line.endsWith(': created'))).toHaveLength(7);
    expect(await there()).toEqual([1, 3, 3]);
  });

  it.each([
    ['a transition to a status that the file does not have', 'name: X\nstatuses: [A, B]\ntransitions: [A -> C]'],
    ['a status twice', 'name: X\nstatuses: [A, a]'],
    ['no name for the workflow', 'statuses: [A]'],
    ['an unknown key', 'name: X\norder: 3'],
    ['invalid YAML', 'name: [X'],
    ['a transition without an end', 'name: X\nstatuses: [A]\ntransitions: [A]'],
  ])('refuses a file with %s, and sends nothing', async (_, text) => {
    const result = await apply(text);
    expect([result.code, sent()], result.stderr).toEqual([2, []]);
  });

  it('reads the workflow from standard input', async () => {
    const result = await here.svc(['workflows', 'apply', '-', '--dry-run'], { stdin: 'name: Other' });
    expect(JSON.parse(result.stdout)).toHaveLength(1);
    expect(await readFile(join(here.home, 'workflow.yaml'), 'utf8')).not.toContain('Other');
  });
});
