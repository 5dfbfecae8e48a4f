import pg from 'pg';
import { from } from 'pg-copy-streams';
import pgpass from 'pgpass';
import type { PostgresPlace } from './address.ts';
import { notConnected, refusalOf, statementFailed } from './failures.ts';

export type SqlValue = string | number | null | readonly (string | number)[];

interface TextRows {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** One connection to PostgreSQL, which runs statements one after the other. */
export type Session = Awaited<ReturnType<typeof connect>>;

/**
 * The settings of a session. Statements and transactions have no time limit, because svc waits for pages of the service. A statement waits
 * at most 30 seconds for a lock. A session can have the lock of the sync. The server therefore detects within a minute that svc’s machine
 * is unreachable. Objects in other schemas must not replace the standard functions and operators.
 */
const SETTINGS =
  "SET search_path = pg_catalog, pg_temp; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'; SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; SET client_min_messages = warning";

/** The type number of eight-byte integers. svc reads such an integer as a number, because every id is exact as a number. */
const INT8 = 20;
const TYPES = { getTypeParser: (oid: number) => (oid === INT8 ? Number : (text: string) => text) };

/** The name of svc’s sessions, which every role sees in `pg_stat_activity`. */
const APPLICATION = 'svc sync';

/** The longest name of a session, in bytes. The server replaces characters outside ASCII. */
const LONGEST_NAME = 63;

/** Returns the name of a session that shows who syncs. */
function sessionName(by: string | undefined): string {
  return by === undefined ? APPLICATION : `${APPLICATION}: ${by.normalize('NFKD').replace(/[^ -~]/g, '')}`.slice(0, LONGEST_NAME);
}

/** Returns the `by` of {@link connect} from the name of a session. Undefined for other names. */
export function syncerIn(name: string | null | undefined): string | undefined {
  return /^svc sync: (.+)/.exec(name ?? '')?.[1];
}

/**
 * Connects to a server. No message contains a password.
 *
 * @param by the account and the machine that sync, shown to people who wait for this sync.
 * @throws UnavailableError, ForbiddenError or NotFoundError if the connection fails.
 */
async function connect(place: PostgresPlace, by?: string) {
  const { user, host, port, database, tls, options, patience } = place;
  const client = new pg.Client({
    ...{ user, host, port, database },
    password: async () => place.password ?? (await passwordFromFile(place)),
    ssl: tls,
    ...(options !== undefined && { options }),
    connectionTimeoutMillis: patience,
    keepAlive: true,
    application_name: sessionName(by),
    types: TYPES as unknown as pg.CustomTypesConfig,
  });
  // A running statement reports this error. If no statement runs, `check` or the next statement reports the error.
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost ??= error;
  });
  try {
    await client.connect();
    await client.query(SETTINGS);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw notConnected(error, place);
  }
  return {
    ...sessionOf(client, place),
    /** Checks the connection without a request. @throws UnavailableError if the server has ended the connection. */
    check() {
      if (lost !== undefined) throw statementFailed(lost, place);
    },
  };
}

/** Connects, and runs `open`. Closes the session only if `open` fails. @throws as {@link connect} */
export async function openSession<T>(place: PostgresPlace, open: (session: Session) => Promise<T>, by?: string): Promise<T> {
  const session = await connect(place, by);
  try {
    return await open(session);
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Runs `work` with a session of its own. @throws as {@link connect} */
export async function inSession<T>(place: PostgresPlace, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await connect(place);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

function sessionOf(client: pg.Client, place: PostgresPlace) {
  let last: Promise<unknown> = Promise.resolve();
  /** Runs `work` after the current statement, so that several callers can share the session. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work).catch((error: unknown) => {
      throw statementFailed(error, place);
    });
    last = mine.catch(() => undefined);
    return mine;
  };
  const run = (sql: string) => next(async () => void (await client.query(sql)));
  return {
    place,
    /** Runs one or more statements without parameters. */
    run,
    /**
     * Runs one statement and returns its rows.
     *
     * @throws DatabaseError or ForbiddenError if the server refuses the statement. UnavailableError if the connection is lost.
     */
    rows: <Row>(sql: string, ...values: SqlValue[]) => next(async () => (await client.query(sql, values)).rows as readonly Row[]),
    /** Runs one statement. Returns the columns with the numbers of their types, and each value as the server’s text. */
    texts: (sql: string, ...values: SqlValue[]): Promise<TextRows> =>
      next(async () => {
        const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;
        const { fields, rows } = await client.query<(string | null)[]>({ text: sql, values, rowMode: 'array', types });
        return { columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows };
      }),
    /** Fills a table with lines in the format of COPY. @param sql statement `COPY … FROM STDIN`. */
    copyIn: (sql: string, lines: string) =>
      next(
        () =>
          new Promise<void>((resolve, reject) => {
            const stream = client.query(from(sql));
            stream.on('error', reject);
            stream.on('finish', resolve);
            stream.end(lines);
          }),
      ),
    /**
     * Runs several statements as one step within a transaction: all statements take effect, or none.
     *
     * @returns undefined after success, or the SQLSTATE if the server refuses the statements because of their content or dependent objects.
     * @throws as `rows` for any other failure.
     */
    // The savepoint and the rollback are one step, so that no other statement runs between these two statements.
    attempt: (sql: string) =>
      next(async () => {
        await client.query('SAVEPOINT svc_attempt');
        try {
          await client.query(sql);
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          await client.query('ROLLBACK TO SAVEPOINT svc_attempt; RELEASE SAVEPOINT svc_attempt');
          return refusal;
        }
        await client.query('RELEASE SAVEPOINT svc_attempt');
        return undefined;
      }),
    /** Runs `work` as one transaction, which a failure rolls back. */
    async transaction<T>(work: () => Promise<T>) {
      await run('BEGIN');
      try {
        const result = await work();
        await run('COMMIT');
        return result;
      } catch (error) {
        // If the connection is lost, the transaction has already ended.
        await run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** Finds the password as psql does, in `~/.pgpass` or the file of PGPASSFILE. Ignores a file that other users can read. */
function passwordFromFile({ host, port, database, user }: PostgresPlace): Promise<string> {
  return new Promise((resolve) => pgpass({ host, port, database, user }, (password) => resolve(password ?? '')));
}
