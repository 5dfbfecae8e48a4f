const MAX_RETRY_AFTER_S = 24 * 60 * 60;

/**
 * Returns the waiting time of a `Retry-After` header, in milliseconds. The header has seconds, or an HTTP date (RFC 9110 §10.2.3), which
 * svc compares with `now`. Undefined for a missing or unreadable header. The time is at least 0, and at most a day.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_S) * 1000;
  // Date.parse accepts far more than HTTP dates, but only an HTTP date starts with the name of a day.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - now, 0), MAX_RETRY_AFTER_S * 1000);
}
