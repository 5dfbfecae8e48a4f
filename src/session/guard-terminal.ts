import type { Choice, Deps, Output, Prompts } from '../deps.ts';
import { neutraliseLine, neutraliseText } from '../output/neutralise.ts';
import { allowsColor } from '../output/styles.ts';
import { isUnsafe } from '../values/hidden-characters.ts';

/**
 * The access of all code to files, the network, programs and the terminal. This module neutralises every text to a terminal, so that no
 * code can forget this step.
 */
export interface Guarded extends Omit<Deps, 'stdio'> {
  readonly stdio: { readonly stdin: Deps['stdio']['stdin']; readonly stdout: Screen; readonly stderr: Screen };
}

export interface Screen extends Omit<Output, 'write'> {
  /**
   * Writes text for people to this stream. Makes hidden characters (values/hidden-characters.ts) visible, except svc’s own {@link STYLE}s
   * if the output has colours.
   */
  write(text: string): Promise<void>;
  /** Writes data unchanged if a program reads the output. Writes data like {@link write} at a terminal. */
  writeData(data: string | Uint8Array): Promise<void>;
  overwrite(text: string): Promise<void>;
}

/**
 * Guards every output to a terminal: both streams, questions and the pager. `run.ts` installs the guard, and all other code gets only
 * guarded outputs.
 * @param argv arguments, for `--no-color`.
 */
export function guardTerminal(deps: Deps, argv: readonly string[]): Guarded {
  const { stdio, programs, prompts, plainPrompts } = deps;
  const screenOf = (output: Output) => guardOutput(output, () => allowsColor(output, argv.includes('--no-color'), deps.env));
  const stdout = screenOf(stdio.stdout);
  return {
    ...deps,
    stdio: {
      // The member is a getter, because any access to stdin opens stdin.
      get stdin() {
        return stdio.stdin;
      },
      stdout: stdout.screen,
      stderr: screenOf(stdio.stderr).screen,
    },
    programs: { ...programs, page: (command, input, signal) => programs.page(command, each(input, stdout.seen), signal) },
    prompts: guardPrompts(prompts),
    plainPrompts: guardPrompts(plainPrompts),
  };
}

/** Matches the style sequences that a stream can contain, because none of them can move, hide or replace text. */
const STYLE = /(\u001b\[(?:[0-4]|2[2-4]|3[1-69]|9[0-6])m)/;

function guardOutput(output: Output, isStyled: () => boolean): { readonly screen: Screen; readonly seen: (text: string) => string } {
  const decoder = new TextDecoder();
  const seen = (text: string) =>
    STYLE.test(text) && isStyled()
      ? text
          .split(STYLE)
          .map((part, index) => (index % 2 === 1 ? part : neutraliseText(part)))
          .join('')
      : neutraliseText(text);
  const screen: Screen = {
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
    write: (text) => output.write(seen(text)),
    writeData(data) {
      if (!output.isTTY) return output.write(data);
      return output.write(seen(typeof data === 'string' ? data : decoder.decode(data, { stream: true })));
    },
    overwrite: (text) => output.write(`\r\u001b[K${neutraliseLine(text)}`),
  };
  return { screen, seen };
}

/**
 * Guards prompts. Each question and each name stays on one line. The guard leaves out earlier lines and completions with hidden characters.
 */
function guardPrompts(prompts: Prompts): Prompts {
  const named = ({ name, value }: Choice) => ({ name: neutraliseLine(name), value });
  return {
    confirm: (question, signal, byDefault) => prompts.confirm(neutraliseLine(question), signal, byDefault),
    secret: (question, signal) => prompts.secret(neutraliseLine(question), signal),
    line: (question, signal) => prompts.line(neutraliseLine(question), signal),
    typed(prompt, signal, { history, complete }) {
      const completeSafely = (text: string) => {
        const { choices, of } = complete(text);
        return { choices: choices.filter((choice) => !isUnsafe(choice)), of };
      };
      return prompts.typed(neutraliseLine(prompt), signal, {
        history: history.filter((line) => !isUnsafe(line)),
        complete: completeSafely,
      });
    },
    pick(question, choices, signal, more) {
      const searchMore = async (typed: string) => {
        const found = await more?.(typed).catch((error: unknown) => {
          // The reason why the search failed appears under the question.
          throw new Error(neutraliseLine(error instanceof Error ? error.message : String(error)), { cause: error });
        });
        return (found ?? []).map(named);
      };
      return prompts.pick(neutraliseLine(question), choices.map(named), signal, more && searchMore);
    },
  };
}

async function* each(texts: AsyncIterable<string>, change: (text: string) => string): AsyncGenerator<string> {
  for await (const text of texts) yield change(text);
}

export function latePrompts(open: () => Promise<Prompts>): Prompts {
  return {
    confirm: async (...args) => (await open()).confirm(...args),
    secret: async (...args) => (await open()).secret(...args),
    line: async (...args) => (await open()).line(...args),
    typed: async (...args) => (await open()).typed(...args),
    pick: async (...args) => (await open()).pick(...args),
  };
}
