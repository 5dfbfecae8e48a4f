import { commandEntry, defineCommand, defineGroup } from '../cli/spec.ts';
import { hostTyped } from '../config/resolve-host.ts';
import { SignInError, UsageError } from '../errors.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { tellEnvironmentToken } from '../session/environment.ts';
import { refreshOrSignIn } from '../session/refresh-flow.ts';
import type { SigningIn } from '../session/sign-in-flow.ts';
import type { TellingCommand } from '../session/tell-command.ts';
import { utcSeconds } from '../values/utc-seconds.ts';
import { authStatus } from './auth-status.ts';

const GROUP = 'Commands';
const switchHost = defineCommand({
  name: 'switch',
  summary: 'Make a host the default',
  args: [{ name: 'host', summary: 'A host, or a part of its name, to which you are signed in; at a terminal svc asks', optional: true }],
  examples: [
    { args: 'auth switch acme.example.com', does: 'Use this organisation from now on' },
    { args: 'auth switch', does: 'Choose one of your sign-ins' },
  ],
  async run(context: Needs<Asking | TellingCommand | 'accounts' | 'configFile' | 'notice'>, { args }) {
    const known = (await (await context.accounts()).hosts()).map(({ host }) => host);
    const { name } = await hostTyped(args[0] ?? (await pickHost(context, known)), async () => known);
    if (!known.includes(name)) {
      throw new SignInError(`You are not signed in to ${name}.`, {
        hint: `Sign in: svc login ${name}${known.length === 0 ? '' : `. Signed in: ${known.join(', ')}`}`,
      });
    }
    await context.configFile.set('host', name);
    await context.notice(`${name} is now the default.`);
    const { env } = context;
    if (env['SVC_HOST']) await context.notice(`SVC_HOST is set to ${env['SVC_HOST']}, and is used instead until you unset it.`);
  },
});

/** One of the hosts that are signed in, as a person picks it. @throws UsageError where nobody is there to pick. */
async function pickHost(context: Needs<Asking | TellingCommand>, known: readonly string[]): Promise<string> {
  if (!context.interactive) throw new UsageError('"svc auth switch" needs <host>.', { hint: 'See: svc auth switch --help' });
  if (known.length === 0)
    throw new SignInError('You are not signed in.', { hint: 'Sign in: svc login <host>, for example svc login acme.example.com' });
  const choices = known.map((host) => ({ name: host, value: host }));
  const chosen = await context.prompts.pick('Which organisation?', choices, context.signal);
  await (await import('../session/tell-command.ts')).tellCommand(context, [chosen]);
  return chosen;
}

const refresh = defineCommand({
  name: 'refresh',
  summary: 'Renew the access token now',
  examples: [{ args: 'auth refresh', does: 'Renew the access token, and restart the 30 days of the sign-in' }],
  async run(context: Needs<SigningIn | 'env' | 'host' | 'notice'>) {
    const host = await context.host();
    const record = (await (await context.accounts()).find(host.name))?.record;
    if (record?.grant === undefined && record?.personal !== undefined) {
      throw new SignInError(`There is no browser sign-in to ${host.name} to renew, only a personal access token.`, {
        hint: `Roll that one in the web app, or sign in: svc login ${host.name}`,
      });
    }
    const { grant } = await refreshOrSignIn(context, host, record?.grant?.access_token ?? '');
    await tellEnvironmentToken(context);
    await context.notice(`The access token for ${host.name} is new, and lives until ${utcSeconds(grant.expires_at)}.`);
  },
});

const printToken = defineCommand({
  name: 'print-token',
  summary: 'Print a valid access token, for other HTTP tools',
  description: 'svc prints the secret itself. The token works for at most an hour. Keep it out of logs and shell history.',
  examples: [{ args: 'auth print-token', does: 'For example: curl -H "Authorization: Bearer $(svc auth print-token)" …' }],
  async run(context: Needs<'credentials' | 'signal' | 'stdio'>) {
    const credentials = await context.credentials();
    const { token } = await credentials({ method: 'GET', upload: false, handedOut: true, signal: context.signal });
    await context.stdio.stdout.writeData(`${token}\n`);
  },
});

/** `svc auth status|switch|refresh|print-token`. */
export const auth = defineGroup<Context>({
  name: 'auth',
  summary: 'Manage sign-ins: status, switch, refresh, print a token',
  commands: [
    commandEntry(authStatus, GROUP),
    commandEntry(switchHost, GROUP),
    commandEntry(refresh, GROUP),
    commandEntry(printToken, GROUP),
  ],
});
