import { integerId } from '../../mirror/record-id.ts';
import type { JsonObject } from '../../values/json.ts';
import { wholeQuery } from '../export/run.ts';
import type { SyncRun } from './run.ts';

/** What looking takes of a run. */
export type Looking = Pick<SyncRun, 'client' | 'mirror' | 'budget' | 'context'>;

/** A collection that is looked at, and the rows of it that are looked for. */
export interface Subject {
  readonly noun: string;
  readonly path: string;
  /** What the rows are chosen by: all of them, or those that were made before a moment. */
  readonly filter: readonly (readonly [string, string])[];
  /** Rows of the mirror that should be there, ascending by id. */
  readonly known: readonly MirrorRow[];
}

/** A row of the mirror. */
export interface MirrorRow {
  readonly id: number;
  /** When it was made; empty where that does not matter. */
  readonly made: string;
}

/** Ids that the mirror has and the service has not, and the other way round, as far as they were found. */
export interface IdDifferences {
  readonly gone: Set<number>;
  readonly missing: Set<number>;
}

/** A page of ids costs a unit. */
export const SUMMARY = wholeQuery({ view: 'summary' });

/** The ids of a page; undefined where they do not ascend, so that what lies between two of them is not known. */
export function ascendingIds(rows: readonly JsonObject[]): readonly number[] | undefined {
  const ids = rows.flatMap((row) => integerId(row) ?? []);
  return ids.length === rows.length && ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id)) ? ids : undefined;
}

/** Notes what differs between rows of the mirror and all that the service has in their place. */
export function compare(known: readonly MirrorRow[], there: Iterable<number>, { gone, missing }: IdDifferences): void {
  const open = new Set(there);
  for (const { id } of known) if (!open.delete(id)) gone.add(id);
  for (const id of open) missing.add(id);
}

/** The place of the first row that does not come before. @param isBefore true for the first rows, false for the others. */
export function placeOf<T>(rows: readonly T[], isBefore: (row: T) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
