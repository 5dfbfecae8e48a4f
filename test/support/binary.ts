import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';

/** svc as people run it. */
export interface Binary {
  /** The script to run with Node. */
  readonly path: string;
  /** Starts `svc <argv>` in a separate process. */
  start(argv: readonly string[], options: StartOptions): SvcProcess;
  /** Runs `svc <argv>` to its end. */
  run(argv: readonly string[], options: StartOptions): Promise<Ended>;
}

export interface StartOptions {
  readonly home: string;
  /** The environment variables, in addition to `HOME` and `PATH`. The process has no others. */
  readonly env?: Readonly<Record<string, string>>;
  /** The paths of modules that Node loads before svc. */
  readonly preload?: readonly string[];
  /** The current directory. Default: the home directory. */
  readonly cwd?: string;
  /** The input. Default: none. */
  readonly stdin?: string;
}

export interface Ended {
  /** The exit code. Null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SvcProcess {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with all of stderr so far when it matches. Rejects if the process ends without a match. */
  shows(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

/**
 * Returns the bundle from the start of the test run, which all tests share.
 * @param directory path of a copy, for a test that changes the bundle.
 */
export function svcBinary(directory: string = inject('bundle')): Binary {
  const path = join(directory, 'bin', 'svc.js');
  const start = (argv: readonly string[], options: StartOptions) => startProcess(path, argv, options);
  return { path, start, run: (argv, options) => start(argv, options).ended };
}

function startProcess(script: string, argv: readonly string[], options: StartOptions): SvcProcess {
  const preload = (options.preload ?? []).flatMap((path) => ['--import', path]);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...preload, script, ...argv], {
    cwd: options.cwd ?? options.home,
    env: { HOME: options.home, PATH: process.env['PATH'], ...options.env },
  });
  let stdout = '';
  let stderr = '';
  const watchers: { readonly pattern: RegExp; readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const watcher of watchers) if (watcher.pattern.test(stderr)) watcher.resolve(stderr);
  });
  // A process that is killed before it reads leaves a broken pipe.
  child.stdin.on('error', () => undefined).end(options.stdin ?? '');
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    for (const watcher of watchers)
      watcher.reject(new Error(`svc ${argv.join(' ')} ended (${code ?? signal}) without ${watcher.pattern}:\n${stderr}`));
    return { code, signal, stdout, stderr };
  });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        if (pattern.test(stderr)) resolve(stderr);
        else watchers.push({ pattern, resolve, reject });
      }),
    ended,
  };
}
