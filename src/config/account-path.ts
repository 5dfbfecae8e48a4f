import { createHash } from 'node:crypto';
import { pathIn } from '../values/paths.ts';

/**
 * Returns the path of an account’s own file: `<state>/journal/acme.example.com-4f0c….sqlite`. Two accounts never share a file.
 *
 * @param state The state directory (paths.ts).
 * @param folder The kind of the file, which is also the name of its directory.
 * @param origin The organisation: `https://acme.example.com`.
 * @param account The user’s id, or a token if the id is unknown. The path contains only a digest.
 */
export function accountPath(state: string, folder: 'journal' | 'mirror', origin: string, account: string): string {
  const exact = createHash('sha256').update(`${origin}\0${account}`).digest('hex').slice(0, 32);
  return pathIn(state, folder, `${hostFileName(new URL(origin).host)}-${exact}.sqlite`);
}

/** Returns a host as a part of a file name: `127.0.0.1_4010` for `127.0.0.1:4010`. Two hosts can have the same file name. */
export function hostFileName(host: string): string {
  return host.replace(/[^a-z0-9.-]/g, '_');
}
