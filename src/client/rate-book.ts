import type { RateLimit } from './rate-limit.ts';
import { narrow, narrowingTime, type ResetTime, resetTime } from './reset-time.ts';

/** The budget of a request: `read` for a GET or HEAD, `write` for other methods (rules 15.6, 15.7). */
export type BudgetKind = 'read' | 'write';

export type Charges = readonly (readonly [BudgetKind, number])[];

export interface Share {
  /**
   * The highest percentage of each limit that this run can use, from 1 to 100. Default: everything except the share that bulk work leaves
   * to people.
   */
  readonly percent?: number | undefined;
}

/** A bucket of the rate limit, as in an answer. Times are milliseconds since 1970. */
export interface KnownBucket extends ResetTime {
  /** The kind of request whose answer reported the bucket. The read buckets limit writes too. */
  readonly kind: BudgetKind;
  readonly limit: number | undefined;
  readonly told: number;
  /** The remaining rate-limit units after all requests that svc has sent. */
  readonly remaining: number;
  /** The length of the bucket’s window in seconds. */
  readonly window: number | undefined;
  readonly serial: number;
}

interface Reservation {
  readonly serial: number;
  readonly kind: BudgetKind;
  readonly units: number;
  readonly at: number;
}

export interface Sent {
  readonly second: number;
  readonly requests: number;
  readonly read: number;
  readonly write: number;
}

/** Everything that svc knows about the rate limits of one token. Several processes can share one {@link RateBook}. */
export interface RateBook {
  serial: number;
  buckets: KnownBucket[];
  reserved: Reservation[];
  /** The time before which svc sends no request of the kind, while svc spreads the rest of a bucket. */
  spread: Record<BudgetKind, number>;
  /**
   * The requests of the last window with any token, oldest first. The limit of an IP address counts all these requests (rules 15.10,
   * 15.12).
   */
  sent: Sent[];
}

export interface Delay {
  readonly until: number;
  readonly full: boolean;
}

/** The rate-limit units, and the requests of an IP address, that bulk work leaves to people in each window. */
export const LEFT_FOR_PEOPLE = 15;

/** The longest time in milliseconds that a refusal can cover. */
export const LONGEST_REFUSAL = 24 * 60 * 60_000;

/**
 * The largest difference in milliseconds by which another process’s clock can be ahead. A larger difference means that a clock was set
 * back.
 */
export const MOST_AHEAD = 2_000;

/**
 * Returns the time until which the service refuses requests of any process. Returns 0 for an unreliable time, from a clock that is wrong or
 * was set back.
 *
 * @param writtenAt The time at which the other process stored the refusal. All times are milliseconds since 1970.
 */
export function refusedUntil(until: number, writtenAt: number, now: number): number {
  return writtenAt <= now + MOST_AHEAD && until <= now + LONGEST_REFUSAL ? until : 0;
}

const ORGANISATION_PART = 0.8;

const SPREAD_PART = 0.1;

/** The limits of a token in rate-limit units per window (rules 15.2, 15.3). A bucket with a higher limit is the organisation’s. */
export const TOKEN_LIMIT: Readonly<Record<BudgetKind, number>> = { read: 600, write: 120 };

/** The most requests of one IP address to one host in a window (rule 15.10). */
const ADDRESS_LIMIT = 600;

/** The length of a rate-limit window in seconds (rule 15.1). */
const WINDOW = 60;

/** The time in milliseconds for which a request without an answer counts as pending. Its process has probably ended by then. */
const UNDER_WAY = 60_000;

/** The largest difference in milliseconds between two reported reset times of one bucket. A larger difference means another bucket. */
const SAME_RESET = 2_000;

export function emptyBook(): RateBook {
  return { serial: 0, buckets: [], reserved: [], spread: { read: 0, write: 0 }, sent: [] };
}

/** Returns true if a bucket is the organisation’s, as far as its limit shows. A bucket without a limit counts as the token’s. */
export function isOrganisations({ kind, limit }: Pick<KnownBucket, 'kind' | 'limit'>): boolean {
  return limit !== undefined && limit > TOKEN_LIMIT[kind];
}

