import { NotFoundError, UsageError } from '../../errors.ts';
import { DatabaseError } from '../database-error.ts';
import { type DatabaseSnapshot, noChangeLog } from '../offline/open-snapshot.ts';
import type { SqlColumn } from '../sql-dialect.ts';
import { recordTable } from '../sql-values.ts';
import type { PostgresPlace } from './address.ts';
import { postgresDialect } from './dialect.ts';
import { inSchema } from './names.ts';
import { FIRST_SEARCHED_FORM, POSTGRES_FORM } from './own-tables.ts';
import { postgresSearch } from './search-index.ts';
import { openSession, type Session } from './session.ts';
import { hiddenChanges, readableLog, readStatus } from './status-view.ts';
import { columnsOfTables } from './stored-tables.ts';

/**
 * Opens a team database only for reading. All queries see one state of the database.
 *
 * The role needs the view `svc_status` and the tables in its queries, but not the tables that svc uses internally.
 *
 * @param host organisation that the database must belong to.
 * @param update the command that updates the database.
 * @throws NotFoundError if the schema has no team database. DatabaseError for another organisation’s database or a newer format version.
 * ForbiddenError if the role has no permission. UnavailableError if the connection fails.
 */
export async function openPostgresSnapshot(place: PostgresPlace, host: string, update: string): Promise<DatabaseSnapshot> {
  return openSession(place, async (session) => {
    // Before the first ANALYZE of a table, the server overestimates the rows of a search. The server would then spend 0.3 s on compiling
    // the query.
    await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off');
    return await snapshotOf(session, host, update);
  });
}

async function snapshotOf(session: Session, host: string, update: string): Promise<DatabaseSnapshot> {
  const { name, schema } = session.place;
  const rows = await readStatus(session, update);
  const [own] = rows;
  if (own === undefined) throw new NotFoundError(`The team database ${name} is still empty.`, { hint: `To fill the database: ${update}` });
  if (Number(own.form) > POSTGRES_FORM) throw new DatabaseError('newer', name, undefined, 'Use the newer svc.');
  if (own.host !== host)
    throw new DatabaseError('of-another', name, undefined, `The team database belongs to ${own.host}. Add --host ${own.host}`);
  const mayRead = async (table: string) => {
    const sql = "SELECT has_table_privilege($1, 'SELECT') AS may";
    const [right] = await session.rows<{ readonly may: string }>(sql, inSchema(schema, table));
    return right?.may === 't';
  };
  const known = new Map<string, Promise<readonly SqlColumn[]>>();
  return {
    title: 'team database',
    update,
    user: own.user_id ?? undefined,
    states: new Map(rows.map((state) => [state.noun, state])),
    sql: postgresDialect(schema),
    all: <Row>(sql: string, ...values: (string | number)[]) => session.rows<Row>(numbered(sql), ...values),
    columns(table) {
      const found = known.get(table) ?? columnsOfTables(session, [table]);
      known.set(table, found);
      return found;
    },
    findHits: Number(own.form) < FIRST_SEARCHED_FORM ? undefined : postgresSearch(session),
    canRead: (table) => mayRead(recordTable(table)),
    async stored(stored) {
      if (!(await mayRead('svc_kept'))) return undefined;
      const sql = `SELECT text FROM ${inSchema(schema, 'svc_kept')} WHERE name = $1`;
      return (await session.rows<{ readonly text: string }>(sql, stored))[0]?.text;
    },
    async openChangeLog() {
      if (Number(own.form) < POSTGRES_FORM) throw noChangeLog(name, update);
      await session.run('COMMIT');
      return { ...(await readableLog(session)), hidden: await hiddenChanges(session) };
    },
    unknownUser: () =>
      new UsageError('svc does not know which user of the team database you are.', {
        hint: 'Sign in once with svc login, or name the user in the command.',
      }),
    close: () => session.close(),
  };
}

/** Replaces each `?` by `$1`, `$2` and so on. Ignores a `?` in a string or in a quoted name. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => {
    if (part !== '?') return part;
    count += 1;
    return `$${count}`;
  });
}
