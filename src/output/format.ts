/** What `--output` takes. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
