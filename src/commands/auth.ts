import type { StoredRecord } from '../auth/accounts.ts';
import { defineCommand, defineGroup, toggle } from '../cli/spec.ts';
import { accountsOf, storeUsualAccount, typedAccount, usualAccount } from '../config/resolve-account.ts';
import { hostTyped } from '../config/resolve-host.ts';
import { SignInError, SvcError, UsageError } from '../errors.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { environmentToken, warnEnvironmentToken } from '../session/environment.ts';
import { requestMe } from '../session/own-record.ts';
import { type Printing, printRecord, printRecords } from '../session/print.ts';
import type { PrintingCommand } from '../session/printed-command.ts';
import { refreshOrSignIn, type SigningIn } from '../session/sign-in-flow.ts';
import { type Host, parseHost } from '../values/addresses.ts';
import type { JsonObject } from '../values/json.ts';
import { DEFAULT_ACCOUNT, hostsOf, parseAccount, signInName, signInWords, splitSignIn } from '../values/sign-in-names.ts';
import { utcSeconds } from '../values/temporal.ts';
import { together } from '../values/together.ts';

const switchHost = defineCommand({
  name: 'switch',
  showsGlobals: ['account'],
  summary: 'Make a host, or an account on a host, the default',
  args: [{ name: 'host', summary: 'A host with a sign-in, or a part of its name; at a terminal svc asks', optional: true }],
  examples: [
    { args: 'auth switch acme.example.com', does: 'Use this organisation from now on' },
    { args: 'auth switch acme.example.com --account work', does: 'Use this account on the host from now on' },
    { args: 'auth switch', does: 'Choose one of your sign-ins' },
  ],
  async run(context: Needs<Asking | PrintingCommand | 'accounts' | 'configFile' | 'notice' | 'settings'>, { args }) {
    const known = await (await context.accounts()).names();
    const { account: typed } = context.globals;
    const named = args[0] ?? (typed === undefined ? undefined : (await context.settings()).host);
    const picked = named === undefined ? splitSignIn(await pickSignIn(context, known)) : undefined;
    const { name } = picked === undefined ? await hostTyped(named ?? '', async () => hostsOf(known)) : { name: picked.host };
    const [account, isNamed] = picked === undefined ? [typed && parseAccount(typed), typed !== undefined] : [picked.account, true];
    const here = accountsOf({ name }, known);
    if (here.length === 0 || (isNamed && !here.includes(account))) {
      throw new SignInError(`You are not signed in to ${signInName({ name, account })}.`, {
        hint: `Sign in: svc login ${signInWords(signInName({ name, account }))}${known.length === 0 ? '' : `. Signed in: ${known.join(', ')}`}`,
      });
    }
    await context.configFile.set('host', name);
    // With one account, svc needs no setting to find the account.
    if (isNamed) await storeUsualAccount(context.configFile, { name }, here.length > 1 ? (account ?? DEFAULT_ACCOUNT) : undefined);
    await context.notice(`${isNamed ? signInName({ name, account }) : name} is now the default.`);
    const { env } = context;
    if (env['SVC_HOST']) await context.notice(`svc uses SVC_HOST (${env['SVC_HOST']}) until you unset the variable.`);
    if (env['SVC_ACCOUNT']) await context.notice(`svc uses SVC_ACCOUNT (${env['SVC_ACCOUNT']}) until you unset the variable.`);
  },
});

async function pickSignIn(context: Needs<Asking | PrintingCommand>, known: readonly string[]): Promise<string> {
  if (!context.interactive) throw new UsageError('"svc auth switch" needs <host>.', { hint: 'See: svc auth switch --help' });
  if (known.length === 0)
    throw new SignInError('You are not signed in.', { hint: 'Sign in: svc login <host>, for example svc login acme.example.com' });
  const choices = known.map((signIn) => ({ name: signIn, value: signIn }));
  const chosen = await context.prompts.pick('Which sign-in?', choices, context.signal);
  const { host, account } = splitSignIn(chosen);
  const isOnly = accountsOf({ name: host }, known).length === 1;
  const words = isOnly ? [host] : [host, '--account', account ?? DEFAULT_ACCOUNT];
  await (await import('../session/printed-command.ts')).printCommandLine(context, words);
  return chosen;
}

