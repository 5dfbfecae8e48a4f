// svc changes --split that is killed before any step, or in the middle of a write: each change is in its file once, in order.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { randomOf } from '../support/random.ts';
import { runKillable } from '../support/run-killable.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

let here: SignedIn;
let file: string;
let number = 0;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  file = join(here.home, 'team.sqlite');
  expect((await here.svc(['sync', 'projects', 'customers', 'labels', '--to', file])).code).toBe(0);
  record(1_100);
});
afterAll(() => here.remove());

/** Records further changes in the log, as a sync does. Some texts have characters of several bytes. */
function record(count: number): void {
  const database = new DatabaseSync(file);
  const insert = database.prepare('INSERT INTO svc_changes VALUES (?, ?, ?, ?, ?, ?)');
  const { last } = database.prepare('SELECT last FROM svc_log').get() as { last: number };
  database.exec('BEGIN');
  for (let position = last + 1; position <= last + count; position += 1) {
    const after = JSON.stringify({ id: position, name: `näme 🙂 ${position}`, tags: [position] });
    insert.run(position, ['projects', 'customers', 'labels'][position % 3] ?? '', position, null, after, '2026-11-26T10:00:00Z');
  }
  database.exec(`UPDATE svc_log SET last = ${last + count}; COMMIT`);
  database.close();
}

/** Returns the position of each line of the three files. */
async function positionsIn(directory: string): Promise<readonly (readonly number[])[]> {
  const texts = ['projects', 'customers', 'labels'].map((noun) => readFile(join(directory, `${noun}.ndjson`), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).map((text) => {
    expect(text === '' || text.endsWith('\n')).toBe(true);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { position: number }).position);
  });
}

const expected = () => {
  const database = new DatabaseSync(file);
  const all = ['projects', 'customers', 'labels'].map((noun) =>
    database.prepare('SELECT position FROM svc_changes WHERE noun = ? ORDER BY position').all(noun),
  );
  database.close();
  return all.map((rows) => rows.map(({ position }) => Number(position)));
};

const words = (directory: string, ...more: string[]) => ['changes', '--split', directory, '--database', file, ...more];
const nextDirectory = () => {
  number += 1;
  return join(here.home, `split-${number}`);
};

it('svc changes loses and repeats no change after a kill before any step', async () => {
  const count = { kills: 0, resumed: 0 };
  for (let step = 1, isKilled = true; isKilled; step += 1) {
    const directory = nextDirectory();
    const result = await runKillable(step, (around) => here.svc(words(directory, '--since', '0'), { around }));
    isKilled = result === undefined;
    if (isKilled) count.kills += 1;
    record(1);
    // The first run may have stored its position.
    const more = await here.svc(words(directory, '--since', '0'));
    if (more.code === 2) count.resumed += 1;
    const last = more.code === 2 ? await here.svc(words(directory)) : more;
    expect(last.code, `step ${step}: ${last.stderr}`).toBe(0);
    expect(await positionsIn(directory), `step ${step}`).toEqual(expected());
  }
  console.info(count);
  expect(count.kills).toBeGreaterThan(30);
});

it('svc changes loses and repeats no change after an append that wrote only some bytes', async () => {
  const random = randomOf(1);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  for (let round = 0; round < 25; round += 1) {
    const directory = nextDirectory();
    let left = whole(1, 9);
    const around = (deps: Deps): Deps => ({
      ...deps,
      files: {
        ...deps.files,
        async append(path, text) {
          left -= 1;
          const bytes = Buffer.from(text);
          await deps.files.append(path, left === 0 ? bytes.subarray(0, whole(0, bytes.length)) : bytes);
          if (left === 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
        },
      },
    });
    const first = await here.svc(words(directory, '--since', '0'), { around });
    expect(first.code).toBe(1);
    record(whole(0, 2));
    left = whole(1, 9);
    await here.svc(words(directory), { around });
    const last = await here.svc(words(directory));
    expect(last.code, last.stderr).toBe(0);
    expect(await positionsIn(directory), `round ${round}`).toEqual(expected());
  }
});

it('svc changes loses and repeats no change when svc reads from the service and is killed', async () => {
  const token = here.sandbox.tokens[0]?.value ?? '';
  const own = join(here.home, 'own.sqlite');
  const directory = nextDirectory();
  const run = ['changes', 'projects', '--split', directory, '--to', own];
  expect((await here.svc(run)).code).toBe(0);
  let kills = 0;
  for (let step = 3; ; step += 23) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: `Name ${step}` });
    expect((await fetch(`${here.sandbox.baseUrl}/projects/1`, { method: 'PATCH', headers, body })).ok).toBe(true);
    const result = await runKillable(step, (around) => here.svc(run, { around }));
    const last = await here.svc(run);
    expect(last.code, last.stderr).toBe(0);
    const names = (await readFile(join(directory, 'projects.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(names.map((line) => (JSON.parse(line) as { position: number }).position)).toEqual(names.map((_, at) => at + 1));
    expect(JSON.parse(names.at(-1) ?? '')).toMatchObject({ after: { name: `Name ${step}` } });
    if (result !== undefined) break;
    kills += 1;
  }
  console.info({ kills });
});
