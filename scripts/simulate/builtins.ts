import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { HOME } from './disk.ts';
import { type Life, lives, operation, step } from './life.ts';
import { simulatedServer } from './listener.ts';
import { service } from './service-scope.ts';
import { simulateDatabases } from './sqlite.ts';

// Replaces Node’s own functions for the processes of a scenario. svc imports these functions by name, and the names follow their module
// (`syncBuiltinESMExports`). svc itself therefore does not notice.

type Callable = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, unknown>;

/** Creates the error of a full disk. */
function diskFull(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
}

const WRITING = new Set([
  'mkdir',
  'rename',
  'unlink',
  'rm',
  'rmdir',
  'link',
  'symlink',
  'writeFile',
  'appendFile',
  'truncate',
  'chmod',
  'copyFile',
]);
const PATHS =
  'access appendFile chmod chown copyFile exists link lstat mkdir open opendir readFile readdir readlink realpath rename rm rmdir stat symlink truncate unlink utimes writeFile'.split(
    ' ',
  );

/** Returns arguments with the real paths on the simulated disk. */
function translated(life: Life, name: string, args: readonly unknown[]): unknown[] {
  const { disk } = life.scenario;
  const count = ['rename', 'link', 'copyFile', 'symlink'].includes(name) ? 2 : 1;
  return args.map((arg, index) => (index < count && typeof arg === 'string' ? disk.real(resolve(HOME, arg)) : arg));
}

/** Calls a synchronous function of Node on the simulated disk, and records what a power cut would undo. */
function onDisk(life: Life, name: string, original: Callable, args: readonly unknown[]): unknown {
  const { disk } = life.scenario;
  const given = translated(life, name, args);
  const [path, other] = given;
  if (disk.isFull && (['writeFile', 'appendFile'].includes(name) || (name === 'mkdir' && !originals['existsSync']?.call(fs, path))))
    throw diskFull();
  if (name === 'rename') disk.renaming(String(path), String(other));
  if (name === 'unlink' || name === 'rm') disk.removing(String(path));
  try {
    const result = original.apply(fs, given);
    if (['writeFile', 'appendFile', 'truncate'].includes(name)) disk.wrote(String(path));
    if (name === 'open') life.openFiles.add(Number(result));
    return typeof result === 'string' && name === 'realpath' ? disk.shown(result) : result;
  } catch (error) {
    throw disguised(life, error);
  }
}

function disguised(life: Life, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  error.message = life.scenario.disk.shown(error.message);
  const { path } = error as NodeJS.ErrnoException;
  if (path !== undefined) Object.assign(error, { path: life.scenario.disk.shown(path) });
  return error;
}

const fs = process.getBuiltinModule('node:fs');
const originals = { ...fs } as unknown as Record<string, Callable>;
const original = (name: string): Callable => {
  const found = originals[name];
  if (found === undefined) throw new Error(`Node has no fs.${name}.`);
  return found;
};

/** Returns a file handle as `open` of `node:fs/promises` returns it, with the methods that svc uses. */
function fileHandle(life: Life, fd: number, path: string): object {
  const { disk } = life.scenario;
  const act = (name: string, work: () => unknown) => operation(life, `${name} ${disk.shown(path)}`, life.scenario.random.next(), work);
  const writing = (work: () => unknown) => () => {
    disk.wrote(path);
    if (disk.isFull) throw diskFull();
    return work();
  };
  const isDirectory = original('fstatSync').call(fs, fd) as { isDirectory(): boolean };
  const flush = () => (isDirectory.isDirectory() ? disk.directoryFlushed(path) : disk.flushed(path));
  return {
    fd,
    writeFile: (data: unknown) =>
      act(
        'write',
        writing(() => original('writeFileSync').call(fs, fd, data)),
      ),
    appendFile: (data: unknown) =>
      act(
        'write',
        writing(() => original('writeFileSync').call(fs, fd, data)),
      ),
    write: (...args: unknown[]) =>
      act('write', () => {
        disk.wrote(path);
        const [, , length, at] = args.map(Number);
        // Overwriting existing bytes needs no space.
        const isWithin = Number(length) + Number(at) <= (original('fstatSync').call(fs, fd) as { size: number }).size;
        if (disk.isFull && !isWithin) throw diskFull();
        return { bytesWritten: original('writeSync').call(fs, fd, ...args), buffer: args[0] };
      }),
    read: (buffer: Uint8Array, ...rest: unknown[]) =>
      act('read', () => ({ bytesRead: original('readSync').call(fs, fd, buffer, ...rest), buffer })),
    readFile: (...args: unknown[]) => act('read', () => original('readFileSync').call(fs, fd, ...args)),
    stat: (...args: unknown[]) => act('stat', () => original('fstatSync').call(fs, fd, ...args)),
    chmod: (mode: number) => act('chmod', () => original('fchmodSync').call(fs, fd, mode)),
    truncate: (size?: number) =>
      act(
        'truncate',
        writing(() => original('ftruncateSync').call(fs, fd, size)),
      ),
    sync: () => act('flush', flush),
    datasync: () => act('flush', flush),
    close: () =>
      act('close', () => {
        life.openFiles.delete(fd);
        original('closeSync').call(fs, fd);
      }),
  };
}

