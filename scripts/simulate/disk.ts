import fs from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Random } from '../../src/sandbox/seed/plant.ts';

/** Where the simulated person lives. Whatever is below it lies on the world's own disk. */
export const HOME = '/home/ada';

/** Node's own functions, whatever becomes of the module. */
const real = { ...fs };
const { close: closeDatabase } = process.getBuiltinModule('node:sqlite').DatabaseSync.prototype;

/** What a process has open. */
export interface Open {
  readonly databases: Set<DatabaseSync>;
  readonly openFiles: Set<number>;
}

/** The disk of one machine: real files in memory, of which a power cut takes what was not flushed. */
export interface Disk {
  /** The real place of a path; every other path stays as it is. */
  real(path: string): string;
  /** A real path as the machine knows it, wherever it stands in a text. */
  shown(text: string): string;
  /** Nothing can be written. */
  isFull: boolean;
  /** A file changed: what it has beyond what is flushed is lost in a power cut. */
  wrote(path: string): void;
  flushed(path: string): void;
  renaming(from: string, to: string): void;
  removing(path: string): void;
  directoryFlushed(path: string): void;
  /** A change of a directory would not outlive a power cut. */
  readonly isLoose: boolean;
  /** Closes all that a process has open, uncommitted. */
  releaseAll(open: Open): void;
  /** Takes what was not flushed, or a part of it. Nobody may have anything open. */
  cutPower(random: Random): void;
  /** A file that the person made. */
  put(path: string, content: string): void;
  /** Every file, with what is in it. */
  files(): Map<string, Buffer>;
  destroy(): void;
}

/** A change of a directory that no flush has made last. */
interface Loose {
  readonly directory: string;
  undo(): void;
}

/** @param root An empty directory, in memory where there is such a place. */
export function createDisk(root: string): Disk {
  /** How many bytes of a file are flushed, for those that have more. */
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
      // Its directory may have been removed after it.
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
          // It was closed.
        }
      }
      openFiles.clear();
    },
    cutPower(random) {
      const kept = random.integer(0, loose.length);
      for (const { undo } of loose.splice(kept).reverse()) undo();
      loose = [];
      for (const [path, flushed] of flushedSizes) {
        const size = sizeOf(path);
        if (size > flushed) real.truncateSync(path, random.integer(flushed, size));
        // Of a log of SQLite, its index is in memory only.
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
 * Closes a connection as kill -9 does. SQLite's own close, where it is the last, folds the log into the file and removes it; the dead do
 * nothing of the kind.
 */
function leaveAsKilled(database: DatabaseSync): void {
  if (!database.isOpen) return;
  const path = database.location();
  const kept =
    path === null ? [] : [path, `${path}-wal`].map((one) => [one, real.existsSync(one) ? real.readFileSync(one) : undefined] as const);
  closeDatabase.call(database);
  const log = kept[1];
  if (log?.[1] === undefined || real.existsSync(log[0])) return;
  for (const [one, content] of kept) if (content !== undefined) real.writeFileSync(one, content);
}
