import type { SeenBucket } from '../client/pace.ts';
import type { Needs } from './context.ts';

export type ShowingProgress = 'clock' | 'statusLine' | 'system';

export interface Progress {
  add(count: number): void;
  end(): void;
}

export interface ProgressOptions {
  readonly what: string;
  readonly total: () => number | undefined;
  /** Requests the total once, if the total is unknown and enough rate-limit units are left. After a failure, the total stays unknown. */
  readonly count?: ((signal: AbortSignal) => Promise<number | undefined>) | undefined;
  readonly before?: () => number;
  readonly limits: () => readonly SeenBucket[];
  /**
   * Returns the rate-limit units that the remaining work needs. Undefined if the caller does not know the cost. `isWhole`: the units cover
   * all remaining work. Default: the cost of the pieces so far.
   */
  readonly unitsLeft?: (() => { readonly units: number; readonly isWhole: boolean } | undefined) | undefined;
  readonly silent?: boolean;
}

/** The time between two updates of the progress line, in milliseconds. */
const INTERVAL = 200;

/** The time that work must take before svc shows its progress, in milliseconds. */
const PATIENCE = 1_000;

function drawTimes(started: number): (now: number) => boolean {
  let drawn = started + PATIENCE - INTERVAL;
  return (now) => {
    const isDue = now - drawn >= INTERVAL;
    if (isDue) drawn = now;
    return isDue;
  };
}

/** The number of rows after which svc saves memory. By then, V8 has optimised the code for rows, but not the code for pages. */
const SPRINT = 400;

/**
 * Starts the progress line. Draws nothing if stderr is not a terminal, or with `--quiet` or `silent`. After 400 rows or other pieces, svc
 * makes Node free memory earlier.
 */
export function startProgress({ clock, system, statusLine }: Needs<ShowingProgress>, options: ProgressOptions): Progress {
  const { what, before = () => 0, silent = false } = options;
  const started = clock.monotonic();
  const spending = watchSpending(options.limits);
  const over = new AbortController();
  let counted: number | undefined;
  let isCounting = false;
  let done = 0;
  const isDue = drawTimes(started);

  function total(): number | undefined {
    const known = options.total() ?? counted;
    if (known !== undefined || isCounting || options.count === undefined || isScarce(spending.state().bucket)) return known;
    isCounting = true;
    options.count(over.signal).then(
      (count) => {
        counted = count;
      },
      () => undefined,
    );
    return undefined;
  }

  return {
    add(count) {
      done += count;
      if (done > SPRINT) system.saveMemory();
      if (silent || !statusLine.isThere) return;
      spending.see(count);
      const now = clock.monotonic();
      if (!isDue(now)) return;
      const rate = (done * 1000) / Math.max(now - started, 1);
      statusLine.show(
        describeProgress({
          what,
          done: before() + done,
          rate,
          total: total(),
          unitsLeft: options.unitsLeft?.(),
          seconds: (now - started) / 1000,
          ...spending.state(),
        }),
      );
    },
    end() {
      over.abort();
      statusLine.clear();
    },
  };
}

function isScarce(bucket: SeenBucket | undefined): boolean {
  return bucket?.limit !== undefined && bucket.remaining < bucket.limit / 4;
}

interface Spending {
  readonly bucket: SeenBucket | undefined;
  /** The rate-limit units per piece, including other processes with the same token. Undefined until two answers show the cost. */
  readonly unitsEach: number | undefined;
  /** The rate-limit units since the start, as far as answers showed the units. */
  readonly unitsSpent: number;
}

/** Derives the cost of the work from the answers, so that callers need not supply the cost. */
function watchSpending(limits: ProgressOptions['limits']): { see(count: number): void; state(): Spending } {
  let bucket: SeenBucket | undefined;
  let units = 0;
  let pieces = 0;
  return {
    see(count) {
      const last = bucket;
      bucket = limits().reduce<SeenBucket | undefined>(
        (least, each) => (least === undefined || each.remaining < least.remaining ? each : least),
        undefined,
      );
      // If more rate-limit units are left than before, the bucket has become full again, or the answer concerns another bucket.
      if (last === undefined || bucket === undefined || bucket.remaining > last.remaining) return;
      units += last.remaining - bucket.remaining;
      pieces += count;
    },
    state: () => ({ bucket, unitsEach: pieces === 0 ? undefined : units / pieces, unitsSpent: units }),
  };
}

