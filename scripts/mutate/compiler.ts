import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** TypeScript, watching a directory. */
export interface Compiler {
  /** Makes a change, and says whether TypeScript takes the source that it leaves. */
  takes(change: () => void): Promise<boolean>;
  /** Takes a change back, and waits until TypeScript has noticed. */
  restored(change: () => void): Promise<void>;
  end(): void;
}

/** What is seen of a change only later than this is seen too late: milliseconds. It then counts as taken. */
const PATIENCE = 120_000;

/** Starts it; the first check of the whole source may still be under way. */
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

  /** The first count of errors after a change that is wanted; undefined when none comes. */
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
        // It has ended by itself.
      }
    },
  };
}

const FOUND = /Found (\d+) errors?\b/;
