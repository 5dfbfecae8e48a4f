/** The service’s report on the bucket with the fewest rate-limit units, from the headers of an answer (rule 15.33). */
export interface RateLimit {
  readonly limit: number | undefined;
  readonly remaining: number;
  /** Seconds from the answer until the bucket is full again. Does not depend on any clock. */
  readonly reset: number;
  /** The length of the bucket’s window in seconds. */
  readonly window: number | undefined;
}

const MAX_UNITS = 1_000_000_000;
const MAX_SECONDS = 24 * 60 * 60;

/**
 * Parses `RateLimit: limit=<n>, remaining=<n>, reset=<s>` and `RateLimit-Policy: <limit>;w=<s>`. Returns undefined without a valid
 * `remaining` and a valid `reset`.
 */
export function parseRateLimit(headers: Readonly<Record<string, string>>): RateLimit | undefined {
  const text = headers['ratelimit'];
  if (text === undefined) return undefined;
  const members = new Map<string, string>();
  for (const part of text.slice(0, 500).split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=', 2);
    members.set(name.trim().toLowerCase(), value.trim());
  }
  const remaining = wholeNumber(members.get('remaining'), MAX_UNITS);
  const reset = wholeNumber(members.get('reset'), MAX_SECONDS);
  if (remaining === undefined || reset === undefined) return undefined;
  return { limit: wholeNumber(members.get('limit'), MAX_UNITS), remaining, reset, window: parseWindow(headers['ratelimit-policy']) };
}

function parseWindow(policy: string | undefined): number | undefined {
  return wholeNumber(policy?.slice(0, 500).match(/;\s*w\s*=\s*(\d+)/)?.[1], MAX_SECONDS);
}

function wholeNumber(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= max ? number : undefined;
}
