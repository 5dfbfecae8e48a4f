import type { Credential, CredentialRequest, CredentialSource } from '../credential.ts';
import type { Clock } from '../deps.ts';
import { InterruptedError, SignInError, SvcError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { signInName } from '../values/sign-in-names.ts';
import type { Accounts, StoredRecord } from './accounts.ts';
import { endsSoon, isPast } from './expiry.ts';
import type { Grant, HostRecord, PersonalToken } from './record.ts';
import { assertSameOrigin, type SignedInRecord } from './refresh.ts';

export interface CredentialSourceOptions {
  readonly host: Host;
  /** The value of `SVC_TOKEN`. Leave the token out if a directory’s `.svc.json` chose the host. An empty value counts as not set. */
  readonly environmentToken?: string | undefined;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly stored?: () => Promise<StoredRecord | undefined>;
  /**
   * Renews the sign-in with `refreshGrant`. `stale` is the access token to replace: it expires soon or has expired, or the service rejected
   * it.
   */
  readonly refresh: (host: Host, stale: string) => Promise<SignedInRecord>;
  readonly renewAhead: (host: Host) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Chooses the credential of a request. `SVC_TOKEN`, if set, serves every request. The personal access token serves a DELETE and the
 * contents of a file (rules 13.53, 13.75). A stored personal access token also serves every step of an upload, and a host without a
 * sign-in. The OAuth access token serves all other requests. svc renews an access token that is about to end or that the service rejected.
 *
 * svc reads the store once per command, and again after a rejection. The source rejects with SignInError without a suitable token.
 */
export function createCredentialSource(options: CredentialSourceOptions): CredentialSource {
  const { host, accounts, clock, environmentToken, stored = () => accounts.find(signInName(host)) } = options;
  let known: Promise<HostRecord> | undefined;
  let refreshing: Promise<SignedInRecord> | undefined;
  /** The access token whose early renewal this process has started. */
  let lastUsed: string | undefined;
  /** The access token that svc got after a rejection. If the service rejects this live token too, svc requests no further token. */
  let answerToRejection: string | undefined;

  async function load(finding: Promise<StoredRecord | undefined>): Promise<HostRecord> {
    const found = await finding;
    if (found === undefined) throw notSignedIn(host);
    assertSameOrigin(found.record, host);
    return found.record;
  }

  function record(): Promise<HostRecord> {
    known ??= load(stored());
    return known;
  }

  function reread(): Promise<HostRecord> {
    known = load(accounts.find(signInName(host)));
    return known;
  }

  async function refresh(stale: string): Promise<Grant> {
    refreshing ??= options.refresh(host, stale).finally(() => {
      refreshing = undefined;
    });
    const fresh = await refreshing;
    known = Promise.resolve(fresh);
    return fresh.grant;
  }

  async function liveToken(grant: Grant, handedOut: boolean): Promise<string> {
    const now = clock.now();
    if (!endsSoon(grant, now)) return grant.access_token;
    if (now < grant.expires_at && !handedOut) return useLive(grant);
    try {
      return (await refresh(grant.access_token)).access_token;
    } catch (error) {
      if (now >= grant.expires_at || !(error instanceof SvcError) || error instanceof InterruptedError) throw error;
      return grant.access_token;
    }
  }

  /** Returns a live token, and starts an early renewal once for each token. No request waits for the early renewal. */
  function useLive({ access_token }: Grant): string {
    if (lastUsed !== access_token) options.renewAhead(host);
    lastUsed = access_token;
    return access_token;
  }

  async function oauthToken(grant: Grant, { rejected, uploadStep, handedOut = false }: CredentialRequest): Promise<string> {
    if (rejected === undefined || rejected !== grant.access_token) return liveToken(grant, handedOut);
    // A renewal or sign-in of this process is under way. Until its end, perhaps no sign-in is stored.
    if (refreshing !== undefined) return (await refresh(rejected)).access_token;
    const { grant: stored } = await reread();
    if (stored === undefined) throw notSignedIn(host);
    if (stored.access_token !== rejected) return liveToken(stored, handedOut);
    // The service refuses this kind of token here, so another token of the same kind would fail too.
    if (uploadStep && !endsSoon(stored, clock.now())) throw uploadRefused(host);
    if (rejected === answerToRejection && !endsSoon(stored, clock.now())) throw freshTokenRefused(host);
    const fresh = await refresh(rejected);
    answerToRejection = fresh.access_token;
    return fresh.access_token;
  }

  async function personalToken(personal: PersonalToken, rejected: string | undefined): Promise<string> {
    if (isPast(personal, clock.now())) throw personalTokenOver(host, `expired on ${personal.expires}`);
    if (rejected !== personal.token) return personal.token;
    const { personal: stored } = await reread();
    if (stored === undefined || stored.token === rejected) throw personalTokenOver(host, 'was refused: it expired or was revoked');
    return stored.token;
  }

  async function storedCredential(request: CredentialRequest): Promise<Credential> {
    const { grant, personal } = await record();
    const personalOnly = request.upload || request.method === 'DELETE';
    const personalFirst = personalOnly || (request.uploadStep === true && personal !== undefined);
    if (grant !== undefined && !personalFirst) return { token: await oauthToken(grant, request), kind: 'oauth' };
    if (personal !== undefined) return { token: await personalToken(personal, request.rejected), kind: 'personal' };
    throw grant === undefined ? notSignedIn(host) : personalTokenNeeded(host, request);
  }

  return async (request) => {
    request.signal?.throwIfAborted();
    if (environmentToken === undefined || environmentToken === '') return storedCredential(request);
    if (request.rejected === environmentToken) throw environmentTokenRefused(host);
    return { token: environmentToken, kind: 'environment' };
  };
}

function notSignedIn(host: Host): SignInError {
  return new SignInError(`You are not signed in to ${signInName(host)}.`, { hint: `Sign in: svc login ${host.name}` });
}

function environmentTokenRefused(host: Host): SignInError {
  return new SignInError(
    `${host.name} refuses the token in SVC_TOKEN: the token expired, was revoked, or belongs to another organisation.`,
    {
      hint: `Set SVC_TOKEN to a live token, or unset SVC_TOKEN and sign in: svc login ${host.name}`,
    },
  );
}

function freshTokenRefused(host: Host): SignInError {
  return new SignInError(`${host.name} refuses a token that it has just issued.`, {
    hint: `Sign in again with "svc login ${host.name}". If the new sign-in also fails, run "svc doctor --host ${host.name}".`,
  });
}

function uploadRefused(host: Host): SignInError {
  return new SignInError(
    `${host.name} refuses the browser sign-in for this step of an upload: uploads need a personal access token with Write.`,
    {
      hint: `Make a token with the Write scope in the web app, under API tokens, then run: svc token set --host ${host.name}`,
    },
  );
}

function personalTokenOver(host: Host, what: string): SignInError {
  return new SignInError(`The personal access token for ${host.name} ${what}.`, {
    hint: `Roll the token in the web app under API tokens, then run: svc token set --host ${host.name}`,
  });
}

function personalTokenNeeded(host: Host, request: CredentialRequest): SignInError {
  const what = request.upload ? 'Uploading a file' : 'Deleting';
  return new SignInError(`${what} needs a personal access token. A browser sign-in is not enough.`, {
    hint: `Make a token with the ${request.upload ? 'Write' : 'Delete'} scope in the web app, under API tokens, then run: svc token set --host ${host.name}`,
  });
}
