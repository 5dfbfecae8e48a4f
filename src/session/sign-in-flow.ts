import type { Account, HostRecord } from '../auth/record.ts';
import { refreshGrant, type SignedInRecord } from '../auth/refresh.ts';
import { SignedOutMeanwhileError, type SignInOptions, signIn, UnwantedGrantError } from '../auth/sign-in.ts';
import type { TokenStore } from '../auth/stores/token-store.ts';
import { unwrapRecord } from '../client/record.ts';
import type { Credential } from '../credential.ts';
import { DeclinedError, ForbiddenError, SignInError, SvcError, undefinedFor } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { plainLine } from '../values/hidden-characters.ts';
import { signInName } from '../values/sign-in-names.ts';
import { forgetCachedRecords } from './cached-records.ts';
import type { Needs } from './context.ts';
import { readAccount, requestMe } from './own-record.ts';

export type SigningIn =
  | 'accounts'
  | 'browserCommand'
  | 'clientFor'
  | 'clock'
  | 'files'
  | 'interactive'
  | 'interrupts'
  | 'maxWaitMs'
  | 'network'
  | 'notify'
  | 'openBrowser'
  | 'paths'
  | 'prompts'
  | 'requestTimeoutMs'
  | 'signal'
  | 'stdio'
  | 'system';

export type SignInChoice = Pick<SignInOptions, 'scopes' | 'mode' | 'callbackPort' | 'timeoutMs'>;

export async function signInWithBrowser(context: Needs<SigningIn>, host: Host, choice: SignInChoice): Promise<SignedInRecord> {
  const accounts = await context.accounts();
  const store = await accounts.storeForLogin();
  const existing = await readableRecord(context, host);
  let stored: SignedInRecord | undefined;
  await signIn(
    {
      clock: context.clock,
      network: context.network,
      interrupts: context.interrupts,
      system: context.system,
      browser: { open: context.openBrowser },
    },
    host,
    {
      ...choice,
      // The user’s own browser command gets the original address, because the browser may run on another machine.
      binds: choice.mode === 'browser' && (await context.browserCommand()) === undefined,
      requestTimeoutMs: await context.requestTimeoutMs(),
      maxWaitMs: await context.maxWaitMs(),
      existing,
      // svc prints the address even with --quiet, because the user needs the address.
      notify: (line) => void context.stdio.stderr.write(`${line}\n`),
      readLine: context.interactive ? (prompt, signal) => context.prompts.line(prompt, signal) : undefined,
      signal: context.signal,
      storeRegistration: async (registration) => {
        await accounts.update(signInName(host), (record) => ({ ...baseRecord(host, record), registration }), { store });
      },
      probeStore: () => store.probe(),
      store: async (grant, registration) => {
        // If the service can’t name the owner now, the sign-in still succeeds.
        const who = () =>
          askWho(context, host, { token: grant.access_token, kind: 'oauth' }).catch((error: unknown) => {
            if (error instanceof SignInError || !(error instanceof SvcError)) throw error;
            return undefined;
          });
        const before = existing?.origin === host.origin && existing.grant !== undefined ? existing.account : undefined;
        // svc asks before replacing the sign-in of another user.
        const known = before?.user_id === undefined ? undefined : await who();
        if (before !== undefined && known !== undefined) await confirmAccount(context, host, before, known);
        // svc stores the tokens before the next request, so that the sign-in survives a failure of that request.
        await accounts.update(signInName(host), (record) => ({ ...baseRecord(host, record), registration, grant }), { store });
        const account = known ?? (await who());
        const record = await accounts.update(
          signInName(host),
          (now) => {
            // A later logout or sign-in that changed the record takes precedence.
            if (now?.grant?.refresh_token !== grant.refresh_token) return now;
            return { ...baseRecord(host, now), registration, grant, ...(account && { account }) };
          },
          { store },
        );
        if (record?.grant === undefined) {
          throw new SignedOutMeanwhileError(`Another svc signed out of ${host.name} during this sign-in, so svc stored nothing.`, {
            hint: `To sign in after all: svc login ${host.name}`,
          });
        }
        stored = { ...baseRecord(host, record), grant: record.grant };
        await forgetCachedRecords(context, host, account);
        return { userName: account?.user_name };
      },
    },
  );
  if (stored === undefined) throw new SvcError('The sign-in ended without tokens.', { hint: `Try again: svc login ${host.name}` });
  return stored;
}

/**
 * Confirms the account of a new sign-in. Somebody else may have seen the address and signed in with their own account. The user’s hours
 * would then go to that account.
 * @throws DeclinedError, or UnwantedGrantError if nobody can confirm.
 */
