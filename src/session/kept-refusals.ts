import { isJsonObject, parseJson, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { keptDirectory } from './kept-records.ts';

/** So long something that was refused is not asked for again. */
const REMEMBERED_MS = 24 * 60 * 60_000;

/** What the service refused one account lately, by a name of the caller's: svc need not ask for it again to be refused. */
export interface KeptRefusals {
  has(what: string): boolean;
  /** From now on, for a day. What cannot be kept is found out again. */
  add(what: readonly string[]): Promise<void>;
}

/** The refusals of the host that the command line means, in the directory that a change of the sign-in empties. */
export async function openKeptRefusals(
  context: Needs<'clock' | 'env' | 'files' | 'host' | 'paths'> & Partial<Needs<'isOffline'>>,
): Promise<KeptRefusals> {
  const { files, clock } = context;
  const path = `${await keptDirectory(context)}/refused.json`;
  const now = clock.now();
  // A clock that was set back must not keep a refusal alive.
  const kept = new Map(
    [...read(await files.readText(path).catch(() => undefined))].filter(([, at]) => now - at >= 0 && now - at < REMEMBERED_MS),
  );
  return {
    has: (what) => kept.has(what),
    async add(names) {
      for (const name of names) kept.set(name, clock.now());
      // What a copy cannot tell, the service may.
      if (await context.isOffline?.()) return;
      await files.writeAtomic(path, stringifyJson(Object.fromEntries(kept))).catch(() => undefined);
    },
  };
}

function read(text: string | undefined): Map<string, number> {
  try {
    const value = text === undefined ? undefined : parseJson(text);
    return new Map(
      isJsonObject(value) ? Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number') : [],
    );
  } catch {
    return new Map();
  }
}
