import type { SearchTerm } from '../../values/search-words.ts';
import type { TableState } from '../local-database.ts';

/**
 * Finds the records of some tables that have all terms, in the full-text index. Returns the best `limit` records, best first, and the
 * number of all found records (`total`).
 */
export type FindHits = (
  terms: readonly SearchTerm[],
  states: readonly TableState[],
  limit: number,
) => Promise<{ readonly hits: readonly { readonly noun: string; readonly id: number }[]; readonly total: number }>;

/** The weight of a word in the fields that name a record. A word elsewhere has the weight 1. */
export const TITLE_WEIGHT = 10;
