import type { SeenBucket } from '../client/pace.ts';
import type { Context } from './context.ts';

/** How far a long piece of work has come, on a line at the bottom of the terminal. */
export interface Progress {
  /** So many more are done. */
  add(count: number): void;
  /** Takes the line away. */
  end(): void;
}

export interface ProgressOptions {
  /** What is counted: `rows`. */
  readonly what: string;
  /** How many there are altogether, as far as that is known by now. */
  readonly total: () => number | undefined;
  /** The rate budget, as last seen. */
  readonly limits: () => readonly SeenBucket[];
  /** Nothing is drawn: what is counted appears on the terminal itself. */
  readonly silent?: boolean;
}

/** Milliseconds between two drawings. */
const INTERVAL = 200;

/** Work that is over sooner shows nothing, in milliseconds. */
const PATIENCE = 1_000;

/** How much is done before memory is saved: what runs for every row has been optimised by then, what runs once a page has not. */
const SPRINT = 400;

/**
 * Starts the line. Nothing is drawn without a terminal on stderr, and with `--quiet`. How much there will be nobody knows, so memory
 * is saved after the first few pages.
 */
export function startProgress({ deps, statusLine }: Pick<Context, 'deps' | 'statusLine'>, options: ProgressOptions): Progress {
  const { clock, system } = deps;
  const started = clock.monotonic();
  let done = 0;
  let drawn = started + PATIENCE - INTERVAL;
  return {
    add(count) {
      done += count;
      if (done > SPRINT) system.saveMemory();
      const now = clock.monotonic();
      if (options.silent || !statusLine.isThere || now - drawn < INTERVAL) return;
      drawn = now;
      statusLine.show(
        describeProgress({ done, seconds: (now - started) / 1000, total: options.total(), what: options.what, limits: options.limits() }),
      );
    },
    end: () => statusLine.clear(),
  };
}

/** Passes batches of rows on and counts them on the line. */
export async function* withProgress<T>(
  context: Context,
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

interface State extends Pick<ProgressOptions, 'what'> {
  readonly done: number;
  readonly seconds: number;
  readonly total: number | undefined;
  readonly limits: readonly SeenBucket[];
}

/** `1200 of 5700 rows, 95 a second, 412 of 600 units left, 47 s to go`. */
function describeProgress({ done, seconds, total, what, limits }: State): string {
  const rate = done / Math.max(seconds, 0.001);
  const tightest = limits.reduce<SeenBucket | undefined>(
    (least, bucket) => (least !== undefined && least.remaining <= bucket.remaining ? least : bucket),
    undefined,
  );
  const parts = [
    `${done}${total === undefined ? '' : ` of ${total}`} ${what}`,
    `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`,
  ];
  if (tightest !== undefined) parts.push(`${tightest.remaining}${tightest.limit === undefined ? '' : ` of ${tightest.limit}`} units left`);
  if (total !== undefined && rate > 0) parts.push(`${describeSpan((total - done) / rate)} to go`);
  return parts.join(', ');
}

function describeSpan(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(Math.max(seconds, 0))} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
