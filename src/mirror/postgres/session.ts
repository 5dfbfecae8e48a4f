import pg from 'pg';
import { from } from 'pg-copy-streams';
import pgpass from 'pgpass';
import type { PostgresPlace } from './address.ts';
import { notConnected, refusalOf, statementFailed } from './failures.ts';

/** A parameter of a statement. */
type SqlValue = string | number | null | readonly (string | number)[];

/** One connection, which runs statements one after the other. */
export interface Session {
  readonly place: PostgresPlace;
  /**
   * Runs one statement.
   *
   * @throws MirrorError for a statement that the server refuses; UnavailableError if the connection broke.
   */
  rows<Row>(sql: string, ...values: SqlValue[]): Promise<readonly Row[]>;
  /** Runs several statements, without parameters. */
  run(sql: string): Promise<void>;
  /** Fills a table with lines in the format of COPY. @param sql `COPY … FROM STDIN`. */
  copyIn(sql: string, lines: string): Promise<void>;
  /**
   * Runs several statements within a transaction, all of them or none.
   *
   * @returns undefined after success; else the SQLSTATE with which the server refuses their content, or because of objects that depend on
   *   it.
   */
  attempt(sql: string): Promise<string | undefined>;
  /** Runs `work` as one transaction. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Settings of a session, which replace those of the database and the user. Waiting for the next page of the service must not time out.
 * Functions and operators that others put into other schemas must not match.
 */
const SETTINGS =
  "SET search_path = pg_catalog, pg_temp; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'; SET client_min_messages = warning";

/** OID of eight-byte integers. svc reads them as numbers: ids are exact. */
const INT8 = 20;
const TYPES = { getTypeParser: (oid: number) => (oid === INT8 ? Number : (text: string) => text) };

/** Connects. @throws UnavailableError, ForbiddenError or NotFoundError; no message has a password in it. */
export async function connect(place: PostgresPlace): Promise<Session> {
  const { user, host, port, database, tls, options, patience } = place;
  const client = new pg.Client({
    ...{ user, host, port, database },
    password: async () => place.password ?? (await passwordFromFile(place)),
    ssl: tls,
    ...(options !== undefined && { options }),
    connectionTimeoutMillis: patience,
    keepAlive: true,
    application_name: 'svc sync',
    types: TYPES as unknown as pg.CustomTypesConfig,
  });
  // A running statement reports the error itself; between two statements the next one fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(SETTINGS);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw notConnected(error, place);
  }
  return sessionOf(client, place);
}

function sessionOf(client: pg.Client, place: PostgresPlace): Session {
  let last: Promise<unknown> = Promise.resolve();
  /** Runs `work` after the current statement, so that several callers can use the session at once. */
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
    run,
    rows: <Row>(sql: string, ...values: SqlValue[]) => next(async () => (await client.query(sql, values)).rows as readonly Row[]),
    copyIn: (sql, lines) =>
      next(
        () =>
          new Promise<void>((resolve, reject) => {
            const stream = client.query(from(sql));
            stream.on('error', reject);
            stream.on('finish', resolve);
            stream.end(lines);
          }),
      ),
    // In one step, so that no other statement comes between a refusal and the rollback.
    attempt: (sql) =>
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
    async transaction(work) {
      await run('BEGIN');
      try {
        const result = await work();
        await run('COMMIT');
        return result;
      } catch (error) {
        // A broken connection has ended the transaction already.
        await run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** Finds the password as psql does: in `~/.pgpass` or the file that PGPASSFILE names, if nobody else may read it. */
function passwordFromFile({ host, port, database, user }: PostgresPlace): Promise<string> {
  return new Promise((resolve) => pgpass({ host, port, database, user }, (password) => resolve(password ?? '')));
}
