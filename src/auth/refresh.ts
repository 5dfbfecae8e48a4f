import type { Deps } from '../deps.ts';
import { SignInError, SvcError, UnavailableError } from '../errors.ts';
import type { Host } from '../values/addresses.ts';
import { signInName, signInWords } from '../values/sign-in-names.ts';
import type { Accounts, HeldAccount } from './accounts.ts';
import { endsSoon } from './expiry.ts';
import type { Grant, HostRecord } from './record.ts';
import { type RedeemOutcome, redeemRefreshToken } from './redeem.ts';

export interface RefreshOptions {
  readonly accounts: Pick<Accounts, 'hold' | 'find'>;
  readonly userAgent?: string | undefined;
  /** True if the access token is still live. svc then waits only about a second for a lock that another process has. */
  readonly early?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

export type RefreshDeps = Pick<Deps, 'clock' | 'network' | 'interrupts'>;

export type SignedInRecord = HostRecord & { readonly grant: Grant };

/**
 * Renews the host’s access token, and resolves with the record that is then stored. Refresh tokens are single-use (rule 13.43). One process
 * therefore spends the token under the lock, and the other processes use the new tokens from the store.
 *
 * @param stale The access token to replace: it expires soon or has expired, or the service rejected it. If the store has another live
 * token, svc returns the stored record without a request.
 * @throws SignInError if the sign-in has ended. `details.code` is `invalid_grant`, or `invalid_client` if the service deleted the client
 * registration. svc then removes the sign-in from the store, and keeps the personal access token.
 * @throws SignInError without a sign-in for the host’s origin.
 * @throws SignInError, NotFoundError, UnavailableError, NetworkError without new tokens. svc then keeps the stored tokens.
 * @throws SvcError if svc can’t lock the sign-in or store the new tokens.
 */
export async function refreshGrant(host: Host, stale: string, deps: RefreshDeps, options: RefreshOptions): Promise<SignedInRecord> {
  const { accounts } = options;
  const waiting = new AbortController();
  const renewed = Promise.withResolvers<SignedInRecord>();
  const onWait = options.early ? () => waiting.abort(new UnavailableError(BUSY, { hint: 'Try again.' })) : () => void watch();
  const own = accounts.hold(signInName(host), renew, { signal: waiting.signal, onWait });
  own.catch(() => undefined).finally(() => waiting.abort());
  return Promise.race([own, renewed.promise]);

  /**
   * Polls the store without the lock, because waiting processes only need the new tokens. The polls become less frequent, because a
   * keychain answers one call at a time.
   */
  async function watch(): Promise<void> {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
      try {
        await deps.clock.sleep(pause * (0.5 + Math.random()), waiting.signal);
      } catch {
        return;
      }
      // svc ignores an error here. If the error persists, the read with the lock reports the error.
      const found = await accounts.find(signInName(host)).catch(() => undefined);
      if (waiting.signal.aborted) return;
      const grant = found?.record.grant;
      if (found?.record.origin !== host.origin || grant === undefined || !isRenewed(grant)) continue;
      renewed.resolve({ ...found.record, grant });
      return waiting.abort();
    }
  }

  function isRenewed(grant: Grant): boolean {
    return grant.access_token !== stale && !endsSoon(grant, deps.clock.now());
  }

  async function renew(held: HeldAccount): Promise<SignedInRecord> {
    waiting.abort();
    const record = signedIn(await held.read(), host);
    if (isRenewed(record.grant)) return record;
    assertOwnOrigin(record.grant.token_endpoint, host);
    // If svc spends the refresh token but cannot store its successor, the sign-in is lost.
    await held.reserveSpace();
    return deps.interrupts
      .defer(async () => {
        const { refresh_token: token } = record.grant;
        const wasSent = await held.wasSent(token).catch(() => false);
        // The recorded digest only changes the wording of an error.
        await held.recordSending(token).catch(() => undefined);
        const outcome = await redeemRefreshToken(record.grant, { ...deps, userAgent: options.userAgent, timeoutMs: options.timeoutMs });
        const renewed = await storeOutcome(wasSent ? knownToBeSent(outcome) : outcome, record, held, host, deps);
        await held.recordSending(undefined).catch(() => undefined);
        return renewed;
      })
      .finally(() => held.releaseSpace().catch(() => undefined));
  }
}

