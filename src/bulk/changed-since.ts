import { utcSeconds } from '../values/temporal.ts';

/** The time range in milliseconds by which a read of changes overlaps the previous read. */
const OVERLAP = 5 * 60_000;

/**
 * The most records from the five minutes before the last change that svc reads again. If there are more records, svc reads only later
 * changes.
 */
const MOST_AGAIN = 300;

/**
 * Subtracts five minutes from a time. The result has the form `YYYY-MM-DDTHH:MM:SSZ`. A write can appear late, and the service’s clocks can
 * differ (rule 18.35).
 */
export function withOverlap(time: string): string {
  return utcSeconds(Date.parse(time) - OVERLAP);
}

interface StoredRecords {
  /** The time of the last read, by the service’s clock: `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly asOf: string;
  /**
   * The latest `updated_at` of the records (`at`, `YYYY-MM-DDTHH:MM:SSZ`), and the number of records without an `updated_at` (`unknown`).
   */
  readonly lastChange: { readonly at: string | undefined; readonly unknown: number };
  countSince(time: string): Promise<number>;
}

/**
 * Returns the time from which to read changes, as `YYYY-MM-DDTHH:MM:SSZ`. The result is five minutes before the last read. If the last
 * change is older, the result is five minutes before that change. If more than 300 records changed in those five minutes, the result is one
 * second after that change. The five minutes cover different clocks at the service (rule 18.35).
 *
 * @returns undefined if the stored records do not show a safe time. The caller then reads all records.
 */
export async function changedSince({ asOf, lastChange, countSince }: StoredRecords): Promise<string | undefined> {
  const { at, unknown } = lastChange;
  if (at === undefined || unknown > 0 || [at, asOf].some((time) => Number.isNaN(Date.parse(time)))) return undefined;
  const since = withOverlap(asOf);
  if (at >= since) return since;
  const again = withOverlap(at);
  return (await countSince(again)) <= MOST_AGAIN ? again : utcSeconds(Date.parse(at) + 1_000);
}