const refresh = defineCommand({
  name: 'refresh',
  summary: 'Renew the access token now',
  examples: [{ args: 'auth refresh', does: 'Renew the access token, and restart the 30 days of the sign-in' }],
  async run(context: Needs<SigningIn | 'env' | 'host' | 'notice'>) {
    const host = await context.host();
    const record = (await (await context.accounts()).find(signInName(host)))?.record;
    if (record?.grant === undefined && record?.personal !== undefined) {
      throw new SignInError(`There is no browser sign-in to ${host.name} to renew, only a personal access token.`, {
        hint: `Roll the token in the web app, or sign in: svc login ${host.name}`,
      });
    }
    const { grant } = await refreshOrSignIn(context, host, record?.grant?.access_token ?? '');
    await warnEnvironmentToken(context);
    await context.notice(`The new access token for ${host.name} is valid until ${utcSeconds(grant.expires_at)}.`);
  },
});

const printToken = defineCommand({
  name: 'print-token',
  summary: 'Print a valid access token, for other HTTP tools',
  description: 'svc prints the secret itself. The token is valid for at most an hour. Keep the token out of logs and shell history.',
  examples: [{ args: 'auth print-token', does: 'For example: curl -H "Authorization: Bearer $(svc auth print-token)" …' }],
  async run(context: Needs<'credentials' | 'signal' | 'stdio'>) {
    const credentials = await context.credentials();
    const { token } = await credentials({ method: 'GET', upload: false, handedOut: true, signal: context.signal });
    await context.stdio.stdout.writeData(`${token}\n`);
  },
});

/** The lifetime of a refresh token in milliseconds, counted from the last refresh: 30 days (rule 13.69). */
const IDLE_MS = 30 * 24 * 60 * 60 * 1000;

export const authStatus = defineCommand({
  name: 'status',
  summary: 'List your sign-ins: host, user, kind of token, expiry',
  description: 'svc lists the sign-ins on this machine, or only the sign-in for --host. Without a sign-in svc exits with 4.',
  options: { check: toggle('--check', 'Check each sign-in with the service') },
  examples: [
    { args: 'auth status', does: 'List every sign-in' },
    { args: 'auth status --check --host acme.example.com', does: 'Check one sign-in' },
  ],
  async run(context: Needs<SigningIn | Printing | 'host'>, { options }) {
    const accounts = await context.accounts();
    const wanted = context.globals.host === undefined ? undefined : parseHost(context.globals.host).name;
    const account = typedAccount(context.globals, context.env);
    const isWanted = (signIn: string) => {
      const own = splitSignIn(signIn);
      return (wanted === undefined || own.host === wanted) && (account === undefined || own.account === parseAccount(account));
    };
    const stored = await accounts.hosts();
    const all = stored.map(({ host }) => host);
    const hosts = stored.filter(({ host }) => isWanted(host));
    const checkOne = async (row: JsonObject, host: Host, token?: string): Promise<CheckedSignIn> => {
      const failure = options.check ? await checkSignIn(context, host, token) : undefined;
      return { row: options.check ? { ...row, check: failure?.message ?? 'ok' } : row, failure };
    };
    /** The results of the checks. svc reads the stored sign-ins one after the other, and checks the sign-ins in parallel. */
    const checks: Promise<CheckedSignIn>[] = [];
    const token = environmentToken(context.env);
    if (token !== undefined) {
      await warnEnvironmentToken(context);
      const host = await context.host().catch((error: unknown) => {
        // Without any other sign-in, an unknown host is an error.
        if (hosts.length === 0 || !(error instanceof SvcError)) throw error;
        return undefined;
      });
      if (host !== undefined) checks.push(checkOne(describeEnvironmentToken(host), host, token));
    }
    for (const { host, where } of hosts) {
      try {
        const found = await accounts.find(host);
        // A record without tokens contains only the client registration of an ended sign-in.
        if (found?.record.grant === undefined && found?.record.personal === undefined) continue;
        const { host: name, account: own } = splitSignIn(host);
        checks.push(
          checkOne(await describeSignIn(context, found, accountsOf({ name }, all)), { name, account: own, origin: found.record.origin }),
        );
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        checks.push(Promise.resolve({ row: { ...placeOf(host), kept_in: where, problem: error.message }, failure: error }));
      }
    }
    const checked = await together(...checks);
    const rows = checked.map(({ row }) => row);
    const failures = checked.flatMap(({ failure }) => failure ?? []);
    if (rows.length === 0)
      throw new SignInError(wanted === undefined ? 'You are not signed in.' : `You are not signed in to ${wanted}.`, {
        hint: `Sign in: svc login ${wanted ?? (hosts[0] && signInWords(hosts[0].host)) ?? '<host>'}`,
      });
    await printSignIns(context, rows);
    if (context.env['SVC_TOKEN_STORE'] === undefined && hosts.some(({ kind }) => kind === 'file'))
      await context.notice('svc found no usable keychain, so svc keeps tokens in files that only you can read. See: svc doctor');
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  },
});

