// Several svc processes with one local database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withDirectoryLock } from '../../src/bulk/export/directory-lock.ts';
import { svcBinary } from '../support/binary.ts';
import { type RowsService, startRowsService } from '../support/rows-service.ts';

const svc = svcBinary();
let home: string;
let service: RowsService;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
  service = await startRowsService({ worklogs: 250 });
});
afterEach(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

const start = (...argv: string[]) =>
  svc.start(argv, { home, env: { SVC_HOST: service.host, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' } });

function rowsIn(file: string): number {
  const database = new DatabaseSync(join(home, file), { readOnly: true });
  const found = database.prepare('SELECT count(*) AS rows FROM worklogs').get();
  database.close();
  return Number(found?.['rows']);
}

const ANOTHER = /Another svc(?: \(process \d+\))? updates .*new-\d+\.sqlite\./;

it('at least one of two first syncs that start at the same time succeeds', { timeout: 300_000 }, async () => {
  for (let turn = 1; turn <= 4; turn += 1) {
    const file = `new-${turn}.sqlite`;
    const ended = await Promise.all([start('sync', '--to', file), start('sync', '--to', file)].map((each) => each.ended));
    const done = ended.filter(({ code }) => code === 0);
    expect(done.length, ended.map(({ stderr }) => stderr).join('\n')).toBeGreaterThanOrEqual(1);
    for (const { code, stderr } of ended) if (code !== 0) expect([code, stderr]).toEqual([1, expect.stringMatching(ANOTHER)]);
    expect(rowsIn(file)).toBe(250);
  }
});

it('only one of two processes that lock a new directory at the same time gets the lock', { timeout: 300_000 }, async () => {
  const fixture = join(import.meta.dirname, 'fixtures/take-lock.ts');
  const children = [0, 1].map(() => spawn(process.execPath, [fixture], { stdio: ['pipe', 'pipe', 'inherit'] }));
  const words = children.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  const ask = async (line: string) => {
    for (const child of children) child.stdin.write(`${line}\n`);
    return Promise.all(words.map(async (each) => (await each.next()).value));
  };
  for (let turn = 1; turn <= 250; turn += 1) {
    expect((await ask(join(home, `lock-${turn}`))).toSorted(), `turn ${turn}`).toEqual(['has', 'other']);
    await ask('');
  }
  for (const child of children) child.stdin.end();
});

it('a lock of a directory succeeds while another process creates and removes the directory', { timeout: 60_000 }, async () => {
  const directory = join(home, 'unsteady');
  const loop = 'for (;;) for (const change of [fs.mkdirSync, fs.rmdirSync]) try { change(process.argv[1]) } catch {}';
  const child = spawn(process.execPath, ['-e', loop, directory]);
  try {
    for (let turn = 1; turn <= 300; turn += 1) await withDirectoryLock(directory, process.pid, async () => undefined);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

it('svc changes waits for the first sync of another svc', { timeout: 60_000 }, async () => {
  const release = service.hold();
  const first = start('sync', '--to', 'new-1.sqlite');
  await service.asked('worklogs');
  const refused = await start('changes', '--to', 'new-1.sqlite', '--max-wait', '0s').ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(ANOTHER)]);
  const waiting = start('changes', '--to', 'new-1.sqlite');
  expect(await waiting.shows(/svc waits for the other svc/)).toMatch(ANOTHER);
  release();
  expect((await first.ended).code).toBe(0);
  const { code, stdout, stderr } = await waiting.ended;
  expect([code, stdout], stderr).toEqual([0, '']);
  service.remove('worklogs', [7]);
  const next = await start('changes', '--to', 'new-1.sqlite').ended;
  expect(JSON.parse(next.stdout)).toMatchObject({ kind: 'deleted', noun: 'worklogs', record_id: 7 });
});
