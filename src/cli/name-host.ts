import { findCommandEntry } from './resolve.ts';
import type { CommandSpec } from './spec.ts';

const WITHOUT_HOST: ReadonlySet<string> = new Set(['alias', 'commands', 'completion', 'config', 'sandbox', 'skill']);

const HOST_ARGUMENT: ReadonlySet<string> = new Set(['login', 'logout', 'auth switch']);

/** Matches a host that follows a command in a hint: ` acme.example.com`, ` 127.0.0.1:4010`, ` <host>`. */
const A_HOST = /^ (?:<|\[|localhost\b|[\w-]+[.:][\w[])[^\s,;"]*?(?=[,;."]*(?:\s|$))/;

interface NamedPlace {
  /** The host to add. Undefined if the commands reach the host without `--host`. */
  readonly host?: string | undefined;
  /** The account to add, such as `work`. Undefined if the commands choose the account without `--account`. */
  readonly account?: string | undefined;
}

/**
 * Adds the organisation and the account to the commands in a hint: `svc token set` becomes
 * `svc token set --host acme.example.com`. Without the flag, the command would use the default organisation, and possibly send a secret to
 * that organisation.
 *
 * @param text The hint. A word after `svc` that names no command is prose.
 * @param place The organisation and the account of the hint. A host or an account that a command already names stays unchanged. A command
 * with `--help`, and a command without an organisation (`svc alias`), stay unchanged too.
 */
export async function nameHost<Context>(text: string, place: NamedPlace, root: CommandSpec<Context>): Promise<string> {
  const pieces = text.split(/(?<![\w-])(?=svc [a-z])/);
  return (await Promise.all(pieces.map((piece) => nameHostIn(piece, place, root)))).join('');
}

async function nameHostIn<Context>(piece: string, { host, account }: NamedPlace, root: CommandSpec<Context>): Promise<string> {
  const path = await pathOf(piece, root);
  const [first] = path;
  if (first === undefined || WITHOUT_HOST.has(first)) return piece;
  const command = path.join(' ');
  const end = 'svc '.length + command.length;
  const rest = piece.slice(end);
  if (rest.startsWith(' --help')) return piece;
  const takesHost = HOST_ARGUMENT.has(command);
  const typed = takesHost ? (A_HOST.exec(rest)?.[0] ?? '') : '';
  const named = host === undefined || typed !== '' || /(?<!\S)--host\b/.test(piece) ? '' : `${takesHost ? '' : ' --host'} ${host}`;
  const who = account === undefined || /(?<!\S)--account\b/.test(piece) ? '' : ` --account ${account}`;
  return `${piece.slice(0, end)}${typed}${named}${who}${rest.slice(typed.length)}`;
}

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
