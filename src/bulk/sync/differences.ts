import type { MadeRows } from '../../mirror/made-rows.ts';
import { integerId } from '../../mirror/record-id.ts';
import type { JsonObject } from '../../values/json.ts';
import { wholeQuery } from '../export/run.ts';
import type { SyncRun } from './run.ts';

/** The parts of a run that a search needs. */
export type Looking = Pick<SyncRun, 'client' | 'mirror' | 'budget' | 'context'>;

/** A resource, and its rows that svc searches. */
export interface Subject {
  readonly noun: string;
  readonly path: string;
  /** The filter for the rows: none, or their creation before a time. */
  readonly filter: readonly (readonly [string, string])[];
  /** Rows of the local database that the service should have, without the found deletions. */
  readonly known: MadeRows;
}

/** Found ids that only the local database has (`gone`), and that only the service has (`missing`). */
export interface IdDifferences {
  readonly gone: Set<number>;
  readonly missing: Set<number>;
}

/** A page of ids costs a unit. */
export const SUMMARY = wholeQuery({ view: 'summary' });

/** Returns the ids of a page. Undefined if they do not ascend, since the ids between two of them are then unknown. */
export function ascendingIds(rows: readonly JsonObject[]): readonly number[] | undefined {
  const ids = rows.flatMap((row) => integerId(row) ?? []);
  return ids.length === rows.length && ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id)) ? ids : undefined;
}
