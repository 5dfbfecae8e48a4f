// After any end of a sync, each table is old or new, never a mixture. The next sync makes every table new.
// The test uses SIGKILL at any step, a full disk, a second sync and an export. SVC_TEST_FULL=1 runs every second step, and 50 pairs.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { fingerprints } from '../support/local-database-file.ts';
import { IS_FULL, startOf } from '../support/parts.ts';
import { runKillable } from '../support/run-killable.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const KILL_AT = new URL('../journal/fixtures/kill-at.ts', import.meta.url).pathname;
/** Long and short tables, and child records. */
const RESOURCE_NAMES = ['worklogs', 'work-items', 'customers', 'projects'];

let here: SignedIn;
let token: string;
const file = (name: string) => join(here.home, `${name}.sqlite`);

beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  token = here.sandbox.tokens[0]?.value ?? '';
  expect((await here.svc(['sync', ...RESOURCE_NAMES, '--to', file('old')])).code).toBe(0);
  // Removes a column, as if an older API spec had fewer fields. The next sync creates the table again.
  const database = new DatabaseSync(file('old'));
  database.exec('ALTER TABLE projects DROP COLUMN status');
  database.close();
  await changeAll();
  expect((await here.svc(['sync', ...RESOURCE_NAMES, '--to', file('new')])).code).toBe(0);
}, 120_000);
afterAll(() => here.remove());

