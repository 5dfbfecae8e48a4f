import type { Choice, Deps, Output, Prompts } from '../deps.ts';
import { allowsColor } from '../output/color-choice.ts';
import { neutraliseLine, neutraliseText } from '../output/neutralise.ts';
import { isUnsafe } from '../values/hidden-characters.ts';

/** The outside world as svc works with it: what leads to a terminal is guarded, so that no code below can forget to. */
export interface Guarded extends Omit<Deps, 'stdio'> {
  readonly stdio: { readonly stdin: Deps['stdio']['stdin']; readonly stdout: Screen; readonly stderr: Screen };
}

/** A stream that a person reads, or a program. */
export interface Screen extends Omit<Output, 'write'> {
  /**
   * Writes text for people, wherever it goes: what is hidden in it is seen (values/hidden-characters.ts), but for the {@link STYLE}s of
   * svc where colour is wanted. Resolves and rejects as {@link Output.write} does.
   */
  write(text: string): Promise<void>;
  /** Writes data to the last byte where a program reads; at a terminal it is text, as {@link write} has it. */
  writeData(data: string | Uint8Array): Promise<void>;
  /** Writes text over the line that the cursor is on; the terminal is one that can go back in a line. */
  overwrite(text: string): Promise<void>;
}

/**
 * Stands between svc and every way to a terminal: both streams, questions with their choices and completions, the pager. `run.ts` puts it
 * there, and nothing below has the world without it: only a {@link Screen} can write, and none is made elsewhere.
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
      // Asked for rather than known: looking at it opens it.
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

/**
 * Colours and weights from the terminal's own palette, but black and white: the sequences of svc that a stream lets through. None of them moves,
 * hides or replaces anything, should one ever be a stranger's.
 */
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

/** Questions and names on one line each; what may be typed again or completed is left out where something in it is hidden. */
function guardPrompts(prompts: Prompts): Prompts {
  const named = ({ name, value }: Choice) => ({ name: neutraliseLine(name), value });
  return {
    confirm: (question, signal) => prompts.confirm(neutraliseLine(question), signal),
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
      const lookElsewhere = async (typed: string) => {
        const found = await more?.(typed).catch((error: unknown) => {
          // What the search failed of is shown below the question.
          throw new Error(neutraliseLine(error instanceof Error ? error.message : String(error)), { cause: error });
        });
        return (found ?? []).map(named);
      };
      return prompts.pick(neutraliseLine(question), choices.map(named), signal, more && lookElsewhere);
    },
  };
}

async function* each(texts: AsyncIterable<string>, change: (text: string) => string): AsyncGenerator<string> {
  for await (const text of texts) yield change(text);
}
