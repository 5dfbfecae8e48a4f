import type { ImportRow, KnownRow } from './import-row.ts';

/** How a row of a file stands to what the account has logged. */
export type RowVerdict =
  /** Nobody has logged it. */
  | ({ readonly kind: 'new' } & NewTime)
  /** It is there. */
  | { readonly kind: 'known'; readonly as: KnownRow }
  /** It was logged and taken back; it is logged anew. */
  | ({ readonly kind: 'undone'; readonly as: KnownRow } & NewTime)
  /** It was sent and nobody saw the answer, or it waits: its entry is to be settled, not another begun. */
  | { readonly kind: 'unsettled'; readonly as: KnownRow }
  /**
   * It was logged with the same day and text and says something else now: the old record is to be corrected, none logged beside it.
   * Where `as` is unsettled itself, that is to be settled first.
   */
  | { readonly kind: 'changed'; readonly as: KnownRow };

interface NewTime {
  /**
   * The how manieth row of this digest the account logs with it, those taken back included; from 1. A key made of digest and `nth`
   * is the same in two runs at once, and never that of a record that was taken back.
   */
  readonly nth: number;
}

export interface Comparison {
  /** One for each row of the file, in its order. */
  readonly verdicts: readonly RowVerdict[];
  /** Rows that an earlier form of this file had, on days that it still covers, and that it has no longer. */
  readonly vanished: readonly KnownRow[];
  /**
   * The file, through all its forms and names: the one that most of its known rows came from, else `fresh`. New rows are noted
   * under it.
   */
  readonly source: number;
}

/**
 * Compares a file with what is known, row by row, as often as each stands there: of two rows that say the same, each is matched
 * once. Name, order and age of the file make no difference.
 *
 * A row is a corrected one where it differs from a known one in figures alone, and within one file, where it belongs to something else
 * too: the file of another project may well have the same text on the same day.
 *
 * @param known of the collection, oldest first: `Journal.rows`.
 * @param fresh a number that no other file has: that of the run's group.
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
  // Before what was undone: its place may have been taken by a row that is there still.
  match('there', 'changed', 'twin');
  match('unsettled', 'changed', 'twin');
  const source = sourceOf(verdicts) ?? fresh;
  match('there', 'changed', 'likeness', source);
  match('unsettled', 'changed', 'likeness', source);
  match('undone', 'undone', 'digest');

  const covers = spanOf(rows);
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

/** A row of the file and the one it was found as. */
interface Match {
  readonly kind: Exclude<RowVerdict['kind'], 'new'>;
  readonly as: KnownRow;
}

/** Two runs at once both note a row, and the service gives both the one record (rule 6.12). */
function withoutDoubles(known: readonly KnownRow[]): KnownRow[] {
  const seen = new Set<string>();
  return known.filter(({ state, recordId }) => {
    if (state !== 'there' || recordId === undefined) return true;
    const isFirst = !seen.has(recordId);
    seen.add(recordId);
    return isFirst;
  });
}

/** The source that most of the known rows have; of two with as many, the older one. */
function sourceOf(matches: readonly (Match | undefined)[]): number | undefined {
  const counts = new Map<number, number>();
  for (const match of matches) if (match !== undefined) counts.set(match.as.source, (counts.get(match.as.source) ?? 0) + 1);
  const [best] = [...counts].sort(([one, ones], [other, others]) => others - ones || one - other);
  return best?.[0];
}

/** Counts on from how often each text is there. */
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

/** Whether a day lies between the first and the last day of the file: a later export may begin later. Without days it covers everything. */
function spanOf(rows: readonly ImportRow[]): (day: string | undefined) => boolean {
  const days = rows.flatMap(({ day }) => (day === undefined ? [] : [day])).sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return () => true;
  return (day) => day === undefined || (day >= first && day <= last);
}