/** Replaces Node’s files, databases, timers, random values and listeners, for code that runs in a {@link Life}. */
export function simulateBuiltins(): void {
  const files = fs as unknown as Functions;
  const promises = fs.promises as unknown as Functions;
  const openPaths = new Map<number, string>();
  for (const name of PATHS) {
    const sync = `${name}Sync`;
    replace(
      files,
      sync,
      (before) =>
        function here(this: unknown, ...args) {
          const life = lives.getStore();
          if (life === undefined) return before.apply(fs, args);
          if (WRITING.has(name)) step(life, `${name} ${String(args[0])}`);
          const result = onDisk(life, name, original(sync), args);
          if (name === 'open') openPaths.set(Number(result), String(translated(life, name, args)[0]));
          return result;
        },
    );
    // `realpath` also has a native version, which gives the same result.
    if (name === 'realpath') Object.assign(files[sync] as Callable, { native: files[sync] });
    if (name === 'exists') continue;
    replace(
      promises,
      name,
      (before) =>
        function here(this: unknown, ...args) {
          const life = lives.getStore();
          if (life === undefined) return before.apply(fs.promises, args);
          return operation(life, `${name} ${String(args[0])}`, life.scenario.random.next(), () => {
            const result = onDisk(life, name, original(sync), args);
            return name === 'open' ? fileHandle(life, Number(result), String(translated(life, name, args)[0])) : result;
          });
        },
    );
  }
  replace(
    files,
    'closeSync',
    (before) =>
      function here(this: unknown, ...args) {
        lives.getStore()?.openFiles.delete(Number(args[0]));
        return before.apply(fs, args);
      },
  );
  for (const name of ['fdatasyncSync', 'fsyncSync']) {
    replace(
      files,
      name,
      (before) =>
        function here(this: unknown, ...args) {
          const life = lives.getStore();
          if (life === undefined) return before.apply(fs, args);
          const path = openPaths.get(Number(args[0])) ?? '';
          step(life, `flush ${life.scenario.disk.shown(path)}`);
          life.scenario.disk.flushed(path);
          return undefined;
        },
    );
  }
  replace(
    files,
    'read',
    (before) =>
      function here(this: unknown, ...args) {
        const life = lives.getStore();
        if (life === undefined) return before.apply(fs, args);
        const done = args.pop() as (error: unknown, count?: unknown) => void;
        const path = life.scenario.disk.shown(openPaths.get(Number(args[0])) ?? '');
        operation(life, `read ${path}`, 1, () => original('readSync').call(fs, ...args)).then((count) => done(null, count), done);
        return undefined;
      },
  );
  replace(
    files,
    'createReadStream',
    (before) =>
      function here(this: unknown, ...args) {
        const life = lives.getStore();
        return life === undefined ? before.apply(fs, args) : Readable.from(pieces(life, String(args[0])));
      },
  );
  simulateDatabases(diskFull);
  simulateChance();
  simulateTimers();
  const http = process.getBuiltinModule('node:http') as unknown as Functions;
  replace(
    http,
    'createServer',
    (before) =>
      function here(this: unknown, ...args) {
        const life = lives.getStore();
        return life === undefined ? before.apply(http, args) : simulatedServer(life);
      },
  );
  syncBuiltinESMExports();
}

