import { shellCommand } from '../cli/shell-word.ts';
import { OutputClosed } from '../deps.ts';
import { allowsColor } from '../output/color-choice.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { loadStyles } from '../output/styles.ts';
import type { Needs } from './context.ts';

/** The members of a context that printing a command needs. */
export type TellingCommand = 'argv' | 'env' | 'globals' | 'stdio';

/** A flag and its value, as words that a command line reads back: a value may begin with a dash. */
export function flagWords(flag: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`--${flag}=${value}`] : [`--${flag}`, value];
}

/** Prints the command that does the same without the questions, in a dim line. A person can type it the next time. */
export async function tellCommand(context: Needs<TellingCommand>, answered: readonly string[]): Promise<void> {
  const { argv, env, globals, stdio } = context;
  if (globals.quiet || answered.length === 0) return;
  const { dim } = await loadStyles(allowsColor(stdio.stderr, globals.noColor === true, env));
  try {
    await stdio.stderr.write(`${dim(neutraliseLine(`The same without questions: ${shellCommand([...argv, ...answered])}`))}\n`);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}
