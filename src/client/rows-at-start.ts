import type { JsonObject, JsonValue } from '../values/json.ts';

export interface FirstAnswer {
  /** The time of the first answer in milliseconds since 1970, by the service’s clock. */
  readonly at: number;
  readonly firstPage: number;
  /** True if a filter or a search chooses the rows. A change can then add a row. */
  readonly isChosen: boolean;
}

/** The largest difference between the service’s clocks for timestamps and for answers, in milliseconds (rule 18.35). */
const CLOCKS_DIFFER = 5_000;

/**
 * Proves that rows from several answers include all rows that a list had at the first answer.
 *
 * Pages can miss a row if somebody creates or deletes a record between two answers. Totals do not show such a change, because one row can
 * disappear and another appear. However, the first answer has the number of rows at that time. The read is complete if svc has that number of
 * different rows that existed at that time.
 *
 * A row with an earlier `created_at` existed at that time. If a change can add a row, `updated_at` decides.
 */
export function rowsAtStart({ at, firstPage, isChosen }: FirstAnswer) {
  const seen = new Set<JsonValue>();
  const stamp = isChosen ? 'updated_at' : 'created_at';
  const before = stampBefore(at);
  const hasIdentity = (row: JsonObject) => Number.isSafeInteger(row['id']) && typeof row[stamp] === 'string';
  const idOf = ({ id = null }: JsonObject) => id;
  let counted = 0;
  return {
    get counted() {
      return counted;
    },
    /**
     * Adds the next rows to the proof, in the order of reading.
     *
     * @returns the rows that are new to the proof. Undefined if a row has no id or no timestamp.
     */
    take(rows: readonly JsonObject[]): readonly JsonObject[] | undefined {
      if (!rows.every(hasIdentity)) return undefined;
      const taken = rows.filter((row) => !seen.has(idOf(row)) && seen.add(idOf(row)));
      for (const [index, row] of taken.entries())
        if (seen.size - taken.length + index < firstPage || isOlder(row, stamp, before)) counted += 1;
      return taken;
    },
    has: (row: JsonObject): boolean => seen.has(idOf(row)),
  };
}

/**
 * Returns a timestamp before the first answer. Records with an earlier timestamp certainly existed at the first answer. The form is that of
 * the service’s date-times (rule 2.17).
 */
export function stampBefore(at: number): string {
  return new Date(at - CLOCKS_DIFFER).toISOString().slice(0, 19);
}

export function isOlder(row: JsonObject, stamp: 'created_at' | 'updated_at', before: string): boolean {
  const value = row[stamp];
  return typeof value === 'string' && value < before;
}
