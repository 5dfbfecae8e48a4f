import type { ZoneContext } from '../values/dates.ts';
import { union } from '../values/union.ts';
import { dayRange, type Interval, minutesOf } from './calendar.ts';
import { within, without } from './intervals.ts';

/** A time range of work, with its evidence. Times are in milliseconds since 1970. */
export interface TimeBlock extends Interval {
  /** The program that recorded the time: `Claude Code`, `editor`, `window`. */
  readonly source: string;
  /** True for time in which an agent worked without the person. */
  readonly isAgent: boolean;
  /** The text that names the work. Empty without such a text. */
  readonly text: string;
  /** The absolute path of the directory. */
  readonly path?: string | undefined;
  readonly branch?: string | undefined;
  /** The work item key that a line of `--blocks` names as its place. Undefined for blocks from other sources. */
  readonly key?: string | undefined;
  /** The work item keys in texts of this time, such as messages and window titles. */
  readonly words: readonly string[];
}

/** The fewest unlogged minutes for which svc makes a proposal. The missing time of the day can make the proposal shorter. */
const LEAST = 5;

/**
 * Converts an ISO 8601 time with an offset or `Z` to milliseconds since 1970: `2026-11-23T09:00:00+01:00`. Undefined for any other value,
 * and for a date that does not exist.
 */
export function timestampIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const [, date, day = ''] = /^(\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  const timestamp = Date.parse(text);
  // Date.parse turns 31 February into 3 March.
  return date === undefined || Number.isNaN(timestamp) || new Date(date).getUTCDate() !== Number(day) ? undefined : timestamp;
}

/**
 * Puts the blocks of several sources into one sequence without overlap. Overlapping time goes to the first layer. Within a layer,
 * overlapping time goes to the block that started first.
 *
 * @param layers the sources in their order of precedence.
 * @param taken the time that no block gets, such as meetings.
 */
export function layOut(layers: readonly (readonly TimeBlock[])[], taken: readonly Interval[]): TimeBlock[] {
  const placed: TimeBlock[] = [];
  for (const layer of layers) placed.push(...without(inSequence(layer), union([...taken, ...placed])));
  return placed.toSorted((a, b) => a.start - b.start);
}

/**
 * Orders the blocks of a source, cuts off overlaps, and joins consecutive blocks of the same work. @param pause the longest pause between
 * joined blocks, in milliseconds. Default: 0.
 */
export function inSequence(layer: readonly TimeBlock[], pause = 0): TimeBlock[] {
  const blocks: TimeBlock[] = [];
  for (const block of layer.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = blocks.at(-1);
    const start = Math.max(block.start, last?.end ?? 0);
    if (block.end <= start) continue;
    if (last !== undefined && start - last.end <= pause && workOf(last) === workOf(block))
      blocks[blocks.length - 1] = { ...last, end: block.end, words: [...new Set([...last.words, ...block.words])] };
    else blocks.push({ ...block, start });
  }
  return blocks;
}

function workOf({ source, isAgent, text, path, branch, key, words }: TimeBlock): string {
  const place = [text, path, branch, key];
  return JSON.stringify([source, isAgent, place, place.some(Boolean) ? [] : words]);
}

/** Splits blocks at the midnights of the user’s time zone. Returns the parts on the given days, by date. */
export function splitByDay(blocks: readonly TimeBlock[], days: readonly { readonly date: string }[], dates: ZoneContext) {
  return new Map(days.map(({ date }) => [date, within(blocks, dayRange(date, dates))]));
}

/** Adds up the lengths of blocks, and rounds the sum to whole minutes. */
export function minutesOfBlocks(blocks: readonly Interval[]): number {
  return minutesOf(blocks.reduce((sum, { start, end }) => sum + end - start, 0));
}

/**
 * Finds the minutes to propose for the work of a day. Subtracts time that the user accepted before, so that a second run proposes only
 * further time. The proposals never exceed the missing time of the day.
 *
 * @param work `logged`: the minutes of the entries for this work. `pool`: a name that pieces of work with the same entries share.
 * `accepted`: the minutes that svc logged before, even if the user moved these minutes to another work item.
 * @param room the missing time, in minutes.
 * @returns the proposals with their minutes, and in `left` the minutes without a proposal. `known`: logged or accepted before. `short`: too
 * short. `over`: more than the missing time.
 */
export function minutesToPropose<
  T extends { readonly blocks: readonly Interval[]; readonly pool: string; readonly logged: number; readonly accepted: number },
>(work: readonly T[], room: number) {
  const pools = new Map<string, number>();
  const left = { known: 0, short: 0, over: 0 };
  let free = Math.max(0, room);
  const proposed = work.flatMap((one) => {
    const measured = minutesOfBlocks(one.blocks);
    const logged = pools.get(one.pool) ?? one.logged;
    const known = Math.min(measured, Math.max(logged, one.accepted));
    pools.set(one.pool, Math.max(0, logged - known));
    left.known += known;
    const rest = measured - known;
    const minutes = rest < LEAST ? 0 : Math.min(rest, free);
    left[rest < LEAST ? 'short' : 'over'] += rest - minutes;
    free -= minutes;
    return minutes === 0 ? [] : [{ ...one, minutes }];
  });
  return { proposed, left };
}
