import { closeSync, constants, createReadStream, openSync, read, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileFacts, Files } from '../deps.ts';
import { noPlainFile } from '../errors.ts';
import { findWeakness } from '../launch/guarded.ts';

export function nodeFiles(platform: NodeJS.Platform = process.platform): Files {
  return {
    atOnce: {
      readText: (path) => now(() => readFileSync(path, 'utf8'), undefined),
      list: async (directory) => (await now(() => readdirSync(directory), [])).sort(),
      stat: (path) => now(() => factsOf(statSync(path)), undefined),
    },

    readText: (path) => orAbsent(readFile(path, 'utf8'), undefined),

    async writeAtomic(path, text, mode = 0o600) {
      const found = await entryAt(path);
      // The rename replaces a link and not its target. svc refuses a device or a pipe, because the rename would remove the device or the
      // pipe.
      if (found?.isSymbolicLink() === false && !found.isFile()) throw noPlainFile(path);
      await replace(path, text, mode, platform);
    },

    async writeThroughLink(path, text) {
      const link = await entryAt(path);
      const isOwn = link === undefined || !link.isSymbolicLink() || [0, process.getuid?.()].includes(link.uid);
      if (!isOwn) throw noPlainFile(path);
      const target = await orAbsent(realpath(path), path);
      const found = await entryAt(target);
      if (found?.isFile() === false) throw noPlainFile(target);
      await replace(target, text, found === undefined ? 0o600 : found.mode & 0o777, platform);
    },

    async append(path, text) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await changeDurably(openPlain(path, APPEND_NO_LINK), (file) => file.writeFile(text));
    },

    async truncate(path, size) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Appending creates a missing file, and keeps the content of an existing file.
      await changeDurably(openPlain(path, APPEND_NO_LINK), (file) => file.truncate(size));
    },

    rename: (from, to) => renameOver(from, to, platform),

    read: (path, from = 0) => createReadStream(path, { start: from }),

    async *readPlain(path) {
      await assertPlain(path);
      // svc uses no FileHandle here, because an abandoned FileHandle ends the process without a message.
      const file = openSync(path, READ_NO_LINK);
      try {
        // A stream takes a new buffer for each piece. For a long file, the buffers would reach 60 MB before V8 collects them.
        const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
        for (;;) {
          const count = await readInto(file, buffer);
          if (count === 0) return;
          yield buffer.subarray(0, count);
        }
      } finally {
        closeSync(file);
      }
    },

    async writePieces(path, pieces, from) {
      if (from === 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await (from === 0 ? open(path, 'wx', 0o600) : openPlain(path, WRITE_NO_LINK));
      try {
        await writeFrom(file, pieces, from);
      } finally {
        // svc also flushes the pieces after a failure, because a later run may continue after these pieces.
        await file.sync().catch(() => undefined);
        await file.close();
      }
    },

    async reserve(path) {
      try {
        await (await open(path, 'wx', 0o600)).close();
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    },

    remove: (path, durability = 'soon') =>
      orAbsent(
        unlink(path).then(async () => {
          if (durability === 'now') await flushDirectory(dirname(path));
          return true;
        }),
        false,
      ),

    list: async (directory) => (await orAbsent(readdir(directory), [])).sort(),

    stat: (path) => orAbsent(stat(path).then(factsOf), undefined),

    async close(path) {
      const { mode } = await stat(path);
      await chmod(path, mode & 0o700);
    },

    // The check is synchronous, because it takes only a few microseconds.
    weakness: async (path) => findWeakness(dirname(path)) ?? findWeakness(path),
  };
}

/** Reads the next bytes of an open file into a buffer. Returns the number of bytes, which is 0 at the end. */
function readInto(file: number, buffer: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, buffer, 0, buffer.length, null, (error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

const PIECE_BYTES = 65_536;

function now<T, A>(read: () => T, absent: A): Promise<T | A> {
  return orAbsent((async () => read())(), absent);
}

function factsOf(found: Stats): FileFacts {
  const { mode, uid, size, mtimeMs: changedAt } = found;
  return { mode: mode & 0o777, uid, size, changedAt, isFile: found.isFile(), isDirectory: found.isDirectory() };
}

/** The flags for appending. Unlike the flag `a`, these flags refuse a link in the file’s place (ELOOP). Windows has no such flag. */
const APPEND_NO_LINK = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

const WRITE_NO_LINK = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** The flags for reading. The flags refuse a link, and do not wait for a pipe at the file’s path. Windows has neither flag. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Writes each piece at its own position. Another writer of the same file writes the same bytes at the same positions. */
async function writeFrom(file: FileHandle, pieces: AsyncIterable<Uint8Array>, from: number): Promise<void> {
  let at = from;
  for await (const piece of pieces) {
    for (let done = 0; done < piece.byteLength; ) {
      const { bytesWritten } = await file.write(piece, done, piece.byteLength - done, at);
      done += bytesWritten;
      at += bytesWritten;
    }
  }
}

async function entryAt(path: string): Promise<Stats | undefined> {
  return orAbsent(lstat(path), undefined);
}

/**
 * Checks that a path is a regular file or missing, before svc opens the path. Opening a pipe would block, and Windows has no flag that
 * refuses a link.
 */
async function assertPlain(path: string): Promise<void> {
  if ((await entryAt(path))?.isFile() === false) throw noPlainFile(path);
}

async function openPlain(path: string, flags: number): Promise<FileHandle> {
  await assertPlain(path);
  return open(path, flags, 0o600);
}

async function replace(path: string, text: string, mode: number, platform: NodeJS.Platform): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporary = join(directory, `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    // The flag `wx` (O_EXCL) never follows a link at the path.
    await changeDurably(open(temporary, 'wx', mode), (file) => file.writeFile(text));
    await renameOver(temporary, path, platform);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await flushDirectory(directory);
}

/** Changes a file, flushes the change to the disk, and closes the file. */
async function changeDurably(opened: Promise<FileHandle>, change: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await opened;
  try {
    await change(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

const RENAME_PAUSES = [10, 20, 40, 80, 160, 320, 400];

/** Renames a file over another file. Tries again on Windows while a reader, such as a virus scanner, has the file open. */
async function renameOver(from: string, to: string, platform: NodeJS.Platform): Promise<void> {
  for (const wait of platform === 'win32' ? RENAME_PAUSES : []) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '')) throw error;
      await pause(wait);
    }
  }
  await rename(from, to);
}

/** Flushes a directory, so that a rename survives a power cut. Ignores an error, because Windows and some network disks can’t flush. */
async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function orAbsent<T, A>(found: Promise<T>, absent: A): Promise<T | A> {
  try {
    return await found;
  } catch (error) {
    // Nothing can exist inside a path that is a file and not a directory (HOME=/dev/null).
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return absent;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
