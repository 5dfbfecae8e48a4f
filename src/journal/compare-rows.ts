import type { ImportRow, KnownRow } from './entry.ts';

export type RowVerdict =
  | ({ readonly kind: 'new' } & NewTime)
  | { readonly kind: 'known'; readonly as: KnownRow }
  | ({ readonly kind: 'undone'; readonly as: KnownRow } & NewTime)
  /** The row waits, or was sent without an answer: svc resolves its entry and begins no other. */
  | { readonly kind: 'unsettled'; readonly as: KnownRow }
  /** Other figures for the same day and text: svc corrects the old record. An unconfirmed `as` must be resolved first. */
  | { readonly kind: 'changed'; readonly as: KnownRow };

interface NewTime {
  /** From 1, among the rows with this digest; undone rows count. Two runs at once make the same key of digest and `nth`. */
  readonly nth: number;
}

export interface Comparison {
  readonly verdicts: readonly RowVerdict[];
  /** Rows of an earlier form of this file that it no longer has, on days that it still covers. */
  readonly vanished: readonly KnownRow[];
  /** The number of the file, through all its forms and names: the source of most of the known rows, else `fresh`. */
  readonly source: number;
}

/**
 * Of two identical rows, each is matched once. A corrected row differs from a known one in figures alone, or within one file also in its
 * project.
 *
 * @param known Oldest first: `Journal.rows`.
 * @param fresh A number that no other file has: that of the run's group.
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
  match('unsettled', 'unsettled', 'digest');
  // Before the undone rows: a row that is still there may have taken their place.
  match('there', 'changed', 'twin');
  match('unsettled', 'changed', 'twin');
  const source = sourceOf(verdicts) ?? fresh;
  match('there', 'changed', 'likeness', source);
  match('unsettled', 'changed', 'likeness', source);
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

/** Removes doubles: two runs at once both record a row, and the service returns one record to both (rule 6.12). */
function withoutDoubles(known: readonly KnownRow[]): KnownRow[] {
  const seen = new Set<string>();
  return known.filter(({ state, recordId }) => {
    if (state !== 'there' || recordId === undefined) return true;
    const isFirst = !seen.has(recordId);
    seen.add(recordId);
    return isFirst;
  });
}

/** The source of most of the known rows; of two with as many, the older one. */
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

/** A later export may begin later. A file without days covers every day. */
function rangeOf(rows: readonly ImportRow[]): (day: string | undefined) => boolean {
  const days = rows.flatMap(({ day }) => (day === undefined ? [] : [day])).sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return () => true;
  return (day) => day === undefined || (day >= first && day <= last);
}