export async function* withProgress<T>(
  context: Needs<ShowingProgress>,
  batches: AsyncIterable<readonly T[]>,
  options: ProgressOptions,
): AsyncGenerator<readonly T[]> {
  const progress = startProgress(context, options);
  try {
    for await (const batch of batches) {
      progress.add(batch.length);
      yield batch;
    }
  } finally {
    progress.end();
  }
}

interface State extends Spending {
  readonly what: string;
  readonly done: number;
  /** The number of rows or other pieces per second. */
  readonly rate: number;
  readonly total: number | undefined;
  readonly unitsLeft: { readonly units: number; readonly isWhole: boolean } | undefined;
  readonly seconds: number;
}

/** Returns the progress as text: `1200 of 5700 rows, 95 a second, 412 of 600 rate-limit units left, 47 s to go`. */
function describeProgress(state: State): string {
  const { done, rate, total, what, bucket, unitsLeft } = state;
  const parts = [
    `${done}${total === undefined ? '' : ` of ${total}`} ${what}`,
    `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`,
  ];
  if (bucket !== undefined)
    parts.push(`${bucket.remaining}${bucket.limit === undefined ? '' : ` of ${bucket.limit}`} rate-limit units left`);
  if (unitsLeft !== undefined)
    parts.push(`${unitsLeft.isWhole ? '' : 'at least '}${describeSeconds(secondsOfUnits(unitsLeft.units, state))} to go`);
  else if (total !== undefined && rate > 0) parts.push(`${describeSeconds(secondsLeft(Math.max(total - done, 0), state))} to go`);
  return parts.join(', ');
}

/** Returns the seconds for the given rate-limit units: at the speed so far, or until the bucket has enough. The larger time counts. */
function secondsOfUnits(units: number, { bucket, unitsSpent, seconds }: State): number {
  const atThisRate = unitsSpent > 0 ? (units * seconds) / unitsSpent : 0;
  return Math.max(atThisRate, bucket === undefined ? 0 : secondsFor(units, [bucket]));
}

/** Returns the remaining seconds at the current rate, or until the bucket has enough rate-limit units. Returns the larger number. */
function secondsLeft(left: number, { rate, bucket, unitsEach = 0 }: Pick<State, 'rate' | 'bucket' | 'unitsEach'>): number {
  const atThisRate = left / rate;
  const { remaining = 0, limit = 0, window, reset = 0 } = bucket ?? {};
  const missing = left * unitsEach - remaining;
  if (missing <= 0 || limit <= 0 || window === undefined) return atThisRate;
  return Math.max(atThisRate, reset + Math.floor(missing / limit) * window);
}

/** Returns the seconds until every bucket has the given rate-limit units. 0 if every bucket has enough, or without a bucket. */
export function secondsFor(units: number, limits: readonly SeenBucket[]): number {
  const waits = limits.map(({ limit = 0, remaining, reset, window }) => {
    const missing = units - remaining;
    return missing <= 0 || limit <= 0 || window === undefined ? 0 : reset + Math.floor((missing - 1) / limit) * window;
  });
  return Math.max(0, ...waits);
}

/** Returns seconds as text: `47 s`, `3 min`, `1.5 h`. */
export function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(Math.max(seconds, 0))} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Starts the progress line of files. Draws nothing without a terminal, and with `--quiet`. @param what name of the file, or `3 files`. */
export function startTransfer({ clock, statusLine }: Needs<'clock' | 'statusLine'>, what: string) {
  const started = clock.monotonic();
  const isDue = drawTimes(started);
  let done = 0;
  let total = 0;
  return {
    expect(bytes: number): void {
      total += bytes;
    },
    add(bytes: number): void {
      done += bytes;
      const now = clock.monotonic();
      if (!statusLine.isThere || !isDue(now)) return;
      const rate = (done * 1000) / Math.max(now - started, 1);
      const left = total > done && rate > 0 ? `, ${Math.ceil((total - done) / rate)} s to go` : '';
      statusLine.show(`${what}: ${formatBytes(done)}${total > 0 ? ` of ${formatBytes(total)}` : ''}, ${formatBytes(rate)} a second${left}`);
    },
    end() {
      statusLine.clear();
    },
  };
}

/** Returns a size as text: `812 bytes`, `1.4 MB`. The units are decimal, as for disks and services. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
