import { utcSeconds } from '../values/utc-seconds.ts';

/** In milliseconds. */
const OVERLAP = 5 * 60_000;

/** The time before the last change is asked for again, unless more records than this changed in it. */
const MOST_AGAIN = 300;

/**
 * The moment from which changes are asked for, so much before the last look: the clock that stamps records may not be the one that answers
 * (rule 18.35), and what was still being written then shows later. What comes twice is put over itself.
 *
 * @param moment of the last look, `YYYY-MM-DDTHH:MM:SSZ`.
 */
export function earlier(moment: string): string {
  return utcSeconds(Date.parse(moment) - OVERLAP);
}

/** What an earlier look left of a collection. */
export interface Held {
  /** The service's clock at that look, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly asOf: string;
  /** The last `updated_at` of its records, in the same form, and how many of them have none. */
  readonly lastChange: { readonly at: string | undefined; readonly unknown: number };
  /** How many of them have an `updated_at` from a moment on. */
  countSince(moment: string): Promise<number>;
}

/**
 * From when on changes are asked for: five minutes before the last look. That is the clock that answers; where nothing changed since long
 * before, by the clock that stamps records, also from five minutes before the last change on, so that it does not matter by how much the
 * two differ (rule 18.35). Where a great many records changed then, only what changed after them is.
 *
 * @returns undefined where what is held does not tell: all of it is to be read.
 */
export async function changedSince({ asOf, lastChange, countSince }: Held): Promise<string | undefined> {
  const { at, unknown } = lastChange;
  if (at === undefined || unknown > 0 || [at, asOf].some((moment) => Number.isNaN(Date.parse(moment)))) return undefined;
  const since = earlier(asOf);
  if (at >= since) return since;
  const again = earlier(at);
  return (await countSince(again)) <= MOST_AGAIN ? again : utcSeconds(Date.parse(at) + 1_000);
}
