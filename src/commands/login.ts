import { requestedScopes } from '../auth/scopes.ts';
import { defineCommand, parsed, repeated, toggle } from '../cli/spec.ts';
import { accountsOf, typedAccount, usualAccount } from '../config/resolve-account.ts';
import { UsageError } from '../errors.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { warnEnvironmentToken } from '../session/environment.ts';
import { readSecret } from '../session/read-arguments.ts';
import { type Host, parseHost } from '../values/addresses.ts';
import { parseTimespan } from '../values/duration.ts';
import { homePath } from '../values/paths.ts';
import { parseInteger } from '../values/scalars.ts';
import { DEFAULT_ACCOUNT, parseAccount, signInName } from '../values/sign-in-names.ts';

export const login = defineCommand({
  showsGlobals: ['account'],
  description:
    'svc opens the sign-in page of your organisation in your browser, and waits for you to approve. svc stores the tokens in the keychain of this machine. Without a keychain, svc stores the tokens in a file that only you can read. Deleting and uploading need a personal access token too: see svc token set --help.',
  args: [{ name: 'host', summary: 'The address of your organisation (default: the default host)', optional: true }],
  options: {
    readOnly: toggle('--read-only', 'Ask for read access only'),
    scope: repeated('--scope <scope>', 'Ask for this scope, such as api:read:projects'),
    noBrowser: toggle('--no-browser', 'Print the address instead of opening a browser'),
    callbackPort: parsed(
      '--callback-port <n>',
      'Receive the answer of the browser on this port, for ssh -L',
      (text) => parseInteger(text, { min: 1, max: 65535 }),
      { type: 'integer' },
    ),
    paste: toggle('--paste', 'Paste the last address of a browser on another machine'),
    withToken: toggle('--with-token', 'Read a personal access token from standard input, instead of signing in'),
    timeout: parsed('--timeout <s>', 'Wait this many seconds for your approval (default: 300)', parseTimespan, { type: 'seconds' }),
  },
  examples: [
    { args: 'login acme.example.com', does: 'Sign in' },
    { args: 'login acme.example.com --read-only', does: 'Sign in with read access only' },
    { args: 'login acme.example.com --account work', does: 'Sign in as another person too' },
    { args: 'login acme.example.com --paste', does: 'Sign in over SSH, with a browser on your own machine' },
    { args: 'login acme.example.com --with-token < token.txt', does: 'Use a personal access token' },
  ],
  async run(context: Context, { args, options }) {
    const host = await placeToSignIn(context, args[0]);
    if (options.paste && options.noBrowser)
      throw new UsageError('You cannot use --paste and --no-browser together.', { hint: 'Use --paste alone.' });
    if (options.withToken) {
      if (options.readOnly || options.scope)
        throw new UsageError('A personal access token has fixed scopes.', { hint: 'Leave out --read-only and --scope.' });
      await loginWithToken(context, host);
    } else {
      const mode = options.paste ? 'paste' : options.noBrowser ? 'print' : 'browser';
      const scopes = requestedScopes({ readOnly: options.readOnly, scopes: options.scope });
      // svc loads the sign-in code late, because help does not need this code.
      const { signInWithBrowser } = await import('../session/sign-in-flow.ts');
      await signInWithBrowser(context, host, { scopes, mode, callbackPort: options.callbackPort, timeoutMs: options.timeout });
    }
    await printOutcome(context, host);
  },
});

/** Returns the organisation and the account to sign in to. Ignores `.svc.json`. */
async function placeToSignIn(context: Needs<Asking | 'env' | 'globals' | 'settings'>, typed: string | undefined): Promise<Host> {
  const host = await hostToSignIn(context, typed);
  const named = typedAccount(context.globals, context.env);
  return { ...host, account: named === undefined ? usualAccount(host, (await context.settings()).accounts) : parseAccount(named) };
}

async function hostToSignIn(context: Needs<Asking | 'env' | 'globals' | 'settings'>, typed: string | undefined): Promise<Host> {
  const named = typed ?? context.globals.host ?? context.env['SVC_HOST'] ?? (await context.settings()).host;
  if (named) return parseHost(named);
  if (!context.interactive) throw new UsageError('"svc login" needs a host.', { hint: 'For example: svc login acme.example.com' });
  return parseHost(await context.prompts.line('The address you sign in on (such as acme.example.com):', context.signal));
}

async function loginWithToken(context: Context, host: Host): Promise<void> {
  const account = host.account === undefined ? '' : ` --account ${host.account}`;
  const previous = (await (await context.accounts()).find(signInName(host)))?.record.grant;
  if (previous !== undefined) {
    const both = `svc token set --host ${host.name}${account}`;
    await context.notice(`The token replaces your browser sign-in to ${signInName(host)}, and ends that sign-in. To keep both: ${both}`);
  }
  const token = await readSecret(context, `Personal access token for ${host.name}:`, `svc login ${host.name}${account} --with-token`);
  const { storePersonalToken } = await import('../session/sign-in-flow.ts');
  await storePersonalToken(context, host, token, { alone: true });
  if (previous === undefined) return;
  const { revokeGrant } = await import('../auth/revoke.ts');
  const outcome = await revokeGrant(host, previous, { network: context.network, signal: context.signal });
  if (!outcome.revoked) await context.notice(`svc could not revoke the old browser sign-in: ${outcome.problem}`);
}

async function printOutcome(context: Context, host: Host): Promise<void> {
  const found = await (await context.accounts()).find(signInName(host));
  if (found === undefined) return;
  const { record, store } = found;
  const organisation = record.account?.organisation === undefined ? host.name : `${record.account.organisation} (${host.name})`;
  const who = record.account?.user_name;
  await context.notice(who === undefined ? `Signed in to ${organisation}.` : `${who}, you are signed in to ${organisation}.`);
  await context.notice(
    record.grant === undefined ? 'Scopes: the scopes of the personal access token.' : `Scopes: ${record.grant.scope.join(' ')}`,
  );
  const { stdio, system } = context;
  await context.notice(`Tokens are kept in: ${stdio.stderr.isTTY ? homePath(store.where, system.home) : store.where}`);
  const { host: configured, timezone = record.account?.timezone } = await context.settings();
  if (timezone !== undefined && timezone !== system.timeZone)
    await context.notice(`svc prints times in ${timezone}. To change the time zone: svc config set timezone <zone>`);
  const other = configured !== undefined && configured !== host.name;
  const { account = DEFAULT_ACCOUNT } = host;
  const accounts = accountsOf(host, await (await context.accounts()).names());
  const isUsual = accounts.length === 1 || account === (usualAccount(host, (await context.settings()).accounts) ?? DEFAULT_ACCOUNT);
  const flag = isUsual ? '' : ` --account ${account}`;
  if (record.personal === undefined)
    await context.notice(`To delete or upload, add a personal access token: svc token set${other ? ` --host ${host.name}` : ''}${flag}`);
  if (configured === undefined) await context.configFile.set('host', host.name);
  else if (other) await context.notice(`The default is still ${configured}. To change it: svc auth switch ${host.name}`);
  if (!isUsual) await context.notice(`To use the account ${account} by default: svc auth switch ${host.name} --account ${account}`);
  await warnEnvironmentToken(context);
}
