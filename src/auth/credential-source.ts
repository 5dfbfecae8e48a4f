import type { Credential, CredentialRequest, CredentialSource } from '../credential.ts';
import type { Clock } from '../deps.ts';
import { InterruptedError, SignInError, SvcError } from '../errors.ts';
import type { Host } from '../values/host.ts';
import type { Accounts, StoredRecord } from './accounts.ts';
import { endsSoon, isPast } from './expiry.ts';
import type { Grant, HostRecord, PersonalToken } from './record.ts';
import { assertSameOrigin, type SignedInRecord } from './refresh.ts';

export interface CredentialSourceOptions {
  readonly host: Host;
  /** `SVC_TOKEN`; leave it out where the host was chosen by a directory's `.svc.json`. Empty counts as not set. */
  readonly environmentToken?: string | undefined;
  readonly accounts: Pick<Accounts, 'find'>;
  /** What `accounts` has of the host, where others have looked it up already. */
  readonly stored?: () => Promise<StoredRecord | undefined>;
  /**
   * Renews the sign-in: `refreshGrant` with all but these filled in. `stale` is the access token that is of no use; `early`: it still is
   * of use, so nobody is asked anything, and no other process is waited for.
   */
  readonly refresh: (host: Host, stale: string, early: boolean) => Promise<SignedInRecord>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** So long a request waits for a renewal that it does not need. */
const COURTESY_MS = 2_000;

/**
 * Who a request is sent as. `SVC_TOKEN` for everything, if set. Else the personal token for a DELETE and for the contents
 * of a file (rules 13.53, 13.75), for any step of an upload if there is one, and where there is no sign-in. Else the OAuth
 * access token, renewed when it is about to end or was rejected.
 *
 * The store is read once and again after a rejection, so a command pays for one look into the keychain.
 */
export function createCredentialSource(options: CredentialSourceOptions): CredentialSource {
  const { host, accounts, clock, environmentToken, stored = () => accounts.find(host.name) } = options;
  let known: Promise<HostRecord> | undefined;
  let refreshing: Promise<SignedInRecord> | undefined;
  /** The access token that was to be renewed ahead of its end, and could not be in time. */
  let keptOn: string | undefined;
  /** The access token that a rejection led to: when it is rejected too, while it should live, another one will not help. */
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
    known = load(accounts.find(host.name));
    return known;
  }

  /** Several requests of this process that find the token stale share one refresh. */
  async function refresh(stale: string, early = false): Promise<Grant> {
    refreshing ??= options.refresh(host, stale, early).finally(() => {
      refreshing = undefined;
    });
    const fresh = await refreshing;
    known = Promise.resolve(fresh);
    return fresh.grant;
  }

  async function liveToken(grant: Grant): Promise<string> {
    const now = clock.now();
    if (!endsSoon(grant, now)) return grant.access_token;
    return now < grant.expires_at ? renewedAhead(grant) : (await refresh(grant.access_token)).access_token;
  }

  /** A token that still lives is used when its successor does not come at once: renewing it ahead of its end is a courtesy. */
  async function renewedAhead({ access_token }: Grant): Promise<string> {
    if (keptOn === access_token) return access_token;
    const over = new AbortController();
    const late = clock.sleep(COURTESY_MS, over.signal).then(
      () => undefined,
      () => undefined,
    );
    const renewal = refresh(access_token, true).catch((error: unknown) => {
      if (!(error instanceof SvcError) || error instanceof InterruptedError) throw error;
      return undefined;
    });
    try {
      const fresh = await Promise.race([renewal, late]);
      if (fresh !== undefined) return fresh.access_token;
      keptOn = access_token;
      return access_token;
    } finally {
      over.abort();
      // One that comes too late for this request may fail in any way.
      renewal.catch(() => undefined);
    }
  }

  async function oauthToken(grant: Grant, { rejected, uploadStep }: CredentialRequest): Promise<string> {
    if (rejected === undefined || rejected !== grant.access_token) return liveToken(grant);
    const { grant: stored } = await reread();
    if (stored === undefined) throw notSignedIn(host);
    if (stored.access_token !== rejected) return liveToken(stored);
    // A token that should live is refused there for what it is: another of its kind would be too.
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
  return new SignInError(`Not signed in to ${host.name}.`, { hint: `Sign in: svc login ${host.name}` });
}

function environmentTokenRefused(host: Host): SignInError {
  return new SignInError(`${host.name} refuses the token in SVC_TOKEN: it expired, was revoked, or is another organisation's.`, {
    hint: `Put a live token there, or unset SVC_TOKEN and sign in: svc login ${host.name}`,
  });
}

function freshTokenRefused(host: Host): SignInError {
  return new SignInError(`${host.name} refuses a token that it has just issued.`, {
    hint: `Sign in again with "svc login ${host.name}"; if that does not help, run "svc doctor --host ${host.name}".`,
  });
}

function uploadRefused(host: Host): SignInError {
  return new SignInError(`${host.name} refuses the sign-in for this step of an upload: uploads need a personal token with Write.`, {
    hint: `Make one in the web app under API tokens, with the Write scope, then give it to: svc token set --host ${host.name}`,
  });
}

function personalTokenOver(host: Host, what: string): SignInError {
  return new SignInError(`The personal token kept for ${host.name} ${what}.`, {
    hint: `Roll it in the web app under API tokens, then give it to: svc token set --host ${host.name}`,
  });
}

function personalTokenNeeded(host: Host, request: CredentialRequest): SignInError {
  const what = request.upload ? 'Uploading a file' : 'Deleting';
  return new SignInError(`${what} needs a personal token: the service does not let a browser sign-in do it.`, {
    hint: `Make one in the web app under API tokens, with the ${request.upload ? 'Write' : 'Delete'} scope, then give it to: svc token set --host ${host.name}`,
  });
}
