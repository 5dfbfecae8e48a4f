import type { DescribedIndex } from './described.ts';

/** One import: its index, and the prefix of its files. */
export interface KeptImport extends DescribedIndex {
  /** Digest of the compiled resources: sixteen hexadecimal digits. */
  readonly generation: string;
}

/** The stored index of a host. */
export interface KeptIndex extends KeptImport {
  /** The import before this one, for `svc schema diff`; its resources are stored too. */
  readonly previous?: KeptImport;
}
