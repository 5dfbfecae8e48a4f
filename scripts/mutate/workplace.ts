import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a test file fared on the source as it is. */
export interface Baseline {
  readonly path: string;
  readonly passed: boolean;
  readonly milliseconds: number;
}

/** A copy of the project, to be spoilt: the project itself is never touched. */
export interface Workplace {
  write(file: string, text: string): void;
  /** Runs test files of the unspoilt source, all of them to their end. */
  measure(tests: readonly string[]): Promise<Baseline[]>;
  /** Whether the tests pass, run in this order; they are stopped at the first failure, and after so many milliseconds. */
  passes(tests: readonly string[], limit: number): Promise<boolean>;
  /** Whether TypeScript takes the source. */
  compiles(): Promise<boolean>;
  /** Ends what still runs, and takes the copy away. */
  remove(): void;
}

/** The unspoilt tests may take this long, all together: milliseconds. */
const PATIENCE = 30 * 60_000;

/** Copies all but what is installed or built. */
export function createWorkplace(root: string): Workplace {
  const directory = mkdtempSync(join(tmpdir(), 'svc-mutate-'));
  const left = new Set(['node_modules', '.git', 'dist', 'man'].map((name) => join(root, name)));
  cpSync(root, directory, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const config = join('scripts', 'mutate', 'vitest.config.ts');
  let running: number | undefined;

  /** True when it exits with 0 in time. */
  async function run(script: readonly string[], limit: number, env: Readonly<Record<string, string>> = {}): Promise<boolean> {
    const [name = '', ...args] = script;
    const child = spawn(process.execPath, [join(directory, 'node_modules', name), ...args], {
      cwd: directory,
      env: { ...process.env, ...env },
      stdio: 'ignore',
      // A group of its own, so that what a test started ends with it.
      detached: true,
    });
    running = child.pid;
    const timer = setTimeout(end, limit);
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    end();
    return code === 0;
  }

  function end(): void {
    if (running === undefined) return;
    try {
      process.kill(-running, 'SIGKILL');
    } catch {
      // All of it has ended by itself.
    }
  }

  const vitest = (tests: readonly string[], limit: number, options: readonly string[]) =>
    run(['vitest/vitest.mjs', 'run', '--config', config, ...options, ...tests], limit, { SVC_MUTATE_ORDER: tests.join(',') });

  return {
    write: (file, text) => writeFileSync(join(directory, file), text),
    async measure(tests) {
      const report = join(directory, 'baseline.json');
      rmSync(report, { force: true });
      await vitest(tests, PATIENCE, ['--reporter=json', `--outputFile=${report}`]);
      const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
        testResults: { name: string; status: string; startTime: number; endTime: number }[];
      };
      return testResults.map(({ name, status, startTime, endTime }) => ({
        path: name.slice(directory.length + 1).replaceAll('\\', '/'),
        passed: status === 'passed',
        milliseconds: endTime - startTime,
      }));
    },
    passes: (tests, limit) => vitest(tests, limit, ['--bail=1']),
    compiles: () => run(['typescript/bin/tsc'], PATIENCE),
    remove() {
      end();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