interface CheckedSignIn {
  readonly row: JsonObject;
  readonly failure: SvcError | undefined;
}

const STATUS_COLUMNS = [
  'host',
  'account',
  'default',
  'user',
  'scopes',
  'access_token_expires',
  'sign_in_goes_idle',
  'personal_token',
  'kept_in',
];
/** The columns for a person with several sign-ins. The table leaves out the less useful fields, such as the store of the tokens. */
const COLUMNS_TO_READ = ['host', 'account', 'default', 'user', 'scopes', 'sign_in_goes_idle'];
const KINDS = { access_token_expires: 'date-time', sign_in_goes_idle: 'date-time' } as const;

/** Prints a single sign-in at a terminal as one record. Prints a list in all other cases. */
async function printSignIns(context: Needs<Printing>, rows: readonly JsonObject[]): Promise<void> {
  const { isScreen, reader } = await context.presentation();
  const [only] = rows;
  if (isScreen && only !== undefined && rows.length === 1) return printRecord(context, only, { kinds: KINDS });
  const more = ['check', 'problem'].filter((name) => rows.some((row) => row[name] !== undefined));
  const isRead = isScreen && reader === 'person';
  const isNamed = rows.some(({ account }) => account !== DEFAULT_ACCOUNT && account !== null);
  const columns = isRead ? COLUMNS_TO_READ.filter((name) => name !== 'account' || isNamed) : STATUS_COLUMNS;
  await printRecords(context, rows, [...columns, ...more], KINDS);
  if (isRead) await context.notice('Every field of one sign-in: svc auth status --host <host>');
}

/** Describes one stored sign-in without its tokens. Times are in UTC, to the second. */
async function describeSignIn(
  context: Needs<'settings'>,
  { record, store }: StoredRecord,
  signIns: readonly unknown[],
): Promise<JsonObject> {
  const { host: configured, accounts: setting } = await context.settings();
  const { host, account: name } = splitSignIn(record.host);
  const usual = usualAccount({ name: host }, setting);
  const { grant, personal, account } = record;
  return {
    ...placeOf(record.host),
    default: configured === host && (usual === name || signIns.length === 1),
    user: account?.user_name ?? null,
    user_id: account?.user_id ?? null,
    scopes: grant === undefined ? null : grant.scope.join(' '),
    access_token_expires: grant === undefined ? null : utcSeconds(grant.expires_at),
    sign_in_goes_idle: grant === undefined ? null : utcSeconds(grant.issued_at + IDLE_MS),
    personal_token: personal !== undefined,
    personal_token_expires: personal?.expires ?? null,
    kept_in: store.where,
  };
}

/** Returns the host and the account of a sign-in, as columns. */
function placeOf(signIn: string) {
  const { host, account = DEFAULT_ACCOUNT } = splitSignIn(signIn);
  return { host, account };
}

function describeEnvironmentToken({ name }: Host): JsonObject {
  return {
    host: name,
    account: null,
    default: false,
    user: null,
    user_id: null,
    scopes: null,
    access_token_expires: null,
    sign_in_goes_idle: null,
    personal_token: false,
    personal_token_expires: null,
    kept_in: 'SVC_TOKEN',
  };
}

/**
 * Checks a token with the service. Default: the token of the stored sign-in. Returns the failure, or undefined if the service accepts the
 * token.
 */
async function checkSignIn(context: Needs<SigningIn>, host: Host, token: string | undefined): Promise<SvcError | undefined> {
  const { createCredentialSource } = await import('../auth/credential-source.ts');
  const source = createCredentialSource({
    host,
    environmentToken: token,
    accounts: await context.accounts(),
    refresh: (target, stale) => refreshOrSignIn(context, target, stale),
    renewAhead: () => undefined,
    clock: context.clock,
  });
  try {
    await requestMe(await context.clientFor(host, source));
    return undefined;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    // A valid token can have a scope that does not include reading the user.
    return error.details.type === 'insufficient-token-scope' ? undefined : error;
  }
}

export const auth = defineGroup<Context>({
  commands: [authStatus, switchHost, refresh, printToken],
});
