import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from '../../../src/auth/lock.ts';
import { systemClock } from '../../../src/system/clock.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The launcher, as npm links it. */
export const BINARY = join(ROOT, 'bin', 'svc.js');

/** A browser that presses Approve. */
const APPROVING_BROWSER = `"${process.execPath}" --no-warnings "${join(ROOT, 'scripts', 'approve.ts')}"`;

/** Builds dist unless it is newer than what it is made from. Test files run side by side, so one builds and the rest wait. */
export async function buildIfStale(): Promise<void> {
  const directory = join(ROOT, 'node_modules', '.cache', 'svc-e2e');
  await mkdir(directory, { recursive: true });
  const lock = { clock: systemClock, signal: AbortSignal.timeout(60_000), timeoutMs: 60_000, subject: 'the build', onWait: () => {} };
  await withLock(join(directory, 'build.lock'), lock, async () => {
    if ((await newest('dist')) > Math.max(await newest('src'), await newest('scripts'), await newest('package.json'))) return;
    await promisify(execFile)(process.execPath, ['--no-warnings', 'scripts/build.ts'], { cwd: ROOT });
  });
}

/** When the file, or the newest one below the directory, was changed; 0 when there is none. */
async function newest(path: string): Promise<number> {
  const full = join(ROOT, path);
  const facts = await stat(full).catch(() => undefined);
  if (facts === undefined) return 0;
  if (!facts.isDirectory()) return facts.mtimeMs;
  const times = await Promise.all((await readdir(full)).map((name) => newest(join(path, name))));
  return Math.max(0, ...times);
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Ctrl-C. */
  interrupt(signal?: 'SIGINT' | 'SIGTERM'): void;
  /** Resolves once stdout holds this. */
  prints(pattern: RegExp): Promise<void>;
  readonly outcome: Promise<Outcome>;
}

/** An account with nothing in it, and the built svc. */
export interface Account {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `svc <argv>` in a pipe. */
  svc(argv: readonly string[], input?: string): Promise<Outcome>;
  /** Starts it, for whoever wants to interrupt it; `outcome` resolves when it has ended. */
  start(argv: readonly string[]): Running;
  /** Runs a command line of bash in which `svc` is svc. */
  shell(line: string): Promise<Outcome>;
  remove(): Promise<void>;
}

/** An account with an empty home and an environment of its own, no keychain in it. */
export async function createAccount(more: Readonly<Record<string, string>> = {}): Promise<Account> {
  const home = await mkdtemp(join(tmpdir(), 'svc-e2e-'));
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    TZ: 'Europe/Amsterdam',
    SVC_TOKEN_STORE: 'file',
    SVC_BROWSER: APPROVING_BROWSER,
    ...more,
  };
  const run = (command: string, argv: readonly string[], input: string | undefined) => {
    const child = spawn(command, [...argv], { env, cwd: home, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    const outcome = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(([[code], stdout, stderr]) => ({
      code: code as number | null,
      stdout,
      stderr,
    }));
    return { child, outcome };
  };
  return {
    home,
    env,
    svc: (argv, input) => run(process.execPath, [BINARY, ...argv], input).outcome,
    start(argv) {
      const { child, outcome } = run(process.execPath, [BINARY, ...argv], undefined);
      return {
        interrupt: (signal = 'SIGINT') => void child.kill(signal),
        outcome,
        prints: (pattern) =>
          new Promise((resolve) => {
            let shown = '';
            child.stdout.on('data', (piece) => {
              shown += String(piece);
              if (pattern.test(shown)) resolve();
            });
          }),
      };
    },
    shell: (line) => run('bash', ['-c', `set -o pipefail; svc() { "${process.execPath}" "${BINARY}" "$@"; }; ${line}`], undefined).outcome,
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
