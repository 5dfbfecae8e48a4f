import type { ApiClient } from '../client/api-client.ts';
import { assumedIn, undefinedIfRefused } from '../client/assumed.ts';
import { pages } from '../client/pages.ts';
import type { Needs } from '../session/context.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import type { ChildCollection } from './export/collections.ts';

export interface RelatedChildren {
  readonly records: readonly JsonObject[];
  readonly headers: Readonly<Record<string, string>>;
  /** True if the parent’s own counter equals the number of `records`. Undefined if the parent has no counter. */
  readonly isCounted: boolean | undefined;
}

/**
 * Reads child records as a relation of their parents. `include=comments` returns the comments of 25 parents for four rate-limit units, or
 * six with `view=detail`.
 */
export type ChildrenByRelation = NonNullable<Awaited<ReturnType<typeof childrenByRelation>>>;

/** The most records on a page when `include` names a to-many relation (rule 8.4). */
const PER_PAGE_WITH_MANY = 25;

/** Rate-limit units of a page in the detail view with one to-many relation (rules 15.16 to 15.18). */
const PAGE_UNITS_WITH_MANY = 6;

export function isRelationCheaper(parents: number, listUnits: number): boolean {
  return listUnits > Math.ceil(parents / PER_PAGE_WITH_MANY) * PAGE_UNITS_WITH_MANY;
}

/**
 * Prepares to read children by a documented relation of their parents, in the order of the parents’ ids. Sends no request before the first
 * parent.
 *
 * @param isCounted True if parents have a counter of these children. Without a counter, the relation only shows which parents have no
 * children. The service can shorten a list of related records.
 * @returns undefined if the documentation has no such relation.
 */
export async function childrenByRelation(
  { catalog }: Needs<'catalog'>,
  client: ApiClient,
  collection: ChildCollection,
  { isCounted, signal }: { readonly isCounted: boolean; readonly signal: AbortSignal },
) {
  const { parent, segment } = collection;
  const relation = segment.replaceAll('-', '_');
  const known = (await catalog.find(parent))?.relations?.[relation];
  if (known?.many !== true || known.assumed) return undefined;
  const assumed = assumedIn([relation]);
  const query = [
    ['sort', 'id'],
    ['per_page', String(PER_PAGE_WITH_MANY)],
    ['view', isCounted ? 'detail' : 'summary'],
    ['include', relation],
  ] as const;
  const walk = pages(client, { method: 'GET', path: `/${parent}`, query, assumed, signal });
  const views = compareViews();
  let shown = new Map<number, RelatedChildren>();
  let last = Number.NEGATIVE_INFINITY;

  async function readOnTo(id: number): Promise<void> {
    while (last < id) {
      const page = await walk.next().catch(undefinedIfRefused(...assumed));
      if (page === undefined || page.done) {
        last = Number.POSITIVE_INFINITY;
        return;
      }
      const { rows, response } = page.value;
      shown = new Map();
      for (const row of rows) {
        const { id: of, [relation]: children } = row;
        if (typeof of !== 'number') continue;
        last = Math.max(last, of);
        const { [counterOf(collection)]: count } = row;
        if (Array.isArray(children) && children.every(isJsonObject))
          shown.set(of, {
            records: children,
            headers: response.headers,
            isCounted: typeof count === 'number' ? count === children.length : undefined,
          });
      }
    }
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    /**
     * Returns the related records of a parent, and reads the pages up to that parent. Undefined if the relation does not show the records
     * of the parent. With a counter, also undefined if the related records lack fields.
     */
    of(id: JsonValue): Promise<RelatedChildren | undefined> {
      if (typeof id !== 'number' || (isCounted && views.isSame() === false)) return Promise.resolve(undefined);
      const found = turn.then(async () => {
        await readOnTo(id);
        return shown.get(id);
      });
      turn = found;
      return found;
    },
    /** True if the related records have every field of the detail view. Undefined until svc has compared enough records. */
    hasAllFields: () => views.isSame(),
    compare: (related: readonly JsonObject[], listed: readonly JsonObject[]) =>
      views.compare(related, related.length === listed.length ? listed : []),
  };
}

/** Returns the name of the parent’s field that counts its children, such as `comments_count` (rule 2.6). */
export function counterOf({ segment }: Pick<ChildCollection, 'segment'>): string {
  return `${segment.replaceAll('-', '_')}_count`;
}

/** The number of equal records after which two views count as equal. The fields of a view do not depend on the record (rule 2.42). */
const ENOUGH = 5;

export type ViewComparison = ReturnType<typeof compareViews>;

export function compareViews() {
  let same = 0;
  let isOther = false;
  return {
    /** Returns true after five equal records, and false after a different record. Undefined after fewer equal records. */
    isSame: () => (isOther ? false : same >= ENOUGH ? true : undefined),
    compare(smaller: readonly JsonObject[], detail: readonly JsonObject[]) {
      const texts = new Map(detail.map((record) => [record['id'], stringifyJson(record)]));
      for (const record of smaller) {
        if (texts.get(record['id']) === stringifyJson(record)) same += 1;
        else isOther = true;
      }
    },
  };
}
