import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sent } from '../support/sent.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

/** Writes that are planned, reviewed, and then sent unchanged. */
let here: SignedIn;
let file: string;
let count = 0;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
  file = `${here.home}/${++count}.plan`;
});

const writes = () => sent(here.sandbox).filter((line) => !line.startsWith('GET'));
const add = (...more: string[]) => here.svc(['worklogs', 'add', '--minutes', '30', '--description', `Planned ${count}`, ...more]);
const made = async () => (JSON.parse((await add()).stdout) as { id: number }).id;
const logged = () => here.sandbox.rows('worklogs').filter((row) => row['description'] === `Planned ${count}`).length;
const digest = async () => (JSON.parse((await here.svc(['apply', file, '--no-input'])).stdout) as { sha256: string }).sha256;

describe('--plan', () => {
  it('adds each write to the file, sends nothing, and prints the apply command', async () => {
    const id = await made();
    here.sandbox.requests.length = 0;
    const planned = await add('--plan', file);
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr).toContain(`Planned as write 1 of ${file}; svc did not send the write. To send the plan: svc apply ${file}`);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45'], { env: { SVC_PLAN: file } });
    const deleted = await here.svc(['worklogs', 'delete', String(id), '--plan', file]);
    expect(JSON.parse(deleted.stdout)).toEqual([{ id, deleted: false }]);
    expect(writes()).toEqual([]);
    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ method, path }) => [method, path])).toEqual([
      [undefined, undefined],
      ['POST', '/worklogs'],
      ['PATCH', `/worklogs/${id}`],
      ['DELETE', `/worklogs/${id}`],
    ]);
    expect(lines[2]?.['if_match']).toBeTruthy();
  });

  it('is required for every write when SVC_PLAN_ONLY is set', async () => {
    const env = { SVC_PLAN_ONLY: '1' };
    for (const argv of [
      ['worklogs', 'add', '--minutes', '30'],
      ['api', 'DELETE', '/worklogs/1', '--yes'],
      ['worklogs', 'delete', '1', '--yes'],
    ]) {
      const refused = await here.svc(argv, { env });
      expect(refused.code, refused.stderr).toBe(5);
      expect(refused.stderr).toContain('--plan <file>');
    }
    expect((await here.svc(['worklogs', 'add', '--minutes', '30', '--plan', file], { env })).code).toBe(0);
    expect((await here.svc(['apply', file, `--yes=${await digest()}`], { env })).code).toBe(5);
    expect(writes()).toEqual([]);
  });
});

