import { type RevokeOutcome, revokeGrant } from '../auth/revoke.ts';
import { defineCommand, toggle } from '../cli/spec.ts';
import { SignInError, SvcError, UnavailableError, UsageError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { tellEnvironmentToken } from '../session/environment.ts';
import { forgetKeptRecords } from '../session/kept-records.ts';
import { parseHost } from '../values/host.ts';

/** `svc logout [host]`. */
export const logout = defineCommand({
  name: 'logout',
  showsGlobals: [],
  summary: 'Sign out: revoke at the service, then forget',
  description:
    'Revokes the browser sign-in at the service and forgets it here, together with the personal access token kept beside it. The personal token itself stays valid: revoke it in the web app.',
  args: [{ name: 'host', summary: 'The organisation; the default one if not given', optional: true }],
  options: { all: toggle('--all', 'Sign out of every organisation') },
  examples: [
    { args: 'logout', does: 'Sign out of the default organisation' },
    { args: 'logout --all', does: 'Sign out everywhere' },
  ],
  async run(context: Context, { args, options }) {
    if (options.all && args[0] !== undefined)
      throw new UsageError('--all and a host cannot be used together.', { hint: 'Use one of them.' });
    const names = options.all ? (await (await context.accounts()).hosts()).map(({ host }) => host) : [await nameToLeave(context, args[0])];
    if (names.length === 0) await context.notice('You are not signed in anywhere.');
    const problems: string[] = [];
    for (const name of names) problems.push(...(await leave(context, name)));
    await tellEnvironmentToken(context);
    if (problems.length > 0) {
      throw new UnavailableError('Signed out here, but the service did not confirm it: the tokens may work there until they expire.', {
        hint: 'Disconnect the app in the web app, under connected apps.',
        details: { lines: problems },
      });
    }
  },
});

async function nameToLeave(context: Context, typed: string | undefined): Promise<string> {
  const name = typed === undefined ? (await context.host()).name : parseHost(typed).name;
  const known = (await (await context.accounts()).hosts()).map(({ host }) => host);
  if (known.includes(name)) return name;
  throw new SignInError(`You are not signed in to ${name}.`, {
    hint: known.length === 0 ? 'Nothing to do.' : `Signed in: ${known.join(', ')}.`,
  });
}

/** Under the host's lock, so that a refresh under way cannot bring the sign-in back. Gives what went wrong at the service. */
async function leave(context: Context, name: string): Promise<readonly string[]> {
  const accounts = await context.accounts();
  const outcome = await accounts.hold(name, async (held): Promise<RevokeOutcome> => {
    const record = await held.read().catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      context.notify(`${error.message} It is forgotten all the same.`);
      return undefined;
    });
    const revoked: RevokeOutcome =
      record?.grant === undefined
        ? { revoked: true }
        : await revokeGrant({ name, origin: record.origin }, record.grant, { network: context.network, signal: context.signal });
    await held.remove();
    await forgetKeptRecords(context, record?.origin ?? parseHost(name).origin);
    return revoked;
  });
  if ((await context.settings()).host === name) await context.configFile.unset('host');
  await context.notice(`Signed out of ${name}.`);
  return outcome.revoked ? [] : [`${name}: ${outcome.problem}`];
}
