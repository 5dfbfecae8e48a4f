import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';

/** svc as people run it. */
export interface Binary {
  /** The script to run with Node. */
  readonly path: string;
  /** Starts `svc <argv>` in a process of its own. */
  start(argv: readonly string[], options: StartOptions): SvcProcess;
  /** The same, to its end. */
  run(argv: readonly string[], options: StartOptions): Promise<Ended>;
}

export interface StartOptions {
  readonly home: string;
  /** Beside `HOME` and `PATH`, which are all that it has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Modules that Node loads before svc: paths. */
  readonly preload?: readonly string[];
  /** Where it runs; default the home. */
  readonly cwd?: string;
  /** What is piped in; default nothing. */
  readonly stdin?: string;
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SvcProcess {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with all of stderr so far once that matches; rejects when the process ends without. */
  shows(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

/**
 * The bundle that was made of the source when the run began; every test of the run has it in common.
 *
 * @param directory Where a copy of it is instead, for whoever changes it.
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
