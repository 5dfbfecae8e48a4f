// Real processes: killed with SIGKILL before each single thing they do, two and many at once, and on a disk that is full.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/open-journal.ts';
import { systemClock } from '../../src/system/clock.ts';
import { aWrite } from './fixtures/entries.ts';
import { type ReplayingService, startReplayingService } from './fixtures/replaying-service.ts';
import { writeOnce } from './fixtures/write-once.ts';

const run = promisify(execFile);
const WRITER = new URL('fixtures/run-write-once.ts', import.meta.url).pathname;
const FILLER = new URL('fixtures/write-until-full.ts', import.meta.url).pathname;
const KILL_AT = new URL('fixtures/kill-at.ts', import.meta.url).href;
const QUIET = '--disable-warning=ExperimentalWarning';

let directory: string;
let path: string;
let service: ReplayingService;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-journal-'));
  path = join(directory, 'journal', 'acme.sqlite');
  service = await startReplayingService();
});
afterEach(async () => {
  await service.close();
  await rm(directory, { recursive: true });
});

/** Gives the key it wrote under. */
async function write(key: string): Promise<string> {
  const { stdout } = await run(process.execPath, [QUIET, WRITER, path, service.address, key]);
  return stdout.trim();
}

function killedAt(step: number, key: string, log: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [QUIET, '--import', KILL_AT, WRITER, path, service.address, key], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SVC_TEST_KILL_AT: String(step), SVC_TEST_STEPS: log },
  });
  return new Promise((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
}

function isWhole(): boolean {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'] === 'ok';
  } finally {
    database.close();
  }
}

test('a repeat of the command completes the write once, after kill -9 at any step', { timeout: 300_000 }, async () => {
  const log = join(directory, 'steps');
  const names: string[] = [];
  for (let step = 1; ; step++) {
    await rm(join(directory, 'journal'), { recursive: true, force: true });
    await writeFile(log, '');
    const before = service.done.length;
    const signal = await killedAt(step, `first-${step}`, log);
    const steps = (await readFile(log, 'utf8')).trimEnd().split('\n');
    if (signal === null) {
      const beforeSending = steps.slice(0, steps.indexOf('connect'));
      // What was noted is flushed before the first byte leaves.
      expect(beforeSending.slice(-3)).toEqual(['COMMIT', 'openSync', 'fdatasyncSync']);
      break;
    }
    names.push(steps.at(-1) ?? '');
    const key = await writeOnce(path, service.address, `second-${step}`);
    expect([step, names.at(-1), isWhole()]).toEqual([step, names.at(-1), true]);
    // What ran was found again. What did not run may be, or is another write; it is done once either way.
    const ran = service.done.slice(before);
    const isResolved = ran.length === 2;
    expect([step, names.at(-1), ran.at(-1)]).toEqual([step, names.at(-1), key]);
    // Two are right only when the first was settled before the kill: it was printed by then.
    if (isResolved) expect([step, steps.filter((name) => name === 'COMMIT').length >= 4]).toEqual([step, true]);
  }
  expect(names).toEqual(
    expect.arrayContaining(['openSync', 'BEGIN EXCLUSIVE', 'BEGIN IMMEDIATE', 'run', 'COMMIT', 'connect', 'send', 'receive', 'close']),
  );
});

test('many processes at once record every write once', async () => {
  const keys = Array.from({ length: 8 }, (_, index) => `key-${index}`);
  // The same request each time: while the others are being sent they are no lost answers.
  expect((await Promise.all(keys.map(write))).toSorted()).toEqual(keys);
  expect(service.done.toSorted()).toEqual(keys);
  const journal = await openJournal(path, { clock: systemClock, onSetAside: (line) => expect(line).toBe('') });
  const history = await journal.history();
  journal.close();
  expect(history.map(({ key }) => key).toSorted()).toEqual(keys);
  expect(history.every(({ outcome, key, recordId }) => outcome === 'done' && recordId === key)).toBe(true);
});

/** The journal is full after some entries; says how many were noted and what came then. */
async function fill(shell: string): Promise<{ readonly noted: number; readonly fault: string }> {
  const { stdout } = await run('bash', ['-c', `${shell} exec "$0" "$@"`, process.execPath, QUIET, FILLER, path]);
  return JSON.parse(stdout) as { readonly noted: number; readonly fault: string };
}

async function expectWhole(noted: number): Promise<void> {
  expect(isWhole()).toBe(true);
  const journal = await openJournal(path, { clock: systemClock, onSetAside: (line) => expect(line).toBe('') });
  const history = await journal.history();
  expect(history).toHaveLength(noted);
  // And it goes on.
  expect(await journal.begin(aWrite())).toBeGreaterThan(noted);
  journal.close();
}

test('svc reports a journal that cannot grow, keeps the entries, and later adds entries again', async () => {
  const { noted, fault } = await fill('ulimit -f 1024;');
  expect(noted).toBeGreaterThan(10);
  expect(['full', 'failed']).toContain(fault);
  await expectWhole(noted);
});

const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && (await canMount());

async function canMount(): Promise<boolean> {
  try {
    await run('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!mayMount)('svc reports a full disk (skipped where a test cannot mount a disk)', async () => {
  // A disk of its own, that nobody else sees and that goes with the process; what is left on it is copied out.
  const disk = join(directory, 'disk');
  await mkdir(disk);
  const script = [
    `mount -t tmpfs -o size=480k none '${disk}'`,
    `'${process.execPath}' ${QUIET} '${FILLER}' '${disk}/journal/acme.sqlite'`,
    `cp -r '${disk}/journal' '${directory}/journal'`,
  ].join(' && ');
  const { stdout } = await run('unshare', ['--mount', 'bash', '-c', script]);
  const { noted, fault } = JSON.parse(stdout) as { readonly noted: number; readonly fault: string };
  expect(noted).toBeGreaterThan(10);
  expect(fault).toBe('full');
  await expectWhole(noted);
});

test('svc leaves three files next to the journal after three writes', async () => {
  for (const key of ['a', 'b', 'c']) await write(key);
  const names = ['acme.sqlite', 'acme.sqlite-shm', 'acme.sqlite-wal', 'acme.sqlite.sender-1'];
  expect((await readdir(join(directory, 'journal'))).toSorted()).toEqual(names);
});
