import type { ApiClient } from '../client/api-client.ts';
import { assumedIn, undefinedIfRefused } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import { requestUrl } from '../client/origin.ts';
import { type Page, pages, readPage } from '../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type JsonObject, type JsonValue, scalarText, stringifyJson } from '../values/json.ts';
import type { NestedCollection } from './export/collections.ts';

/** The child records of one record; none if the service did not show them. */
export interface ChildRecords {
  readonly parent: JsonValue;
  readonly records: readonly JsonObject[];
  /** The headers of the first answer. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The answer that shows all of the records; undefined if there were several. */
  readonly answer?: StoredAnswer | undefined;
  /** Whether they are as in the known answer: `records` is empty then. */
  readonly isUnchanged?: true;
  /** The refusal, if the service did not show them. */
  readonly error?: ForbiddenError | NotFoundError;
}

/** An answer that svc can ask for again with its ETag. */
export interface StoredAnswer {
  readonly url: string;
  readonly etag: string;
}

/** How to read child records. */
export interface ReadingChildren {
  readonly query: Query;
  readonly signal: AbortSignal;
  /** Asks first in the view of lists, which costs one unit and shows whether there are any. Default: no. */
  readonly isProbing?: boolean;
  /** Finds out whether that view has every field; then it is enough. Default: it is not. */
  readonly views?: ViewComparison | undefined;
  /** The answer of the last time, if the stored records are still those. */
  readonly known?: StoredAnswer | undefined;
}

/** After this many refusals of the first parents, svc asks no others. */
export const FIRST_REFUSALS = 5;

/** All records in the view of lists, the smaller one. */
const IN_LIST: Query = [
  ['sort', 'id'],
  ['per_page', '100'],
];

/** Records of a page if `include` names a relation to many (rule 8.4). */
const PER_PAGE_WITH_MANY = 25;

/** Returns the path of one record's children. */
export function childrenPath({ path }: Pick<NestedCollection, 'path'>, parent: JsonValue): string {
  return path.replace(/\{[^}]*\}/, scalarText(parent));
}

/** Reads all child records of one record, and adds the parent's id to a child without it. */
export async function readChildren(
  client: ApiClient,
  collection: NestedCollection,
  parent: JsonValue,
  { query, signal, isProbing = false, views, known }: ReadingChildren,
): Promise<ChildRecords> {
  const { key } = collection;
  const path = childrenPath(collection, parent);
  const records: JsonObject[] = [];
  let headers: ChildRecords['headers'];
  let answer: StoredAnswer | undefined;
  const ask = async (url: string, etag?: string) => {
    const response = await client.send({ method: 'GET', path: url, ...(etag !== undefined && { ifNoneMatch: etag }), signal });
    headers ??= response.headers;
    return response;
  };
  const url = requestUrl(client.host, path, query);
  let pageCount = 0;
  let smaller: readonly JsonObject[] = [];
  const add = ({ rows, next, response: { etag } }: Page) => {
    pageCount += 1;
    answer = pageCount === 1 && next === undefined && etag !== undefined ? { url, etag } : undefined;
    views?.compare(smaller, rows);
    smaller = [];
    for (const record of rows) records.push(record[key] === undefined ? { ...record, [key]: parent } : record);
    return next;
  };
  try {
    let from: string | undefined = url;
    if (known !== undefined) {
      const response = await ask(known.url, known.etag);
      if (response.status === 304) return { parent, records, headers, answer: known, isUnchanged: true };
      if (known.url === url) from = add(readPage(client, url, response));
    } else if (isProbing) {
      const inList = requestUrl(client.host, path, IN_LIST);
      const page = readPage(client, inList, await ask(inList));
      const { etag } = page.response;
      if (page.rows.length === 0 || (views?.isSame() && page.next === undefined)) {
        add(page);
        return { parent, records, headers, answer: etag === undefined ? undefined : { url: inList, etag } };
      }
      smaller = page.rows;
    }
    if (from !== undefined)
      for await (const page of pages(client, { method: 'GET', path: from, signal })) {
        headers ??= page.response.headers;
        add(page);
      }
    return { parent, records, headers, answer };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return { parent, records: [], headers, error };
    throw error;
  }
}

/** The field of a record with the number of its children: `comments_count` (rule 2.6). */
export function counterOf({ segment }: Pick<NestedCollection, 'segment'>): string {
  return `${segment.replaceAll('-', '_')}_count`;
}

/**
 * Finds parents without children by a documented relation: `include=comments` shows the children of 25 parents for four units.
 *
 * @returns undefined if there is no such relation, or if the service refuses it.
 */
export async function findChildless(
  { catalog }: Needs<'catalog'>,
  client: ApiClient,
  { parent, segment }: NestedCollection,
  signal: AbortSignal,
): Promise<ReadonlySet<JsonValue> | undefined> {
  const relation = segment.replaceAll('-', '_');
  const known = (await catalog.find(parent))?.relations?.[relation];
  if (known?.many !== true || known.assumed) return undefined;
  const query = [
    ['sort', 'id'],
    ['per_page', String(PER_PAGE_WITH_MANY)],
    ['view', 'summary'],
    ['include', relation],
  ] as const;
  const found = new Set<JsonValue>();
  const walk = async () => {
    for await (const { rows } of pages(client, { method: 'GET', path: `/${parent}`, query, assumed: assumedIn([relation]), signal }))
      for (const { id, [relation]: children } of rows)
        if (id !== undefined && Array.isArray(children) && children.length === 0) found.add(id);
    return found;
  };
  return walk().catch(undefinedIfRefused(...assumedIn([relation])));
}

/** Decides whether asking first is cheaper: as long as at most half of the parents had children. */
export function probing(): { readonly isWorthIt: () => boolean; readonly note: (records: number) => void } {
  let asked = 0;
  let full = 0;
  return {
    isWorthIt: () => full * 2 <= asked,
    note(records) {
      asked += 1;
      if (records > 0) full += 1;
    },
  };
}

/** So many records show that two views have the same fields: the fields of a view do not depend on the record (rule 2.42). */
const ENOUGH = 5;

/** Whether the view of lists has every field of the detail view. */
export interface ViewComparison {
  /** undefined before enough records were compared. */
  isSame(): boolean | undefined;
  compare(smaller: readonly JsonObject[], detail: readonly JsonObject[]): void;
}

export function compareViews(): ViewComparison {
  let same = 0;
  let isOther = false;
  return {
    isSame: () => (isOther ? false : same >= ENOUGH ? true : undefined),
    compare(smaller, detail) {
      const texts = new Map(detail.map((record) => [record['id'], stringifyJson(record)]));
      for (const record of smaller) {
        if (texts.get(record['id']) === stringifyJson(record)) same += 1;
        else isOther = true;
      }
    },
  };
}
