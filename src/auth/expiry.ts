import type { Grant, PersonalToken } from './record.ts';

/** An access token this close to its end is refreshed before it is used. */
const MARGIN_MS = 60_000;
/** Of a token that lives shorter than ten minutes, the margin is this share: else it would be refreshed for every request. */
const MARGIN_SHARE = 0.1;

/** Whether the access token ends within a minute (a tenth of its life, if that is shorter), by this machine's clock. */
export function endsSoon(grant: Grant, now: number): boolean {
  const life = Math.max(0, grant.expires_at - grant.issued_at);
  return now >= grant.expires_at - Math.min(MARGIN_MS, life * MARGIN_SHARE);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether the date that the person gave as the token's end is past in every time zone. Which zone's midnight the service
 * means is not known; until then it is asked, and answers for itself.
 */
export function isPast(personal: PersonalToken, now: number): boolean {
  // A date alone is read as midnight UTC.
  const midnight = personal.expires === undefined ? Number.NaN : Date.parse(personal.expires);
  return now > midnight + 1.5 * DAY_MS;
}
