import type { Column } from '../output/writer.ts';

/** The columns of the state of a table in the local database, under headings that the glossary explains. */
export const STATE_COLUMNS = {
  asOf: { path: 'as_of', header: 'CHECKED AT' },
  wholeAt: { path: 'whole_at', header: 'COMPLETE AT' },
  knownBy: { path: 'known_by', header: 'METHOD' },
} as const satisfies Readonly<Record<string, Column>>;
