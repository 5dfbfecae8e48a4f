import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTerminal, quoted, type Terminal } from '../support/terminal.ts';

/** How large a terminal is. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What somebody does once the screen shows something: at a question, in a pager. */
export interface Reply {
  /** What is waited for: the last thing that the question draws. */
  readonly at: string | RegExp;
  /** What is typed then. */
  readonly type?: string;
  /** Keys pressed after it, by tmux's names: `Enter`, `Down`, `Escape`, `C-c`, `q`. */
  readonly press?: readonly string[];
}

/** What the screen showed at one moment. */
export interface Screen {
  /** Row by row, as the eye sees it, without blanks at the ends and below. */
  readonly rows: readonly string[];
  /** Rows that left the screen at its top. */
  readonly above: number;
  /** The same with the lines whole that the terminal broke. */
  readonly lines: readonly string[];
  /** What was typed and pressed then; absent after the last screen of a command. */
  readonly reply?: Reply;
}

/** A shell in a real terminal, in which `svc` is svc at the time of the story. */
export interface Shell {
  /** Types a command line on an empty screen, answers what it asks, and waits for the next prompt; gives the screens seen. */
  command(line: string, replies?: readonly Reply[]): Promise<Screen[]>;
  close(): void;
}

export interface ShellOptions extends Size {
  readonly home: string;
  /** The launcher of svc. */
  readonly svc: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds since 1970 before the first command; each command is a minute later. */
  readonly now: number;
}

/** A minute, in milliseconds: what passes between two commands. */
export const BETWEEN_COMMANDS = 60_000;

const SET_CLOCK = fileURLToPath(new URL('fixtures/set-clock.ts', import.meta.url));

/** The last line of a screen on which nothing runs. */
const PROMPT = /(^|\n)\$$/;

/** Opens a bash with an empty history in a terminal of this size. */
export async function openShell({ home, svc, env, now, columns, rows }: ShellOptions): Promise<Shell> {
  const settings = join(home, '.story-rc');
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--import', SET_CLOCK, svc].map(quoted).join(' ');
  await writeFile(
    settings,
    [
      "PS1='$ '",
      // An exit code is told as some prompts tell it.
      `PROMPT_COMMAND='code=$?; [ $code -eq 0 ] || echo "(exit $code)"'`,
      'unset HISTFILE',
      "bind 'set enable-bracketed-paste off'",
      `STORY_NOW=${now}`,
      `svc() { STORY_NOW=$((STORY_NOW + ${BETWEEN_COMMANDS})); STORY_NOW=$STORY_NOW ${node} "$@"; }`,
    ].join('\n'),
  );
  const terminal = openTerminal(`bash --rcfile ${quoted(settings)} -i`, { home, env, columns, rows });
  await terminal.shows(PROMPT);

  return {
    async command(line, replies = []) {
      await terminal.wipe();
      await terminal.press('C-l');
      await terminal.shows(/^\$$/);
      await terminal.type(line);
      await terminal.shows(`$ ${line}`);
      await terminal.press('Enter');
      const screens: Screen[] = [];
      for (const reply of replies) {
        await terminal.shows(reply.at);
        screens.push({ ...(await look(terminal)), reply });
        if (reply.type !== undefined) await terminal.type(reply.type);
        for (const key of reply.press ?? []) await terminal.press(key);
      }
      await terminal.shows(PROMPT);
      return [...screens, await look(terminal)];
    },
    close: () => terminal.close(),
  };
}

async function look(terminal: Terminal): Promise<Screen> {
  const rows = (await terminal.rows()).map((row) => row.trimEnd());
  const last = rows.findLastIndex((row) => row !== '');
  return {
    rows: rows.slice(0, last + 1),
    above: await terminal.scrolledOff(),
    lines: (await terminal.screen()).split('\n').map((line) => line.trimEnd()),
  };
}
