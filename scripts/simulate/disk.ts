import fs from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Random } from '../../src/sandbox/seed/seeding.ts';

/** The home directory of the simulated person. All files in it are on the simulated disk. */
export const HOME = '/home/ada';

/** Node’s original functions, which the simulation does not replace. */
const real = { ...fs };
const { close: closeDatabase } = process.getBuiltinModule('node:sqlite').DatabaseSync.prototype;

/** The databases and files that a process has open. */
export interface Open {
  readonly databases: Set<DatabaseSync>;
  readonly openFiles: Set<number>;
}

/** The disk of a simulated machine: real files in memory. A power cut removes everything that was not flushed. */
export interface Disk {
  /** Returns the real path of a simulated path. Other paths stay unchanged. */
  real(path: string): string;
  /** Returns a text with simulated paths instead of real ones. */
  shown(text: string): string;
  /** True if nothing can be written. */
  isFull: boolean;
  /** Records a change to a file. A power cut removes bytes that were not flushed. */
  wrote(path: string): void;
  flushed(path: string): void;
  renaming(from: string, to: string): void;
  removing(path: string): void;
  directoryFlushed(path: string): void;
  /** True if a power cut would undo a change to a directory. */
  readonly isLoose: boolean;
  /** Closes everything that a process has open, without committing. */
  releaseAll(open: Open): void;
  /** Removes everything that was not flushed, or a random part of it. No process may have open files. */
  cutPower(random: Random): void;
  /** Creates a file of the person. */
  put(path: string, content: string): void;
  /** Returns all files with their contents. */
  files(): Map<string, Buffer>;
  destroy(): void;
}

/** A change to a directory that was not flushed. */
interface Loose {
  readonly directory: string;
  undo(): void;
}

/**
 * Creates a disk.
 *
 * @param root path of an empty directory, in memory if possible.
 */
export function createDisk(root: string): Disk {
  /** The number of flushed bytes, for files with bytes that were not flushed. */
  const flushedSizes = new Map<string, number>();
  let loose: Loose[] = [];
  const sizeOf = (path: string) => real.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  real.mkdirSync(root + HOME, { recursive: true });

  const contentOf = (path: string): Buffer | undefined => {
    try {
      return real.readFileSync(path);
    } catch {
      return undefined;
    }
  };
  const put = (path: string, content: Buffer | undefined) => {
    if (content === undefined) real.rmSync(path, { force: true });
    else {
      // The directory of the file may have been removed too.
      real.mkdirSync(dirname(path), { recursive: true });
      real.writeFileSync(path, content);
    }
  };

  return {
    isFull: false,
    real: (path) => (path === HOME || path.startsWith(`${HOME}/`) ? root + path : path),
    shown: (text) => text.replaceAll(root, ''),
    wrote(path) {
      if (!flushedSizes.has(path)) flushedSizes.set(path, 0);
    },
    flushed(path) {
      flushedSizes.set(path, sizeOf(path));
    },
    renaming(from, to) {
      const [moved, replaced] = [contentOf(from), contentOf(to)];
      const size = flushedSizes.get(from);
      if (size !== undefined) flushedSizes.set(to, size);
      flushedSizes.delete(from);
      loose.push({
        directory: dirname(to),
        undo() {
          put(from, moved);
          put(to, replaced);
        },
      });
    },
    removing(path) {
      const removed = contentOf(path);
      flushedSizes.delete(path);
      loose.push({ directory: dirname(path), undo: () => put(path, removed) });
    },
    get isLoose() {
      return loose.length > 0;
    },
    directoryFlushed(path) {
      loose = loose.filter(({ directory }) => directory !== path);
    },
    releaseAll({ databases, openFiles }) {
      for (const database of databases) leaveAsKilled(database);
      databases.clear();
      for (const file of openFiles) {
        try {
          real.closeSync(file);
        } catch {
          // The file was already closed.
        }
      }
      openFiles.clear();
    },
    cutPower(random) {
      const lasting = random.integer(0, loose.length);
      for (const { undo } of loose.splice(lasting).reverse()) undo();
      loose = [];
      for (const [path, flushed] of flushedSizes) {
        const size = sizeOf(path);
        if (size > flushed) real.truncateSync(path, random.integer(flushed, size));
        // The index of a SQLite log is only in memory.
        if (path.endsWith('-wal')) real.rmSync(`${path.slice(0, -4)}-shm`, { force: true });
      }
      flushedSizes.clear();
    },
    put: (path, content) => real.writeFileSync(root + path, content),
    files() {
      const found = new Map<string, Buffer>();
      const walk = (directory: string) => {
        for (const entry of real.readdirSync(directory, { withFileTypes: true })) {
          const path = `${directory}/${entry.name}`;
          if (entry.isDirectory()) walk(path);
          else if (entry.isFile()) found.set(path.slice(root.length), real.readFileSync(path));
        }
      };
      walk(root);
      return found;
    },
    destroy: () => real.rmSync(root, { recursive: true, force: true }),
  };
}

/**
 * Closes a connection as `kill -9` does. SQLite’s own close would merge the log into the database and remove it, which a killed process
 * can’t do.
 */
function leaveAsKilled(database: DatabaseSync): void {
  if (!database.isOpen) return;
  const path = database.location();
  const files =
    path === null ? [] : [path, `${path}-wal`].map((one) => [one, real.existsSync(one) ? real.readFileSync(one) : undefined] as const);
  closeDatabase.call(database);
  const log = files[1];
  if (log?.[1] === undefined || real.existsSync(log[0])) return;
  for (const [one, content] of files) if (content !== undefined) real.writeFileSync(one, content);
}