function unitsLeftAlone(bucket: Pick<KnownBucket, 'kind' | 'limit'>, share: Share | undefined): number {
  const { limit } = bucket;
  if (share === undefined) return 0;
  if (limit === undefined) return LEFT_FOR_PEOPLE;
  if (isOrganisations(bucket)) return Math.ceil(limit * (1 - Math.min(ORGANISATION_PART, (share.percent ?? 100) / 100)));
  return Math.min(LEFT_FOR_PEOPLE, Math.floor(limit / 4));
}

/**
 * Returns the buckets with the rate-limit units that bulk work can spend. Bulk work leaves some of the units to people, and uses at most
 * `share.percent` of each limit.
 */
export function bulkLimits<Seen extends Pick<KnownBucket, 'kind' | 'limit' | 'remaining'>>(
  buckets: readonly Seen[],
  share: Share | undefined,
): Seen[] {
  return buckets.map((bucket) => {
    const { limit, remaining } = bucket;
    const alone = unitsLeftAlone(bucket, share);
    const most = limit === undefined ? undefined : Math.min(limit - alone, Math.ceil((limit * (share?.percent ?? 100)) / 100));
    return { ...bucket, limit: most, remaining: Math.max(0, Math.min(remaining - alone, most ?? remaining)) };
  });
}

/** Returns a percentage of a token’s limit in rate-limit units. The limit is the lowest reported or documented limit. */
export function unitsOfShare(kind: BudgetKind, buckets: readonly Pick<KnownBucket, 'kind' | 'limit'>[], percent: number): number {
  const limits = buckets.flatMap((bucket) => (bucket.kind === kind && bucket.limit !== undefined ? [bucket.limit] : []));
  return Math.floor((Math.min(TOKEN_LIMIT[kind], ...limits) * percent) / 100);
}

export function windowOf({ buckets }: RateBook): number {
  const known = buckets.flatMap(({ window }) => window ?? []);
  return (known.length > 0 ? Math.max(...known) : WINDOW) * 1000;
}

function freeIn(book: RateBook, bucket: KnownBucket, share: Share | undefined): number {
  return bucket.remaining - reservedIn(book, bucket.kind) - unitsLeftAlone(bucket, share);
}

function reservedIn({ reserved }: RateBook, kind: BudgetKind): number {
  return reserved.reduce((sum, each) => sum + (each.kind === kind ? each.units : 0), 0);
}

function liveBuckets({ buckets }: RateBook, kind: BudgetKind, now: number): KnownBucket[] {
  return buckets.filter((bucket) => bucket.kind === kind && bucket.latest > now);
}

function isSpread({ limit }: KnownBucket, left: number): boolean {
  return limit !== undefined && left < limit * SPREAD_PART;
}

/**
 * Returns the reasons to delay a request. Empty if svc can send the request now.
 *
 * @param spreads True if svc spreads the rest of a bucket in this run.
 */
export function delaysOf(book: RateBook, charges: Charges, now: number, share: Share | undefined, spreads: boolean): Delay[] {
  const delays: Delay[] = [];
  for (const [kind, units] of charges) {
    for (const bucket of liveBuckets(book, kind, now)) {
      const free = freeIn(book, bucket, share);
      if (free < units) delays.push({ until: bucket.latest, full: true });
      else if (spreads && isSpread(bucket, free - units) && book.spread[kind] > now) delays.push({ until: book.spread[kind], full: false });
    }
  }
  if (share !== undefined) delays.push(...addressDelay(book, now));
  return delays;
}

/**
 * Returns the delay from the limit of the IP address. No header shows this limit (rule 15.13). A service that reports a full bucket after
 * each request has no limits.
 */
function addressDelay(book: RateBook, now: number): Delay[] {
  if (!book.buckets.some(({ told, limit }) => limit !== undefined && told < limit)) return [];
  const window = windowOf(book);
  const recent = book.sent.filter(({ second }) => endOf(second) + window > now);
  let count = recent.reduce((sum, { requests }) => sum + requests, 0);
  for (const { second, requests } of recent) {
    if (count < ADDRESS_LIMIT - LEFT_FOR_PEOPLE) return [];
    count -= requests;
    if (count < ADDRESS_LIMIT - LEFT_FOR_PEOPLE) return [{ until: endOf(second) + window, full: true }];
  }
  return [];
}

function endOf(second: number): number {
  return (second + 1) * 1000;
}

