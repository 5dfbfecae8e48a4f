import { ForbiddenError, UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';
import { didYouMean } from '../../values/suggest.ts';
import { isNamed, topOf } from '../export/collections.ts';
import { findStart, readSince } from './find-start.ts';
import { readLog } from './read-log.ts';

export type ReadingRecorded = 'accountDatabase' | 'catalog' | 'clock' | 'dates' | 'notice';

interface RecordedOptions {
  /** Names of the resources whose changes svc prints, with their child records. An empty list means all tables. */
  readonly nouns: readonly string[];
  readonly since: string;
  /** Stores the id of the last change: first the start, then the end of each batch. */
  readonly keepPosition: ((change: string) => Promise<void>) | undefined;
}

/**
 * Yields the changes that earlier syncs recorded in the team database or the local database, in batches. Sends no request.
 *
 * @param size The most changes in a batch.
 * @throws UsageError for an unknown resource, and for a `since` that is `last`, unreadable or not in the log.
 * @throws DatabaseError for a time before the log. ForbiddenError for a named resource whose changes the role must not read.
 */
export async function* recordedChanges(
  context: Needs<ReadingRecorded>,
  { nouns, since: typed, keepPosition }: RecordedOptions,
  size: number,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const since = await readSince(context, typed);
  if (since.kind === 'last')
    throw new UsageError('svc only reads the database, so the database stores no position.', {
      hint: 'Name the start: --since <id, position or time>, or --since 0 for all changes. With --split, svc stores the position in the directory.',
    });
  const database = await context.accountDatabase();
  const tops = [...new Set(database.nouns.map(topOf))];
  const wanted = new Set<string>();
  for (const name of nouns) for (const noun of await listsOf(context, tops, database.nouns, name)) wanted.add(noun);
  const isAbout = (noun: string) => nouns.length === 0 || wanted.has(topOf(noun));
  const log = await database.openChangeLog(isAbout);
  const hidden = log.hidden.filter(isAbout);
  const named = hidden.find((noun) => wanted.has(noun));
  if (named !== undefined)
    throw new ForbiddenError(`Your role must not read the changes of ${named}.`, {
      hint: `A role reads changes if it can read the whole table. The role that syncs can allow this: svc sync --to <address> --grant <role>:${named}`,
    });
  if (hidden.length > 0) await context.notice(`svc leaves out the changes that your role must not read: ${hidden.join(', ')}`);
  const after = await findStart(context, log, since);
  const { mirror: name } = await log.log();
  const keep = async (position: number) => keepPosition?.(`${name}-${position}`);
  await keep(after);
  yield* readLog(log, { name, after, size, isAbout }, keep);
}

/** Returns the resources that a name stands for: the resource, and the resources that list its child records. */
async function listsOf(
  { catalog }: Needs<'catalog'>,
  tops: readonly string[],
  stored: readonly string[],
  name: string,
): Promise<readonly string[]> {
  const noun = tops.find((top) => isNamed(top, name));
  if (noun === undefined)
    throw new UsageError(`The database has no table for ${name}.`, { hint: didYouMean(name, tops, 'List the tables: svc sql --schema') });
  const children = (await catalog.find(noun))?.nested ?? [];
  const elsewhere = children.filter((child) => !stored.includes(`${noun}.${child.noun}`));
  return [noun, ...elsewhere.flatMap((child) => [child.itemsOf ?? child.noun].filter((each) => tops.includes(each)))];
}
