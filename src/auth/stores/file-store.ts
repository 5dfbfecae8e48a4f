import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { assertGuarded } from '../../config/guarded.ts';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import type { HostRecord } from '../record.ts';
import { recordToText, textToRecord } from './record-text.ts';
import { fileNameOf, hostOfFileName } from './token-store.ts';

const SUFFIX = '.json';
/**
 * Spaces of the size of a large record. Writing the spaces detects a full disk before svc spends a single-use token. JSON allows spaces
 * around a value.
 */
const PROBE_TEXT = ' '.repeat(16 * 1024);

/** Stores each host’s record in a file of mode 0600, for machines without a keychain. `directory` has mode 0700. */
export function createFileStore(files: Files, directory: string, platform: NodeJS.Platform) {
  const pathOf = (host: string) => join(directory, fileNameOf(host) + SUFFIX);
  const spaceFileOf = (host: string) => join(directory, `.${fileNameOf(host)}${SUFFIX}.room`);
  /** Removes files with a secret that a killed process left. No other process is writing such a file, because svc has the host’s lock. */
  async function sweep(host: string): Promise<void> {
    const prefix = `.${fileNameOf(host)}${SUFFIX}.`;
    for (const name of await files.list(directory)) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) await files.remove(join(directory, name), 'now');
    }
  }

  return {
    kind: 'file' as const,
    where: directory,

    async read(host: string): Promise<HostRecord | undefined> {
      const path = pathOf(host);
      const text = await orExplain(files.readText(path), `read ${path}`);
      if (text === undefined) return undefined;
      // The file decides which user svc signs in as, so svc refuses a file that another user can write.
      await assertGuarded(files, dirname(directory), 'the tokens');
      return textToRecord(text, host, path);
    },

    async write(record: HostRecord): Promise<void> {
      const path = pathOf(record.host);
      await orExplain(sweep(record.host), `write to ${directory}`);
      await orExplain(files.writeAtomic(path, `${recordToText(record)}\n`, 0o600), `write ${path}`);
    },

    async remove(host: string): Promise<boolean> {
      // After a power cut, a record that svc reported as deleted must not reappear.
      const removed = await orExplain(files.remove(pathOf(host), 'now'), `remove ${pathOf(host)}`);
      await orExplain(sweep(host), `write to ${directory}`);
      await orExplain(files.remove(spaceFileOf(host), 'now'), `write to ${directory}`);
      return removed;
    },

    async hosts(): Promise<readonly string[]> {
      const names = await orExplain(files.list(directory), `read ${directory}`);
      return names
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => hostOfFileName(name.slice(0, -SUFFIX.length)))
        .filter((host) => host !== undefined)
        .sort();
    },

    async probe() {
      const path = join(directory, `.probe-${randomUUID()}`);
      await orExplain(files.writeAtomic(path, PROBE_TEXT, 0o600), `write to ${directory}`);
      await orExplain(files.remove(path), `write to ${directory}`);
    },

    lockPath: (host: string) => join(directory, `${fileNameOf(host)}.lock`),

    /** Returns the host’s paths that other users can access. Always empty on Windows, which has no permission bits. */
    async exposed(host: string): Promise<readonly string[]> {
      if (platform === 'win32') return [];
      const exposed: string[] = [];
      for (const path of [directory, pathOf(host)]) {
        const found = await orExplain(files.stat(path), `read ${path}`);
        if (found !== undefined && (found.mode & 0o077) !== 0) exposed.push(path);
      }
      return exposed;
    },

    closeDirectory: () => orExplain(files.close(directory), `make ${directory} private`),

    /** Reserves space for the host’s next sign-in record, in case the disk becomes full. Call this method under the host’s lock. */
    async reserveSpace(host: string): Promise<void> {
      const room = spaceFileOf(host);
      await orExplain(files.remove(room), `write to ${directory}`);
      await orExplain(files.writePieces(room, pieceOf(PROBE_TEXT), 0), `write to ${directory}`);
    },

    async writeIntoRoom(record: HostRecord): Promise<void> {
      const [room, path] = [spaceFileOf(record.host), pathOf(record.host)];
      // svc overwrites the reserved spaces except the first, so that the record and its rename need no more disk space.
      await orExplain(files.writePieces(room, pieceOf(recordToText(record)), 1), `write ${room}`);
      await orExplain(files.rename(room, path), `write ${path}`);
    },

    async releaseSpace(host: string): Promise<void> {
      await orExplain(files.remove(spaceFileOf(host)), `write to ${directory}`);
    },
  };
}

async function* pieceOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function orExplain<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SvcError(`svc cannot ${what}: ${reason}.`, {
      hint: 'Check the permissions of the directory and the space on the disk.',
      cause,
    });
  }
}
