import { utcSeconds } from '../values/temporal.ts';
import type { RunSql } from './compared-pages.ts';
import { DatabaseError } from './database-error.ts';
import { type Change, LOG_DAYS, type LocalDatabase, type LogState } from './local-database.ts';

/** The most changes that svc reads with one query. A slow reader therefore keeps no transaction open. */
const PIECE = 500;

/** A row of the change log in the database. Null means that the record did not exist. */
type Row = Omit<Change, 'before' | 'after'> & Record<'before' | 'after', string | null>;

export type ChangeReader = Pick<LocalDatabase, 'log' | 'changes' | 'positionBefore'>;

/** The changes and the bounds of a change log, as tables or subqueries. Their columns are the columns of `svc_changes` and `svc_log`. */
interface LogSources {
  readonly changes: string;
  readonly bounds: string;
}

/**
 * Opens the change log of a database, in SQL that both SQLite and PostgreSQL understand. @param own returns the name of one of svc’s own tables, for statements. @param name name of the
 * database, for messages.
 */
export function changeLog(runSql: RunSql, own: (name: string) => string, name: string) {
  const [table, bounds] = [own('svc_changes'), own('svc_log')];
  const reader = changeReader(runSql, { changes: table, bounds }, name);
  return {
    ...reader,
    /**
     * Ends a check within its transaction, and deletes old changes. svc deletes changes from the start of the log up to the first recent
     * change. A wrong time within the log then leaves no gap.
     *
     * @param last position of the last change in the check.
     */
    async end(seenAt: string, last: number) {
      await runSql(`UPDATE ${bounds} SET last = $1`, last);
      const recent = utcSeconds(Date.parse(seenAt) - LOG_DAYS * 86_400_000);
      const pruned = await reader.positionBefore(recent);
      if ((await runSql(`SELECT 1 FROM ${table} WHERE position <= $1 LIMIT 1`, pruned)).length === 0) return;
      await runSql(`DELETE FROM ${table} WHERE position <= $1`, pruned);
      await runSql(`UPDATE ${bounds} SET pruned = $1`, pruned);
    },
  };
}

/** Reads a change log from svc’s own tables or from other sources. @param name name of the database for messages. */
export function changeReader(runSql: RunSql, { changes: table, bounds }: LogSources, name: string): ChangeReader {
  const log = async (): Promise<LogState> => {
    const [state] = await runSql<LogState>(`SELECT mirror, last, pruned FROM ${bounds}`);
    if (state === undefined) throw new DatabaseError('no-mirror', name);
    return state;
  };
  const beforeFirst = async (timestamp: string): Promise<number | undefined> => {
    const sql = `SELECT position FROM ${table} WHERE seen_at >= $1 ORDER BY position LIMIT 1`;
    const [first] = await runSql<{ readonly position: number }>(sql, timestamp);
    return first && Number(first.position) - 1;
  };
  return {
    log,
    async *changes(after) {
      for (let done = after; ; ) {
        const piece: readonly Row[] = await runSql<Row>(
          `SELECT * FROM ${table} WHERE position > $1 ORDER BY position LIMIT ${PIECE}`,
          done,
        );
        // svc reads the bounds after the changes, because another svc process may have deleted changes between the two queries.
        if ((await log()).pruned > done) throw new DatabaseError('pruned', String(done));
        if (piece.length === 0) return;
        checkPositions(piece, done, name);
        for (const { before, after: now, ...change } of piece) yield { ...change, before: before ?? undefined, after: now ?? undefined };
        done = piece.at(-1)?.position ?? done;
      }
    },
    positionBefore: async (timestamp) => (await beforeFirst(timestamp)) ?? (await log()).last,
  };
}

/**
 * Checks that positions and ids are integers, and that positions ascend. Another program may have created the database. A view that repeats
 * rows would make svc read without end.
 *
 * @throws DatabaseError for any other position or id.
 */
function checkPositions(piece: readonly Row[], after: number, name: string): void {
  let last = after;
  for (const { position, id } of piece) {
    if (!(Number.isSafeInteger(position) && position > last && Number.isSafeInteger(id)))
      throw new DatabaseError('unusable', name, new Error(`its change log has no order after position ${last}`));
    last = position;
  }
}
