import { join } from 'node:path';
import type { Files } from '../../deps.ts';
import { parsedJson } from '../../values/json.ts';

/**
 * The hosts of the keychain that one configuration directory has signed in to: a list in `directory`, without any secret. The keychain belongs to the whole account, so its index names the hosts of every
 * configuration. A configuration that never knew a host must not choose it, nor sign out of it with the rest. A host may stay in the list
 * after a logout: the list only filters the index.
 *
 * @param named Hosts that the configuration names anyway.
 */
export function createProfileHosts(files: Files, directory: string, named: () => Promise<readonly string[]>) {
  const path = join(directory, 'keychain-hosts.json');

  async function read(): Promise<readonly string[]> {
    const value = parsedJson((await files.readText(path)) ?? '');
    // The next sign-in replaces a damaged list; until then each host works for a person who names it.
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
