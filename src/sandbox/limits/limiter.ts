import { Problem } from '../problem.ts';
import { type Bucket, type BucketOptions, createBucket } from './bucket.ts';

/** How much of each thing a window holds (rules 15.2 to 15.5, 15.10, 15.11, 15.40 to 15.43). */
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

/** The buckets that one API request spends from. */
export interface Spending {
  /** The bucket its cost comes out of, per token and per organisation. */
  readonly cost: readonly Bucket[];
  /** Buckets that lose one more unit: the read buckets, for a write. */
  readonly extra: readonly Bucket[];
}

export interface Limiter {
  /** @throws Problem 429 when the address has sent too much; counts the request otherwise. */
  countAddress(address: string, host: string, now: number): void;
  /** The buckets of one request to an OAuth endpoint, counted in requests. */
  oauthSpending(endpoint: 'register' | 'tokenEndpoint' | 'discovery' | 'revocation', address: string): Spending;
  /** @param owner A personal access token, or an app and the person it acts for. */
  spending(owner: string | undefined, kind: 'read' | 'write'): Spending;
  /** @throws Problem 429 without spending when a bucket lacks room. */
  admit(spending: Spending, units: number, now: number): void;
  spend(spending: Spending, units: number, now: number): void;
}

export function createLimiter(options: BucketOptions): Limiter {
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
    countAddress: (address, host, now) => countIn([bucket('addressAndHost', `${address} ${host}`), bucket('address', address)], now),
    oauthSpending: (endpoint, address) => {
      const own = bucket(endpoint, address);
      return { cost: endpoint === 'register' ? [own, bucket('registerOrganisation')] : [own], extra: [] };
    },
    spending: (owner, kind) => {
      const read = [...(owner === undefined ? [] : [bucket('tokenRead', owner)]), bucket('organisationRead')];
      if (kind === 'read') return { cost: read, extra: [] };
      return { cost: [...(owner === undefined ? [] : [bucket('tokenWrite', owner)]), bucket('organisationWrite')], extra: read };
    },
    admit: ({ cost, extra }, units, now) => {
      refuseWithout(units, cost, now);
      refuseWithout(1, extra, now);
    },
    spend: ({ cost, extra }, units, now) => {
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

/** From here on the `X-RateLimit-*` headers are not sent any more (rule 15.39). */
const SUNSET = Date.UTC(2027, 8, 1);

/** `RateLimit`, `RateLimit-Policy` and the deprecated `X-RateLimit-*`, for the bucket with the fewest units left. */
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
