/** A row of an imported file, as far as the journal remembers it. */
export interface ImportRow {
  /** Of all that the row says, however the file is called or ordered. Two rows that say the same have the same. */
  readonly digest: string;
  /** Of what stays when a row is corrected: its day, its text and whose it is. */
  readonly likeness: string;
  /** Of the same and of what it belongs to: two rows with the same twin differ in their figures alone. */
  readonly twin: string;
  /** `YYYY-MM-DD`; undefined for rows without a day. */
  readonly day?: string | undefined;
}

/** A row that this account has logged, or is about to. */
export interface KnownRow extends ImportRow {
  readonly number: number;
  readonly source: number;
  /** The write that logged it; undefined for one that was taken over from an older journal. */
  readonly entry: number | undefined;
  /** The key of that write. */
  readonly key: string | undefined;
  /** The number of the known row whose record it corrects. */
  readonly replaces: number | undefined;
  /** Undefined while that is not known. */
  readonly recordId: string | undefined;
  /**
   * `there`: logged. `unsettled`: sent or waiting, outcome unknown. `undone`: logged, and taken back or deleted since. `past`:
   * corrected by a later row; it counts for nothing but {@link RowVerdict} `nth`.
   */
  readonly state: 'there' | 'unsettled' | 'undone' | 'past';
}
