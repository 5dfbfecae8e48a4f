import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A person at a terminal: a real pseudo-terminal with a real emulator behind it. */
export interface Terminal {
  /** Types a text; not Enter. */
  type(text: string): Promise<void>;
  /** Presses a key by tmux's name for it: `Tab`, `Enter`, `C-a`. */
  press(key: string): Promise<void>;
  /** Resolves with the screen once it matches; rejects with the screen when it does not within twenty seconds. */
  shows(pattern: RegExp): Promise<string>;
  close(): void;
}

/** Whether a program can be found. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

/** Runs a command line in a terminal of 100 columns and 40 lines. @param home Where the terminal's socket may lie. */
export function openTerminal(
  commandLine: string,
  options: { readonly home: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const tmux = ['-S', join(options.home, `tmux-${randomUUID().slice(0, 8)}`), '-f', '/dev/null'];
  const env = { ...options.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  execFileSync('tmux', [...tmux, '-u', 'new-session', '-d', '-x', '100', '-y', '40', commandLine], { env, cwd: options.home });
  const run = async (...args: string[]) => (await promisify(execFile)('tmux', [...tmux, ...args], { env })).stdout;
  return {
    async type(text) {
      await run('send-keys', '-l', '--', text);
    },
    async press(key) {
      await run('send-keys', key);
    },
    async shows(pattern) {
      const patience = AbortSignal.timeout(20_000);
      for (;;) {
        const screen = await run('capture-pane', '-p');
        if (pattern.test(screen)) return screen;
        if (patience.aborted) throw new Error(`The terminal never showed ${pattern}:\n${screen.trimEnd()}`);
        await pause(30);
      }
    },
    close() {
      spawnSync('tmux', [...tmux, 'kill-server'], { env });
    },
  };
}
