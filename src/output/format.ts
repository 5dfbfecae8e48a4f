/** The formats of `--output`. Each format has a reader, a person or a program, and a description for `svc help formats`. */
export const FORMATS = {
  table: { reader: 'person', summary: 'For people. At a terminal, svc shows local times and short texts.' },
  md: { reader: 'person', summary: 'For people, to paste: a Markdown table with names, in full length.' },
  json: { reader: 'program', summary: 'One array for a list, one object for a record, with the names and values of the service.' },
  ndjson: { reader: 'program', summary: 'One record per line, as svc receives it.' },
  csv: {
    reader: 'program',
    summary: 'For spreadsheets; a cell that looks like a formula gets an apostrophe. Without --fields, svc leaves out links.',
  },
  tsv: { reader: 'program', summary: 'Like csv, but separated by tabs, and with links.' },
  yaml: { reader: 'program', summary: 'For reading, and for editors.' },
  ids: { reader: 'program', summary: 'One id per line, for xargs and read.' },
} as const satisfies Readonly<Record<string, { readonly reader: 'person' | 'program'; readonly summary: string }>>;

export type OutputFormat = keyof typeof FORMATS;

export type HumanFormat = { [Name in OutputFormat]: (typeof FORMATS)[Name]['reader'] extends 'person' ? Name : never }[OutputFormat];

export const OUTPUT_FORMATS = Object.keys(FORMATS) as OutputFormat[];

/** The form in which a command prints its result. Every command reads the presentation from `Context.presentation`. */
export interface Presentation {
  readonly format: OutputFormat;
  /**
   * The reader of the output. A person gets names, sentences and reports, as `table` or `md`. A program gets records, in any other format
   * and with `--jq` or `--fields`.
   */
  readonly reader: 'person' | 'program';
  /** True if a person reads the output at a terminal, with or without `--fields`. svc may then use a pager, and reports an empty list. */
  readonly isScreen: boolean;
  /**
   * True at a terminal if the user chose no format, and typed neither `--fields` nor `--jq`. A write then prints one line, and a single
   * record is a detail view.
   */
  readonly isDefaultFormat: boolean;
  /** True if a screen reader reads the output. svc then prints blocks of lines instead of tables. */
  readonly isSpoken: boolean;
  readonly color: boolean;
  /** The width of the terminal in columns. Undefined without a terminal. svc then shortens nothing. */
  readonly width: number | undefined;
}
