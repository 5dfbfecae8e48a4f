import { findCommandEntry } from './resolve.ts';
import type { CommandSpec } from './spec.ts';

/** Commands that ask no organisation. */
const WITHOUT_HOST: ReadonlySet<string> = new Set(['alias', 'commands', 'completion', 'config', 'sandbox', 'skill']);

/** Commands that take their host as an argument. */
const HOST_ARGUMENT: ReadonlySet<string> = new Set(['login', 'logout', 'auth switch']);

/** What stands after such a command when it names one: `acme.example.com`, `127.0.0.1:4010`, `<host>`. */
const A_HOST = /^ (?:<|\[|localhost\b|[\w-]+[.:][\w[])/;

/**
 * A text in which each command of svc names its organisation: `svc token set` becomes `svc token set --host acme.example.com`.
 * A command typed as it stands would go to the default one, and perhaps take a secret there.
 *
 * @param text What a person is told to type, with words around it. A word after `svc` that is no command is prose.
 * @param host The organisation that the text is about. Commands that name one, or only ask for help, stay as they are.
 */
export async function nameHost<Context>(text: string, host: string, root: CommandSpec<Context>): Promise<string> {
  const pieces = text.split(/(?<![\w-])(?=svc [a-z])/);
  return (await Promise.all(pieces.map((piece) => nameHostIn(piece, host, root)))).join('');
}

/** @param piece Begins with the command, if it has one. */
async function nameHostIn<Context>(piece: string, host: string, root: CommandSpec<Context>): Promise<string> {
  const path = await pathOf(piece, root);
  const [first] = path;
  if (first === undefined || WITHOUT_HOST.has(first) || /(?<!\S)--host\b/.test(piece)) return piece;
  const command = path.join(' ');
  const end = 'svc '.length + command.length;
  const rest = piece.slice(end);
  const takesHost = HOST_ARGUMENT.has(command);
  if (rest.startsWith(' --help') || (takesHost && A_HOST.test(rest))) return piece;
  return `${piece.slice(0, end)}${takesHost ? '' : ' --host'} ${host}${rest}`;
}

/** The words after `svc` that lead to a command, as they are written. */
async function pathOf<Context>(piece: string, root: CommandSpec<Context>): Promise<string[]> {
  const words = /^svc((?: [a-z][\w-]*)+)/.exec(piece)?.[1]?.trim().split(' ') ?? [];
  const path: string[] = [];
  let spec = root;
  for (const word of words) {
    const entry = findCommandEntry(spec.commands ?? [], word);
    if (entry === undefined) break;
    spec = await entry.load();
    path.push(word);
  }
  return path;
}
