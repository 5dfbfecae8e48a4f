import type { Grant, PersonalToken } from './record.ts';

/** The margin in milliseconds: svc renews an access token that ends within this time. */
const MARGIN_MS = 60_000;
/**
 * The margin as a share of the lifetime, for tokens that live less than ten minutes. svc would otherwise renew a token of one minute for
 * every request.
 */
const MARGIN_SHARE = 0.1;

/** Returns true if the access token has ended or ends within the margin, by this machine’s clock. */
export function endsSoon(grant: Grant, now: number): boolean {
  const life = Math.max(0, grant.expires_at - grant.issued_at);
  return now >= grant.expires_at - Math.min(MARGIN_MS, life * MARGIN_SHARE);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns true if the token’s expiry date is past in every time zone. The service does not document the date’s time zone. Until the date is
 * past everywhere, the service decides about the token. Returns false without an expiry date.
 */
export function isPast(personal: PersonalToken, now: number): boolean {
  // `Date.parse` reads a date without a time as midnight UTC.
  const midnight = personal.expires === undefined ? Number.NaN : Date.parse(personal.expires);
  return now > midnight + 1.5 * DAY_MS;
}
