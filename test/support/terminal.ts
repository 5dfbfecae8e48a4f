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
  /** Resolves with the screen once it shows this; rejects with the screen when it does not within twenty seconds. */
  shows(wanted: string | RegExp): Promise<string>;
  /** What is on the screen, long lines whole. */
  screen(): Promise<string>;
  /** The same with the escape sequences of colours. */
  colored(): Promise<string>;
  /** What is on the screen row by row, as the eye sees it: long lines broken where the terminal breaks them. */
  rows(): Promise<string[]>;
  /** How many rows have left the screen at its top since the last `wipe`. */
  scrolledOff(): Promise<number>;
  /** Empties the screen, and forgets what left it. What runs does not know, and has to draw itself anew. */
  wipe(): Promise<void>;
  /** Waits for the command to end and gives its exit code. */
  ended(): Promise<number>;
  close(): void;
}

export interface TerminalOptions {
  /** Where it begins, and where its socket may lie. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default 100. */
  readonly columns?: number;
  /** Default 40. */
  readonly rows?: number;
}

/** Whether a program can be found. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Runs a command line in a terminal of its own. */
export function openTerminal(commandLine: string, { home, env: own, columns = 100, rows = 40 }: TerminalOptions): Terminal {
  const tmux = ['-S', join(home, `tmux-${randomUUID().slice(0, 8)}`), '-f', '/dev/null'];
  const env = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...own };
  // The shell outlives the command, to tell how it ended and to keep the screen.
  const line = `trap : INT; ${commandLine}; echo "[exit $?]"; read end`;
  const size = ['-x', String(columns), '-y', String(rows)];
  // Without the status line, which would be one of the rows.
  execFileSync('tmux', [...tmux, '-u', 'start-server', ';', 'set', '-g', 'status', 'off', ';', 'new-session', '-d', ...size, line], {
    env,
    cwd: home,
  });
  const run = async (...args: string[]) => (await promisify(execFile)('tmux', [...tmux, ...args], { env })).stdout;
  const screen = async (...flags: string[]) => (await run('capture-pane', '-p', ...flags)).replace(/^\[exit .*\n?/m, '').trimEnd();

  /** Looks again and again, for twenty seconds. */
  async function until(look: () => Promise<string>, pattern: RegExp): Promise<string> {
    const patience = AbortSignal.timeout(20_000);
    for (;;) {
      const text = await look();
      if (pattern.test(text)) return text;
      if (patience.aborted) throw new Error(`The terminal never showed ${pattern}:\n${text.trimEnd()}`);
      await pause(30);
    }
  }

  return {
    async type(text) {
      // A semicolon at the end would end the command of tmux.
      await run('send-keys', '-l', '--', text.replace(/;$/, '\\;'));
    },
    async press(key) {
      await run('send-keys', key);
    },
    shows: (wanted) =>
      until(() => screen('-J'), typeof wanted === 'string' ? new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')) : wanted),
    screen: () => screen('-J'),
    colored: () => screen('-e'),
    rows: async () => (await run('capture-pane', '-p')).split('\n').slice(0, rows),
    scrolledOff: async () => Number(await run('display-message', '-p', '#{history_size}')),
    async wipe() {
      await run('send-keys', '-R', ';', 'clear-history');
    },
    async ended() {
      const text = await until(() => run('capture-pane', '-p'), /^\[exit \d+\]$/m);
      return Number(/^\[exit (\d+)\]$/m.exec(text)?.[1]);
    },
    close() {
      spawnSync('tmux', [...tmux, 'kill-server'], { env });
    },
  };
}
