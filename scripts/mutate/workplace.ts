import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compiler, startCompiler } from './compiler.ts';

/** How a test file fared. */
export interface Fared {
  /** From the root, with slashes. */
  readonly path: string;
  readonly passed: boolean;
  /** Some test of it was given up for its time. */
  readonly late: boolean;
  readonly milliseconds: number;
}

export interface TestRun {
  /** All tests passed, in time. */
  readonly passed: boolean;
  /** It was stopped for its time. */
  readonly late: boolean;
  /** The test files that came to an end. */
  readonly files: readonly Fared[];
}

interface RunOptions {
  /** Milliseconds; default: {@link PATIENCE}. */
  readonly limit?: number;
  /** Nothing more is begun after the first failure. */
  readonly bail?: boolean;
}

/** A copy of the project, to be spoilt: the project itself is never touched. */
export interface Workplace {
  write(file: string, text: string): void;
  /** Runs test files, in this order; each begins as soon as one of the processes is free. */
  test(tests: readonly string[], options?: RunOptions): Promise<TestRun>;
  /** Which regions of the sources, probed as they are, the tests of each file ran. */
  reach(tests: readonly string[]): Promise<{ readonly run: TestRun; readonly reached: ReadonlyMap<string, ReadonlySet<string>> }>;
  /** Writes a change, and says whether TypeScript takes the source with it. */
  compiles(file: string, text: string): Promise<boolean>;
  /** Takes a change back. */
  restore(file: string, source: string): Promise<void>;
  /** Ends what still runs, and takes the copy away. */
  remove(): void;
}

/** The unspoilt tests may take this long, all together: milliseconds. */
const PATIENCE = 60 * 60_000;

/** What vitest says of a test or hook that took too long. */
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

/** Copies all but what is installed or built. */
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

  /** True when it exits with 0; undefined when it has to be stopped. */
  async function run(script: readonly string[], limit: number, env: Readonly<Record<string, string>> = {}): Promise<boolean | undefined> {
    const [name = '', ...args] = script;
    const child = spawn(process.execPath, [join(directory, 'node_modules', name), ...args], {
      cwd: directory,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      // A group of its own, so that what a test started ends with it.
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
      // All of it has ended by itself.
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
        const told = JSON.parse(readFileSync(join(reachedIn, name), 'utf8')) as { testPath: string; reached: string[] };
        reached.set(fromRoot(told.testPath), new Set(told.reached));
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
