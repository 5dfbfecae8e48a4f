import { utcSeconds } from '../../values/temporal.ts';
import { type Change, LOG_DAYS, type LogState } from '../mirror.ts';
import { MirrorError } from '../mirror-error.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';

/** The number of changes that svc reads at once. */
const PIECE = 500;

/** A row of the change log, where an absent record is null. */
type Row = Omit<Change, 'before' | 'after'> & Record<'before' | 'after', string | null>;

/** Returns the name and the bounds of the change log. */
export async function logState(session: Session): Promise<LogState> {
  const [state] = await session.rows<LogState>(`SELECT mirror, last, pruned FROM ${inSchema(session.place.schema, 'svc_log')}`);
  if (state === undefined) throw new MirrorError('no-mirror', session.place.name);
  return state;
}

/** Yields the changes after a position, oldest first. @throws MirrorError if svc has already deleted some of these changes. */
export async function* changesAfter(session: Session, position: number): AsyncGenerator<Change> {
  const select = `SELECT * FROM ${inSchema(session.place.schema, 'svc_changes')} WHERE position > $1::bigint ORDER BY position LIMIT ${PIECE}`;
  for (let done = position; ; ) {
    const piece: readonly Row[] = await session.rows<Row>(select, done);
    // svc reads the bounds after the changes, because another svc process may have deleted changes between the two queries.
    if ((await logState(session)).pruned > done) throw new MirrorError('pruned', String(done));
    for (const { before, after, ...change } of piece) yield { ...change, before: before ?? undefined, after: after ?? undefined };
    const last = piece.at(-1)?.position;
    if (last === undefined) return;
    done = last;
  }
}

/** Returns the position after which svc saw every change at or after a time. */
export async function positionBefore(session: Session, moment: string): Promise<number> {
  return (await firstSince(session, moment)) ?? (await logState(session)).last;
}

async function firstSince(session: Session, moment: string): Promise<number | undefined> {
  const [first] = await session.rows<{ readonly position: number }>(
    `SELECT position FROM ${inSchema(session.place.schema, 'svc_changes')} WHERE seen_at >= $1 ORDER BY position LIMIT 1`,
    moment,
  );
  return first && first.position - 1;
}

/**
 * Ends a check within its transaction, and deletes old changes. It deletes changes from the start of the log up to the first change that is
 * recent enough. A wrong time within the log then leaves no gap.
 */
export async function endLook(session: Session, seenAt: string, last: number): Promise<void> {
  const { schema } = session.place;
  await session.rows(`UPDATE ${inSchema(schema, 'svc_log')} SET last = $1::bigint`, last);
  const pruned = (await firstSince(session, utcSeconds(Date.parse(seenAt) - LOG_DAYS * 86_400_000))) ?? last;
  const gone = await session.rows(
    `WITH gone AS (DELETE FROM ${inSchema(schema, 'svc_changes')} WHERE position <= $1::bigint RETURNING 1) SELECT 1 FROM gone LIMIT 1`,
    pruned,
  );
  if (gone.length > 0) await session.rows(`UPDATE ${inSchema(schema, 'svc_log')} SET pruned = $1::bigint`, pruned);
}
