/** The values of `--output`: who reads each format, and its text in `svc help formats`. */
export const FORMATS = {
  table: { reader: 'person', summary: 'For people. Times are those of your zone, and long texts are cut.' },
  md: { reader: 'person', summary: 'For people, to paste: a table in Markdown, with names, and nothing cut.' },
  json: { reader: 'program', summary: 'One array for a list, one object for a record, with the names and values of the service.' },
  ndjson: { reader: 'program', summary: 'A record a line, as it comes.' },
  csv: {
    reader: 'program',
    summary: 'For spreadsheets; a cell that a spreadsheet would run gets an apostrophe. Links are left out, unless --fields names them.',
  },
  tsv: { reader: 'program', summary: 'The same with tabs, and with links.' },
  yaml: { reader: 'program', summary: 'For reading, and for editors.' },
  ids: { reader: 'program', summary: 'One id a line, for xargs and read.' },
} as const satisfies Readonly<Record<string, { readonly reader: 'person' | 'program'; readonly summary: string }>>;

export type OutputFormat = keyof typeof FORMATS;

/** The formats in which reports have a layout. */
export type HumanFormat = { [Name in OutputFormat]: (typeof FORMATS)[Name]['reader'] extends 'person' ? Name : never }[OutputFormat];

export const OUTPUT_FORMATS = Object.keys(FORMATS) as OutputFormat[];

/** How a run prints its result. Every command reads it from `Context.presentation`. */
export interface Presentation {
  readonly format: OutputFormat;
  /**
   * A person gets names, sentences and the layout of reports. A program gets records: with any other format, `--jq`, or `--fields`, also
   * in a table.
   */
  readonly reader: 'person' | 'program';
  /**
   * Whether a person reads the output at a terminal, with or without `--fields`. A pager may then show it, and a notice reports an empty
   * list.
   */
  readonly isScreen: boolean;
  /** Whether the user chose no format at a terminal. A write then prints one line, and a record is a detail view. */
  readonly isUnasked: boolean;
  /** Whether a screen reader reads the output: blocks of lines replace tables. */
  readonly isSpoken: boolean;
  readonly color: boolean;
  /** Columns of the terminal; undefined without a terminal: nothing is cut. */
  readonly width: number | undefined;
}
