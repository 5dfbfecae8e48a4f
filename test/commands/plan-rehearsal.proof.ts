// A month’s end that is rehearsed on the sandbox of a sandbox. After svc apply, the organisation has the records of the rehearsal, but for
// ids and times. Kills before steps of svc apply, while another hand edits a record of the plan: nothing is lost, and nothing runs twice.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { openSandboxOrigins } from '../../src/config/sandbox-origins.ts';
import type { Deps } from '../../src/deps.ts';
import { nodeFiles } from '../../src/system/files.ts';
import { rehearse as inSandbox } from '../sandbox/from-organisation.ts';
import { randomOf } from '../support/random.ts';
import { runKillable } from '../support/run-killable.ts';
import { type RunOptions, type SignedIn, signedIn } from '../support/svc.ts';

/** The distance between two killed steps. 1 kills before every step. */
const STRIDE = Number(process.env['SVC_TEST_STRIDE'] ?? 60);
const NOUNS = ['customers', 'projects', 'work-items', 'subtasks', 'labels', 'worklogs', 'sales-invoices', 'sales-invoice-rows'] as const;

const READ = [...NOUNS, 'users', 'workflows', 'workflow-statuses', 'workflow-transitions'];

type Fields = Record<string, unknown> & { readonly id: number };
let here: SignedIn;
let count = 0;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());

/** Runs svc in a sandbox with the records of the organisation, and expects success. */
type Rehearse = (argv: readonly string[], options?: RunOptions) => Promise<Fields>;

/** Reads the records of the organisation again, and starts the sandbox with them. */
async function withSandbox(use: (host: string, env: Record<string, string>, rehearse: Rehearse) => Promise<void>): Promise<void> {
  const synced = await here.svc(['sync', ...READ, '--no-children', '--host', here.host]);
  expect(synced.code, synced.stderr).toBe(0);
  const ended = await inSandbox(here, [], async ({ host, token }) => {
    const env = { SVC_TOKEN: token };
    await use(host, env, async (argv, options) => {
      const { code, stdout, stderr } = await here.svc([...argv, '--host', host], { ...options, env });
      expect(code, `${argv.join(' ')}: ${stderr}`).toBe(0);
      return stdout.trim() === '' ? {} : JSON.parse(stdout);
    });
  });
  expect(ended.code, ended.stderr).toBe(0);
}

