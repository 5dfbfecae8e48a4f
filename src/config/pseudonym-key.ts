import type { Deps } from '../deps.ts';
import { SvcError } from '../errors.ts';
import { pathIn } from '../values/paths.ts';
import { hostFileName } from './account-path.ts';
import { assertGuarded } from './guarded.ts';

/**
 * Returns the secret from which svc makes the pseudonyms of an organisation: 64 hexadecimal digits. The first call creates the secret in
 * `<state>/sandboxes/<host>.key`. Without the file, later pseudonyms differ.
 *
 * @throws SvcError if the file has invalid content, or if other users could have changed the file.
 */
export async function pseudonymKey({ files, system }: Pick<Deps, 'files' | 'system'>, state: string, origin: string): Promise<string> {
  const path = pathIn(state, 'sandboxes', `${hostFileName(new URL(origin).host)}.key`);
  const kept = await files.readText(path);
  if (kept !== undefined) await assertGuarded(files, path, 'the secret of the pseudonyms');
  else await files.writeAtomic(path, Buffer.from(system.randomBytes(32)).toString('hex'));
  const key = kept ?? (await files.readText(path)) ?? '';
  if (!/^[0-9a-f]{64}$/.test(key))
    throw new SvcError(`svc cannot make pseudonyms: ${path} does not contain a key.`, {
      hint: 'Remove the file. The next pseudonyms then differ.',
    });
  return key;
}