async function confirmAccount(context: Needs<SigningIn>, host: Host, before: Account, now: Account): Promise<void> {
  if (now.user_id === undefined || now.user_id === before.user_id) return;
  const [old, other] = [before, now].map(({ user_name: name, user_id: id }) => plainLine(name, 100) || `user ${id}`);
  const what = `The browser signed in to ${host.name} as ${other}, and svc is signed in as ${old}.`;
  if (!context.interactive) {
    throw new UnwantedGrantError(`${what} svc still uses the sign-in of ${old}.`, {
      hint: `To keep both accounts: svc login ${host.name} --account <name>. To use only the account of ${other}: svc logout ${host.name}, then sign in. Otherwise sign out in the browser first.`,
    });
  }
  if (await context.prompts.confirm(`${what} Is that you? Continue as ${other}?`, context.signal)) return;
  throw new DeclinedError(`svc did not sign in as ${other}, and still uses the sign-in of ${old}.`, {
    hint: `Sign out of ${host.name} in the browser, or choose the other person there. Then run: svc login ${host.name}`,
  });
}

/**
 * Stores a personal access token in the sign-in record of a host. `alone`: the token replaces a browser sign-in. @throws SignInError if the
 * service refuses the token.
 */
export async function storePersonalToken(
  context: Needs<'accounts' | 'clientFor' | 'clock' | 'files' | 'paths'>,
  host: Host,
  token: string,
  options: { readonly expires?: string | undefined; readonly alone: boolean },
): Promise<{ readonly account: Account | undefined; readonly store: TokenStore }> {
  const accounts = await context.accounts();
  const account = await askWho(context, host, { token, kind: 'personal' }).catch((error: unknown) => {
    if (!(error instanceof SignInError)) throw error;
    throw new SignInError(
      `${host.name} did not accept this token, so svc did not store the token. The token is incomplete, expired, revoked, or for another host.`,
      {
        hint: 'Copy the whole token again from the web app, or create another token there.',
        details: error.details,
      },
    );
  });
  const found = await accounts.find(signInName(host));
  const store = found?.store ?? (await accounts.storeForLogin());
  const personal = { token, added_at: context.clock.now(), ...(options.expires !== undefined && { expires: options.expires }) };
  await accounts.update(
    signInName(host),
    (before) => {
      const { grant, ...rest } = baseRecord(host, before);
      // The browser sign-in decides the user. The stored personal access token may belong to another user.
      return {
        ...rest,
        ...(grant && !options.alone && { grant }),
        personal,
        ...(account && (grant === undefined || options.alone) && { account }),
      };
    },
    { store },
  );
  if (options.alone) await forgetCachedRecords(context, host, account);
  return { account, store };
}

/** Returns the stored sign-in record of a host, without members that another origin stored under the same name. */
function baseRecord(host: Host, record: HostRecord | undefined): HostRecord {
  return record?.origin === host.origin ? record : { version: 1, host: signInName(host), origin: host.origin };
}

/** Returns the stored sign-in record of a host. Undefined if the record is missing or unreadable. */
async function readableRecord(context: Needs<'accounts' | 'notify'>, host: Host): Promise<HostRecord | undefined> {
  try {
    return (await (await context.accounts()).find(signInName(host)))?.record;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    context.notify(error.message);
    return undefined;
  }
}

/**
 * Requests the owner of a token. Undefined if the token must not request `GET /me` (403), because the sign-in still succeeds.
 * @throws SignInError
 */
async function askWho(context: Needs<'clientFor'>, host: Host, credential: Credential): Promise<Account | undefined> {
  const client = await context.clientFor(host, async () => credential);
  const answer = await requestMe(client).catch(undefinedFor(ForbiddenError));
  return answer && readAccount(unwrapRecord(answer.body()));
}

/** Renews a sign-in. At a terminal, signs in again if the service deleted the registration (rule 13.74). @throws as {@link refreshGrant} */
export async function refreshOrSignIn(context: Needs<SigningIn>, host: Host, stale: string): Promise<SignedInRecord> {
  const accounts = await context.accounts();
  const before = context.interactive ? (await accounts.find(signInName(host)))?.record.grant?.scope : undefined;
  try {
    return await refreshGrant(host, stale, context, { accounts, userAgent: `svc/${context.system.version}` });
  } catch (error) {
    if (before === undefined || !(error instanceof SignInError) || error.details.code !== 'invalid_client') throw error;
    context.notify(error.message);
    return signInWithBrowser(context, host, { scopes: before, mode: 'browser' });
  }
}
