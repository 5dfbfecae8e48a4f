import type { DatabaseSync } from 'node:sqlite';
import { utcSeconds } from '../values/temporal.ts';
import { type Change, LOG_DAYS, type LogState } from './mirror.ts';
import { MirrorError } from './mirror-error.ts';

/** The number of changes that svc reads at once, so that a slow reader does not keep a transaction open. */
const PIECE = 500;

/** The change log of an SQLite database. */
export interface ChangeLog {
  state(): LogState;
  /**
   * Starts to log one check of a table, within a transaction. svc does not log the first check of a table.
   *
   * This function reads the position counter and `end` writes it. Readers therefore see positions in order.
   */
  begin(noun: string, seenAt: string): LoggedLook;
  after(position: number): AsyncGenerator<Change>;
  before(moment: string): number;
}

/** Collects the changes that one check finds. */
export interface LoggedLook {
  add(id: number, before: string | undefined, after: string | undefined): void;
  /** Yields the ids of the changed records so far, in ascending order. */
  ids(): Iterable<number>;
  /** Ends the check, and deletes changes that are too old. */
  end(): void;
}

export function changeLog(database: DatabaseSync): ChangeLog {
  const state = () => database.prepare('SELECT mirror, last, pruned FROM svc_log').get() as unknown as LogState;

  /**
   * Deletes old changes from the start of the log up to the first change that is recent enough. A wrong time within the log then leaves no
   * gap.
   */
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
        // svc reads the bounds after the changes, because another svc process may have deleted changes between the two queries.
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
