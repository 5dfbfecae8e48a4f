import { join } from 'node:path';
import type { Files } from '../../deps.ts';
import { SvcError } from '../../errors.ts';
import { isPlainObject, parsedJson } from '../../values/json.ts';
import { type LockOptions, withLock } from '../lock.ts';

/**
 * Opens the index: a file with the names of the hosts in the keychain, without secrets. A locked keychain answers like an empty keychain.
 * The index distinguishes the two cases. The index lists the hosts without opening the keychain. A lock next to the file serialises the
 * changes of several processes.
 */
export function createKeychainIndex(files: Files, directory: string, lock: Omit<LockOptions, 'subject'>) {
  const path = join(directory, 'hosts.json');

  async function read(): Promise<readonly string[]> {
    const text = await files.readText(path);
    return text === undefined ? [] : parseIndex(text, path);
  }

  /** Adds the host to the index, or removes the host. Takes no lock if the index needs no change. */
  async function change(host: string, listed: boolean): Promise<void> {
    if ((await read()).includes(host) === listed) return;
    await withLock(join(directory, 'hosts.lock'), { ...lock, subject: 'the list of hosts in the keychain' }, async () => {
      const others = (await read()).filter((other) => other !== host);
      const hosts = listed ? [...others, host].sort() : others;
      await files.writeAtomic(path, `${JSON.stringify({ version: 1, hosts })}\n`);
    });
  }

  return { hosts: read, add: (host: string) => change(host, true), remove: (host: string) => change(host, false) };
}

function parseIndex(text: string, path: string): readonly string[] {
  const index = parsedJson(text);
  const hosts = isPlainObject(index) ? index['hosts'] : undefined;
  if (Array.isArray(hosts) && hosts.every((host) => typeof host === 'string')) return hosts;
  throw new SvcError(`${path}, the list of hosts in the keychain, is damaged.`, {
    hint: 'Remove that file, and sign in again. The file has no secrets.',
  });
}
