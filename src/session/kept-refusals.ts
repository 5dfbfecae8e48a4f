import type { RefusalMemory } from '../client/assumed.ts';
import { isJsonObject, parseJson, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';
import { keptDirectory } from './kept-records.ts';

/** How long svc does not ask again for something that was refused. */
const REMEMBERED_MS = 24 * 60 * 60_000;

/**
 * Opens the memory of refusals by the host that the command line means. It is in the directory that a change of the sign-in empties. After
 * a failure to write it, svc tries the parameter again the next time.
 */
export async function openKeptRefusals(context: Needs<'clock' | 'env' | 'files' | 'host' | 'paths'>): Promise<RefusalMemory> {
  const { files, clock } = context;
  const path = `${await keptDirectory(context)}/refused.json`;
  const now = clock.now();
  // A clock that was set back must not keep a refusal alive.
  const kept = new Map(
    [...read(await files.readText(path).catch(() => undefined))].filter(([, at]) => now - at >= 0 && now - at < REMEMBERED_MS),
  );
  let writing: Promise<unknown> = Promise.resolve();
  return {
    has: (what) => kept.has(what),
    async add(names) {
      if (names.length === 0) return;
      for (const name of names) kept.set(name, clock.now());
      // One after the other: of two writes at once, the one with fewer refusals might come last.
      const write = () => files.writeAtomic(path, stringifyJson(Object.fromEntries(kept))).catch(() => undefined);
      writing = writing.then(write);
      await writing;
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
