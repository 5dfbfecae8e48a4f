import { ForbiddenError, NotFoundError, SvcError, UnavailableError } from '../../errors.ts';
import { DatabaseError } from '../database-error.ts';
import { quoted } from '../sql-values.ts';
import type { PostgresPlace } from './address.ts';

/** Returns the error code of PostgreSQL or the operating system, such as `28P01` or `ECONNREFUSED`. Empty without a code. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function messageBy(error: unknown): string {
  // For a host name with several addresses, the error has one entry for each address.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const { message } = error instanceof Error ? error : { message: String(error) };
  return (message || (first instanceof Error ? first.message : 'no answer')).replace(/\.$/, '');
}

/** The next step for a failed connection, by the error message of the library or of TLS. */
const CONNECTING: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'The server does not support encryption. In a network that you trust, add sslmode=disable to the address'],
  [/certificate|self.signed|altnames/i, 'Add sslrootcert=<file> to the address, or accept any certificate with sslmode=require'],
];

/** Returns the statement that gives the user rights to an object. Default: the database. */
export function grantOn(
  { database, user }: Pick<PostgresPlace, 'database' | 'user'>,
  rights: string,
  object = `DATABASE ${quoted(database)}`,
): string {
  return `GRANT ${rights} ON ${object} TO ${user === undefined ? '…' : quoted(user)}`;
}

/** Returns the error for a failed connection. The class of the error decides the exit code. */
export function notConnected(error: unknown, { name, database, user, host, port }: PostgresPlace): SvcError {
  const code = codeOf(error);
  const reported = messageBy(error);
  const rest = { cause: error };
  if (code === '3D000')
    return new NotFoundError(`The database ${database} does not exist at ${name}.`, {
      hint: `To create the database: createdb -h ${host} -p ${port} ${database}`,
      ...rest,
    });
  if (code === '42501')
    return new ForbiddenError(`${user} has no permission to use ${name}: ${reported}.`, {
      hint: `The owner of the database can allow access: ${grantOn({ database, user }, 'CONNECT, CREATE, TEMPORARY')}`,
      ...rest,
    });
  const isBare = /password must be/.test(reported);
  if (code.startsWith('28') || isBare)
    return new ForbiddenError(`${name} refuses the connection of ${user}: ${isBare ? 'the server requires a password' : reported}.`, {
      hint: 'svc reads the password from PGPASSWORD, ~/.pgpass (mode 0600) or the address.',
      ...rest,
    });
  const [, advice] = CONNECTING.find(([pattern]) => pattern.test(reported)) ?? [];
  return new UnavailableError(`svc cannot connect to ${name}: ${reported}.`, {
    hint: advice ?? `To check that the server is running: pg_isready -h ${host} -p ${port}`,
    ...rest,
  });
}

/**
 * Returns the error for a failed statement. The error concerns one table, unless the connection is lost or the server refuses all writes.
 * The rows of the table are unchanged.
 */
export function statementFailed(error: unknown, place: PostgresPlace): unknown {
  const { name, user } = place;
  if (error instanceof SvcError) return error;
  const code = codeOf(error);
  if (code === '' && !isLost(error)) return error;
  if (isLost(error) || /^(?:08|57P|E[A-Z]+$)/.test(code))
    return new UnavailableError(`The connection to ${name} was lost: ${messageBy(error)}.`, {
      hint: 'The server keeps the rows written so far. To continue, run the same command again.',
      cause: error,
    });
  if (code === '42501')
    return new ForbiddenError(`${user} has no permission for the statement in ${name}: ${messageBy(error)}.`, {
      hint: `Ask the owner of the database for permission: ${grantOn(place, 'CREATE, TEMPORARY')}. The role that syncs must own the schema and its tables.`,
      cause: error,
    });
  const [, advice] = STATEMENTS.find(([pattern]) => pattern.test(code)) ?? [];
  return new DatabaseError(/^(?:25006|53)/.test(code) ? 'unusable' : 'refused', name, error, advice);
}

/**
 * Returns the SQLSTATE of a statement that the server refuses because of its content (42, 0A) or dependent objects (2B). Returns undefined
 * for other failures.
 */
export function refusalOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return /^(?:42|0A|2B)[0-9A-Z]{3}$/.test(code) ? code : undefined;
}

/** The next step by SQLSTATE (PostgreSQL manual, appendix A). */
const STATEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'This server is read-only. Name a server that accepts writes.'],
  [/^2BP01$/, 'One of your objects, such as a view, depends on a table of svc. Drop the object, sync, then create the object again.'],
  [/^55P03$/, 'Another session has locked the table for more than half a minute. Sync again later.'],
  [/^42P01$/, 'Somebody removed tables or views of svc. To start again: svc sync --forget --to <address>, then svc sync --to <address>'],
  [/^53/, 'The server has too little disk space, memory or connections. Ask its administrator, or sync again later.'],
];

/** Returns true if the connection is lost. Errors of the library itself have no code, so the message decides. */
function isLost(error: unknown): boolean {
  return (
    error instanceof Error && /^(?:Connection terminated|Client was closed|Client has encountered a connection error)/.test(error.message)
  );
}
