import pg from 'pg';
import { from } from 'pg-copy-streams';
import pgpass from 'pgpass';
import type { PostgresPlace } from './address.ts';
import { notConnected, refusalOf, statementFailed } from './failures.ts';

/** A value that a statement is given. */
type SqlValue = string | number | null | readonly (string | number)[];

/** One connection, on which one thing is done after the other. */
export interface Session {
  readonly place: PostgresPlace;
  /** @throws MirrorError for what the server refuses; UnavailableError where the connection is gone. */
  rows<Row>(sql: string, ...values: SqlValue[]): Promise<readonly Row[]>;
  /** Several statements, without values. */
  run(sql: string): Promise<void>;
  /** Fills a table with lines as COPY has them. @param sql `COPY … FROM STDIN`. */
  copyIn(sql: string, lines: string): Promise<void>;
  /**
   * Runs several statements within a transaction, all of them or none.
   *
   * @returns undefined once they are done; else the code (SQLSTATE) with which the server refuses them, for what they are or what stands on them.
   */
  attempt(sql: string): Promise<string | undefined>;
  /** Runs `work` as one transaction; all of it, or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * For the length of a session, whatever the database or its user is set to: the time between two pages of the service is no idleness, and
 * a function or operator that somebody put into another schema is none of those that statements name.
 */
const SETTINGS =
  "SET search_path = pg_catalog, pg_temp; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s'; SET client_min_messages = warning";

/** Integers of eight bytes, as far as they are exact: ids are. */
const INT8 = 20;
const TYPES = { getTypeParser: (oid: number) => (oid === INT8 ? Number : (text: string) => text) };

/** Connects. @throws UnavailableError, ForbiddenError or NotFoundError, in words that have no password in them. */
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
  // What is under way is told by itself; between two statements nobody asks, and the next one fails.
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
  /** After what is under way, so that rows are read and written from several places at once. */
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
    // In one, so that nobody else's question comes between a refusal and its end.
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
        // A connection that is gone took the transaction with it.
        await run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** As psql finds it: `~/.pgpass`, or the file that PGPASSFILE names, if nobody else may read it. */
function passwordFromFile({ host, port, database, user }: PostgresPlace): Promise<string> {
  return new Promise((resolve) => pgpass({ host, port, database, user }, (password) => resolve(password ?? '')));
}
