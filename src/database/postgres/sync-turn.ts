import { createHash } from 'node:crypto';
import { TakenError } from '../../errors.ts';
import { LAST_SYNC, type TableState } from '../local-database.ts';
import type { PostgresPlace } from './address.ts';
import { utc } from './dialect.ts';
import { refuseForeignCode } from './foreign-code.ts';
import { inSchema } from './names.ts';
import { hasTeamDatabase } from './own-tables.ts';
import { inSession, type Session, syncerIn } from './session.ts';
import { storedText } from './tables.ts';

/**
 * Locks the team database for this session. The lock ends with the connection.
 *
 * @throws TakenError if another svc process has the lock.
 */
export async function takeDatabase(session: Session): Promise<void> {
  const [answer] = await session.rows<{ readonly taken: string }>('SELECT pg_try_advisory_lock($1::bigint) AS taken', lockOf(session));
  if (answer?.taken !== 't')
    throw new TakenError(`Another svc${await holderIn(session)} updates ${session.place.name}.`, { hint: INSTEAD });
}

const INSTEAD = 'Wait until the other process is done, or name another schema: ?schema=… in the address';

function lockOf({ place }: Session): string {
  return createHash('sha256').update(`svc mirror ${place.schema}`).digest().readBigInt64BE().toString();
}

/**
 * Describes the session that has the lock, in parentheses. The text has the account, the machine and the start, or the address and the
 * process. Empty without a lock.
 */
async function holderIn(session: Session): Promise<string> {
  const [holder] = await session.rows<Readonly<Record<'pid', string> & Record<'client_addr' | 'name' | 'since', string | null>>>(
    `SELECT a.pid, a.client_addr, a.application_name AS name, ${utc('a.backend_start')} AS since
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (l.classid::bigint << 32 | l.objid::bigint) = $1::bigint`,
    lockOf(session),
  );
  if (holder === undefined) return '';
  const { pid, client_addr, name, since } = holder;
  const by = syncerIn(name);
  return by === undefined
    ? ` (${client_addr ?? 'on the server itself'}, its process ${pid} there)`
    : ` (${[by, ...(since === null ? [] : [`since ${since}`])].join(', ')})`;
}

/** The state of a team database before a sync, by the server’s clock. */
export interface SyncTurn {
  /** The current time: `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly now: string;
  /** An error that describes the other svc process that syncs. Undefined if nobody syncs. */
  readonly leader: TakenError | undefined;
  /** The text that the last complete sync stored as {@link LAST_SYNC}. */
  readonly last: string | undefined;
  readonly states: readonly TableState[];
}

/** Reads the state of a team database without its lock. @throws as {@link inSession}; DatabaseError for a schema or table of another role. */
export async function findTurn(place: PostgresPlace): Promise<SyncTurn> {
  return inSession(place, async (session) => {
    const [clock] = await session.rows<{ readonly now: string }>(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
    );
    const holder = await holderIn(session);
    const found = await session.transaction(async () => {
      await refuseForeignCode(session, true);
      if (!(await hasTeamDatabase(session))) return { last: undefined, states: [] };
      const tables = inSchema(place.schema, 'svc_tables');
      return {
        last: await storedText(session, LAST_SYNC),
        states: await session.rows<TableState>(`SELECT * FROM ${tables} ORDER BY noun COLLATE "C"`),
      };
    });
    const leader = holder === '' ? undefined : new TakenError(`Another svc${holder} updates ${place.name}.`, { hint: INSTEAD });
    return { now: clock?.now ?? '', leader, ...found };
  });
}
