import { SignInError, UsageError } from '../errors.ts';
import { type Host, parseHost } from '../values/addresses.ts';
import { type DirectoryFile, type DirectorySearch, findDirectoryFile } from './directory-file.ts';
import type { ResolvedAccount } from './resolve-account.ts';

export type HostSource = 'flag' | 'environment' | 'directory' | 'configuration' | 'only-sign-in';

export interface ResolvedHost {
  readonly host: Host;
  readonly source: HostSource;
  /** The choice of the account. Undefined with `SVC_TOKEN`, which needs no sign-in. */
  readonly chosen?: ResolvedAccount;
}

export interface HostQuery extends DirectorySearch {
  /** The value of `--host`. */
  readonly flag: string | undefined;
  /** The value of `SVC_HOST`. */
  readonly environment: string | undefined;
  readonly tokenInEnvironment: boolean;
  readonly configured: () => Promise<string | undefined>;
  readonly signedIn: () => Promise<readonly string[]>;
}

/**
 * Chooses the organisation. The order is `--host`, `SVC_HOST`, the directory’s `.svc.json`, the configured default, and last the only host
 * with a sign-in.
 *
 * Another person can have written a `.svc.json`. The file can therefore only choose among the hosts with a sign-in. svc never sends
 * `SVC_TOKEN` to a host that only the file names.
 *
 * @throws UsageError for an invalid name, for several sign-ins without a default, and for `SVC_TOKEN` without a trusted host.
 * @throws SignInError if nothing names a host, and for a host of a `.svc.json` without a sign-in.
 */
export async function resolveHost(query: HostQuery): Promise<ResolvedHost> {
  if (query.flag !== undefined) return { host: await hostTyped(query.flag, query.signedIn), source: 'flag' };
  if (query.environment) return { host: await hostTyped(query.environment, query.signedIn), source: 'environment' };
  const directory = await findDirectoryFile(query, ({ host }) => host !== undefined);
  if (directory !== undefined) return { host: await hostOfDirectory(directory, query), source: 'directory' };
  const configured = await query.configured();
  if (configured !== undefined) return { host: parseHost(configured), source: 'configuration' };
  const signedIn = await query.signedIn();
  const [only] = signedIn;
  if (only !== undefined && signedIn.length === 1) return { host: parseHost(only), source: 'only-sign-in' };
  if (only !== undefined) {
    throw new UsageError('You are signed in to several organisations, and none is the default.', {
      hint: `Choose an organisation: svc auth switch <host>, or --host. Signed in: ${signedIn.join(', ')}.`,
    });
  }
  if (query.tokenInEnvironment)
    throw new UsageError('SVC_TOKEN is set, but svc does not know its host.', { hint: 'Set SVC_HOST, or add --host <host>.' });
  throw new SignInError('You are not signed in.', { hint: 'Sign in: svc login <host>, for example svc login acme.example.com' });
}

/**
 * Finds the host that a user typed: a whole name, or a part of exactly one host with a sign-in. A word without a dot can also be a new
 * host, if no host with a sign-in matches.
 *
 * @throws UsageError for an invalid name, and for a part of several names.
 */
export async function hostTyped(text: string, signedIn: () => Promise<readonly string[]>): Promise<Host> {
  const host = parseHost(text);
  if (host.name.includes('.') || host.name.includes(':') || host.name === 'localhost') return host;
  const known = await signedIn();
  if (known.includes(host.name)) return host;
  const found = known.filter((name) => name.includes(host.name));
  if (found.length > 1)
    throw new UsageError(`"${text}" is a part of several hosts: ${found.join(', ')}.`, { hint: 'Type more of the host name.' });
  return found[0] === undefined ? host : parseHost(found[0]);
}

function hostNamedIn({ path, host = '' }: DirectoryFile): Host {
  try {
    return parseHost(host);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${path}: ${error.message}`, { hint: 'Fix or remove the file, or name the organisation with --host.' });
  }
}

async function hostOfDirectory(file: DirectoryFile, query: HostQuery): Promise<Host> {
  const host = hostNamedIn(file);
  if (query.tokenInEnvironment) {
    throw new UsageError(`svc does not send SVC_TOKEN to ${host.name}, because only ${file.path} names that host.`, {
      hint: `If you trust the host, name it yourself: --host ${host.name}`,
    });
  }
  if (!(await query.signedIn()).includes(host.name)) {
    throw new SignInError(`${file.path} names ${host.name}, and you are not signed in there.`, {
      hint: `If you trust the host: svc login ${host.name}. Otherwise use --host.`,
    });
  }
  return host;
}
