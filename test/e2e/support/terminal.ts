import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Account, BINARY } from './binary.ts';

const exec = promisify(execFile);

/** Why no test can have a terminal here; undefined when it can. */
export const noTerminal = (() => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'tmux is not installed';
  }
})();

/** A real terminal, 100 columns wide, with svc in it. */
export interface Terminal {
  /** What is on the screen, without colours and without blank lines. */
  screen(): Promise<string>;
  /** The same with the escape sequences of colours. */
  colored(): Promise<string>;
  /** Waits until the screen shows this. */
  shows(text: string | RegExp): Promise<void>;
  /** Types text, without Enter. */
  type(text: string): Promise<void>;
  /** Presses a key by tmux's name: `Enter`, `C-c`. */
  press(key: string): Promise<void>;
  /** Waits for svc to end and gives its exit code. */
  ended(): Promise<number>;
  close(): Promise<void>;
}

/** Runs `svc <argv>` in a terminal of its own. */
export async function openTerminal(
  account: Account,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const socket = `svc-${randomUUID()}`;
  const tmux = async (...args: string[]) =>
    (await exec('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: { ...account.env, LANG: 'C.UTF-8', ...more } })).stdout;
  const quoted = [process.execPath, BINARY, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // The shell outlives svc, to tell how it ended and to keep the screen.
  await tmux('new-session', '-d', '-x', '100', '-y', '40', `trap : INT; ${quoted}; echo "[exit $?]"; read end`);
  const screen = async (...flags: string[]) =>
    (await tmux('capture-pane', '-p', ...flags))
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('[exit '))
      .join('\n');
  return {
    screen: () => screen('-J'),
    colored: () => screen('-e'),
    async shows(text) {
      await expect.poll(() => screen('-J'), { timeout: 20_000 }).toMatch(text);
    },
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (key) => void (await tmux('send-keys', key)),
    async ended() {
      const code = async () => /^\[exit (\d+)\]$/m.exec(await tmux('capture-pane', '-p'))?.[1];
      await expect.poll(code, { timeout: 20_000 }).toBeDefined();
      return Number(await code());
    },
    close: async () => void (await tmux('kill-server').catch(() => undefined)),
  };
}
