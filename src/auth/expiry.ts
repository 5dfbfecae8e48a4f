import type { Grant, PersonalToken } from './record.ts';

/** svc refreshes an access token this close to its end before it uses the token. */
const MARGIN_MS = 60_000;
/** The margin as a share of the life of a token that lives shorter than ten minutes. Else svc would refresh it for every request. */
const MARGIN_SHARE = 0.1;

/** Whether the access token ends within the margin, by this machine's clock. */
export function endsSoon(grant: Grant, now: number): boolean {
  const life = Math.max(0, grant.expires_at - grant.issued_at);
  return now >= grant.expires_at - Math.min(MARGIN_MS, life * MARGIN_SHARE);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether the end date that the person gave for the token is past in every time zone. svc does not know which zone's midnight the service
 * means. Until the date is past everywhere, svc sends the token and lets the service decide.
 */
export function isPast(personal: PersonalToken, now: number): boolean {
  // `Date.parse` reads a date alone as midnight UTC.
  const midnight = personal.expires === undefined ? Number.NaN : Date.parse(personal.expires);
  return now > midnight + 1.5 * DAY_MS;
}
