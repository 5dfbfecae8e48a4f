import type { DescribedIndex } from './described.ts';

/** One import: its index, and the name that its files begin with. */
export interface KeptImport extends DescribedIndex {
  /** Of what it was compiled into: sixteen hexadecimal digits. */
  readonly generation: string;
}

/** What is kept of a host. */
export interface KeptIndex extends KeptImport {
  /** The import before this one, whose nouns are kept as well: for `svc schema diff`. */
  readonly previous?: KeptImport;
}
