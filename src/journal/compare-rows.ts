import type { ImportRow, KnownRow } from './entry.ts';

export type RowVerdict =
  | ({ readonly kind: 'new' } & NewTime)
  | { readonly kind: 'known'; readonly as: KnownRow }
  | ({ readonly kind: 'undone'; readonly as: KnownRow } & NewTime)
  /** The earlier write of this row waits or is unconfirmed. svc resolves the journal entry of that write, and creates no second entry. */
  | { readonly kind: 'unconfirmed'; readonly as: KnownRow }
  /**
   * The row has other figures or another project for the same day, text and person. svc corrects the existing record. svc first resolves
   * the write of `as` if that write is unconfirmed.
   */
  | { readonly kind: 'changed'; readonly as: KnownRow };

interface NewTime {
  /** The position among rows with the same digest, from 1, including undone rows. Digest and `nth` determine the key. */
  readonly nth: number;
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
 * Matches the rows of a file with the rows that the journal already knows. Each known row matches at most one row of the file.
 * A corrected row differs from the known row only in its figures. Within one file, the project may differ too.
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
  const next = counter(known.map(({ digest }) => digest));
  return {
    verdicts: rows.map(({ digest }, index) => {
      const found = verdicts[index];
      if (found === undefined) return { kind: 'new', nth: next(digest) };
      return found.kind === 'undone' ? { kind: 'undone', as: found.as, nth: next(digest) } : { kind: found.kind, as: found.as };
    }),
    vanished,
    source,
  };
}

interface Match {
  readonly kind: Exclude<RowVerdict['kind'], 'new'>;
  readonly as: KnownRow;
}

/** Removes duplicate rows. Two simultaneous runs may both record a row, and the service returns one record to both (rule 6.12). */
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

function counter(texts: readonly string[]): (text: string) => number {
  const counts = new Map<string, number>();
  const next = (text: string) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count;
  };
  texts.forEach(next);
  return next;
}

/**
 * Returns a function that tests whether the file covers a day. A later export may start later. A file without days covers every day. Every
 * file covers a row without a day.
 */
function rangeOf(rows: readonly ImportRow[]): (day: string | undefined) => boolean {
  const days = rows.flatMap(({ day }) => (day === undefined ? [] : [day])).sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return () => true;
  return (day) => day === undefined || (day >= first && day <= last);
}
