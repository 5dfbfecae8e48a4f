import { readFile } from 'node:fs/promises';
import { UsageError } from '../../errors.ts';
import { nearest } from '../../values/suggest.ts';
import { withoutUndefined } from '../../values/without-undefined.ts';

/** The location of a team database on a server, and the connection settings. */
export interface PostgresPlace {
  /** The address without a password, for messages: `postgres://ada@db.example.com:5432/reports?schema=svc`. */
  readonly name: string;
  readonly schema: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** The password from the address or `PGPASSWORD`. Undefined if both have no password. */
  readonly password: string | undefined;
  /** The TLS settings. `false` means a connection without encryption. */
  readonly tls: false | Tls;
  /** The settings that svc sends to the server when svc connects, in the form of `PGOPTIONS`: `-c name=value`. */
  readonly options: string | undefined;
  /** The longest wait for a connection, in milliseconds. */
  readonly patience: number;
}

interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** True if the server needs a valid certificate. If false, svc encrypts the connection but accepts any certificate. */
  readonly rejectUnauthorized: boolean;
  /** A function that accepts every host name in the certificate. Absent if TLS must check the host name. */
  readonly checkServerIdentity?: () => undefined;
}

const SCHEMA = 'svc';

/** The parameters that an address may have after its question mark: parameters of libpq, and `schema`. */
const PARAMETERS = [
  'schema',
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'options',
  'connect_timeout',
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the address of a team database as libpq does. Missing parts come from the environment variables of libpq: `PGHOST`, `PGPORT`,
 * `PGUSER`, `PGDATABASE`, `PGPASSWORD`, `PGSSLMODE`, `PGSSLROOTCERT`, `PGSSLCERT`, `PGSSLKEY`, `PGCONNECT_TIMEOUT`, `PGOPTIONS`.
 *
 * Without `sslmode`, svc encrypts the connection and checks the server’s certificate, except on this machine. On an unencrypted connection,
 * other people could read the password and confidential records.
 *
 * @throws UsageError. The message never quotes the address, because the address may contain a password.
 */
export async function readAddress(address: string, env: Env, userName: string): Promise<PostgresPlace> {
  const url = parseUrl(address);
  const given = (name: (typeof PARAMETERS)[number]) => url.searchParams.get(name) || undefined;
  const strange = [...url.searchParams.keys()].find((name) => !(PARAMETERS as readonly string[]).includes(name));
  if (strange !== undefined) {
    const near = nearest(strange, [...PARAMETERS]);
    throw new UsageError(`svc does not know ${strange} in the address of a database.`, {
      hint: near === undefined ? `Leave out ${strange}. svc knows: ${PARAMETERS.join(', ')}.` : `Did you mean ${near}?`,
    });
  }
  const named = url.hostname === NOWHERE ? '' : decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const host = given('host') ?? (named || env['PGHOST'] || 'localhost');
  const port = given('port') ?? (url.port || env['PGPORT'] || '5432');
  if (host.includes(',') || port.includes(','))
    throw new UsageError('The address contains several servers.', { hint: 'Name only the server that accepts writes.' });
  const user = given('user') ?? (decoded(url.username) || env['PGUSER'] || userName);
  const database = given('dbname') ?? (decoded(url.pathname.slice(1)) || env['PGDATABASE'] || user);
  const schema = given('schema') ?? SCHEMA;
  // The server shortens longer names, and reserves names that start with pg_.
  if (/^pg_|\0/.test(schema) || Buffer.byteLength(schema) > 63)
    throw new UsageError('PostgreSQL does not accept the name of the schema.', {
      hint: 'Use up to 63 bytes, and do not start with pg_. For example: ?schema=svc_acme',
    });
  const shown = schema === SCHEMA ? '' : `?schema=${encodeURIComponent(schema)}`;
  const where = host.startsWith('/') ? `/${encodeURIComponent(database)}?host=${host}${shown.replace('?', '&')}` : undefined;
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return {
    name: `postgres://${encodeURIComponent(user)}@${where ?? `${bracketed}:${port}/${encodeURIComponent(database)}${shown}`}`,
    ...{ schema, user, host, database },
    port: numberOf('port', port, 65_535),
    password: given('password') ?? (decoded(url.password) || env['PGPASSWORD'] || undefined),
    tls: await readTls((name) => given(name) ?? (env[`PG${name.toUpperCase()}`] || undefined), host),
    options: given('options') ?? (env['PGOPTIONS'] || undefined),
    patience: 1_000 * numberOf('connect_timeout', given('connect_timeout') ?? (env['PGCONNECT_TIMEOUT'] || '15'), 86_400),
  };
}

/** A placeholder for the host of a socket address, because URL requires a host after a user. */
const NOWHERE = 'nowhere.invalid';

function parseUrl(address: string): URL {
  try {
    return new URL(address.replace(/(?<=^\w+:\/\/[^/?#]*@)(?=[/?]|$)/, NOWHERE));
  } catch {
    throw new UsageError('svc cannot read the address of the database.', {
      hint: 'For example: postgres://user@db.example.com:5432/reports (in a password, write %40 for @ and %2F for /)',
    });
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function numberOf(name: string, text: string, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > most)
    throw new UsageError(`${name} in the address of a database must be a number from 1 to ${most}.`, { hint: 'Correct the address.' });
  return number;
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

async function readTls(
  given: (name: 'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey') => string | undefined,
  host: string,
): Promise<false | Tls> {
  const mode = given('sslmode') ?? (isHere(host) ? 'disable' : 'verify-full');
  if (!(MODES as readonly string[]).includes(mode))
    throw new UsageError(`svc does not accept sslmode=${mode}.`, {
      hint: `Use ${MODES.join(', ')}.`,
    });
  if (mode === 'disable') return false;
  const [ca, cert, key] = await Promise.all((['sslrootcert', 'sslcert', 'sslkey'] as const).map((name) => fileOf(name, given(name))));
  if (mode === 'verify-ca' && ca === undefined)
    throw new UsageError('sslmode=verify-ca needs a root certificate.', {
      hint: 'Add sslrootcert=<file>, or use sslmode=verify-full',
    });
  return {
    ...withoutUndefined({ ca, cert, key }),
    // As in libpq, a root certificate makes svc check the server’s certificate. Only `verify-full` also checks the host name.
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

async function fileOf(name: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`svc cannot read the file of ${name}: ${path}.`, {
      hint: 'Check the path and the permissions of the file.',
      cause,
    });
  }
}

/** Returns true if a host is a socket path or a loopback address. */
function isHere(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
