import { z } from 'zod';
import type { LocalDatabase } from '../../database/local-database.ts';
import { parsedJson } from '../../values/json.ts';

/** The progress of `--verify`, from which the next run resumes after an interruption. */
export interface Verification {
  /**
   * Returns the time since which an interrupted `--verify` has compared pages of a table, by the service’s clock. Undefined if no
   * comparison of the table has started.
   */
  since(noun: string): string | undefined;
  /** Stores the start of a table’s comparison. Call this method before svc writes the pages. */
  note(noun: string, since: string): Promise<void>;
  /** Removes the stored progress of tables that svc has compared completely. */
  end(nouns: Iterable<string>): Promise<void>;
}

const stored = z.object({ at: z.number(), since: z.record(z.string(), z.string()) });

/** The time in milliseconds after which svc no longer resumes an interrupted `--verify`. */
const DAY = 86_400_000;

/** Opens the stored progress of `--verify`. @param now returns milliseconds since 1970. */
export async function openVerification(database: LocalDatabase, now: () => number): Promise<Verification> {
  const known = stored.safeParse(parsedJson((await database.stored(NAME)) ?? '')).data;
  const since = new Map(known !== undefined && Math.abs(now() - known.at) < DAY ? Object.entries(known.since) : []);
  const keep = () => database.keep(NAME, since.size === 0 ? undefined : JSON.stringify({ at: now(), since: Object.fromEntries(since) }));
  return {
    since: (noun) => since.get(noun),
    async note(noun, at) {
      since.set(noun, at);
      await keep();
    },
    async end(nouns) {
      for (const noun of nouns) since.delete(noun);
      await keep();
    },
  };
}

const NAME = 'verify';
