import type { Needs } from '../session/context.ts';
import { openKeptFiles } from '../session/kept-records.ts';
import { askRecords } from './ask-records.ts';

/** What finding names needs of a context. */
export type Naming = 'accounts' | 'catalog' | 'client' | 'clock' | 'env' | 'files' | 'globals' | 'host' | 'paths';

/** Names by id, by noun. */
export type KnownNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Configuration of which an organisation has a handful: its names are asked for where they are not kept. */
const FEW: ReadonlySet<string> = new Set([
  'workflow-statuses',
  'workflows',
  'contact-roles',
  'customer-categories',
  'subscription-types',
  'work-types',
]);

/** Those of these nouns of which the service would be asked for names: there are few of them, and none are kept. */
export async function nounsToAsk(context: Needs<Naming>, nouns: readonly string[]): Promise<readonly string[]> {
  const files = await openKeptFiles(context);
  const few = [...new Set(nouns)].filter((noun) => FEW.has(noun));
  const kept = await Promise.all(few.map((noun) => files.read(noun).catch(() => undefined)));
  return few.filter((_, index) => kept[index] === undefined);
}

/**
 * The names that are kept of these nouns, for a day. Those of which there are few are asked for where they are not kept; what cannot
 * be had is not there: no table fails for want of a name.
 */
export async function keptNames(context: Needs<Naming>, nouns: readonly string[]): Promise<KnownNames> {
  const files = await openKeptFiles(context);
  const wanted = [...new Set(nouns)];
  // A dry run asks nothing; what it shows is the list itself.
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
