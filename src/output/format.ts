/** What `--output` takes: who reads it, and what `svc help formats` says of it. */
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

/** Those for which a report has a layout of its own. */
export type HumanFormat = { [Name in OutputFormat]: (typeof FORMATS)[Name]['reader'] extends 'person' ? Name : never }[OutputFormat];

export const OUTPUT_FORMATS = Object.keys(FORMATS) as OutputFormat[];
