import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type LockOptions, withLock } from '../../src/auth/lock.ts';
import { systemClock } from '../../src/system/clock.ts';
import { createManualClock } from '../support/clock.ts';

const HOLDER = new URL('fixtures/hold-lock.ts', import.meta.url).pathname;
const COUNTER = new URL('fixtures/count-under-lock.ts', import.meta.url).pathname;
/** Long enough for any wait that ends by itself. A lock that never opens still fails the test soon. */
const options: LockOptions = { clock: systemClock, subject: 'the sign-in of acme.example.com', timeoutMs: 10_000 };

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-lock-'));
  path = join(directory, 'state', 'acme.lock');
  return () => rm(directory, { recursive: true });
});

async function startHolder() {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Runs after a failed test as well: a process that stays alive would keep the test run from ending.
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(String(said)).toBe('held\n');
  return child;
}

test('svc returns the result of work under a lock, and releases the lock', async () => {
  expect(await withLock(path, options, async () => 7)).toBe(7);
  expect(await withLock(path, options, async () => 8)).toBe(8);
});

test('svc releases the lock after work that fails', async () => {
  await expect(withLock(path, options, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await withLock(path, options, async () => 'free')).toBe('free');
});

test('svc lets two callers in one process use a lock one after the other', async () => {
  const log: string[] = [];
  const inside = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const first = withLock(path, options, async () => {
    inside.resolve();
    await leave.promise;
    log.push('first');
  });
  await inside.promise;
  const second = withLock(path, options, async () => {
    log.push('second');
  });
  leave.resolve();
  await Promise.all([first, second]);
  expect(log).toEqual(['first', 'second']);
});

test('svc lets twelve processes use a lock one after the other', async () => {
  const counter = join(directory, 'counter');
  await writeFile(counter, '0');
  const run = promisify(execFile);
  await Promise.all(Array.from({ length: 12 }, () => run(process.execPath, [COUNTER, path, counter])));
  expect(await readFile(counter, 'utf8')).toBe('12');
});

test('svc names the lock file when another process keeps the lock for 30 seconds, and reports the wait once', async () => {
  await startHolder();
  const clock = createManualClock(0, true);
  let waits = 0;
  const attempt = withLock(
    path,
    {
      ...options,
      clock,
      timeoutMs: 30_000,
      onWait: () => {
        waits += 1;
      },
    },
    async () => 'never',
  );
  await expect(attempt).rejects.toMatchObject({
    name: 'SvcError',
    message: 'Another svc is changing the sign-in of acme.example.com and has not finished within 30 seconds.',
    hint: expect.stringContaining(path),
  });
  expect(waits).toBe(1);
  expect(Math.max(...clock.slept)).toBeLessThanOrEqual(375);
});

test('svc takes a lock when kill -9 ends the process with the lock', async () => {
  const holder = await startHolder();
  const ended = once(holder, 'exit');
  const waiting = withLock(path, options, async () => 'mine');
  holder.kill('SIGKILL');
  await ended;
  expect(await waiting).toBe('mine');
});

test('svc ends a wait for a lock with the reason of the abort signal', async () => {
  await startHolder();
  const controller = new AbortController();
  const waiting = withLock(path, { ...options, signal: controller.signal }, async () => 'never');
  controller.abort(new Error('Ctrl-C'));
  await expect(waiting).rejects.toThrow('Ctrl-C');
});

test('svc creates the directory of a lock with mode 0700', async () => {
  await withLock(path, options, async () => undefined);
  expect((await stat(join(directory, 'state'))).mode & 0o777).toBe(0o700);
});

test.each([
  ['a file that is no database', () => join(directory, 'garbage')],
  ['a directory', () => directory],
  ['a path below a file', () => join(directory, 'garbage', 'acme.lock')],
])('svc explains that svc cannot use %s as the lock file', async (_name, place) => {
  await writeFile(join(directory, 'garbage'), 'x'.repeat(4096));
  const wrong = place();
  await expect(withLock(wrong, options, async () => 'never')).rejects.toMatchObject({
    name: 'SvcError',
    message: expect.stringContaining(`svc cannot use the lock file ${wrong}`),
  });
});
