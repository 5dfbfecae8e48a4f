import type { JsonObject, JsonValue } from '../values/json.ts';

/** Proves that rows read at different times include all that a collection had at the first of them. */
export interface Standing {
  /** Rows taken so far that were there at that time. */
  readonly counted: number;
  /** Takes rows in the order in which they were read. @returns those that did not come before; undefined where one shows no id or no stamp. */
  take(rows: readonly JsonObject[]): readonly JsonObject[] | undefined;
  /** Whether a row was taken. */
  has(row: JsonObject): boolean;
}

/** The first answer of a walk, and what it was asked. */
export interface FirstLook {
  /** The service's clock at that answer, in milliseconds since 1970. */
  readonly at: number;
  /** The first rows that are taken, so many, came with it. */
  readonly firstPage: number;
  /** The rows are chosen by a filter or a search, so that one may come among them by being changed. */
  readonly isChosen: boolean;
}

/** The clock that stamps records may differ by so much from the one that answers, in milliseconds (rule 18.35). */
const CLOCKS_DIFFER = 5_000;

/**
 * Rows that were read by page numbers lie next to each other only as long as nothing comes or goes. Totals alone do not show it: one row
 * may go and another come between two answers. But the first answer counted its rows. As many different rows that were there then are all
 * of them, whatever came, went or moved in between.
 *
 * Whether a row was there shows its `created_at`, or its `updated_at` where a change may have brought it in.
 */
export function standing({ at, firstPage, isChosen }: FirstLook): Standing {
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
    take(rows) {
      if (!rows.every(hasIdentity)) return undefined;
      const taken = rows.filter((row) => !seen.has(idOf(row)) && seen.add(idOf(row)));
      for (const [index, row] of taken.entries())
        if (seen.size - taken.length + index < firstPage || isOlder(row, stamp, before)) counted += 1;
      return taken;
    },
    has: (row) => seen.has(idOf(row)),
  };
}

/** Records stamped before this were surely there at a moment of the service's clock; in the form of its date-times (rule 2.17). */
export function stampBefore(at: number): string {
  return new Date(at - CLOCKS_DIFFER).toISOString().slice(0, 19);
}

/** Whether a record is stamped before a moment that {@link stampBefore} gave. */
export function isOlder(row: JsonObject, stamp: 'created_at' | 'updated_at', before: string): boolean {
  const value = row[stamp];
  return typeof value === 'string' && value < before;
}