describe('svc apply', () => {
  it('shows the plan, and sends its writes after a yes', async () => {
    await add('--plan', file);
    const no = await here.svc(['apply', file], { answers: [false] });
    expect(no.code).toBe(1);
    expect(no.stderr).toContain(`1. POST /worklogs {`);
    expect(writes()).toEqual([]);
    const yes = await here.svc(['apply', file], { answers: [true] });
    expect(yes.code, yes.stderr).toBe(0);
    expect(JSON.parse(yes.stdout)).toMatchObject([{ number: 1, result: 'done' }]);
    expect(logged()).toBe(1);
  });

  it('requires --yes=<digest> outside a terminal, and exits 2 for --yes alone', async () => {
    await add('--plan', file);
    const shown = await here.svc(['apply', file, '--no-input']);
    expect(shown.code).toBe(2);
    const { sha256, writes: planned } = JSON.parse(shown.stdout) as { sha256: string; writes: unknown[] };
    expect(planned).toMatchObject([{ number: 1, method: 'POST', path: '/worklogs', body: { minutes: 30 } }]);
    expect(shown.stderr).toContain(`svc apply ${file} --yes=${sha256}`);
    expect((await here.svc(['apply', file, '--yes'])).code).toBe(2);
    expect(writes()).toEqual([]);
    const done = await here.svc(['apply', file, `--yes=${sha256}`]);
    expect(done.code, done.stderr).toBe(0);
    expect(logged()).toBe(1);
  });

  it('--dry-run prints the plan and its cost, and sends nothing', async () => {
    await add('--plan', file);
    const sha256 = await digest();
    here.sandbox.requests.length = 0;
    for (const approval of [[], [`--yes=${sha256}`]]) {
      const shown = await here.svc(['apply', file, '--dry-run', ...approval]);
      expect(shown.code, shown.stderr).toBe(0);
      expect(JSON.parse(shown.stdout)).toMatchObject({ sha256, cost: { write: 1, read: 1 }, writes: [{ method: 'POST' }] });
    }
    expect(here.sandbox.requests).toEqual([]);
  });

  it('exits 6 and sends nothing when the plan has changed by one byte', async () => {
    await add('--plan', file);
    const approved = await digest();
    await writeFile(file, (await readFile(file, 'utf8')).replace('\\"minutes\\":30', '\\"minutes\\":31'));
    const result = await here.svc(['apply', file, `--yes=${approved}`]);
    expect(result.code, result.stderr).toBe(6);
    expect(result.stderr).toContain('differs from the approved plan');
    expect(result.stderr).toContain(`To see the plan again: svc apply ${file} --no-input\n`);
    expect(writes()).toEqual([]);
  });

  it('exits 6 and sends no write when a record has changed since the plan', async () => {
    const id = await made();
    await add('--plan', file);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45', '--plan', file]);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '50']);
    here.sandbox.requests.length = 0;
    const result = await here.svc(['apply', file, `--yes=${await digest()}`]);
    expect(result.code, result.stderr).toBe(6);
    expect(result.stderr).toContain(`write 2: /worklogs/${id} was changed since`);
    expect(writes()).toEqual([]);
  });

  it('applies two updates of one record in a row', async () => {
    const id = await made();
    for (const minutes of ['45', '50']) await here.svc(['worklogs', 'update', String(id), '--minutes', minutes, '--plan', file]);
    const result = await here.svc(['apply', file, `--yes=${await digest()}`]);
    expect(result.code, result.stderr).toBe(0);
    expect(here.sandbox.rows('worklogs').find((row) => row['id'] === id)).toMatchObject({ minutes: 50 });
  });

  it('creates labels, which users can reorder, in the order of the plan', async () => {
    const names = ['First', 'Second', 'Third'];
    for (const name of names) await here.svc(['labels', 'create', '--name', name, '--plan', file]);
    here.sandbox.setFaults([{ method: 'POST', path: '/labels', skip: 1, delayMs: 200 }]);
    const result = await here.svc(['apply', file, `--yes=${await digest()}`]);
    expect(result.code, result.stderr).toBe(0);
    expect(here.sandbox.rows('labels').flatMap(({ name }) => (names.includes(String(name)) ? [name] : []))).toEqual(names);
  });

  it('sends only the remaining writes when run again after a lost answer', async () => {
    const id = await made();
    await add('--plan', file);
    await here.svc(['worklogs', 'update', String(id), '--minutes', '45', '--plan', file]);
    await here.svc(['worklogs', 'update', String(id), '--description', `Planned ${count}`, '--plan', file]);
    const approved = `--yes=${await digest()}`;
    const before = logged();
    here.sandbox.setFaults([{ method: 'PATCH', path: `/worklogs/${id}`, drop: 'after' }]);
    expect((await here.svc(['apply', file, approved], { hurried: true })).code).toBe(8);
    const rest = await here.svc(['apply', file, approved]);
    expect(rest.code, rest.stderr).toBe(0);
    expect((JSON.parse(rest.stdout) as { result: string }[]).map(({ result }) => result)).toEqual(['done before', 'done before', 'done']);
    expect((await here.svc(['apply', file, approved])).stderr).toContain('3 were done before');
    expect(logged()).toBe(before + 1);
  });

  it('counts a lost write as done after a day, but exits 6 if another write created the record (rule 18.29)', async () => {
    const later = { now: Date.now() + 2 * 24 * 60 * 60_000 };
    const lost = async (drop: 'before' | 'after') => {
      here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', drop, times: Number.POSITIVE_INFINITY }]);
      expect((await here.svc(['apply', file, `--yes=${await digest()}`], { hurried: true })).code).toBe(8);
      here.sandbox.setFaults([]);
      return here.svc(['apply', file, `--yes=${await digest()}`], later);
    };
    await add('--plan', file);
    const found = await lost('after');
    expect(found.code, found.stderr).toBe(0);
    expect(found.stderr).toContain('1 was done before');
    expect(logged()).toBe(1);

    // The same again, when svc knows that the existing record belongs to another write.
    await writeFile(file, '');
    await add('--plan', file);
    const doubtful = await lost('before');
    expect(doubtful.code, doubtful.stderr).toBe(6);
    const [, number] = /To send the write, apply the plan again after: svc outbox drop (\d+)/.exec(doubtful.stderr) ?? [];
    expect(logged()).toBe(1);
    expect((await here.svc(['outbox', 'drop', number ?? ''])).code).toBe(0);
    expect((await here.svc(['apply', file, `--yes=${await digest()}`], later)).code).toBe(0);
    expect(logged()).toBe(2);
  });

  it('refuses a plan of another account', async () => {
    await add('--plan', file);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"account":"\d+"/, '"account":"99"'));
    const result = await here.svc(['apply', file, `--yes=${await digest()}`]);
    expect(result.code, result.stderr).toBe(2);
    expect(writes()).toEqual([]);
  });
});
