import type { ImportRow, KnownRow } from './entry.ts';

export type RowVerdict =
  | ({ readonly kind: 'new' } & NewWrite)
  | { readonly kind: 'known'; readonly as: KnownRow }
  | ({ readonly kind: 'undone'; readonly as: KnownRow } & NewWrite)
  /** The earlier write of this row waits or is unconfirmed. svc resolves the journal entry of that write, and creates no second entry. */
  | { readonly kind: 'unconfirmed'; readonly as: KnownRow }
  /**
   * The row differs from the known row, but has the same day, text and person. svc corrects the existing record. svc first resolves the
   * write of `as` if that write is unconfirmed.
   */
  | { readonly kind: 'changed'; readonly as: KnownRow };

interface NewWrite {
  /** The idempotency key of the row: {@link importKey} with the position among rows with the same digest, including undone rows. */
  readonly key: string;
}

export interface Comparison {
  readonly verdicts: readonly RowVerdict[];
  /**
   * The logged rows of an earlier version of this file that are no longer in the file. Excludes rows of days that the file does not cover.
   */
  readonly vanished: readonly KnownRow[];
  /** The number that identifies the file across versions and names: the source of most matched rows. Default: `fresh`. */
  readonly source: number;
}

/**
 * Matches the rows of a file with the rows in the journal. Each row in the journal matches at most one row of the file. A corrected row has
 * the same day, text, person and project as the row in the journal. Within one file, the project may differ.
 * @param known rows from `Journal.rows`, oldest first.
 * @param fresh number that no other file has: the group number of the run.
 */
export function compareRows(known: readonly KnownRow[], rows: readonly ImportRow[], fresh: number): Comparison {
  const verdicts = new Array<Match | undefined>(rows.length).fill(undefined);
  const free = new Set(withoutDoubles(known));
  const match = (state: KnownRow['state'], kind: Match['kind'], by: 'digest' | 'likeness' | 'twin', of?: number) => {
    const candidates = Map.groupBy(
      [...free].filter((row) => row.state === state && (of === undefined || row.source === of)),
      (row) => row[by],
    );
    for (const [index, row] of rows.entries()) {
      if (verdicts[index] !== undefined) continue;
      const as = candidates.get(row[by])?.shift();
      if (as === undefined) continue;
      free.delete(as);
      verdicts[index] = { kind, as };
    }
  };
  match('there', 'known', 'digest');
  match('unconfirmed', 'unconfirmed', 'digest');
  // svc matches undone rows last, because another row may already have replaced an undone row.
  match('there', 'changed', 'twin');
  match('unconfirmed', 'changed', 'twin');
  const source = sourceOf(verdicts) ?? fresh;
  match('there', 'changed', 'likeness', source);
  match('unconfirmed', 'changed', 'likeness', source);
  match('undone', 'undone', 'digest');

  const covers = rangeOf(rows);
  const vanished = [...free].filter((row) => row.state === 'there' && row.source === source && covers(row.day));
  const nextKey = keysAfter(known);
  return {
    verdicts: rows.map(({ digest }, index) => {
      const found = verdicts[index];
      if (found === undefined) return { kind: 'new', key: nextKey(digest) };
      return found.kind === 'undone' ? { kind: 'undone', as: found.as, key: nextKey(digest) } : { kind: found.kind, as: found.as };
    }),
    vanished,
    source,
  };
}

/**
 * Returns the idempotency key of the `nth` row with a digest, from 1. Every machine calculates the same key. If two machines send the row,
 * the service creates only one record (rule 6.12).
 */
export function importKey(digest: string, nth: number): string {
  return `svc-import-${digest}-${nth}`;
}

interface Match {
  readonly kind: Exclude<RowVerdict['kind'], 'new'>;
  readonly as: KnownRow;
}

/** Removes duplicate rows. Two simultaneous runs may both record a row, and the service returns one record to both runs (rule 6.12). */
function withoutDoubles(known: readonly KnownRow[]): KnownRow[] {
  const seen = new Set<string>();
  return known.filter(({ state, recordId }) => {
    if (state !== 'there' || recordId === undefined) return true;
    const isFirst = !seen.has(recordId);
    seen.add(recordId);
    return isFirst;
  });
}

/** Returns the source of most matched rows. Returns the older source if two sources have equally many rows. */
function sourceOf(matches: readonly (Match | undefined)[]): number | undefined {
  const counts = new Map<number, number>();
  for (const match of matches) if (match !== undefined) counts.set(match.as.source, (counts.get(match.as.source) ?? 0) + 1);
  const [best] = [...counts].sort(([one, ones], [other, others]) => others - ones || one - other);
  return best?.[0];
}

/**
 * Returns a function that gives each further row with a digest its key. A known row can have the key of that position, if the service
 * refused an earlier row. The function then returns the first key that no row has.
 */
function keysAfter(known: readonly KnownRow[]): (digest: string) => string {
  const counts = new Map<string, number>();
  const used = new Set<string | undefined>();
  const add = (digest: string, key: string | undefined) => {
    counts.set(digest, (counts.get(digest) ?? 0) + 1);
    used.add(key);
  };
  for (const { digest, key } of known) add(digest, key);
  return (digest) => {
    let key = importKey(digest, (counts.get(digest) ?? 0) + 1);
    for (let nth = 1; used.has(key); nth += 1) key = importKey(digest, nth);
    add(digest, key);
    return key;
  };
}

/**
 * Returns a function that tests whether the file covers a day. A file covers all days from its first day to its last day. A file without
 * days covers every day. Every file covers a row without a day.
 */
function rangeOf(rows: readonly ImportRow[]): (day: string | undefined) => boolean {
  const days = rows.flatMap(({ day }) => (day === undefined ? [] : [day])).sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return () => true;
  return (day) => day === undefined || (day >= first && day <= last);
}
