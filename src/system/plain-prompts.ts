import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Choice, Prompts } from '../deps.ts';
import { InterruptedError } from '../errors.ts';
import { createTypedLines } from './typed-lines.ts';

type More = (typed: string) => Promise<readonly Choice[]>;

const SEARCHED = 2;

const MOST_SHOWN = 20;

/** Creates prompts for a screen reader. Each question appears once. A number or a part of a name selects a choice. */
export function createPlainPrompts(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Prompts {
  let turn: Promise<unknown> = Promise.resolve();
  const typed = createTypedLines(stdin, stderr, false);

  function inTurn<T>(question: () => Promise<T>): Promise<T> {
    const answer = turn.then(question);
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function ask(lines: readonly string[], signal: AbortSignal, hidden = false): Promise<string> {
    if (signal.aborted) throw new InterruptedError('Interrupted.');
    stderr.write(`${lines.join('\n')} `);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    // If the input is hidden, Node edits the line in place of the terminal. Node then shows nothing.
    const reader = createInterface({ input: stdin, terminal: hidden, ...(hidden && { output: nowhere() }), signal });
    reader.once('line', resolve);
    reader.once('SIGINT', () => reader.close());
    reader.once('close', () => reject(new InterruptedError('Interrupted.')));
    // The next output starts on its own line, even after input without Enter.
    let isEntered = false;
    try {
      const typed = await promise;
      isEntered = !hidden;
      return typed.trim();
    } finally {
      reader.close();
      if (!isEntered) stderr.write('\n');
    }
  }

  async function pick(question: string, choices: readonly Choice[], signal: AbortSignal, more?: More): Promise<string> {
    const known = choices.map((choice, index) => ({ ...choice, number: index + 1 }));
    const fitting = (typed: string) => known.filter(({ name }) => typed !== '' && name.toLowerCase().includes(typed));
    let shown = known;
    let lines = [question];
    for (;;) {
      const left = shown.length - MOST_SHOWN;
      const typed = await ask(
        [
          ...lines,
          ...shown.slice(0, MOST_SHOWN).map(({ number, name }) => `${number}. ${name}`),
          ...(left > 0 ? [`The list leaves out ${left} more.`] : []),
          'Type a number, or a part of a name:',
        ],
        signal,
      );
      const numbered = /^\d+$/.test(typed) ? known[Number(typed) - 1] : undefined;
      if (numbered !== undefined) return numbered.value;
      const text = typed.toLowerCase();
      let failure: string | undefined;
      if (more !== undefined && text.length >= SEARCHED && fitting(text).length === 0) {
        const elsewhere = await more(text).catch((error: unknown) => {
          failure = error instanceof Error ? error.message : String(error);
          return [];
        });
        for (const choice of elsewhere)
          if (!known.some(({ value }) => value === choice.value)) known.push({ ...choice, number: known.length + 1 });
      }
      const found = fitting(text);
      const [only] = found;
      if (only !== undefined && found.length === 1) return only.value;
      lines = [failure ?? (found.length === 0 ? 'No name in the list matches.' : `${found.length} names match.`)];
      if (found.length > 0) shown = found;
    }
  }

  async function confirm(question: string, signal: AbortSignal, byDefault = false): Promise<boolean> {
    let typed = await ask([`${question} Type yes or no (Enter: ${byDefault ? 'yes' : 'no'}):`], signal);
    for (;;) {
      if (typed === '') return byDefault;
      if (/^y(es)?$/i.test(typed)) return true;
      if (/^no?$/i.test(typed)) return false;
      typed = await ask(['Type yes or no:'], signal);
    }
  }

  return {
    confirm: (question, signal, byDefault) => inTurn(() => confirm(question, signal, byDefault)),
    secret: (question, signal) => inTurn(() => ask([`${question} The terminal does not show your text:`], signal, true)),
    line: (question, signal) => inTurn(() => ask([question], signal)),
    // The terminal edits the line. svc offers no history and no completion, because both would draw over the line.
    typed: (prompt, signal) => inTurn(() => typed(prompt, signal)),
    pick: (question, choices, signal, more) => inTurn(() => pick(question, choices, signal, more)),
  };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
