import { utcSeconds } from '../values/temporal.ts';

/** Milliseconds that two reads overlap. */
const OVERLAP = 5 * 60_000;

/** The most records that svc reads again because of the overlap. */
const MOST_AGAIN = 300;

/**
 * Returns the time five minutes before the last read. Changes are read from there, for two reasons: the clock of `updated_at` may differ
 * from that of the answer (rule 18.35), and a write may appear late. A record that svc reads twice replaces itself.
 *
 * @param time of the last read, `YYYY-MM-DDTHH:MM:SSZ`.
 */
export function withOverlap(time: string): string {
  return utcSeconds(Date.parse(time) - OVERLAP);
}

/** The stored records of a resource. */
export interface StoredRecords {
  /** Time of the last read, by the service's clock: `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly asOf: string;
  /** The last `updated_at` of the records, in the same form, and the number of records without it. */
  readonly lastChange: { readonly at: string | undefined; readonly unknown: number };
  /** Counts the records with an `updated_at` from a time on. */
  countSince(time: string): Promise<number>;
}

/**
 * Returns the time from which to read changes: five minutes before the last read, or before the last change if that is earlier. The
 * difference between the service's clocks then makes no difference (rule 18.35). If many records changed in those five minutes, the time
 * is one second after the last change.
 *
 * @returns undefined if the stored records do not show it: read all records.
 */
export async function changedSince({ asOf, lastChange, countSince }: StoredRecords): Promise<string | undefined> {
  const { at, unknown } = lastChange;
  if (at === undefined || unknown > 0 || [at, asOf].some((time) => Number.isNaN(Date.parse(time)))) return undefined;
  const since = withOverlap(asOf);
  if (at >= since) return since;
  const again = withOverlap(at);
  return (await countSince(again)) <= MOST_AGAIN ? again : utcSeconds(Date.parse(at) + 1_000);
}