async function* pieces(life: Life, path: string): AsyncGenerator<Buffer> {
  const bytes = await operation(life, `read ${path}`, 1, () => onDisk(life, 'readFile', original('readFileSync'), [path]) as Buffer);
  for (let from = 0; from < bytes.length; from += 4096) yield bytes.subarray(from, from + 4096);
}

/** Replaces random values, so that keys, tokens and jitter come from the seed. */
function simulateChance(): void {
  const crypto = process.getBuiltinModule('node:crypto');
  const bytes = (size: number): Buffer | undefined => {
    const random = (lives.getStore() ?? service.getStore())?.scenario.secrets;
    return random && Buffer.from(Array.from({ length: size }, () => random.integer(0, 255)));
  };
  const uuid = (): string | undefined => {
    const hex = bytes(16)?.toString('hex');
    return hex && `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  replace(
    crypto as unknown as Functions,
    'randomBytes',
    (before) =>
      (...args) =>
        bytes(Number(args[0])) ?? before.apply(crypto, args),
  );
  replace(
    crypto as unknown as Functions,
    'randomUUID',
    (before) =>
      (...args) =>
        uuid() ?? before.apply(crypto, args),
  );
  const web = globalThis.crypto;
  const { getRandomValues, randomUUID } = web;
  const { digest } = web.subtle;
  Object.defineProperty(web, 'randomUUID', { value: () => uuid() ?? randomUUID.call(web) });
  Object.defineProperty(web, 'getRandomValues', {
    value: (into: Uint8Array<ArrayBuffer>) => {
      const drawn = bytes(into.byteLength);
      if (drawn === undefined) return getRandomValues.call(web, into);
      into.set(drawn);
      return into;
    },
  });
  // Node calculates digests in a thread, whose end would not depend on the seed.
  Object.defineProperty(web.subtle, 'digest', {
    value: async (algorithm: string, data: Uint8Array<ArrayBuffer>) => {
      if (lives.getStore() === undefined) return digest.call(web.subtle, algorithm, data);
      const hashed = crypto.createHash(algorithm.replace('-', '').toLowerCase()).update(data).digest();
      return new Uint8Array(hashed).buffer;
    },
  });
  const { random } = Math;
  Math.random = () => (lives.getStore() ?? service.getStore())?.scenario.secrets.next() ?? random();
}

function simulateTimers(): void {
  const globals = globalThis as unknown as Functions;
  replace(globals, 'setImmediate', (before) => (...args) => {
    const life = lives.getStore();
    if (life === undefined) return before.apply(globalThis, args);
    const [run, ...rest] = args as [Callable, ...unknown[]];
    return life.scenario.timeline.after(0, () => void (life.isDead || lives.run(life, () => run(...rest))));
  });
  replace(globals, 'setTimeout', (before) => (...args) => {
    const life = lives.getStore();
    if (life === undefined) return before.apply(globalThis, args);
    const [run, ms, ...rest] = args as [Callable, number, ...unknown[]];
    const timer = {
      cancel: life.scenario.timeline.after(ms, () => void (life.isDead || lives.run(life, () => run(...rest)))),
      unref: () => timer,
      ref: () => timer,
      hasRef: () => false,
      refresh: () => timer,
    };
    return timer;
  });
  replace(globals, 'clearTimeout', (before) => (...args) => {
    const [timer] = args as [{ cancel?: () => void } | undefined];
    return typeof timer?.cancel === 'function' ? timer.cancel() : before.apply(globalThis, args);
  });
  Object.defineProperty(AbortSignal, 'timeout', {
    value: (ms: number) => {
      const life = lives.getStore();
      const controller = new AbortController();
      const abort = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      if (life === undefined) void (globalThis.setTimeout(abort, ms) as unknown as { unref?: () => void }).unref?.();
      else life.scenario.timeline.after(ms, () => void (life.isDead || lives.run(life, abort)));
      return controller.signal;
    },
  });
}

function replace(owner: Functions, name: string, make: (before: Callable) => Callable): void {
  const before = owner[name];
  if (typeof before !== 'function') throw new Error(`There is no ${name} to replace.`);
  owner[name] = make(before as Callable);
}
