import { join } from 'node:path';
import type { Files } from '../../deps.ts';
import { parsedJson } from '../../values/json.ts';

/**
 * Opens the list of keychain hosts that one configuration directory has signed in to, without secrets. The keychain belongs to the user of
 * the machine, so its index lists the hosts of every configuration. A configuration must neither choose nor sign out of a host of another
 * configuration. A host can stay in the list after a logout, because the list only filters the index.
 *
 * @param named Returns the hosts that the configuration names.
 */
export function createProfileHosts(files: Files, directory: string, named: () => Promise<readonly string[]>) {
  const path = join(directory, 'keychain-hosts.json');

  async function read(): Promise<readonly string[]> {
    const value = parsedJson((await files.readText(path)) ?? '');
    // The next sign-in replaces a damaged list. Until then, svc finds only the hosts that the user names.
    return Array.isArray(value) ? value.filter((host): host is string => typeof host === 'string') : [];
  }

  return {
    hosts: async () => [...(await read()), ...(await named())],
    async add(host: string) {
      const known = await read();
      if (!known.includes(host)) await files.writeAtomic(path, `${JSON.stringify([...known, host].sort())}\n`);
    },
  };
}
