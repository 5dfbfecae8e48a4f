import { shellCommand } from '../cli/shell-word.ts';
import { OutputClosed } from '../deps.ts';
import { neutraliseLine } from '../output/neutralise.ts';
import { allowsColor, loadStyles } from '../output/styles.ts';
import { DEFAULT_ACCOUNT } from '../values/sign-in-names.ts';
import type { Needs } from './context.ts';

export type PrintingCommand = 'argv' | 'env' | 'globals' | 'stdio';

/** Returns a flag and its value as words of a command line. A value may start with a dash. */
export function flagWords(flag: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`--${flag}=${value}`] : [`--${flag}`, value];
}

export async function printCommandLine(context: Needs<PrintingCommand>, answered: readonly string[]): Promise<void> {
  context.argv.push(...answered);
  if (answered.length > 0) await printCommand(context);
}

export async function printChoice(context: Needs<PrintingCommand>, typed: string, chosen: string): Promise<void> {
  const { argv } = context;
  const [at, ...others] = argv.flatMap((word, index) => (word === typed || word.endsWith(`=${typed}`) ? [index] : []));
  // A name from a file is not on the command line. Two equal words do not show which word the command read.
  if (at === undefined || others.length > 0) return;
  argv[at] = `${argv[at]?.slice(0, -typed.length)}${chosen}`;
  await printCommand(context);
}

export async function printMeaning(context: Needs<PrintingCommand>, words: readonly string[], flags: readonly string[]): Promise<void> {
  const { argv } = context;
  // A word can come from several arguments, such as a number and its unit.
  const typed = words.flatMap((word) => (argv.includes(word) ? [word] : word.split(' ')));
  const together = argv.findIndex((_, index) => typed.every((word, nth) => argv[index + nth] === word));
  let at = together < 0 ? argv.length : together + typed.length;
  // Other flags can be between the words.
  for (const word of typed.toReversed()) {
    at = argv.lastIndexOf(word, at - 1);
    if (at < 0) return;
    argv.splice(at, 1);
  }
  argv.splice(at, 0, ...flags);
  await printCommand(context);
}

async function printCommand({ argv, env, globals, stdio }: Needs<PrintingCommand>): Promise<void> {
  if (globals.quiet) return;
  const { dim } = await loadStyles(allowsColor(stdio.stderr, globals.noColor === true, env));
  try {
    await stdio.stderr.write(`${dim(neutraliseLine(`The same with your answers: ${shellCommand(argv)}`))}\n`);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}

/**
 * Returns the host that a printed command must name. Undefined if the command reaches this host without `--host`. A host from a variable or
 * a directory’s file applies only in this shell or directory. A printed command must therefore name this host.
 */
export async function hostToName(context: Needs<'resolvedHost' | 'settings'>): Promise<string | undefined> {
  try {
    const { host, source } = await context.resolvedHost();
    if (source === 'configuration' || source === 'only-sign-in') return undefined;
    return (await context.settings()).host === host.name ? undefined : host.name;
  } catch {
    // Code that needs the host or the settings reports their errors later.
    return undefined;
  }
}

/** Returns the account that a printed command must name. Undefined if the command chooses this account without `--account`. */
export async function accountToName(context: Needs<'resolvedHost'>): Promise<string | undefined> {
  const found = await context.resolvedHost().catch(() => undefined);
  return found?.chosen?.isChosen ? (found.host.account ?? DEFAULT_ACCOUNT) : undefined;
}

/**
 * Returns ` --host acme.example.com --account work` for a printed command. Empty if the command needs no host ({@link hostToName}) and no
 * account.
 */
export async function hostFlag(context: Needs<'resolvedHost' | 'settings'>): Promise<string> {
  const [host, account] = await Promise.all([hostToName(context), accountToName(context)]);
  return `${host === undefined ? '' : ` --host ${host}`}${account === undefined ? '' : ` --account ${account}`}`;
}
