import type { JsonObject, JsonValue } from '../values/json.ts';

/** Proves that rows read at different moments are all that a collection held at one of them. */
export interface Standing {
  /** Takes rows that were read later; takes none, and is false, where one came twice or may not have been there at that moment. */
  see(rows: readonly JsonObject[]): boolean;
  /** Whether a row was seen. */
  has(row: JsonObject): boolean;
}

/** The first answer of a walk, and what it was asked. */
export interface FirstLook {
  readonly rows: readonly JsonObject[];
  /** The service's clock at that answer, in milliseconds since 1970. */
  readonly at: number;
  /** The rows are chosen by a filter or a search, so that one may come among them by being changed. */
  readonly isChosen: boolean;
}

/** The clock that stamps records may differ by so much from the one that answers, in milliseconds (rule 18.35). */
const CLOCKS_DIFFER = 5_000;

/**
 * Rows that were read by page numbers lie next to each other only as long as nothing comes or goes. Totals alone do not tell: one row
 * may go and another come between two answers. But this does: if each row that was read was there at the first answer, none came
 * twice, and they are as many as that answer counted, then they are the rows of that answer, and none is left out.
 *
 * Whether a row was there tells its `created_at`, or its `updated_at` where a change may have brought it in.
 *
 * @returns undefined where the rows do not show what it takes.
 */
export function standing({ rows, at, isChosen }: FirstLook): Standing | undefined {
  const seen = new Set<JsonValue>();
  const stamp = isChosen ? 'updated_at' : 'created_at';
  const before = stampBefore(at);
  const hasIdentity = (row: JsonObject) => Number.isSafeInteger(row['id']) && typeof row[stamp] === 'string';
  if (!rows.every(hasIdentity)) return undefined;
  for (const { id = null } of rows) seen.add(id);
  if (seen.size !== rows.length) return undefined;
  return {
    see(later) {
      const ids = new Set(later.map(({ id = null }) => id));
      const isProof = later.every((row) => hasIdentity(row) && !seen.has(row['id'] ?? null) && isOlder(row, stamp, before));
      if (!isProof || ids.size !== later.length) return false;
      for (const id of ids) seen.add(id);
      return true;
    },
    has: (row) => seen.has(row['id'] ?? null),
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
