import type { Interpretations } from './interpretations.ts';
import { Problem } from './problem.ts';

/**
 * The rate-limit units of one limit. With the option value `fixed`, the first unit starts a window. All units become available again at the
 * end of the window. With `sliding`, each unit becomes available again one window after its use.
 */
type Bucket = ReturnType<typeof createBucket>;

interface BucketOptions {
  readonly windowMs: number;
  readonly enforced: boolean;
  readonly interpretations: Pick<Interpretations, 'rateWindow'>;
}

function createBucket(limit: number, { windowMs, enforced, interpretations }: BucketOptions) {
  let used = 0;
  let end = 0;
  const spent: { readonly at: number; readonly units: number }[] = [];
  const usedAt = (now: number): number => {
    if (interpretations.rateWindow === 'fixed') return now < end ? used : 0;
    return spent.reduce((sum, { at, units }) => sum + (at > now - windowMs ? units : 0), 0);
  };
  const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
  const untilFull = (now: number): number => {
    if (interpretations.rateWindow === 'fixed') return now < end ? end - now : windowMs;
    return (spent.at(-1)?.at ?? now) + windowMs - now;
  };
  const untilRoomFor = (wanted: number, now: number): number => {
    let missing = wanted - (limit - usedAt(now));
    if (interpretations.rateWindow === 'fixed') return untilFull(now);
    for (const { at, units } of spent) {
      if (at > now - windowMs) missing -= units;
      if (missing <= 0) return at + windowMs - now;
    }
    return untilFull(now);
  };
  return {
    limit,
    remaining: (now: number): number => Math.max(0, limit - usedAt(now)),
    /** The seconds until the bucket is full again, rounded up. */
    reset: (now: number): number => seconds(untilFull(now)),
    /** The seconds until the bucket has room for `units`, rounded up. */
    wait: (units: number, now: number): number => seconds(untilRoomFor(units, now)),
    spend: (units: number, now: number): void => {
      if (!enforced) return;
      used = (now < end ? used : 0) + units;
      if (now >= end) end = now + windowMs;
      while (spent[0] !== undefined && spent[0].at <= now - windowMs) spent.shift();
      spent.push({ at: now, units });
    },
  };
}

/**
 * The limits per window, by kind (rules 15.2 to 15.5, 15.10, 15.11, 15.40 to 15.43). The limits of reads and writes are rate-limit units.
 * The other limits are numbers of requests.
 */
const LIMITS = {
  tokenRead: 600,
  tokenWrite: 120,
  organisationRead: 3000,
  organisationWrite: 600,
  addressAndHost: 600,
  address: 1200,
  register: 5,
  registerOrganisation: 30,
  tokenEndpoint: 120,
  discovery: 30,
  revocation: 30,
} as const;
type Kind = keyof typeof LIMITS;

export interface Spending {
  /** The buckets that pay the cost of the request: of the token and the organisation, or of the OAuth endpoint. */
  readonly cost: readonly Bucket[];
  /** The buckets that lose one further rate-limit unit. For a write, these are the buckets for reads. */
  readonly extra: readonly Bucket[];
}

export type Limiter = ReturnType<typeof createLimiter>;

export function createLimiter(options: BucketOptions) {
  const buckets = new Map<string, Bucket>();
  const bucket = (kind: Kind, owner = ''): Bucket => {
    const key = `${kind} ${owner}`;
    const known = buckets.get(key);
    if (known !== undefined) return known;
    const made = createBucket(LIMITS[kind], options);
    buckets.set(key, made);
    return made;
  };
  const countIn = (all: readonly Bucket[], now: number): void => {
    refuseWithout(1, all, now);
    for (const each of all) each.spend(1, now);
  };

  return {
    /** Counts a request of an IP address. @throws Problem 429 if the address has sent too many requests. */
    countAddress: (address: string, host: string, now: number): void =>
      countIn([bucket('addressAndHost', `${address} ${host}`), bucket('address', address)], now),
    /** The buckets for a request to an OAuth endpoint. These buckets count requests instead of rate-limit units. */
    oauthSpending: (endpoint: 'register' | 'tokenEndpoint' | 'discovery' | 'revocation', address: string): Spending => {
      const own = bucket(endpoint, address);
      return { cost: endpoint === 'register' ? [own, bucket('registerOrganisation')] : [own], extra: [] };
    },
    spending: (owner: string | undefined, kind: 'read' | 'write'): Spending => {
      const read = [...(owner === undefined ? [] : [bucket('tokenRead', owner)]), bucket('organisationRead')];
      if (kind === 'read') return { cost: read, extra: [] };
      return { cost: [...(owner === undefined ? [] : [bucket('tokenWrite', owner)]), bucket('organisationWrite')], extra: read };
    },
    /** Checks that the buckets have room for a request. Spends no rate-limit units. @throws Problem 429 if a bucket has too little room. */
    admit: ({ cost, extra }: Spending, units: number, now: number): void => {
      refuseWithout(units, cost, now);
      refuseWithout(1, extra, now);
    },
    spend: ({ cost, extra }: Spending, units: number, now: number): void => {
      if (units === 0) return;
      for (const each of cost) each.spend(units, now);
      for (const each of extra) each.spend(1, now);
    },
  };
}

function refuseWithout(units: number, buckets: readonly Bucket[], now: number): void {
  const short = buckets.filter((bucket) => bucket.remaining(now) < units);
  const [first] = short;
  if (first === undefined) return;
  const seconds = Math.max(...short.map((bucket) => bucket.wait(units, now)));
  throw new Problem(429, 'rate-limit-exceeded', `The limit of ${first.limit} is used up. Try again in ${seconds} seconds.`, {
    members: { rate_limit: { limit: first.limit, retry_after: seconds } },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The time from which answers no longer have `X-RateLimit-*` headers (rule 15.39). */
const SUNSET = Date.UTC(2027, 8, 1);

/**
 * Returns the headers `RateLimit` and `RateLimit-Policy` for the bucket with the fewest rate-limit units left. Before {@link SUNSET}, also
 * returns the deprecated `X-RateLimit-*`.
 */
export function rateLimitHeaders({ cost, extra }: Spending, now: number, windowSeconds: number): Record<string, string> {
  const all = [...cost, ...extra];
  const tightest = all.reduce((least, bucket) => (bucket.remaining(now) < least.remaining(now) ? bucket : least));
  const remaining = tightest.remaining(now);
  const reset = tightest.reset(now);
  const current = {
    RateLimit: `limit=${tightest.limit}, remaining=${remaining}, reset=${reset}`,
    'RateLimit-Policy': `${tightest.limit};w=${windowSeconds}`,
  };
  if (now >= SUNSET) return current;
  return {
    ...current,
    'X-RateLimit-Limit': String(tightest.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.floor(now / 1000) + reset),
  };
}
