import { isAboutInclude, isRefusal } from '../client/assumed.ts';
import { type Query, requestCost } from '../client/cost.ts';
import { NotFoundError, undefinedFor } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type Entry, idIn, member, textIn } from '../time/entry.ts';
import { type Beyond, type Dimension, type NamedRecord, NOTHING_BEYOND } from '../time/places.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { compareTexts } from '../values/text.ts';
import { together } from '../values/together.ts';
import { collectRows, DETAIL, includeQuery } from './all-rows.ts';
import { type EntriesQuery, readEntries } from './entries.ts';
import { inLists, MOST_VALUES } from './list-filter.ts';
import { readCustomersOfProjects, unlessWithheld } from './projects.ts';
import { recordAt } from './record-at.ts';

/**
 * Reads the sprints and labels of work items. A request has 100 ids, or 25 ids with labels, because an item can have many labels (rule
 * 8.4). If the service refuses the filter by id (rule 18.27), svc reads up to 100 items singly, or all items. Sprints and labels that the
 * user can’t see stay unknown.
 */
async function readItemPlaces(
  context: Needs<'client' | 'notice'>,
  ids: readonly number[],
  { sprints, labels }: { readonly sprints: boolean; readonly labels: boolean },
): Promise<Pick<Beyond, 'sprintOf' | 'labelsOf'>> {
  const records = new Map<number, JsonObject>();
  const include = [...(sprints ? ['sprint'] : []), ...(labels ? ['labels'] : [])];
  const what = [...(sprints ? ['sprints'] : []), ...(labels ? ['labels'] : [])].join(' and ');
  const items = await unlessWithheld(context, readItems(context, ids, { byId: true, include, sprints }), `svc continues without ${what}`);
  for (const record of items ?? []) if (typeof record['id'] === 'number') records.set(record['id'], record);
  return {
    sprintOf: (id) => sprintIn(records.get(id)),
    labelsOf: (id) => labelsIn(records.get(id)?.['labels']),
  };
}

interface Shape {
  readonly byId: boolean;
  readonly include: readonly string[];
  readonly sprints: boolean;
}

async function readItems(context: Needs<'client' | 'notice'>, ids: readonly number[], shape: Shape): Promise<readonly JsonObject[]> {
  const { byId, include, sprints } = shape;
  // Without the relations, labels are unknown, and only the ids of sprints are known.
  if (ids.length === 0 || (include.length === 0 && !sprints)) return [];
  // A summary may lack the sprint’s id (rule 18.23).
  const rest: Query = [...(sprints ? DETAIL : []), ...includeQuery(include)];
  const perPage = include.includes('labels') ? MOST_WITH_MANY : MOST_VALUES;
  const costOf = (query: Query, collection: boolean) => requestCost({ method: 'GET', query, collection, toMany: new Set(['labels']) });
  const ask = (filter: Query) =>
    collectRows(context, '/work-items', [...filter, ...rest], {
      cost: () => costOf(rest, true),
      perPage,
      assumed: filter.map(([name]) => name),
    });
  const read = async (id: number) => {
    // A deleted record stays unknown, as if svc had never read the record.
    const item = await recordAt(context, `/work-items/${id}`, rest, { cost: costOf(rest, false) }).catch(undefinedFor(NotFoundError));
    return item === undefined ? [] : [item.record];
  };
  try {
    if (!byId) return ids.length > MOST_SINGLE ? await ask([]) : await inWaves(ids, read);
    const [first = [], ...others] = inLists(ids, perPage);
    // The first list shows whether the service accepts lists.
    return [...(await ask(withIds(first))), ...(await inWaves(others, (list) => ask(withIds(list))))];
  } catch (error) {
    if (isAboutInclude(error) && include.length > 0) {
      await context.notice(`The service does not show the ${include.join(', ')} of work items.`);
      return readItems(context, ids, { ...shape, include: [] });
    }
    if (!isRefusal(error) || !byId) throw error;
    return readItems(context, ids, { ...shape, byId: false });
  }
}

function withIds(ids: readonly number[]): Query {
  return [['filter[id][in]', ids.join(',')]];
}

const MOST_WITH_MANY = 25;
const MOST_SINGLE = 100;
const AT_ONCE = 8;

async function inWaves<T>(all: readonly T[], read: (one: T) => Promise<readonly JsonObject[]>): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const wave of inLists(all, AT_ONCE)) found.push(...(await Promise.all(wave.map(read))).flat());
  return found;
}

function sprintIn(item: JsonObject | undefined): NamedRecord | null | undefined {
  if (item === undefined) return undefined;
  const sprint = member(item, 'sprint');
  const id = idIn(item['sprint_id'], sprint);
  return typeof id === 'number' ? { id, name: textIn(sprint, 'name') } : id;
}

/** Returns the labels in order of name, so that items with the same labels are in one group. */
function labelsIn(value: JsonValue | undefined): readonly NamedRecord[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const labels = value.map((one: JsonValue) =>
    isJsonObject(one) && typeof one['id'] === 'number' ? { id: one['id'], name: textIn(one, 'name') } : undefined,
  );
  if (labels.includes(undefined)) return undefined;
  return labels
    .filter((label) => label !== undefined)
    .sort((one, other) => compareTexts(one.name ?? '', other.name ?? '') || one.id - other.id);
}

/**
 * Reads worklogs, and their customers, sprints and labels. svc reads customers at the same time, and work items afterwards. If no dimension
 * needs customers or work items, svc yields worklogs page by page.
 */
export async function readPlacedEntries(
  context: Needs<'account' | 'client' | 'notice' | 'noticeToday'>,
  entriesQuery: EntriesQuery,
  by: readonly Dimension[],
): Promise<{ readonly entries: AsyncIterable<Entry> | Iterable<Entry>; readonly beyond: Beyond }> {
  const wanted = { sprints: by.includes('sprint'), labels: by.includes('label') };
  const byItem = wanted.sprints || wanted.labels;
  if (!byItem && !by.includes('customer')) return { entries: readEntries(context, entriesQuery), beyond: NOTHING_BEYOND };
  const [entries, customerOf] = await together(
    Array.fromAsync(readEntries(context, entriesQuery)),
    by.includes('customer') ? readCustomersOfProjects(context) : NOTHING_BEYOND.customerOf,
  );
  const ids = new Set(entries.flatMap(({ workItemId }) => (typeof workItemId === 'number' ? [workItemId] : [])));
  const places = byItem ? await readItemPlaces(context, [...ids], wanted) : NOTHING_BEYOND;
  return { entries, beyond: { ...places, customerOf } };
}
