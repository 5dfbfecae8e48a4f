import type { DatabaseSync } from 'node:sqlite';
import { utcSeconds } from '../values/temporal.ts';
import { type Change, LOG_DAYS, type LogState } from './mirror.ts';
import { MirrorError } from './mirror-error.ts';

/** Changes to read into memory at a time, so that a slow reader keeps no transaction open. */
const PIECE = 500;

/** The log of changes in an SQLite database. */
export interface ChangeLog {
  state(): LogState;
  /**
   * Begins to log one check of one table, within a transaction. The first check of a table is not logged.
   *
   * This function reads the position counter and `end` writes the counter, so readers see positions in order.
   */
  begin(noun: string, seenAt: string): LoggedLook;
  after(position: number): AsyncGenerator<Change>;
  before(moment: string): number;
}

/** The changes that one check finds. */
export interface LoggedLook {
  add(id: number, before: string | undefined, after: string | undefined): void;
  /** The ids of the changes so far, ascending. */
  ids(): Iterable<number>;
  /** Ends the check and deletes changes that are too old. */
  end(): void;
}

export function changeLog(database: DatabaseSync): ChangeLog {
  const state = () => database.prepare('SELECT mirror, last, pruned FROM svc_log').get() as unknown as LogState;

  /** Deletes only changes older than every change to keep. An answer with a wrong clock then removes nothing from the middle. */
  function prune(seenAt: string, last: number): void {
    const oldest = utcSeconds(Date.parse(seenAt) - LOG_DAYS * 86_400_000);
    const first = database.prepare('SELECT position FROM svc_changes WHERE seen_at >= ? ORDER BY position LIMIT 1').get(oldest);
    const pruned = first === undefined ? last : Number(first['position']) - 1;
    if (Number(database.prepare('DELETE FROM svc_changes WHERE position <= ?').run(pruned).changes) > 0)
      database.prepare('UPDATE svc_log SET pruned = ?').run(pruned);
  }

  return {
    state,
    begin(noun, seenAt) {
      const { last: began } = state();
      const insert = database.prepare('INSERT INTO svc_changes VALUES (?, ?, ?, ?, ?, ?)');
      let last = began;
      return {
        add(id, before, after) {
          last += 1;
          insert.run(last, noun, id, before ?? null, after ?? null, seenAt);
        },
        *ids() {
          const rows = database.prepare('SELECT DISTINCT id FROM svc_changes WHERE position > ? ORDER BY id').iterate(began);
          for (const { id } of rows) yield Number(id);
        },
        end() {
          if (last === began) return;
          database.prepare('UPDATE svc_log SET last = ?').run(last);
          prune(seenAt, last);
        },
      };
    },
    async *after(position) {
      const select = database.prepare('SELECT * FROM svc_changes WHERE position > ? ORDER BY position LIMIT ?');
      for (let done = position; ; ) {
        const piece = select.all(done, PIECE) as unknown as (Omit<Change, 'before' | 'after'> &
          Record<'before' | 'after', string | null>)[];
        // Read after the changes: another svc may have deleted some between the two queries.
        if (state().pruned > done) throw new MirrorError('pruned', String(done));
        for (const { before, after, ...change } of piece) yield { ...change, before: before ?? undefined, after: after ?? undefined };
        const { position: last } = piece.at(-1) ?? {};
        if (last === undefined) return;
        done = last;
      }
    },
    before(moment) {
      const first = database.prepare('SELECT position FROM svc_changes WHERE seen_at >= ? ORDER BY position LIMIT 1').get(moment);
      return first === undefined ? state().last : Number(first['position']) - 1;
    },
  };
}
