import type { Choice, Deps, Output, Prompts } from '../deps.ts';
import { neutraliseLine, neutraliseText } from '../output/neutralise.ts';
import { allowsColor } from '../output/styles.ts';
import { isUnsafe } from '../values/hidden-characters.ts';

/** The outside world as svc works with it: everything that leads to a terminal is guarded, so that no code can forget to do so. */
export interface Guarded extends Omit<Deps, 'stdio'> {
  readonly stdio: { readonly stdin: Deps['stdio']['stdin']; readonly stdout: Screen; readonly stderr: Screen };
}

export interface Screen extends Omit<Output, 'write'> {
  /** For people. Shows hidden characters (values/hidden-characters.ts), except svc's own {@link STYLE}s where colour is wanted. */
  write(text: string): Promise<void>;
  /** Writes data to the last byte where a program reads; at a terminal the data is text, as for {@link write}. */
  writeData(data: string | Uint8Array): Promise<void>;
  overwrite(text: string): Promise<void>;
}

/**
 * Stands between svc and every way to a terminal: both streams, questions and the pager. `run.ts` puts it there, and all other code gets
 * the guarded world only.
 *
 * @param argv For `--no-color`.
 */
export function guardTerminal(deps: Deps, argv: readonly string[]): Guarded {
  const { stdio, programs, prompts, plainPrompts } = deps;
  const screenOf = (output: Output) => guardOutput(output, () => allowsColor(output, argv.includes('--no-color'), deps.env));
  const stdout = screenOf(stdio.stdout);
  return {
    ...deps,
    stdio: {
      // A getter, since looking at stdin opens it.
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

/** svc's own sequences that a stream lets through. None of them moves, hides or replaces anything, should one be a stranger's. */
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

/** Puts questions and names on one line each, and leaves out values and completions with hidden characters. */
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
          // The reason why the search failed, shown below the question.
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
