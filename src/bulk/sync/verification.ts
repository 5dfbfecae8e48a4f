import { z } from 'zod';
import type { LocalDatabase } from '../../database/local-database.ts';
import { parsedJson } from '../../values/json.ts';

export type Verification = Awaited<ReturnType<typeof openVerification>>;

const stored = z.object({ at: z.number(), since: z.record(z.string(), z.string()) });

/** The time in milliseconds after which svc no longer resumes an interrupted `--verify`. */
const DAY = 86_400_000;

/** Opens the progress of `--verify`, from which the next run resumes after an interruption. @param now returns milliseconds since 1970. */
export async function openVerification(database: LocalDatabase, now: () => number) {
  const known = stored.safeParse(parsedJson((await database.stored(NAME)) ?? '')).data;
  const since = new Map(known !== undefined && Math.abs(now() - known.at) < DAY ? Object.entries(known.since) : []);
  const keep = () => database.keep(NAME, since.size === 0 ? undefined : JSON.stringify({ at: now(), since: Object.fromEntries(since) }));
  return {
    /**
     * Returns the time since which an interrupted `--verify` has compared pages of a table, by the service’s clock. Undefined if no
     * comparison of the table has started.
     */
    since: (noun: string) => since.get(noun),
    /** Stores the start of a table’s comparison. Call this method before svc writes the pages. */
    async note(noun: string, at: string) {
      since.set(noun, at);
      await keep();
    },
    /** Removes the stored progress of tables that svc has compared completely. */
    async end(nouns: Iterable<string>) {
      for (const noun of nouns) since.delete(noun);
      await keep();
    },
  };
}

const NAME = 'verify';
