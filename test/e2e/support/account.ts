import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { ROOT } from '../../support/bundle.ts';

/** The path of the launcher, as npm links it. */
export const SVC = join(inject('bundle'), 'bin', 'svc.js');

/** The command of a browser that presses Approve. */
const APPROVING_BROWSER = `"${process.execPath}" --no-warnings "${join(ROOT, 'scripts', 'approve.ts')}"`;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Sends the signal of Ctrl-C. */
  interrupt(signal?: 'SIGINT' | 'SIGTERM'): void;
  /** Resolves when stdout matches a pattern. */
  prints(pattern: RegExp): Promise<void>;
  readonly outcome: Promise<Outcome>;
}

/** An empty account, and svc as people run it. */
export interface Account {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `svc <argv>` in a pipe. */
  svc(argv: readonly string[], input?: string): Promise<Outcome>;
  /** Starts svc for a test that interrupts it. `outcome` resolves at the end of the process. */
  start(argv: readonly string[]): Running;
  /** Runs a bash command line in which `svc` is svc. */
  shell(line: string): Promise<Outcome>;
  remove(): Promise<void>;
}

/** Creates an account with an empty home directory, a separate environment and no keychain. */
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
    svc: (argv, input) => run(process.execPath, [SVC, ...argv], input).outcome,
    start(argv) {
      const { child, outcome } = run(process.execPath, [SVC, ...argv], undefined);
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
    shell: (line) => run('bash', ['-c', `set -o pipefail; svc() { "${process.execPath}" "${SVC}" "$@"; }; ${line}`], undefined).outcome,
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
