import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A person at a terminal: a real pseudo-terminal with a real emulator. */
export interface Terminal {
  /** Types a text without Enter. */
  type(text: string): Promise<void>;
  /** Presses a key by tmux’s name: `Tab`, `Enter`, `C-a`. */
  press(key: string): Promise<void>;
  /** Resolves with the screen when it shows a text. Rejects with the screen after twenty seconds. */
  shows(wanted: string | RegExp): Promise<string>;
  /** Returns the screen with whole lines. */
  screen(): Promise<string>;
  /** Returns the screen with the escape sequences of colours. */
  colored(): Promise<string>;
  /** Returns the visible rows. The terminal has broken long lines. */
  rows(): Promise<string[]>;
  /** Returns the number of rows that left the screen at its top since the last `wipe`. */
  scrolledOff(): Promise<number>;
  /** Clears the screen and its history. A running program does not notice, and must draw again. */
  wipe(): Promise<void>;
  /** Waits for the end of the command, and returns its exit code. */
  ended(): Promise<number>;
  close(): void;
}

export interface TerminalOptions {
  /** The current directory, which may also contain its socket. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The width. Default: 100. */
  readonly columns?: number;
  /** The height. Default: 40. */
  readonly rows?: number;
}

/** Returns true if a program exists in PATH. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

/** Returns a word in quotes for a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Runs a command line in a separate terminal. */
export function openTerminal(commandLine: string, { home, env: own, columns = 100, rows = 40 }: TerminalOptions): Terminal {
  const tmux = ['-S', join(home, `tmux-${randomUUID().slice(0, 8)}`), '-f', '/dev/null'];
  const env = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...own };
  // The shell outlives the command, to print the exit code and to keep the screen.
  const line = `trap : INT; ${commandLine}; echo "[exit $?]"; read end`;
  const size = ['-x', String(columns), '-y', String(rows)];
  // The status line would be one of the rows.
  execFileSync('tmux', [...tmux, '-u', 'start-server', ';', 'set', '-g', 'status', 'off', ';', 'new-session', '-d', ...size, line], {
    env,
    cwd: home,
  });
  const run = async (...args: string[]) => (await promisify(execFile)('tmux', [...tmux, ...args], { env })).stdout;
  const screen = async (...flags: string[]) => (await run('capture-pane', '-p', ...flags)).replace(/^\[exit .*\n?/m, '').trimEnd();

  /** Repeats a check for twenty seconds. */
  async function until(read: () => Promise<string>, pattern: RegExp): Promise<string> {
    const patience = AbortSignal.timeout(20_000);
    for (;;) {
      const text = await read();
      if (pattern.test(text)) return text;
      if (patience.aborted) throw new Error(`The terminal never showed ${pattern}:\n${text.trimEnd()}`);
      await pause(30);
    }
  }

  return {
    async type(text) {
      // A semicolon at the end would end tmux’s command.
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
