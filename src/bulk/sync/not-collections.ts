import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LocalDatabase } from '../../database/local-database.ts';
import { type JsonObject, parsedJson, stringifyJson } from '../../values/json.ts';

const stored = z.object({ discovery: z.string(), at: z.number(), paths: z.array(z.string()) });
const DAY = 86_400_000;

export type NotCollections = Awaited<ReturnType<typeof notCollectionsOf>>;

/**
 * Reads the stored paths of discovery that are not lists of records. svc trusts the stored paths for a day, unless discovery changes.
 *
 * @param now milliseconds since 1970.
 */
export async function notCollectionsOf(database: LocalDatabase, entries: readonly JsonObject[], now: number) {
  const discovery = createHash('sha256').update(stringifyJson(entries)).digest('hex');
  const known = stored.safeParse(parsedJson((await database.stored(NAME)) ?? '')).data;
  const isBelieved = known !== undefined && known.discovery === discovery && now >= known.at && now - known.at < DAY;
  const paths: ReadonlySet<string> = new Set(isBelieved ? known.paths : []);
  const at = isBelieved ? known.at : now;
  return {
    paths,
    async add(more: readonly string[]) {
      if (more.length > 0) await database.keep(NAME, JSON.stringify({ discovery, at, paths: [...paths, ...more] }));
    },
  };
}

const NAME = 'not collections';
