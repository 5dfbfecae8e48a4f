/** A row of an imported file, as the journal remembers it. */
export interface ImportRow {
  /** The digest of the row's whole content, independent of the file's name and order. Two identical rows have the same digest. */
  readonly digest: string;
  /** The digest of the parts that stay in a correction: the row's day, its text and its person. */
  readonly likeness: string;
  /** The digest of those parts and the row's project: two rows with the same twin differ in their figures alone. */
  readonly twin: string;
  /** `YYYY-MM-DD`; undefined for rows without a day. */
  readonly day?: string | undefined;
}

/** A row that this account has logged, or is about to log. */
export interface KnownRow extends ImportRow {
  readonly number: number;
  readonly source: number;
  /** The number of the write that logged it; undefined for a row from an older journal. */
  readonly entry: number | undefined;
  /** The key of that write. */
  readonly key: string | undefined;
  /** The number of the known row whose record it corrects. */
  readonly replaces: number | undefined;
  /** Undefined while it is not known. */
  readonly recordId: string | undefined;
  /**
   * `there`: logged. `unsettled`: waiting or unconfirmed. `undone`: logged, and undone or deleted since. `past`: corrected by a later row;
   * it counts only for {@link RowVerdict} `nth`.
   */
  readonly state: 'there' | 'unsettled' | 'undone' | 'past';
}
