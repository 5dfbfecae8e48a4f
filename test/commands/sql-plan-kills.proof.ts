// svc apply of a plan from svc sql, killed before each step, while another hand edits records of the plan. Nothing is lost, nothing runs
// twice, and the values of the other hand stay.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { randomOf } from '../support/random.ts';
import { runKillable } from '../support/run-killable.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** The distance between two killed steps. 1 kills before every step. */
const STRIDE = Number(process.env['SVC_TEST_STRIDE'] ?? 9);
const RECORDS = 5;

let here: SignedIn;
let other: { token: string };
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  other = { token: here.sandbox.tokens[0]?.value ?? '' };
  const { code, stderr } = await here.svc(['sync', 'worklogs', 'projects']);
  expect(code, stderr).toBe(0);
});
afterAll(() => here.remove());

/** Edits a record with another program. */
async function edit(id: number, body: object): Promise<void> {
  const { status } = await fetch(`${here.sandbox.baseUrl}/worklogs/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

/** Lets the other hand edit before the n-th request of svc. */
const editing = (at: number, work: () => Promise<void>) => {
  let count = 0;
  return (deps: Deps): Deps => ({
    ...deps,
    network: {
      ...deps.network,
      warm: () => undefined,
      async request(request) {
        count += 1;
        if (count === at) await work();
        return deps.network.request(request);
      },
    },
  });
};

test('svc apply, killed at different steps, loses no write, sends no write twice and keeps another person’s values', {
  timeout: 3_600_000,
}, async () => {
  const random = randomOf(1);
  const row = (id: number): Readonly<Record<string, unknown>> => here.sandbox.rows('worklogs').find((one) => one['id'] === id) ?? {};
  const all = here.sandbox.rows('worklogs').map(({ id }) => Number(id));
  let [kills, edits] = [0, 0];
  for (let step = 1, round = 0; ; step += STRIDE, round += 1) {
    const ids = all.slice(round * RECORDS, (round + 1) * RECORDS);
    const before = new Map(ids.map((id) => [id, { ...row(id) }]));
    const plan = join(here.home, `${round}.plan`);
    const planned = await here.svc(['sql', '--plan', plan, `UPDATE worklogs SET minutes = minutes + 1 WHERE id IN (${ids})`]);
    expect(planned.code, planned.stderr).toBe(0);
    const { sha256 } = JSON.parse((await here.svc(['apply', plan, '--no-input'])).stdout) as { sha256: string };
    const argv = ['apply', plan, `--yes=${sha256}`];
    here.sandbox.requests.length = 0;

    const victim = ids[Math.floor(random() * RECORDS)] ?? 0;
    const isSameField = random() < 0.5;
    const body = isSameField ? { minutes: 555 } : { description: `Another hand ${round}` };
    let isEdited = false;
    const hand = editing(1 + Math.floor(random() * RECORDS * 2 + 2), async () => {
      isEdited = true;
      await edit(victim, body);
    });
    const killed = await runKillable(step, (around) => here.svc(argv, { around: (deps) => around(hand(deps)) }));
    if (killed === undefined) kills += 1;
    // A hand that did not get to work before the kill works after it.
    if (!isEdited) await edit(victim, body);
    edits += 1;

    let result = await here.svc(argv);
    for (const [, number] of result.stderr.matchAll(/svc outbox drop (\d+)/g)) {
      expect((await here.svc(['outbox', 'drop', number ?? ''])).code).toBe(0);
      result = await here.svc(argv);
    }
    expect([0, 10], result.stderr).toContain(result.code);
    const text = `step ${step}, ${JSON.stringify(body)} in ${victim}: ${result.stderr}`;
    for (const id of ids) {
      const old: Readonly<Record<string, unknown>> = before.get(id) ?? {};
      const wanted = Number(old['minutes']) + 1;
      const isForeign = id === victim && isSameField;
      expect({ text, minutes: row(id)['minutes'] }).toEqual({ text, minutes: isForeign ? 555 : wanted });
      if (id === victim && !isSameField) expect(row(id)['description']).toBe(`Another hand ${round}`);
      const ran = here.sandbox.requests.filter(
        ({ method, path, body: sent, status }) =>
          method === 'PATCH' && path.endsWith(`/worklogs/${id}`) && sent === `{"minutes":${wanted}}` && status === 200,
      );
      expect({ text, ran: ran.length }).toEqual({ text, ran: isForeign ? expect.toBeOneOf([0, 1]) : 1 });
    }
    // The plan is one entry of the history, however often svc ran.
    await here.svc(['undo', '--yes']);
    for (const id of ids) if (id !== victim) expect({ text, row: row(id)['minutes'] }).toEqual({ text, row: before.get(id)?.['minutes'] });
    if (isSameField) expect(row(victim)['minutes']).toBe(555);
    expect(await readFile(plan, 'utf8')).toContain('"before":{"minutes":');
    if (killed !== undefined) break;
  }
  console.info(`${kills} kills, ${edits} edits`);
  expect(kills).toBeGreaterThan(5);
});
