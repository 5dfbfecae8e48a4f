import type { JsonObject, JsonValue } from '../values/json.ts';

export interface FirstAnswer {
  /** Milliseconds since 1970, by the service’s clock. */
  readonly at: number;
  readonly firstPage: number;
  /** Whether a filter or a search chooses the rows, so that a change may bring a row in. */
  readonly isChosen: boolean;
}

/** The largest difference between the clock that stamps records and the one that answers, in milliseconds (rule 18.35). */
const CLOCKS_DIFFER = 5_000;

/**
 * Proves that rows read at different times include all that a collection had at the first of them.
 *
 * Rows read by page numbers are adjacent only as long as no record comes or goes. Totals alone do not show that: one row may go and another
 * come between two answers. But the first answer counted its rows. As many different rows of that time are all of them, in spite of every
 * later change.
 *
 * A row existed then if its `created_at` says so. Its `updated_at` decides where a change may have brought the row in.
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
    /** Takes rows in the order of reading. @returns the rows that did not come before; undefined where one has no id or no stamp. */
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

/** Records stamped before it surely existed then. In the form of the service's date-times (rule 2.17). */
export function stampBefore(at: number): string {
  return new Date(at - CLOCKS_DIFFER).toISOString().slice(0, 19);
}

export function isOlder(row: JsonObject, stamp: 'created_at' | 'updated_at', before: string): boolean {
  const value = row[stamp];
  return typeof value === 'string' && value < before;
}
