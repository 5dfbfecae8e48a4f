import { type RevokeOutcome, revokeGrant } from '../auth/revoke.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { accountPath } from '../config/account-path.ts';
import { accountsOf, storeUsualAccount, typedAccount, usualAccount } from '../config/resolve-account.ts';
import { SignInError, SvcError, UnavailableError, UsageError } from '../errors.ts';
import { accountKey } from '../session/account-journal.ts';
import { forgetCachedRecords } from '../session/cached-records.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { warnEnvironmentToken } from '../session/environment.ts';
import { requireService } from '../session/offline.ts';
import { parseHost } from '../values/addresses.ts';
import { pathIn } from '../values/paths.ts';
import { DEFAULT_ACCOUNT, parseAccount, signInName, splitSignIn } from '../values/sign-in-names.ts';

export const logout = defineCommand({
  showsGlobals: ['account', 'yes'],
  description:
    'svc revokes the browser sign-in at the service. svc then deletes all tokens from this machine, also the personal access token. The personal access token stays valid until you revoke the token in the web app. svc keeps the local database, unless you confirm its removal or type --yes.',
  args: [{ name: 'host', summary: 'The organisation, by host (default: the default host)', optional: true }],
  options: { all: toggle('--all', 'Sign out of every organisation') },
  examples: [
    { args: 'logout', does: 'Sign out of the default organisation' },
    { args: 'logout --all', does: 'Sign out of every organisation' },
  ],
  async run(context: Context, { args, options }) {
    if (options.all && args[0] !== undefined)
      throw new UsageError('You cannot use --all and a host together.', { hint: 'Use --all, or name one host.' });
    await requireService(context, 'svc revokes the sign-in at the service');
    const known = await (await context.accounts()).names();
    const names = options.all ? known : [await signInToLeave(context, args[0], known)];
    if (names.length === 0) await context.notice('You are not signed in anywhere.');
    const problems: string[] = [];
    for (const name of names) problems.push(...(await leave(context, name)));
    await warnEnvironmentToken(context);
    if (problems.length > 0) {
      throw new UnavailableError(
        'svc deleted the tokens from this machine, but the service did not confirm the sign-out. The tokens stay valid until they expire.',
        {
          hint: 'Disconnect the app in the web app, under connected apps.',
          details: { lines: problems },
        },
      );
    }
  },
});

/**
 * Returns the name of the sign-in to end.
 *
 * @throws UsageError for a host with several accounts, if the user named no account.
 * @throws SignInError without such a sign-in.
 */
async function signInToLeave(
  context: Needs<'env' | 'globals' | 'host' | 'settings'>,
  typed: string | undefined,
  known: readonly string[],
): Promise<string> {
  const account = typedAccount(context.globals, context.env);
  // svc ignores the account in a `.svc.json`, because nobody can undo a sign-out.
  const { name } = typed === undefined ? await context.host() : parseHost(typed);
  const here = accountsOf({ name }, known);
  if (account === undefined && here.length > 1)
    throw new UsageError(`You have several accounts on ${name}: ${here.map((each) => each ?? DEFAULT_ACCOUNT).join(', ')}.`, {
      hint: 'Name one account: --account <name>. For all accounts: svc logout --all',
    });
  const wanted = signInName({ name, account: account === undefined ? here[0] : parseAccount(account) });
  if (known.includes(wanted)) return wanted;
  throw new SignInError(`You are not signed in to ${wanted}.`, {
    hint: known.length === 0 ? 'There is no sign-in on this machine.' : `Signed in: ${known.join(', ')}.`,
  });
}

/** Ends a sign-in under its lock, so that a concurrent refresh stores no sign-in. Returns problems as sentences. */
async function leave(context: Context, name: string): Promise<readonly string[]> {
  const accounts = await context.accounts();
  const { outcome, database } = await accounts.hold(name, async (held) => {
    const record = await held.read().catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      context.notify(`${error.message} svc deletes the sign-in anyway.`);
      return undefined;
    });
    const revoked: RevokeOutcome =
      record?.grant === undefined
        ? { revoked: true }
        : await revokeGrant({ name: splitSignIn(name).host, origin: record.origin }, record.grant, {
            network: context.network,
            signal: context.signal,
          });
    const { host, account } = splitSignIn(name);
    const origin = record?.origin ?? parseHost(host).origin;
    await held.remove();
    await forgetCachedRecords(context, { origin, account });
    return {
      outcome: revoked,
      database: accountPath(context.paths.state, 'mirror', origin, accountKey(undefined, record?.account?.user_id, account)),
    };
  });
  await forgetDefaults(context, name, await accounts.names());
  // The history of SQL queries can contain private data of the account.
  await context.files.remove(pathIn(context.paths.state, 'sql-history'));
  await context.notice(`Signed out of ${name}.`);
  if ((await context.files.stat(database)) !== undefined) await offerRemoval(context, name, database);
  return outcome.revoked ? [] : [`${name}: ${outcome.problem}`];
}

/** Removes the settings that name the sign-in. The host stays the default while another account is signed in to the host. */
async function forgetDefaults(context: Needs<'configFile'>, signIn: string, left: readonly string[]): Promise<void> {
  const { host: name, account } = splitSignIn(signIn);
  const { host, accounts } = await context.configFile.read();
  if (host === name && accountsOf({ name }, left).length === 0) await context.configFile.unset('host');
  if (accounts === undefined || usualAccount({ name }, accounts) !== account) return;
  await storeUsualAccount(context.configFile, { name }, undefined);
}

async function offerRemoval(context: Needs<Asking | 'globals' | 'notice' | 'system'>, name: string, database: string): Promise<void> {
  const isOver =
    context.globals.yes === true ||
    (context.interactive && (await context.prompts.confirm(`Remove the local database of ${name} too?`, context.signal)));
  const stays = `svc keeps the local database ${database}. To remove it: ${shellCommand(['sync', '--forget', '--to', database])}`;
  if (!isOver) return context.notice(stays);
  try {
    const { forgetDatabase, removePieces } = await import('../bulk/sync/forget-database.ts');
    await forgetDatabase(database, context.system.pid);
    await removePieces(database);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return context.notice(`${error.message} ${stays}`);
  }
  await context.notice('Removed the local database.');
}
