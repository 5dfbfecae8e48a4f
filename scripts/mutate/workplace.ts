import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compiler, startCompiler } from './compiler.ts';

/** The result of a test file. */
export interface Fared {
  /** The path relative to the root, with slashes. */
  readonly path: string;
  readonly passed: boolean;
  /** True if a test of the file timed out. */
  readonly late: boolean;
  readonly milliseconds: number;
}

export interface TestRun {
  /** True if all tests passed in time. */
  readonly passed: boolean;
  /** True if the run was stopped after its time limit. */
  readonly late: boolean;
  /** The test files that finished. */
  readonly files: readonly Fared[];
}

interface RunOptions {
  /** The time limit in milliseconds. Default: {@link PATIENCE}. */
  readonly limit?: number;
  /** True to stop after the first failure. */
  readonly bail?: boolean;
}

/** A copy of the project for changes. The project itself stays unchanged. */
export interface Workplace {
  write(file: string, text: string): void;
  /** Runs test files in the given order, in several processes. */
  test(tests: readonly string[], options?: RunOptions): Promise<TestRun>;
  /** Runs test files with probes. Returns the regions that each file reached. */
  reach(tests: readonly string[]): Promise<{ readonly run: TestRun; readonly reached: ReadonlyMap<string, ReadonlySet<string>> }>;
  /** Writes a change. Returns true if the source compiles with it. */
  compiles(file: string, text: string): Promise<boolean>;
  /** Restores a file. */
  restore(file: string, source: string): Promise<void>;
  /** Stops all processes, and removes the copy. */
  remove(): void;
}

/** The time limit for running all unchanged tests, in milliseconds. */
const PATIENCE = 60 * 60_000;

/** Matches vitest’s message for a test or hook that timed out. */
const TIMED_OUT = /^Error: (?:Test|Hook) timed out in /;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
  }[];
}

/** Copies the project without installed packages and build results. */
export function createWorkplace(root: string): Workplace {
  const directory = mkdtempSync(join(tmpdir(), 'svc-mutate-'));
  const left = new Set(['node_modules', '.git', 'dist', 'man'].map((name) => join(root, name)));
  cpSync(root, directory, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const report = join(directory, 'report.json');
  const reachedIn = join(directory, 'reached');
  const temporary = join(directory, 'tmp');
  let running: number | undefined;
  let compiler: Compiler | undefined;

  /** Runs a script. Returns true if it exits with 0. Returns undefined if it exceeds the time limit. */
  async function run(script: readonly string[], limit: number, env: Readonly<Record<string, string>> = {}): Promise<boolean | undefined> {
    const [name = '', ...args] = script;
    const child = spawn(process.execPath, [join(directory, 'node_modules', name), ...args], {
      cwd: directory,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      // The process has its own group, so that stopping it also stops its children.
      detached: true,
    });
    running = child.pid;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limit);
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    end();
    return late ? undefined : code === 0;
  }

  function end(): void {
    if (running === undefined) return;
    try {
      process.kill(-running, 'SIGKILL');
    } catch {
      // The whole process group has already ended.
    }
  }

  async function vitest(tests: readonly string[], { limit = PATIENCE, bail }: RunOptions, env: Readonly<Record<string, string>> = {}) {
    rmSync(report, { force: true });
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(temporary);
    const options = [
      '--config',
      'scripts/mutate/vitest.config.ts',
      '--reporter=json',
      `--outputFile=${report}`,
      ...(bail ? ['--bail=1'] : []),
    ];
    const passed = await run(['vitest/vitest.mjs', 'run', ...options, ...tests], limit, {
      ...env,
      TMPDIR: temporary,
      SVC_MUTATE_ORDER: tests.join(','),
    });
    return { passed: passed === true, late: passed === undefined, files: passed === undefined ? [] : filesOf(report) };
  }

  function filesOf(path: string): Fared[] {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return [];
    }
    return (JSON.parse(text) as Report).testResults.map(({ name, status, message, startTime, endTime, assertionResults }) => ({
      path: fromRoot(name),
      passed: status === 'passed',
      late: [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].some((words) => TIMED_OUT.test(words)),
      milliseconds: endTime - startTime,
    }));
  }

  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  const compiling = () => {
    compiler ??= startCompiler(directory);
    return compiler;
  };
  const fromRoot = (path: string) => path.slice(directory.length + 1).replaceAll('\\', '/');

  return {
    write,
    test: (tests, options = {}) => vitest(tests, options),
    async reach(tests) {
      mkdirSync(reachedIn);
      const ran = await vitest(tests, {}, { SVC_MUTATE_REACHED: reachedIn });
      const reached = new Map<string, ReadonlySet<string>>();
      for (const name of readdirSync(reachedIn)) {
        const result = JSON.parse(readFileSync(join(reachedIn, name), 'utf8')) as { testPath: string; reached: string[] };
        reached.set(fromRoot(result.testPath), new Set(result.reached));
      }
      rmSync(reachedIn, { recursive: true });
      return { run: ran, reached };
    },
    compiles: (file, text) => compiling().takes(() => write(file, text)),
    restore: (file, source) => compiling().restored(() => write(file, source)),
    remove() {
      end();
      compiler?.end();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
