import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTerminal, quoted, type Terminal } from '../support/terminal.ts';

/** The size of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A person’s reaction to a screen, such as a question or a pager. */
export interface Reply {
  /** The last text that the question draws. */
  readonly at: string | RegExp;
  /** The text to type. */
  readonly type?: string;
  /** The keys to press after the text, by tmux’s names: `Enter`, `Down`, `Escape`, `C-c`, `q`. */
  readonly press?: readonly string[];
}

/** The content of the screen at one time. */
export interface Screen {
  /** The visible rows, without blanks at their ends and without empty rows at the bottom. */
  readonly rows: readonly string[];
  /** The number of rows that left the screen at its top. */
  readonly above: number;
  /** The rows, with whole lines where the terminal broke them. */
  readonly lines: readonly string[];
  /** The reply to this screen. Undefined after the last screen of a command. */
  readonly reply?: Reply;
}

/** A shell in a real terminal, in which `svc` runs at the time of the story. */
export interface Shell {
  /** Types a command line on an empty screen, answers its questions, and waits for the next prompt. Returns the screens. */
  command(line: string, replies?: readonly Reply[]): Promise<Screen[]>;
  close(): void;
}

export interface ShellOptions extends Size {
  readonly home: string;
  /** The path of svc’s launcher. */
  readonly svc: string;
  readonly env: Readonly<Record<string, string>>;
  /** The time before the first command: milliseconds since 1970. Each command is a minute later. */
  readonly now: number;
}

/** The time between two commands: a minute, in milliseconds. */
export const BETWEEN_COMMANDS = 60_000;

const SET_CLOCK = fileURLToPath(new URL('fixtures/set-clock.ts', import.meta.url));

/** Matches the last line of a screen while no command runs. */
const PROMPT = /(^|\n)\$$/;

/** Opens a bash with an empty history in a terminal of this size. */
export async function openShell({ home, svc, env, now, columns, rows }: ShellOptions): Promise<Shell> {
  const settings = join(home, '.story-rc');
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--import', SET_CLOCK, svc].map(quoted).join(' ');
  await writeFile(
    settings,
    [
      "PS1='$ '",
      // The prompt shows the exit code, as some prompts do.
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
        screens.push({ ...(await lookAt(terminal, reply.at)), reply });
        if (reply.type !== undefined) await terminal.type(reply.type);
        for (const key of reply.press ?? []) await terminal.press(key);
      }
      await terminal.shows(PROMPT);
      return [...screens, await look(terminal)];
    },
    close: () => terminal.close(),
  };
}

/** Returns the screen with a text. A question can draw itself again, and then misses its choices for a short time. */
async function lookAt(terminal: Terminal, text: string | RegExp): Promise<Screen> {
  for (;;) {
    await terminal.shows(text);
    const [screen, next] = [await look(terminal), await look(terminal)];
    const shown = next.lines.join('\n');
    const isThere = typeof text === 'string' ? shown.includes(text) : text.test(shown);
    // The choices of a search come a moment after its question.
    const hasChoices = !shown.includes('⏎ select') || shown.includes('❯');
    if (isThere && hasChoices && JSON.stringify(screen) === JSON.stringify(next)) return screen;
  }
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
