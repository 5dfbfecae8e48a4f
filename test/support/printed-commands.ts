import { stripVTControlCharacters } from 'node:util';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/globals.ts';
import { parseInput } from '../../src/cli/parse.ts';
import { findCommandEntry, resolveCommand } from '../../src/cli/resolve.ts';
import { rootOf } from '../../src/commands/root.ts';
import { splitWords } from '../../src/values/command-line.ts';

const ROOT = rootOf(builtInCatalog());

/** A command that svc printed, with its line. */
export interface Hint {
  readonly command: string;
  readonly line: string;
}

/** Matches lines that repeat an earlier command line. */
const ECHO = /^(Undone: |svc [\w-]+ is now: |The alias stands for: )/;

/**
 * Returns the commands in svc’s output, as a person would copy them.
 * On stderr, and on stdout for a person, a command is the whole line. Otherwise it follows a colon, “or”, “run”, “with” or “see”, with or
 * without quotation marks. It ends with the line, the quotation or the sentence.
 * Any other `svc …` is about svc. In JSON, the members with a command or an advice count.
 */
export function hintsIn(stdout: string, stderr: string, isForPerson: boolean): Hint[] {
  const values = [...stdout.matchAll(/"(?:what_to_do|command|fill)":("(?:[^"\\]|\\.)*")/g)].map(([, value = '""']) =>
    String(JSON.parse(value)),
  );
  const lines = stripVTControlCharacters(isForPerson ? `${stderr}\n${stdout}` : [stderr, ...values].join('\n'))
    // A narrow terminal has the command on a separate line.
    .replace(/^Undone:\n/gm, 'Undone: ')
    .split('\n');
  // The message of an error quotes the typed text. Its hint is on a separate line.
  return (
    lines
      .flatMap((line) => (line.startsWith('{"message":') ? jsonError(line) : line.startsWith('svc: ') ? [] : [line.trim()]))
      .filter((line) => !ECHO.test(line))
      .flatMap((line) => commandsIn(line).map((command) => ({ command, line })))
      // A table cell may show only the start of a command.
      .filter(({ command }) => !/\w…$/.test(command))
  );
}

function jsonError(line: string): string[] {
  const { hint = '', resume = '' } = JSON.parse(line) as { hint?: string; resume?: string };
  return [hint, resume];
}

export function commandsIn(line: string): string[] {
  return [...line.matchAll(/(^|: |\b(?:[Oo]r|[Rr]un|[Ww]ith|[Ss]ee) )("?)svc ([a-z][\w-]*)/g)].flatMap(
    ({ index, 0: found, 2: quote = '', 3: word = '' }) => {
      if (findCommandEntry(ROOT.commands ?? [], word) === undefined) return [];
      const rest = line.slice(index + found.length - `svc ${word}`.length);
      return quote === '"' ? rest.slice(0, `${rest}"`.indexOf('"')) : outsideQuotes(rest, / {2}|\s*│|[;,.?](?= |$)|\)(?= |$|[.,;])| \(/);
    },
  );
}

/** Returns a text up to the first match outside quotes. */
function outsideQuotes(text: string, end: RegExp): string {
  const masked = text.replace(/'[^']*'|"[^"]*"/g, (quoted) => 'x'.repeat(quoted.length));
  const found = end.exec(masked);
  return found === null ? text : text.slice(0, found.index);
}

/** Returns the words after `svc` in a command line, without the parts for the shell: `svc week | cat`. */
export function wordsOf(command: string): string[] {
  return splitWords(command.replace(/ [|<>] .*$/, '')).slice(1);
}

/** Returns the reason why svc does not understand a command line. Undefined if svc understands it. */
export async function misunderstood(command: string): Promise<string | undefined> {
  try {
    const { path, spec, args } = await resolveCommand(ROOT, wordsOf(command), GLOBAL_OPTIONS);
    parseInput(spec, path, GLOBAL_OPTIONS, args);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
