import { createHash } from 'node:crypto';
import { pathIn } from '../values/path-in.ts';

/**
 * The journal's file of one account: `<state>/journal/acme.example.com-4f0c….sqlite`. Two accounts never share one.
 *
 * @param state the state directory (config/paths.ts).
 * @param origin where the writes go: `https://acme.example.com`.
 * @param account who writes, in a word that stays the same: the user's id, or a token where nobody knows whose it is. It goes
 *   into a digest only.
 */
export function journalPath(state: string, origin: string, account: string): string {
  const readable = new URL(origin).host.replace(/[^a-z0-9.-]/g, '_');
  const exact = createHash('sha256').update(`${origin}\0${account}`).digest('hex').slice(0, 32);
  return pathIn(state, 'journal', `${readable}-${exact}.sqlite`);
}
