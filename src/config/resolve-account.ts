import type { Env } from '../deps.ts';
import { SignInError, UsageError } from '../errors.ts';
import { type Host, parseHost } from '../values/addresses.ts';
import { parseAccount, signInName, splitSignIn } from '../values/sign-in-names.ts';
import type { ConfigFile } from './config-file.ts';
import { type DirectoryFile, type DirectorySearch, findDirectoryFile } from './directory-file.ts';

export interface ResolvedAccount {
  /** The account’s name: `work`. Undefined for the sign-in without a name. */
  readonly account: string | undefined;
  /** The file that chose the account. Undefined if no file chose the account. */
  readonly from?: string;
  /** True if `--account`, `SVC_ACCOUNT` or a `.svc.json` chose the account. A printed command must then name the account. */
  readonly isChosen: boolean;
}

export interface AccountQuery extends DirectorySearch {
  /** The value of `--account`, otherwise of `SVC_ACCOUNT`. */
  readonly typed: string | undefined;
  /** True if the user named the host. A `.svc.json` then chooses no account. */
  readonly isHostTyped: boolean;
  /** The setting `accounts`: `work@acme.example.com me@beta.example.com`. */
  readonly configured: () => Promise<string | undefined>;
  /** Returns the names of all sign-ins ({@link signInName}). */
  readonly signIns: () => Promise<readonly string[]>;
}

/**
 * Chooses the account on a host. The order is `--account`, `SVC_ACCOUNT`, the directory’s `.svc.json`, the setting `accounts`. If none
 * names an account, svc uses the sign-in without a name, or the only sign-in to the host.
 *
 * Another person can have written a `.svc.json`. The file can therefore only choose among the accounts with a sign-in to the host.
 *
 * @throws UsageError for an invalid name, and if several accounts have a sign-in and none is the default.
 * @throws SignInError for an account of a `.svc.json` without a sign-in.
 */
export async function resolveAccount(host: Host, query: AccountQuery): Promise<ResolvedAccount> {
  if (query.typed) return { account: parseAccount(query.typed), isChosen: true };
  const file = query.isHostTyped ? undefined : await findDirectoryFile(query, ({ account }) => account !== undefined);
  if (file !== undefined && isFor(file, host))
    return { account: await accountOfDirectory(file, host, query), from: file.path, isChosen: true };
  const configured = await query.configured();
  if (accountsOf(host, namesIn(configured)).length > 0) return { account: usualAccount(host, configured), isChosen: false };
  const known = accountsOf(host, await query.signIns());
  if (known.length > 1 && !known.includes(undefined))
    throw new UsageError(`You have several accounts on ${host.name}, and none is the default.`, {
      hint: `Choose an account: svc auth switch ${host.name} --account <name>. Accounts: ${known.join(', ')}.`,
    });
  return { account: known.includes(undefined) ? undefined : known[0], isChosen: false };
}

/** Returns the account that the user named: `--account`, or else `SVC_ACCOUNT`. Undefined if the user named no account. */
export function typedAccount({ account }: { readonly account?: string | undefined }, env: Env): string | undefined {
  return account ?? (env['SVC_ACCOUNT'] || undefined);
}

/** Returns the accounts on a host among the names of sign-ins. Undefined is the sign-in without a name. */
export function accountsOf({ name }: Pick<Host, 'name'>, signIns: readonly string[]): (string | undefined)[] {
  return signIns.map(splitSignIn).flatMap(({ host, account }) => (host === name ? [account] : []));
}

/** Returns the account of a host in the setting `accounts`. Undefined for the sign-in without a name, and if the setting has no account. */
export function usualAccount(host: Pick<Host, 'name'>, setting: string | undefined): string | undefined {
  const [name] = accountsOf(host, namesIn(setting));
  return name === undefined ? undefined : parseAccount(name);
}

/**
 * Stores the account that svc uses on a host in the setting `accounts`.
 *
 * @param account undefined to remove the host from the setting.
 */
export async function storeUsualAccount(
  { read, set, unset }: Pick<ConfigFile, 'read' | 'set' | 'unset'>,
  { name }: Pick<Host, 'name'>,
  account: string | undefined,
): Promise<void> {
  const { accounts } = await read();
  const others = namesIn(accounts).filter((signIn) => splitSignIn(signIn).host !== name);
  const after = [...others, ...(account === undefined ? [] : [signInName({ name, account })])].join(' ');
  if (after === (accounts ?? '')) return;
  await (after === '' ? unset('accounts') : set('accounts', after));
}

function namesIn(setting = ''): readonly string[] {
  return setting.match(/\S+/g) ?? [];
}

/** Returns true unless a file names another host. An invalid host counts as another host; `resolveHost` reports the error. */
function isFor({ host }: DirectoryFile, { name }: Host): boolean {
  try {
    return host === undefined || parseHost(host).name === name;
  } catch {
    return false;
  }
}

async function accountOfDirectory({ path, account = '' }: DirectoryFile, host: Host, query: AccountQuery): Promise<string | undefined> {
  const other = 'Otherwise name another account: --account <name>.';
  try {
    const name = parseAccount(account);
    if ((await query.signIns()).includes(signInName({ ...host, account: name }))) return name;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${path}: ${error.message}`, { hint: `Fix or remove the file. ${other}` });
  }
  throw new SignInError(`${path} names the account ${account} on ${host.name}, and you are not signed in with this account.`, {
    hint: `If you trust the file: svc login ${host.name} --account ${account}. ${other}`,
  });
}
