import { type ComparedPages, latest } from './compared-pages.ts';
import type { TableCheck } from './local-database.ts';

/**
 * Returns the time of the oldest comparison among all rows of a table, after a check. Undefined if svc has never compared some rows.
 *
 * @param before the same time before that check.
 */
export async function verifiedAfter(
  pages: ComparedPages,
  noun: string,
  { verified_at, parents_verified_at: parents }: Pick<TableCheck, 'verified_at' | 'parents_verified_at'>,
  before: string | null | undefined,
): Promise<string | undefined> {
  const own = await pages.verifiedAt(noun);
  const byPages = parents === undefined || own === undefined ? own : parents === null || parents < own ? parents : own;
  return latest(byPages, verified_at, before);
}

/** Returns the time of the last check. Returns the verification time of child records if that time is later. */
export function asOfAfter({ as_of, parents_verified_at: parents }: TableCheck, verified: string | undefined): string {
  return parents === undefined ? as_of : (latest(as_of, verified) ?? as_of);
}
