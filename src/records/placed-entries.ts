import type { Needs } from '../session/context.ts';
import type { Entry } from '../time/entry.ts';
import { type Beyond, type Dimension, NOTHING_BEYOND } from '../time/places.ts';
import { together } from '../values/together.ts';
import { readCustomersOfProjects } from './customers.ts';
import { type EntryQuestion, readEntries } from './entries.ts';
import { readItemPlaces } from './item-places.ts';

/** Entries, and the records that they belong to by way of their projects and work items. */
export interface PlacedEntries {
  readonly entries: AsyncIterable<Entry> | Iterable<Entry>;
  readonly beyond: Beyond;
}

/**
 * The entries of some days, with the data that some dimensions need. svc reads customers beside the entries, and work items after
 * them. Without such dimensions, entries come page by page, and none is kept.
 */
export async function readPlacedEntries(
  context: Needs<'account' | 'client' | 'notice'>,
  question: EntryQuestion,
  by: readonly Dimension[],
): Promise<PlacedEntries> {
  const wanted = { sprints: by.includes('sprint'), labels: by.includes('label') };
  const byItem = wanted.sprints || wanted.labels;
  if (!byItem && !by.includes('customer')) return { entries: readEntries(context, question), beyond: NOTHING_BEYOND };
  const [entries, customerOf] = await together(
    Array.fromAsync(readEntries(context, question)),
    by.includes('customer') ? readCustomersOfProjects(context) : NOTHING_BEYOND.customerOf,
  );
  const ids = new Set(entries.flatMap(({ workItemId }) => (typeof workItemId === 'number' ? [workItemId] : [])));
  const places = byItem ? await readItemPlaces(context, [...ids], wanted) : NOTHING_BEYOND;
  return { entries, beyond: { ...places, customerOf } };
}
