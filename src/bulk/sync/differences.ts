import type { MadeRows } from '../../database/made-rows.ts';
import { integerId } from '../../database/record-id.ts';
import type { JsonObject } from '../../values/json.ts';
import { wholeQuery } from '../export/run.ts';
import type { SyncRun } from './run.ts';

export type FindingDifferences = Pick<SyncRun, 'client' | 'database' | 'budget' | 'context'>;

export interface Subject {
  readonly noun: string;
  readonly path: string;
  /** The query filter that selects the rows. Empty, or a filter for rows created before a time. */
  readonly filter: readonly (readonly [string, string])[];
  /** The rows of the local database that should exist at the service. The search removes the deleted rows. */
  readonly known: MadeRows;
}

/** The ids that the search found. `gone`: only the local database has the id. `missing`: only the service has the id. */
export interface IdDifferences {
  readonly gone: Set<number>;
  readonly missing: Set<number>;
}

/** The query for a page of ids. The page costs one rate-limit unit. */
export const SUMMARY = wholeQuery({ view: 'summary' });

/**
 * Returns the ids of a page. Returns undefined for a row without an integer id, or if the ids do not ascend. Another id could then lie
 * between two neighbours.
 */
export function ascendingIds(rows: readonly JsonObject[]): readonly number[] | undefined {
  const ids = rows.flatMap((row) => integerId(row) ?? []);
  return ids.length === rows.length && ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id)) ? ids : undefined;
}