export function reserveIn(
  book: RateBook,
  charges: Charges,
  now: number,
  { share, spreads, longest }: { readonly share: Share | undefined; readonly spreads: boolean; readonly longest: number },
): number {
  book.serial += 1;
  book.reserved = book.reserved.filter(({ at }) => at > now - UNDER_WAY);
  for (const [kind, units] of charges) {
    const evenly = liveBuckets(book, kind, now).flatMap((bucket) => {
      const free = freeIn(book, bucket, share);
      if (!spreads || !isSpread(bucket, free - units)) return [];
      const even = now + Math.min(((bucket.latest - now) * units) / Math.max(free, units), longest);
      return [narrowingTime(bucket, now, even) ?? even];
    });
    if (evenly.length > 0) book.spread[kind] = Math.max(...evenly);
    book.reserved.push({ serial: book.serial, kind, units, at: now });
  }
  if (share !== undefined) countSent(book, charges, now);
  return book.serial;
}

function countSent(book: RateBook, charges: Charges, now: number): void {
  const second = Math.floor(now / 1000);
  const units = (kind: BudgetKind) => charges.reduce((sum, [name, cost]) => sum + (name === kind ? cost : 0), 0);
  const window = windowOf(book);
  const recent = book.sent.filter((each) => endOf(each.second) + window > now);
  const last = recent.at(-1);
  const before = last?.second === second ? last : { second, requests: 0, read: 0, write: 0 };
  if (last?.second === second) recent.pop();
  recent.push({ second, requests: before.requests + 1, read: before.read + units('read'), write: before.write + units('write') });
  book.sent = recent;
}

export function completeIn(
  book: RateBook,
  charges: Charges,
  { serial, sentAt, now }: { readonly serial: number; readonly sentAt: number; readonly now: number },
  report: RateLimit | undefined,
): void {
  const kind = charges[0]?.[0] ?? 'read';
  book.reserved = book.reserved.filter((each) => each.serial !== serial);
  const told = report && { ...resetTime(report.reset, sentAt, now), ...report };
  const reported = told && (sameReadBucket(book, kind, told) ? 'read' : kind);
  // A request can spend from a bucket that its answer does not report.
  for (const [name, units] of charges) {
    book.buckets = book.buckets.map((bucket) => {
      const isReported = name === reported && bucket.limit === told?.limit;
      return bucket.kind !== name || isReported || bucket.latest <= now ? bucket : { ...bucket, remaining: bucket.remaining - units };
    });
  }
  if (told === undefined || reported === undefined) return;
  const { limit, remaining, window, earliest, latest } = told;
  const at = book.buckets.findIndex((bucket) => bucket.kind === reported && bucket.limit === limit);
  const known = book.buckets[at];
  const next: KnownBucket = { kind: reported, limit, told: remaining, remaining, window, earliest, latest, serial };
  if (known === undefined) book.buckets.push(next);
  // Answers can arrive out of order. svc uses the answer to an older request only if that answer reports fewer rate-limit units.
  else if (serial > known.serial) book.buckets[at] = { ...next, ...narrow(known, told) };
  // An answer from an earlier window can arrive in the next window. svc ignores the budget in such an answer.
  else if (remaining < known.remaining && latest > known.earliest) book.buckets[at] = { ...known, remaining, told: remaining };
  // The header shows the bucket with the fewest rate-limit units (rule 15.33). The other buckets have at least as many units.
  book.buckets = book.buckets.map((bucket) => {
    const least = Math.min(remaining, bucket.limit ?? remaining);
    const hasMore = bucket.kind === reported && bucket.limit !== limit && serial > bucket.serial && bucket.remaining < least;
    return hasMore ? { ...bucket, remaining: least, serial } : bucket;
  });
}

/**
 * Returns true if the answer to a write reports a read bucket, which also limits writes. Two buckets have the limit 600 (rules 15.2, 15.5).
 */
function sameReadBucket({ buckets }: RateBook, kind: BudgetKind, { limit, latest }: Pick<KnownBucket, 'limit' | 'latest'>): boolean {
  const isSame = (bucket: KnownBucket) =>
    bucket.kind === 'read' && bucket.limit !== undefined && bucket.limit === limit && Math.abs(bucket.latest - latest) < SAME_RESET;
  return kind === 'write' && buckets.some(isSame);
}
