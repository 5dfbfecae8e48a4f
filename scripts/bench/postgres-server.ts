import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A PostgreSQL of the distribution's package, with an empty database of each test's own. */
export interface PostgresServer {
  /** `15.18`. */
  readonly version: string;
  readonly port: number;
  /** Where its socket is. */
  readonly directory: string;
  /** Makes a database. @param options after its name. @returns its address, with the password. */
  database(name: string, options?: string): Promise<string>;
  /** Runs psql, and gives what it prints, without a frame. */
  psql(address: string, ...args: readonly string[]): Promise<string>;
  /** Seconds of processor time that its sessions have taken, as far as they are over, and those of this process and what it started. */
  cpu(): Promise<number>;
  /** Another program of the package, by its name. */
  program(name: string): string;
  close(): Promise<void>;
}

/** Letters that an address has to encode. */
export const PASSWORD = 'p@ss/word:?#';

/** Whoever the tests connect as. */
const USER = 'ada';

/** Undefined where the package is not installed, and nobody demands it (`SVC_TEST_POSTGRES=required`). */
export async function findPostgres(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const [newest] = versions.toSorted((one, other) => Number(other) - Number(one));
  if (newest !== undefined) return join(root, newest, 'bin');
  if (process.env['SVC_TEST_POSTGRES'] === 'required') throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return undefined;
}

/** @param bin where its programs are. @param tls a certificate and its key: then it encrypts for whoever asks for it. */
export async function startPostgres(bin: string, tls?: { readonly certificate: string; readonly key: string }): Promise<PostgresServer> {
  // It refuses to run as root, and who it runs as instead may not look into what is root's.
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
  let said = '';
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stderr).on('line', (line) => {
      said += `${line}\n`;
      if (line.includes('ready to accept connections')) resolve();
    });
    ended.then(() => reject(new Error(said)), reject);
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
      // At once, whoever is connected.
      server.kill('SIGQUIT');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Of a second, on Linux. */
const TICKS = 100;

/** What a process has taken, and those that it started and that are over. */
async function ticksOf(pid: number | string): Promise<{ readonly own: number; readonly ended: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = text
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return { own: user + system, ended: endedUser + endedSystem };
}

/** The user that the package made. */
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
