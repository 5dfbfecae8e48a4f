import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { assertGuarded } from '../../config/guarded.ts';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import { recordToText, textToRecord } from './record-text.ts';
import { fileNameOf, hostOfFileName, type TokenStore } from './token-store.ts';

export interface FileStore extends TokenStore {
  readonly kind: 'file';
  /**
   * The host's file or its directory, when others on this machine may read or enter it (somebody copied or chmodded it). Writing the record
   * again closes a file. Always empty on Windows, where the permission bits say nothing.
   */
  exposed(host: string): Promise<readonly string[]>;
  /** Takes from others what they may do with the directory. */
  closeDirectory(): Promise<void>;
}

const SUFFIX = '.json';
/** As large as a record gets, so that a full disk shows before a single-use token is spent. */
const PROBE_TEXT = ' '.repeat(16 * 1024);

/** Records as files of mode 0600, one a host, in `directory` (made with mode 0700): for machines without a keychain. */
export function createFileStore(files: Files, directory: string, platform: NodeJS.Platform): FileStore {
  const pathOf = (host: string) => join(directory, fileNameOf(host) + SUFFIX);
  /**
   * Removes what a writer that was killed left beside the host's file: it holds a secret. Nobody else writes there
   * meanwhile, since the host's lock is held.
   */
  async function sweep(host: string): Promise<void> {
    const prefix = `.${fileNameOf(host)}${SUFFIX}.`;
    for (const name of await files.list(directory)) {
      if (name.startsWith(prefix) && name.endsWith('.tmp')) await files.remove(join(directory, name));
    }
  }

  return {
    kind: 'file',
    where: directory,

    async read(host) {
      const path = pathOf(host);
      const text = await orExplain(files.readText(path), `${path} cannot be read`);
      if (text === undefined) return undefined;
      // What is in it, and who it signs in as, is the person's own word only where nobody else may put it there.
      await assertGuarded(files, dirname(directory), 'the tokens');
      return textToRecord(text, host, path);
    },

    async write(record) {
      const path = pathOf(record.host);
      await orExplain(sweep(record.host), `${directory} cannot be written`);
      await orExplain(files.writeAtomic(path, `${recordToText(record)}\n`, 0o600), `${path} cannot be written`);
    },

    async remove(host) {
      const removed = await orExplain(files.remove(pathOf(host)), `${pathOf(host)} cannot be removed`);
      await orExplain(sweep(host), `${directory} cannot be written`);
      return removed;
    },

    async hosts() {
      const names = await orExplain(files.list(directory), `${directory} cannot be read`);
      return names
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => hostOfFileName(name.slice(0, -SUFFIX.length)))
        .filter((host) => host !== undefined)
        .sort();
    },

    async probe() {
      const path = join(directory, `.probe-${randomUUID()}`);
      await orExplain(files.writeAtomic(path, PROBE_TEXT, 0o600), `${directory} cannot be written`);
      await orExplain(files.remove(path), `${directory} cannot be written`);
    },

    lockPath: (host) => join(directory, `${fileNameOf(host)}.lock`),

    async exposed(host) {
      if (platform === 'win32') return [];
      const exposed: string[] = [];
      for (const path of [directory, pathOf(host)]) {
        const found = await orExplain(files.stat(path), `${path} cannot be read`);
        if (found !== undefined && (found.mode & 0o077) !== 0) exposed.push(path);
      }
      return exposed;
    },

    closeDirectory: () => orExplain(files.close(directory), `${directory} cannot be closed to others`),
  };
}

/** Gives a failure of the disk the words of svc; `what` is the first half of the sentence. */
async function orExplain<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SvcError(`${what}: ${reason}.`, { hint: 'Check the permissions of the directory and the space on the disk.', cause });
  }
}
