import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** A TypeScript compiler that watches a directory. */
export interface Compiler {
  /** Makes a change. Returns true if the changed source compiles. */
  takes(change: () => void): Promise<boolean>;
  /** Undoes a change, and waits until the compiler has noticed. */
  restored(change: () => void): Promise<void>;
  end(): void;
}

/** The time to wait for the compiler, in milliseconds. After that, the change counts as compiled. */
const PATIENCE = 120_000;

/** Starts the compiler. Its first check of the whole source may still be running. */
export function startCompiler(directory: string): Compiler {
  const child = spawn(process.execPath, [join(directory, 'node_modules', 'typescript/bin/tsc'), '--watch', '--preserveWatchOutput'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let text = '';
  let heard: ((errors: number) => void) | undefined;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    for (let found = FOUND.exec(text); found !== null; found = FOUND.exec(text)) {
      text = text.slice(found.index + found[0].length);
      heard?.(Number(found[1]));
    }
  });

  /** Makes a change, and returns the first wanted number of errors after it. Returns undefined after a timeout. */
  const after = (change: () => void, isWanted: (errors: number) => boolean) =>
    new Promise<number | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), PATIENCE);
      heard = (errors) => {
        if (!isWanted(errors)) return;
        heard = undefined;
        clearTimeout(timer);
        resolve(errors);
      };
      change();
    });
  const ready = after(
    () => undefined,
    () => true,
  );

  return {
    async takes(change) {
      await ready;
      return ((await after(change, () => true)) ?? 0) === 0;
    },
    async restored(change) {
      await after(change, (errors) => errors === 0);
    },
    end() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The compiler has already ended.
      }
    },
  };
}

const FOUND = /Found (\d+) errors?\b/;
