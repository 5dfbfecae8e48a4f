import { UsageError } from '../errors.ts';
import type { Host } from './addresses.ts';

/** The word for the sign-in without a name. */
export const DEFAULT_ACCOUNT = 'default';

/** Returns the name of a sign-in in the stores: `acme.example.com`, `work@acme.example.com`. No host name contains an `@`. */
export function signInName({ name, account }: Pick<Host, 'name' | 'account'>): string {
  return account === undefined ? name : `${account}@${name}`;
}

/** Reverses {@link signInName}. */
export function splitSignIn(signIn: string): { readonly host: string; readonly account: string | undefined } {
  const at = signIn.indexOf('@');
  return at < 0 ? { host: signIn, account: undefined } : { host: signIn.slice(at + 1), account: signIn.slice(0, at) };
}

/** Returns a sign-in as the words after `svc login`: `acme.example.com --account work`. */
export function signInWords(signIn: string): string {
  const { host, account } = splitSignIn(signIn);
  return account === undefined ? host : `${host} --account ${account}`;
}

/**
 * Reads the name of an account. Returns undefined for `default`. @throws UsageError for any name except 1 to 32 letters, digits, `-` and
 * `_`, starting with a letter or digit.
 */
export function parseAccount(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(name))
    throw new UsageError(`"${name}" is not a name for an account.`, { hint: 'Use letters, digits, - and _, for example work.' });
  return name === DEFAULT_ACCOUNT ? undefined : name;
}

/** Returns the hosts of sign-ins, each once. */
export function hostsOf(signIns: readonly string[]): readonly string[] {
  return [...new Set(signIns.map((signIn) => splitSignIn(signIn).host))];
}
