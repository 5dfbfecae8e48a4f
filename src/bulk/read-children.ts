import type { ApiClient } from '../client/api-client.ts';
import type { Query } from '../client/cost.ts';
import { requestUrl } from '../client/origin.ts';
import { type Page, pages, readPage } from '../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../errors.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import type { ChildrenByRelation, ViewComparison } from './children-by-relation.ts';
import type { ChildCollection } from './export/collections.ts';

/** The child records of one record. `records` is empty if the service did not show the child records. */
export interface ChildRecords {
  readonly parent: JsonValue;
  readonly records: readonly JsonObject[];
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The answer that contains all records. Undefined if the answer has no ETag, or if svc needed several answers. */
  readonly answer?: StoredAnswer | undefined;
  /** True if the children have not changed since the known answer. `records` is then empty. */
  readonly isUnchanged?: true;
  /** True if the children came with their parent, so that svc did not request their own list. */
  readonly isRelated?: true;
  readonly error?: ForbiddenError | NotFoundError;
}

/** An earlier answer that svc can check again by its ETag. */
export interface StoredAnswer {
  readonly url: string;
  readonly etag: string;
}

export interface ReadingChildren {
  readonly query: Query;
  readonly signal: AbortSignal;
  /**
   * True to request the summary view first. The summary view costs one rate-limit unit and shows if the record has children. Default:
   * false.
   */
  readonly isProbing?: boolean;
  /** Finds out if the summary view has every field, so that svc needs no detail view. Default: svc reads the detail view. */
  readonly views?: ViewComparison | undefined;
  /** Reads children as a relation of their parents, if the relation shows all children with all fields. */
  readonly byRelation?: ChildrenByRelation | undefined;
  /** The answer of the last read, if the stored records still match that answer. */
  readonly known?: StoredAnswer | undefined;
}

/** The number of parents that svc tries first. If the service refuses the children of all these parents, svc reads no further parents. */
export const FIRST_REFUSALS = 5;

/** The query for all records in the summary view, which has fewer fields. */
const IN_LIST: Query = [
  ['sort', 'id'],
  ['per_page', '100'],
];

export function childrenPath({ path }: Pick<ChildCollection, 'path'>, parent: JsonValue): string {
  return path.replace(/\{[^}]*\}/, scalarText(parent));
}

/**
 * Reads all child records of one record. If a child lacks its parent’s id, svc adds the id. Returns a 403 or 404 as `error`.
 *
 * @throws as `ApiClient.send` for any other failure.
 */
export async function readChildren(
  client: ApiClient,
  collection: ChildCollection,
  parent: JsonValue,
  { query, signal, isProbing = false, views, byRelation, known }: ReadingChildren,
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
  const take = (rows: readonly JsonObject[]) => {
    for (const record of rows) records.push(record[key] === undefined ? { ...record, [key]: parent } : record);
  };
  let pageCount = 0;
  let smaller: readonly JsonObject[] = [];
  const add = ({ rows, next, response: { etag } }: Page) => {
    pageCount += 1;
    answer = pageCount === 1 && next === undefined && etag !== undefined ? { url, etag } : undefined;
    views?.compare(smaller, rows);
    smaller = [];
    take(rows);
    return next;
  };
  const related = known === undefined ? await byRelation?.of(parent) : undefined;
  const isEmpty = related?.records.length === 0 && related.isCounted !== false;
  if (related !== undefined && (isEmpty || (related.isCounted && byRelation?.hasAllFields()))) {
    take(related.records);
    return { parent, records, headers: related.headers, isRelated: true };
  }
  try {
    let from: string | undefined = url;
    if (known !== undefined) {
      const response = await ask(known.url, known.etag);
      if (response.status === 304) return { parent, records, headers, answer: known, isUnchanged: true };
      if (known.url === url) from = add(readPage(client, url, response));
    } else if (isProbing && !related?.isCounted) {
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
    if (related?.isCounted) byRelation?.compare(related.records, records);
    return { parent, records, headers, answer };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return { parent, records: [], headers, error };
    throw error;
  }
}

/** Decides if svc requests the summary view first. The request saves rate-limit units while at most half of the parents have children. */
export function probing(): { readonly isWorthIt: () => boolean; readonly note: (records: number) => void } {
  let requested = 0;
  let full = 0;
  return {
    isWorthIt: () => full * 2 <= requested,
    note(records) {
      requested += 1;
      if (records > 0) full += 1;
    },
  };
}
