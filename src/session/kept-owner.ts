import { stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { keptDirectory } from './kept-records.ts';

/**
 * The owner of this machine's local database: the user's id, in a file. A change of the sign-in removes the file, together with the names
 * for completion. So svc finds a local database without the keychain, and never another person's.
 */
export interface KeptOwner {
  /** Undefined where nobody synced since the sign-in; an owner without an id is one that the service did not name. */
  read(): Promise<{ readonly user_id?: number } | undefined>;
  /** Writes only a changed owner. */
  write(owner: { readonly user_id?: number | undefined }): Promise<void>;
}

export async function openKeptOwner(context: Needs<'env' | 'files' | 'host' | 'paths'>): Promise<KeptOwner> {
  const { files } = context;
  const path = `${await keptDirectory(context)}/copy-of.json`;
  const text = () => files.readText(path).catch(() => undefined);
  return {
    async read() {
      try {
        const value = JSON.parse((await text()) ?? 'null') as { readonly user_id?: unknown } | null;
        if (value === null) return undefined;
        return typeof value.user_id === 'number' ? { user_id: value.user_id } : {};
      } catch {
        return undefined;
      }
    },
    async write({ user_id: id }) {
      const wanted = stringifyJson(id === undefined ? {} : { user_id: id });
      if ((await text()) !== wanted) await files.writeAtomic(path, wanted);
    },
  };
}