/** Sends a request to the organisation with another program. */
async function byAnotherHand(method: string, path: string, body: object): Promise<Fields> {
  const answer = await fetch(`${here.sandbox.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${here.sandbox.tokens[0]?.value}`,
      'content-type': 'application/json',
      'idempotency-key': `${count++}`,
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  const record = (await answer.json()) as Fields & { readonly data?: Fields };
  return record.data ?? record;
}

async function approved(plan: string): Promise<string[]> {
  const shown = await here.svc(['apply', plan, '--no-input', '--host', here.host]);
  return ['apply', plan, `--yes=${JSON.parse(shown.stdout).sha256}`, '--host', here.host];
}

/** Returns the records of a host by id. */
async function recordsOf(noun: string, host: string, env: Record<string, string>): Promise<Map<number, Fields>> {
  const { code, stdout, stderr } = await here.svc([noun, 'list', '--view', 'detail', '--host', host], { env });
  expect(code, stderr).toBe(0);
  return new Map((JSON.parse(stdout) as Fields[]).map((record) => [record.id, record]));
}

/** The fields that depend on ids and times, and the counter of changes. */
const THEIRS = ['customers', 'projects', 'work-items', 'labels', 'worklogs', 'sales-invoices'] as const;
const UNLIKE = new Set(['created_at', 'updated_at', 'links', 'web_url', 'issue_key', 'number', 'version']);

test('svc apply creates the rehearsed records in the organisation, and svc undo undoes each write that svc can undo', {
  timeout: 600_000,
}, async () => {
  const catalog = builtInCatalog();
  const at = (noun: string) => recordsOf(noun, here.host, {});
  await withSandbox(async (host, env, rehearse) => {
    // The next ids of the organisation differ from those of the sandbox.
    const other = await byAnotherHand('POST', '/projects', { name: 'Theirs' });
    const theirs = [
      await byAnotherHand('POST', '/customers', { name: 'Theirs' }),
      other,
      await byAnotherHand('POST', '/work-items', { title: 'Theirs', project_id: other.id }),
      await byAnotherHand('POST', '/labels', { name: 'Theirs' }),
      await byAnotherHand('POST', '/worklogs', { date: '2026-01-05', minutes: 5 }),
      await byAnotherHand('POST', '/sales-invoices', { customer_id: 1 }),
    ];
    expect(theirs).toHaveLength(6);
    const before = new Map(await Promise.all(NOUNS.map(async (noun) => [noun, await at(noun)] as const)));

    const customer = await rehearse(['customers', 'create', '--name', 'Month end']);
    const project = await rehearse([
      'projects',
      'create',
      '--name',
      'Month end',
      '--customer',
      String(customer.id),
      '-f',
      'key_prefix=MON',
    ]);
    const item = await rehearse(['work-items', 'create', '--title', 'Month end', '--project', String(project.id)]);
    const key = String(item['issue_key']);
    await rehearse(['work-items', 'subtasks', 'create', key, '--title', 'Part']);
    const label = await rehearse(['labels', 'create', '--name', 'Month end']);
    await rehearse(['work-items', 'update', key, '--data', JSON.stringify({ label_ids: [label.id] })]);
    const transitions = [...(await recordsOf('workflow-transitions', host, env)).values()];
    for (const each of [item, ...[...(await recordsOf('work-items', host, env)).values()].slice(0, 3)]) {
      const to = transitions.find((one) => one['from_status_id'] === each['workflow_status_id'])?.['to_status_id'];
      if (to !== undefined) await rehearse(['work-items', 'transition', String(each['issue_key'] ?? each.id), '--to', String(to)]);
    }
    const file = join(here.home, 'hours.csv');
    const rows = [1, 2, 3, 4, 5, 6].map((day) => `2026-10-0${day},${day * 15},Imported ${day},Month end`);
    await writeFile(file, `date,minutes,description,project\n${rows.join('\n')}\n`);
    await rehearse(['worklogs', 'import', file]);
    await rehearse(['worklogs', 'add', '1h30', key, 'More', '--date', '2026-11-07']);
    await rehearse(['billing', 'draft', '2026-10', '--customer', String(customer.id), '--rate', '95', '--vat', '21', '--yes']);
    const old = [...(await recordsOf('worklogs', host, env)).values()].slice(0, 8);
    for (const { id } of old.slice(0, 3)) await rehearse(['worklogs', 'update', String(id), '--minutes', '33', '--description', 'Fixed']);
    await rehearse(['worklogs', 'update', String(old[0]?.id), '--minutes', '34', '--project', String(project.id)]);
    await rehearse(['worklogs', 'delete', String(old[4]?.id), '--yes']);
    await rehearse(['worklogs', 'update', String(old[5]?.id), '--minutes', '35']);
    await rehearse(['undo']);
    const fixed = await here.svc(['check', '2024-03-04', '--fix', '--host', host], {
      env,
      answers: ['Log hours on that day', 'No work item', '3h', 'Planning', true],
    });
    expect(fixed.stderr).toContain('Done.');
    await rehearse(['sync', 'worklogs', 'projects']);
    const fix = join(here.home, 'fix.plan');
    await rehearse([
      'sql',
      '--plan',
      fix,
      `UPDATE hours SET project = 'Month end', minutes = minutes + 1 WHERE id IN (${old[6]?.id}, ${old[7]?.id})`,
    ]);
    const { stdout: toApply } = await here.svc(['apply', fix, '--no-input', '--host', host], { env });
    await rehearse(['apply', fix, `--yes=${JSON.parse(toApply).sha256}`]);

    const plan = join(here.home, 'month.plan');
    const planned = await here.svc(['history', '--host', host, '--for', here.host, '--plan', plan], { env });
    expect(planned.code, planned.stderr).toBe(0);
    const list = JSON.parse(planned.stdout) as { write: number | null; record_id: number; reason: string | null }[];
    expect(list.flatMap(({ reason }) => reason?.replace(/\d+/, 'n') ?? [])).toEqual(['undone by entry n', 'the write undid entry n']);
    const done = await here.svc(await approved(plan));
    expect(done.code, done.stderr).toBe(0);

    // The ids in the organisation of the records that the rehearsal created.
    const results = new Map((JSON.parse(done.stdout) as { number: number; id: number }[]).map(({ number, id }) => [number, id]));
    const lines = (await readFile(plan, 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as { method: string; path: string; noun: string });
    const ids = new Map<string, number>();
    for (const { write, record_id: made } of list) {
      const { method, noun, path } = lines[(write ?? 0) - 1] ?? {};
      if (method === 'POST' && !path?.includes('/actions/')) ids.set(`${noun} ${made}`, results.get(write ?? 0) ?? 0);
    }
    expect(ids.size).toBe(15);
    const idThere = (noun: string | undefined, id: unknown) => ids.get(`${noun} ${id}`) ?? id;
    let compared = 0;
    for (const noun of NOUNS) {
      const fields = (await catalog.find(noun))?.fields ?? {};
      const rehearsed = [...(await recordsOf(noun, host, env)).values()].map((record) =>
        Object.fromEntries(
          Object.entries(record).flatMap(([name, value]) => {
            const of = name === 'id' ? noun : (fields[name]?.ref ?? (name === 'label_ids' ? 'labels' : undefined));
            const mapped = Array.isArray(value) ? value.map((each) => idThere(of, each)) : idThere(of, value);
            return UNLIKE.has(name) ? [] : [[name, of === undefined ? value : mapped]];
          }),
        ),
      );
      const found = await at(noun);
      const others = new Set(theirs.map(({ id }, index) => `${THEIRS[index]} ${id}`));
      const own = [...found.values()].filter(({ id }) => !others.has(`${noun} ${id}`));
      const stripped = own.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => !UNLIKE.has(name))));
      const byId = (one: Record<string, unknown>, other: Record<string, unknown>) => Number(one['id']) - Number(other['id']);
      expect(stripped.sort(byId), noun).toEqual(rehearsed.sort(byId));
      compared += stripped.length;
    }
    console.info(`${compared} records compared, ${ids.size} created`);

    // A delete has no undo, and a transition has one only if the workflow has a transition back.
    const undone = await here.svc(['undo', '--yes', '--host', here.host]);
    const kept = (JSON.parse(undone.stdout) as { path: string; undone: boolean }[]).filter((row) => !row.undone).map(({ path }) => path);
    expect(kept.every((path) => path.includes('/actions/transition') || path === `/worklogs/${old[4]?.id}`)).toBe(true);
    for (const noun of NOUNS) {
      const now = await at(noun);
      const same = (record: Fields | undefined) => Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !UNLIKE.has(name)));
      for (const [id, record] of before.get(noun) ?? []) {
        if (kept.some((path) => path.startsWith(`/${noun}/${record['issue_key'] ?? id}`))) continue;
        expect({ noun, ...same(now.get(id)) }).toEqual({ noun, ...same(record) });
      }
      expect(now.size, noun).toBe((before.get(noun)?.size ?? 0) - (noun === 'worklogs' ? 1 : 0));
    }
  });
});

