import { type RevokeOutcome, revokeGrant } from '../auth/revoke.ts';
import { shellCommand } from '../cli/shell-word.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { accountPath } from '../config/account-path.ts';
import { SignInError, SvcError, UnavailableError, UsageError } from '../errors.ts';
import { accountKey } from '../session/account-journal.ts';
import { forgetCachedRecords } from '../session/cached-records.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { warnEnvironmentToken } from '../session/environment.ts';
import { requireService } from '../session/offline.ts';
import { parseHost } from '../values/addresses.ts';
import { pathIn } from '../values/paths.ts';

export const logout = defineCommand({
  showsGlobals: ['yes'],
  description:
    'svc revokes the browser sign-in at the service. svc then deletes all tokens from this machine, also the personal access token. The personal access token stays valid until you revoke the token in the web app. svc keeps the local database, unless you confirm its removal or type --yes.',
  args: [{ name: 'host', summary: 'The organisation (default: the default organisation)', optional: true }],
  options: { all: toggle('--all', 'Sign out of every organisation') },
  examples: [
    { args: 'logout', does: 'Sign out of the default organisation' },
    { args: 'logout --all', does: 'Sign out of every organisation' },
  ],
  async run(context: Context, { args, options }) {
    if (options.all && args[0] !== undefined)
      throw new UsageError('--all and a host cannot be used together.', { hint: 'Use --all, or name one host.' });
    await requireService(context, 'svc revokes the sign-in at the service');
    const names = options.all ? (await (await context.accounts()).hosts()).map(({ host }) => host) : [await nameToLeave(context, args[0])];
    if (names.length === 0) await context.notice('You are not signed in anywhere.');
    const problems: string[] = [];
    for (const name of names) problems.push(...(await leave(context, name)));
    await warnEnvironmentToken(context);
    if (problems.length > 0) {
      throw new UnavailableError(
        'svc deleted the tokens here, but the service did not confirm the sign-out. The tokens work until they expire.',
        {
          hint: 'Disconnect the app in the web app, under connected apps.',
          details: { lines: problems },
        },
      );
    }
  },
});

async function nameToLeave(context: Needs<'accounts' | 'host'>, typed: string | undefined): Promise<string> {
  const name = typed === undefined ? (await context.host()).name : parseHost(typed).name;
  const known = (await (await context.accounts()).hosts()).map(({ host }) => host);
  if (known.includes(name)) return name;
  throw new SignInError(`You are not signed in to ${name}.`, {
    hint: known.length === 0 ? 'Nothing to do.' : `Signed in: ${known.join(', ')}.`,
  });
}

/** Signs out of a host under its lock, so that a concurrent refresh stores no sign-in. Returns problems as sentences. */
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
        : await revokeGrant({ name, origin: record.origin }, record.grant, { network: context.network, signal: context.signal });
    const origin = record?.origin ?? parseHost(name).origin;
    await held.remove();
    await forgetCachedRecords(context, origin);
    return {
      outcome: revoked,
      database: accountPath(context.paths.state, 'mirror', origin, accountKey(undefined, record?.account?.user_id)),
    };
  });
  if ((await context.settings()).host === name) await context.configFile.unset('host');
  // The history of SQL queries can contain private data of the account.
  await context.files.remove(pathIn(context.paths.state, 'sql-history'));
  await context.notice(`Signed out of ${name}.`);
  if ((await context.files.stat(database)) !== undefined) await offerRemoval(context, name, database);
  return outcome.revoked ? [] : [`${name}: ${outcome.problem}`];
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
