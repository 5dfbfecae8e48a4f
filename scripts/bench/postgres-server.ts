import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL server for tests, from the distribution’s package. */
export interface PostgresServer {
  /** The version, such as `15.18`. */
  readonly version: string;
  readonly port: number;
  /** The directory of the server’s socket. */
  readonly directory: string;
  /**
   * Creates an empty database.
   *
   * @param options query part of the address.
   * @returns the address with the password.
   */
  database(name: string, options?: string): Promise<string>;
  /** Runs psql, and returns its output without borders. */
  psql(address: string, ...args: readonly string[]): Promise<string>;
  /** Returns the processor time of all finished sessions, of this process and of its children, in seconds. */
  cpu(): Promise<number>;
  /** Returns the path of another program of the package. */
  program(name: string): string;
  close(): Promise<void>;
}

/** A password with characters that an address must encode. */
export const PASSWORD = 'p@ss/word:?#';

/** The database user of the tests. */
const USER = 'ada';

/**
 * Returns the directory of PostgreSQL’s programs. Returns undefined if the package is not installed. @throws Error in that case with
 * `SVC_TEST_POSTGRES=required`.
 */
export async function findPostgres(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const [newest] = versions.toSorted((one, other) => Number(other) - Number(one));
  if (newest !== undefined) return join(root, newest, 'bin');
  if (process.env['SVC_TEST_POSTGRES'] === 'required') throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return undefined;
}

/**
 * Starts a server.
 *
 * @param bin directory of PostgreSQL’s programs.
 * @param tls certificate and key. The server then supports encryption.
 */
export async function startPostgres(bin: string, tls?: { readonly certificate: string; readonly key: string }): Promise<PostgresServer> {
  // PostgreSQL refuses to run as root, so the server runs as another user. That user needs access to the files.
  const as = process.getuid?.() === 0 ? await ownerOf() : undefined;
  const directory = await mkdtemp(join(as === undefined ? tmpdir() : '/tmp', 'svc-pg-'));
  const data = join(directory, 'data');
  const password = join(directory, 'password');
  const [certificate, key] = [join(directory, 'certificate'), join(directory, 'key')];
  await writeFile(password, PASSWORD);
  await writeFile(certificate, tls?.certificate ?? '');
  await writeFile(key, tls?.key ?? '', { mode: 0o600 });
  if (as !== undefined) for (const path of [directory, password, certificate, key]) await chown(path, as.uid, as.gid);
  const init = ['-D', data, '-U', USER, '--pwfile', password, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(join(bin, 'initdb'), init, { ...as, cwd: directory });
  const port = await freePort();
  const all = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${directory}`,
    'max_connections=30',
    'autovacuum=off',
  ];
  if (tls !== undefined) all.push('ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...all.flatMap((setting) => ['-c', setting])], {
    ...as,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stderr).on('line', (line) => {
      output += `${line}\n`;
      if (line.includes('ready to accept connections')) resolve();
    });
    ended.then(() => reject(new Error(output)), reject);
  });
  const address = (name: string) => `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`;
  const psql = async (to: string, ...args: readonly string[]) => {
    const words = ['-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', to, ...args];
    return (await run(join(bin, 'psql'), words, { maxBuffer: 1e9 })).stdout;
  };
  return {
    version: (await run(join(bin, 'postgres'), ['--version'])).stdout.replace(/^\D+|\s.*$/gs, ''),
    ...{ port, directory, psql },
    async database(name, options = '') {
      await psql(address('postgres'), '-c', `CREATE DATABASE ${name} ${options}`);
      return address(name);
    },
    async cpu() {
      const [theirs, ours] = await Promise.all([server.pid ?? 0, 'self'].map(ticksOf));
      return ((theirs?.ended ?? 0) + (ours?.own ?? 0) + (ours?.ended ?? 0)) / TICKS;
    },
    program: (name) => join(bin, name),
    async close() {
      // SIGQUIT stops the server immediately, even with open connections.
      server.kill('SIGQUIT');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The number of clock ticks per second on Linux. */
const TICKS = 100;

/** Returns the clock ticks of a process (`own`) and of its finished children (`ended`). */
async function ticksOf(pid: number | string): Promise<{ readonly own: number; readonly ended: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = text
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return { own: user + system, ended: endedUser + endedSystem };
}

/** Returns the user that the PostgreSQL package created. */
async function ownerOf(): Promise<{ readonly uid: number; readonly gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)));
  return { uid: uid ?? 65_534, gid: gid ?? 65_534 };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}
