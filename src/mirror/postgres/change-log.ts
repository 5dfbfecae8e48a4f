import { utcSeconds } from '../../values/temporal.ts';
import { type Change, LOG_DAYS, type LogState } from '../mirror.ts';
import { MirrorError } from '../mirror-error.ts';
import { inSchema } from './names.ts';
import type { Session } from './session.ts';

/** Changes to read into memory at a time. */
const PIECE = 500;

/** A row of the log. */
type Row = Omit<Change, 'before' | 'after'> & Record<'before' | 'after', string | null>;

/** Returns the name and the bounds of the change log. */
export async function logState(session: Session): Promise<LogState> {
  const [state] = await session.rows<LogState>(`SELECT mirror, last, pruned FROM ${inSchema(session.place.schema, 'svc_log')}`);
  if (state === undefined) throw new MirrorError('no-mirror', session.place.name);
  return state;
}

/** Returns the changes after a position, oldest first. @throws MirrorError if some of them were deleted. */
export async function* changesAfter(session: Session, position: number): AsyncGenerator<Change> {
  const select = `SELECT * FROM ${inSchema(session.place.schema, 'svc_changes')} WHERE position > $1::bigint ORDER BY position LIMIT ${PIECE}`;
  for (let done = position; ; ) {
    const piece: readonly Row[] = await session.rows<Row>(select, done);
    // Read after the changes: another svc may have deleted some between the two queries.
    if ((await logState(session)).pruned > done) throw new MirrorError('pruned', String(done));
    for (const { before, after, ...change } of piece) yield { ...change, before: before ?? undefined, after: after ?? undefined };
    const last = piece.at(-1)?.position;
    if (last === undefined) return;
    done = last;
  }
}

/** Returns the position after which every change was seen at a time or later. */
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
 * Ends a check, within its transaction, and deletes changes that are too old. It deletes only changes older than every change to keep. An
 * answer with a wrong clock then removes nothing from the middle.
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
