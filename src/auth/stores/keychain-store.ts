import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Files, type Keychain, KeychainUnavailable } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import { signInWords } from '../../values/sign-in-names.ts';
import type { LockOptions } from '../lock.ts';
import { KEYCHAIN_SERVICE, readChunks, removeSecret, writeSecret } from './keychain-chunks.ts';
import { createKeychainIndex } from './keychain-index.ts';
import { type PatientKeychain, patientKeychain, unusable } from './patient-keychain.ts';
import { platformKeychain } from './platform-keychain.ts';
import { recordToText, textToRecord } from './record-text.ts';
import { fileNameOf, type TokenStore, WithheldError } from './token-store.ts';

export interface KeychainStoreOptions {
  readonly open: () => Promise<Keychain>;
  readonly platform: NodeJS.Platform;
  readonly files: Files;
  /** The value of `Paths.keychain`: the directory of the index and the locks, without secrets. */
  readonly directory: string;
  readonly lock: Omit<LockOptions, 'subject'>;
  readonly waitMs?: (() => Promise<number | undefined>) | undefined;
  readonly attended?: (() => boolean) | undefined;
  readonly notify: (line: string) => void;
}

export function createKeychainStore(options: KeychainStoreOptions): TokenStore {
  const { files, directory, notify } = options;
  const { name } = platformKeychain(options.platform);
  const index = createKeychainIndex(files, directory, options.lock);

  let opening: Promise<PatientKeychain> | undefined;
  function opened(): Promise<PatientKeychain> {
    opening ??= open();
    return opening;
  }

  async function open(): Promise<PatientKeychain> {
    const { clock, signal } = options.lock;
    try {
      const [keychain, waitMs] = await Promise.all([options.open(), options.waitMs?.()]);
      return patientKeychain(keychain, { clock, signal, waitMs, attended: options.attended, notify });
    } catch (error) {
      if (error instanceof KeychainUnavailable) throw unusable(name, error);
      throw error;
    }
  }

  return {
    kind: 'keychain',
    where: name,

    async read(host) {
      const listed = index.hosts();
      // svc opens the keychain and reads the index at the same time. A failure to open the keychain matters only if the index lists the
      // host.
      const opening = opened();
      opening.catch(() => undefined);
      if (!(await listed).includes(host)) return undefined;
      const text = await readChunks(await opening, host);
      if (text === undefined) throw locked(name, host);
      return textToRecord(text, host, name);
    },

    /** Writes the secret, then the index. In the other order, a crash between the two steps would make the host look locked for ever. */
    async write(record) {
      await writeSecret((await opened()).unhurried, record.host, recordToText(record));
      await index.add(record.host);
    },

    /** Deletes the secret, then the index entry. After a crash between the two steps, the index still lists every remaining secret. */
    async remove(host) {
      const removed = await removeSecret((await opened()).writing, host);
      const listed = (await index.hosts()).includes(host);
      // A locked keychain also reports that there was nothing to delete. svc therefore tests a write to the keychain.
      if (!removed && listed) await tryOut((await opened()).writing);
      await index.remove(host);
      return removed || listed;
    },

    hosts: () => index.hosts(),

    async probe() {
      await tryOut((await opened()).writing);
      await tryOutDirectory(files, directory);
    },

    lockPath: (host) => join(directory, `${fileNameOf(host)}.lock`),
  };
}

/**
 * Tests every call of the keychain with a temporary entry.
 *
 * @throws SvcError if a call fails, or if the keychain returns another value than the test entry.
 */
export async function tryOut(keychain: Keychain): Promise<void> {
  const account = `probe ${randomUUID()}`;
  let read: string | undefined;
  try {
    await keychain.set(KEYCHAIN_SERVICE, account, 'made');
    // svc overwrites the entry as a renewal would. Some keychains ask the user at each overwrite, and refuse without an answer.
    await keychain.set(KEYCHAIN_SERVICE, account, account);
    read = await keychain.get(KEYCHAIN_SERVICE, account);
  } finally {
    await keychain.delete(KEYCHAIN_SERVICE, account).catch(() => false);
  }
  if (read !== account) throw unusable(keychain.name, 'the keychain did not return a test entry, and is possibly locked');
}

async function tryOutDirectory(files: Files, directory: string): Promise<void> {
  const path = join(directory, `.probe-${randomUUID()}`);
  try {
    await files.writeAtomic(path, '');
    await files.remove(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SvcError(`svc cannot write to ${directory}: ${reason}.`, {
      hint: 'Make the directory writable. svc keeps locks and the names of hosts in this directory, but no secrets.',
      cause,
    });
  }
}

function locked(name: string, host: string): WithheldError {
  return new WithheldError(`The ${name} returned no entry for ${host}: the keychain is locked, or somebody removed the entry.`, {
    hint: `Unlock the keychain and try again, or sign in again: svc login ${signInWords(host)}`,
  });
}
