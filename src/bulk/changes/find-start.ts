import type { ChangeReader } from '../../database/change-log.ts';
import { DatabaseError } from '../../database/database-error.ts';
import { LOG_DAYS, type LocalDatabase } from '../../database/local-database.ts';
import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { type DateContext, parseDateTime } from '../../values/dates.ts';
import { quote } from '../../values/text.ts';

export function consumerPlace(consumer: string | undefined): string {
  return consumer === undefined ? 'changes' : `changes of ${consumer}`;
}

export type Since =
  | { readonly kind: 'last' }
  | { readonly kind: 'now' }
  /** A change in the log. `of` is the name of the log: the first part of a change’s id. Undefined if the user gives only the position. */
  | { readonly kind: 'change'; readonly position: number; readonly of: string | undefined }
  /** A time (`at`, `YYYY-MM-DDTHH:MM:SSZ`). */
  | { readonly kind: 'moment'; readonly at: string };

export async function readSince({ dates }: { readonly dates: () => Promise<DateContext> }, since: string): Promise<Since> {
  const typed = since.trim();
  if (typed === 'last') return { kind: 'last' };
  if (typed === 'now') return { kind: 'now' };
  const [, of, digits] = /^(?:([0-9a-f]{12})-)?(\d{1,15})$/.exec(typed) ?? [];
  if (digits !== undefined) return { kind: 'change', position: Number(digits), of };
  try {
    return { kind: 'moment', at: parseDateTime(typed, await dates()) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, { hint: `Give last, now, the id of a change, or a time. ${error.hint ?? ''}`.trimEnd() });
  }
}

/** Returns the stored position of a consumer. Stores and returns the end of the log for a new consumer. */
export async function findStored({ notice }: Needs<'notice'>, database: LocalDatabase, consumer: string | undefined): Promise<number> {
  const position = await database.stored(consumerPlace(consumer));
  if (position !== undefined) return Number(position);
  const { last, pruned } = await database.log();
  // svc stores the position before the first change, so that an interrupted consumer resumes from this position.
  await database.keep(consumerPlace(consumer), String(last));
  const earlier = pruned < last ? ' To print earlier changes: --since 0' : '';
  await notice(
    `This is the first query for changes${consumer === undefined ? '' : ` as ${consumer}`}, so svc prints changes from now on.${earlier}`,
  );
  return last;
}

/**
 * Finds the position after which svc prints changes.
 *
 * @throws DatabaseError for a time that the log no longer covers. UsageError for a change of another log, and for a later position than the
 * last.
 */
export async function findStart({ clock }: Needs<'clock'>, log: ChangeReader, since: Exclude<Since, { kind: 'last' }>): Promise<number> {
  const { mirror: name, last, pruned } = await log.log();
  if (since.kind === 'now') return last;
  if (since.kind === 'moment') {
    // svc deletes changes only after LOG_DAYS, so the log is complete for any later time.
    if (pruned > 0 && Date.parse(since.at) < clock.now() - LOG_DAYS * 86_400_000) throw new DatabaseError('pruned-moment', since.at);
    return log.positionBefore(since.at);
  }
  const { of, position } = since;
  if (of !== undefined && of !== name)
    throw new UsageError(
      `The change ${quote(`${of}-${position}`)} is not in the log: the change is from another database, or this database is new.`,
      {
        hint: 'Read the current rows with a query or an export. Then continue from now: svc changes --since now',
      },
    );
  if (position > last) throw notYet(position, `the last change is ${last}`);
  // Position 0 means the start of the log, after the changes that svc has deleted.
  return position === 0 && of === undefined ? pruned : position;
}

/**
 * Checks the value of `--since` before the local database exists.
 *
 * @throws UsageError for a change other than 0, because the log does not exist yet.
 */
export function checkStart(since: Since): void {
  if (since.kind === 'change' && (since.position > 0 || since.of !== undefined)) throw notYet(since.position, 'there is no local database');
}

function notYet(position: number, why: string): UsageError {
  return new UsageError(`There is no change ${position} yet; ${why}.`, { hint: 'Write a day as 2026-03-31.' });
}