/** Lets another hand edit before the n-th request of svc. */
const editing = (at: number, work: () => Promise<unknown>) => {
  let requests = 0;
  return (deps: Deps): Deps => ({
    ...deps,
    network: {
      ...deps.network,
      warm: () => undefined,
      async request(request) {
        requests += 1;
        if (requests === at) await work();
        return deps.network.request(request);
      },
    },
  });
};

test('svc apply creates each rehearsed record once, and keeps the writes of another person, after kills at different steps', {
  timeout: 3_600_000,
}, async () => {
  const random = randomOf(1);
  const made = (noun: string, field: string, value: string) => here.sandbox.rows(noun).filter((row) => row[field] === value);
  const entry = (id: number): Readonly<Record<string, unknown>> => here.sandbox.rows('worklogs').find((row) => row['id'] === id) ?? {};
  let [kills, differing] = [0, 0];
  await withSandbox(async (host, env, rehearse) => {
    const origins = openSandboxOrigins(nodeFiles(), join(here.home, '.local', 'state', 'svc'));
    for (let step = 1, round = 0, isDone = false; !isDone; step += STRIDE, round += 1) {
      // The plan of a round has only the writes of the round.
      const origin = await origins.originOf({ origin: `http://${host}` });
      if (origin !== undefined) await origins.keep({ ...origin, started_at: new Date().toISOString() });
      const [name, one, two] = [`Round ${round}`, 100 + 2 * round, 101 + 2 * round];
      const project = await rehearse(['projects', 'create', '--name', name]);
      const item = await rehearse(['work-items', 'create', '--title', name, '--project', String(project.id)]);
      const logged = await rehearse(['worklogs', 'add', '--minutes', '30', '--project', String(project.id), '--description', name]);
      await rehearse(['worklogs', 'update', String(logged.id), '--minutes', '40']);
      await rehearse(['work-items', 'subtasks', 'create', String(item.id), '--title', name]);
      for (const id of [one, two]) await rehearse(['worklogs', 'update', String(id), '--minutes', '77', '--project', String(project.id)]);
      const plan = join(here.home, `${round}.plan`);
      const planned = await here.svc(['history', '--host', host, '--for', here.host, '--plan', plan], { env });
      expect(planned.code, planned.stderr).toBe(0);
      const argv = await approved(plan);
      const was = [entry(one), entry(two)];
      const edits = random() < 0.5 ? { minutes: 555 } : { description: `Another hand ${round}` };
      let isEdited = false;
      const edit = async () => {
        isEdited = true;
        await byAnotherHand('PATCH', `/worklogs/${two}`, edits);
      };
      here.sandbox.requests.length = 0;
      const hand = editing(2 + Math.floor(random() * 12), edit);
      const killed = await runKillable(step, (around) => here.svc(argv, { around: (deps) => around(hand(deps)) }));
      isDone = killed !== undefined;
      if (!isDone) kills += 1;
      if (!isEdited) await edit();
      let result = await here.svc(argv);
      for (const [, number] of result.stderr.matchAll(/svc outbox drop (\d+)/g)) {
        expect((await here.svc(['outbox', 'drop', number ?? '', '--host', here.host])).code).toBe(0);
        result = await here.svc(argv);
      }
      const text = `step ${step}, ${JSON.stringify(edits)}: ${result.stderr}`;
      expect([0, 10], text).toContain(result.code);
      const [[own], [task], [time]] = [
        made('projects', 'name', name),
        made('work-items', 'title', name),
        made('worklogs', 'description', name),
      ];
      for (const [noun, field] of [
        ['projects', 'name'],
        ['work-items', 'title'],
        ['worklogs', 'description'],
      ] as const)
        expect({ text, noun, count: made(noun, field, name).length }).toEqual({ text, noun, count: 1 });
      expect({ text, subtasks: made('subtasks', 'title', name) }).toMatchObject({ text, subtasks: [{ work_item_id: task?.['id'] }] });
      expect(task).toMatchObject({ project_id: own?.['id'] });
      expect({ text, ...time }).toMatchObject({ text, project_id: own?.['id'], minutes: 40 });
      expect({ text, ...entry(one) }).toMatchObject({ text, minutes: 77, project_id: own?.['id'], description: was[0]?.['description'] });
      const isForeign = 'minutes' in edits;
      if (isForeign) differing += 1;
      expect({ text, ...entry(two) }).toMatchObject({ text, ...(isForeign ? {} : { minutes: 77 }), ...edits });
      const sent = here.sandbox.requests.filter(
        ({ method, path, body, status }) => method === 'PATCH' && path.endsWith(`/${two}`) && body.includes('77') && status === 200,
      );
      expect({ text, sent: sent.length }).toEqual({ text, sent: isForeign ? expect.toBeOneOf([0, 1]) : 1 });
    }
  });
  console.info(`${kills} kills, ${differing} edits of the same field`);
  expect(kills).toBeGreaterThan(2);
});
