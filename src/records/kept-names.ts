import type { Needs } from '../session/context.ts';
import { openKeptFiles } from '../session/kept-records.ts';
import { askRecords } from './ask-records.ts';

/** The parts of a context that finding names needs. */
export type Naming = 'accounts' | 'catalog' | 'client' | 'clock' | 'env' | 'files' | 'globals' | 'host' | 'paths';

/** Names by id, by resource. */
export type KnownNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Configuration with a handful of records in an organisation: svc reads its names if they are not kept. */
const FEW: ReadonlySet<string> = new Set([
  'workflow-statuses',
  'workflows',
  'contact-roles',
  'customer-categories',
  'subscription-types',
  'work-types',
]);

/** The resources, of these, that svc would read names of: they have few records, and their names are not kept. */
export async function nounsToAsk(context: Needs<Naming>, nouns: readonly string[]): Promise<readonly string[]> {
  const files = await openKeptFiles(context);
  const few = [...new Set(nouns)].filter((noun) => FEW.has(noun));
  const kept = await Promise.all(few.map((noun) => files.read(noun).catch(() => undefined)));
  return few.filter((_, index) => kept[index] === undefined);
}

/**
 * The names that are kept of these resources, for a day. svc reads the names of small resources if they are not kept. A name that
 * cannot be read is left out: no table fails for want of a name.
 */
export async function keptNames(context: Needs<Naming>, nouns: readonly string[]): Promise<KnownNames> {
  const files = await openKeptFiles(context);
  const wanted = [...new Set(nouns)];
  // A dry run reads nothing; it shows the list itself.
  const asked = new Set(context.globals.dryRun ? [] : wanted.filter((noun) => FEW.has(noun)));
  const read = async (noun: string) => {
    const kept = await files.read(noun);
    if (kept !== undefined || !asked.has(noun)) return kept;
    await askRecords(context, noun, true);
    return files.read(noun);
  };
  const known = wanted.map(async (noun) => {
    const kept = await read(noun).catch(() => undefined);
    return [noun, new Map(kept?.records.map(({ value, about }) => [value, about]))] as const;
  });
  return new Map(await Promise.all(known));
}