async function change(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${here.sandbox.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`).toBe(true);
}

/** Creates, changes and deletes a record in every table. */
async function changeAll(): Promise<void> {
  for (const minutes of [10, 20]) await change('POST', '/worklogs', { date: '2026-11-02', minutes });
  for (const id of [100, 2000]) await change('PATCH', `/worklogs/${id}`, { minutes: 77 });
  for (const id of [200, 201, 3000]) await change('DELETE', `/worklogs/${id}`);
  await change('PATCH', '/customers/2', { name: 'Another name' });
  await change('POST', '/customers', { name: 'A new one' });
  await change('POST', '/work-items/3/comments', { body: 'A new comment' });
  await change('PATCH', '/work-items/3', { title: 'Another title' });
  await change('DELETE', '/work-items/7');
}

/** @returns the number of old tables, and of new tables. */
function expectOldOrNew(path: string, what: string): { readonly old: number; readonly fresh: number } {
  const [before, after, found] = [fingerprints(file('old')), fingerprints(file('new')), fingerprints(path)];
  let [old, fresh] = [0, 0];
  for (const [noun, print] of Object.entries(found)) {
    expect([before[noun], after[noun]], `${what}: ${noun}`).toContain(print);
    if (print === before[noun]) old += 1;
    if (print === after[noun]) fresh += 1;
  }
  return { old, fresh };
}

async function expectNewAfterSync(path: string, what: string): Promise<void> {
  const { code, stderr } = await here.svc(['sync', ...RESOURCE_NAMES, '--to', path]);
  expect(code, `${what}: ${stderr}`).toBe(0);
  expect(fingerprints(path), what).toEqual(fingerprints(file('new')));
  // No temporary directory is left.
  expect(await readdir(here.home)).not.toContain(`${path.split('/').at(-1)}.sync`);
}

it('the old and the new local database differ in each resource', () => {
  const [before, after] = [fingerprints(file('old')), fingerprints(file('new'))];
  expect(Object.keys(before)).toEqual(Object.keys(after));
  for (const noun of [...RESOURCE_NAMES, 'work-items.comments']) expect(before[noun], noun).not.toBe(after[noun]);
});

it.each(['refreshed', 'read for the first time'])(
  'a table that is %s has its old or its new rows after a kill during a sync',
  { timeout: 3_600_000 },
  async (how) => {
    const isFirst = how !== 'refreshed';
    const seen = { old: 0, fresh: 0, kills: 0 };
    // A first sync has one step per row, so the test does not use every step.
    const stride = isFirst ? (IS_FULL ? 61 : 9_000) : IS_FULL ? 2 : 251;
    for (let killAt = startOf(stride); ; killAt += stride) {
      const path = file(`step-${isFirst ? 'first' : 'again'}-${killAt}`);
      if (!isFirst) await copyFile(file('old'), path);
      const ended = await runKillable(killAt, (around) => here.svc(['sync', ...RESOURCE_NAMES, '--to', path], { around }));
      if (ended !== undefined) break;
      seen.kills += 1;
      const { old, fresh } = expectOldOrNew(path, `step ${killAt}`);
      seen.old += old;
      seen.fresh += fresh;
      await expectNewAfterSync(path, `step ${killAt}`);
    }
    console.log(`${how}: killed at ${seen.kills} steps, ${stride} apart; ${seen.old} tables old, ${seen.fresh} new`);
    expect(seen.fresh).toBeGreaterThan(0);
    if (!isFirst) expect(seen.old).toBeGreaterThan(0);
  },
);

it('a table has its old or its new rows after SIGKILL', { timeout: 3_600_000 }, async () => {
  const env = { SVC_HOST: here.host, SVC_TOKEN: token };
  const steps = join(here.home, 'steps');
  let killed = 0;
  const step = IS_FULL ? 7 : 150;
  for (let killAt = startOf(step, 30); ; killAt += step) {
    const path = file(`killed-${killAt}`);
    await copyFile(file('old'), path);
    const { signal, code, stderr } = await svcBinary().run(['sync', ...RESOURCE_NAMES, '--to', path], {
      home: here.home,
      env: { ...env, SVC_TEST_KILL_AT: String(killAt), SVC_TEST_STEPS: steps },
      preload: [KILL_AT],
    });
    if (signal !== 'SIGKILL') {
      expect(code, stderr).toBe(0);
      break;
    }
    killed += 1;
    expectOldOrNew(path, `killed at ${killAt}`);
    await expectNewAfterSync(path, `killed at ${killAt}`);
  }
  console.log(`${killed} processes killed`);
  expect(killed).toBeGreaterThan(1);
});

const run = promisify(execFile);
const mayMount = await run('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']).then(
  () => true,
  () => false,
);

it.skipIf(!mayMount)(
  'a table has its old or its new rows on a full disk (skipped without the right to mount)',
  { timeout: 3_600_000 },
  async () => {
    const size = (await stat(file('old'))).size;
    const disk = join(here.home, 'disk');
    await mkdir(disk);
    let failed = 0;
    for (let room = 0; ; room += IS_FULL ? 16 : 1_500) {
      const path = file(`full-${room}`);
      // A small disk that ends with the process. The script copies the result from the disk.
      const script = [
        `mount -t tmpfs -o size=${Math.ceil(size / 1024) + 8 + room}k none '${disk}'`,
        `cp '${file('old')}' '${disk}/mirror.sqlite'`,
        `{ '${process.execPath}' '${svcBinary().path}' sync ${RESOURCE_NAMES.join(' ')} --to '${disk}/mirror.sqlite' >/dev/null; echo "exit $?" >&2; }`,
        `for end in '' -wal -shm; do [ ! -e '${disk}/mirror.sqlite'$end ] || cp '${disk}/mirror.sqlite'$end '${path}'$end; done`,
      ].join(' && ');
      const { stderr } = await run('unshare', ['--mount', 'bash', '-c', script], {
        env: { HOME: here.home, PATH: process.env['PATH'], SVC_HOST: here.host, SVC_TOKEN: token },
      });
      expectOldOrNew(path, `${room} KiB of room: ${stderr}`);
      await expectNewAfterSync(path, `${room} KiB of room`);
      if (stderr.includes('exit 0')) break;
      failed += 1;
      expect(stderr, `${room} KiB of room`).toMatch(/has space|full|no space/i);
      expect(stderr).toContain('exit 1');
    }
    console.log(`${failed} disks that were full`);
    expect(failed).toBeGreaterThan(0);
  },
);

it('two syncs at once, with an export, leave a complete database', { timeout: 3_600_000 }, async () => {
  const start = { home: here.home, env: { SVC_HOST: here.host, SVC_TOKEN: token } };
  let refused = 0;
  for (let pair = 1; pair <= (IS_FULL ? 50 : 2); pair += 1) {
    const path = file(`pair-${pair}`);
    if (pair % 2 === 0) await copyFile(file('old'), path);
    const sync = () => svcBinary().run(['sync', ...RESOURCE_NAMES, '--to', path], start);
    const exporting = svcBinary().run(['export', join(here.home, `export-${pair}`), 'worklogs', 'customers'], start);
    const ends = await Promise.all([sync(), sync()]);
    expect((await exporting).code).toBe(0);
    for (const { code, stderr } of ends) {
      if (code !== 0) refused += 1;
      expect([code, stderr]).toEqual([
        code,
        code === 0 ? expect.any(String) : expect.stringMatching(/Another svc(?: \(process \d+\))? updates/),
      ]);
    }
    expect(ends.map(({ code }) => code)).toContain(0);
    expect(fingerprints(path), `pair ${pair}`).toEqual(fingerprints(file('new')));
  }
  console.log(`${refused} syncs ended as another was under way`);
});

it('svc sync reports that another program uses the file, and not that the file is damaged', async () => {
  const path = file('held');
  expect((await here.svc(['sync', 'labels', '--to', path])).code).toBe(0);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const { code, stderr } = await here.svc(['sync', 'labels', '--to', path]);
  other.exec('ROLLBACK');
  other.close();
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Another program uses the local database ${path} and does not release it.`)]);
  expect(stderr).not.toContain('--forget');
});