function knownToBeSent(outcome: RedeemOutcome): RedeemOutcome {
  return outcome.kind === 'refused' ? { ...outcome, afterUnknown: true } : outcome;
}

const BUSY = 'Another svc is renewing the sign-in.';
const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 4_000;

async function storeOutcome(
  outcome: RedeemOutcome,
  sent: SignedInRecord,
  held: HeldAccount,
  host: Host,
  deps: RefreshDeps,
): Promise<SignedInRecord> {
  if (outcome.kind === 'failed') throw outcome.error;
  if (outcome.kind === 'fresh') {
    const fresh = { ...sent, grant: outcome.grant };
    await writeForSure(held, fresh, deps);
    return fresh;
  }
  const now = await held.read();
  if (now?.grant !== undefined && now.grant.refresh_token !== sent.grant.refresh_token) {
    // A writer without the lock (an older svc, a synchronised keychain) changed the record. The stored record is newer.
    return { ...now, grant: now.grant };
  }
  if (now?.grant !== undefined) await held.write(without(now, outcome.code, sent.grant.client_id));
  throw over(outcome, host);
}

/** Stores the only copy of a spent token’s successor. After a failure, svc tries the store again, and then a fallback place. */
async function writeForSure(held: HeldAccount, fresh: SignedInRecord, deps: RefreshDeps): Promise<void> {
  try {
    await held.write(fresh);
  } catch {
    await deps.clock.sleep(200);
    try {
      await held.write(fresh);
    } catch (cause) {
      try {
        return await held.park(fresh);
      } catch {
        // The error below names the failure of the second write.
      }
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new SvcError(`svc renewed your sign-in, but could not store the new tokens. ${reason}`, {
        hint: `Fix the problem, then sign in again: svc login ${signInWords(fresh.host)}`,
        cause,
      });
    }
  }
}

function without(record: HostRecord, code: 'invalid_grant' | 'invalid_client', clientId: string): HostRecord {
  const { grant: _over, registration, ...rest } = record;
  const isUnknown = registration === undefined || (code === 'invalid_client' && registration.client_id === clientId);
  return isUnknown ? rest : { ...rest, registration };
}

function over(outcome: RedeemOutcome & { readonly kind: 'refused' }, host: Host): SignInError {
  const { code } = outcome;
  const hint = `Sign in again: svc login ${host.name}`;
  if (outcome.afterUnknown && code === 'invalid_grant') {
    return new SignInError(
      `svc asked ${host.name} twice to renew your sign-in. The answer to the first request was lost, with the new tokens, and ${host.name} refused the second request.`,
      {
        hint,
        details: { code },
      },
    );
  }
  const why =
    code === 'invalid_grant'
      ? 'somebody revoked the sign-in, or you did not use the sign-in for 30 days'
      : 'the service deleted its client registration';
  return new SignInError(`Your sign-in to ${signInName(host)} has ended: ${why}.`, { hint, details: { code } });
}

function signedIn(record: HostRecord | undefined, host: Host): SignedInRecord {
  if (record?.grant === undefined) {
    throw new SignInError(`You are not signed in to ${signInName(host)}.`, { hint: `Sign in: svc login ${host.name}` });
  }
  assertSameOrigin(record, host);
  return { ...record, grant: record.grant };
}

export function assertSameOrigin(record: HostRecord, host: Host): void {
  if (record.origin === host.origin) return;
  throw new SignInError(`The sign-in of ${signInName(host)} is for ${record.origin}, not for ${host.origin}.`, {
    hint: `Sign in again: svc login ${host.origin}`,
  });
}

/**
 * Checks that a token goes to the host’s own origin.
 *
 * @throws UnavailableError for an endpoint on another origin.
 */
export function assertOwnOrigin(endpoint: string, host: Host): void {
  if (URL.canParse(endpoint) && new URL(endpoint).origin === host.origin) return;
  throw new UnavailableError(`The stored sign-in of ${host.name} names an endpoint on another host. svc sent no token to that host.`, {
    hint: `Sign in again: svc login ${host.name}`,
  });
}
