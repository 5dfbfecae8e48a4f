import type { ApiClient } from '../client/api-client.ts';
import { pages } from '../client/pages.ts';
import { ForbiddenError, NotFoundError } from '../errors.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import type { NestedCollection } from './export/collections.ts';

/** What one record has as children; none where the service did not show them. */
export interface Below {
  readonly parent: JsonValue;
  readonly records: readonly JsonObject[];
  /** Headers of the first answer. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Why the service did not show them. */
  readonly error?: ForbiddenError | NotFoundError;
}

/** After so many refusals, when no record was answered before, all others would be refused too. */
export const PATIENCE = 5;

/** The path of one record's children. */
export function childrenPath({ path }: Pick<NestedCollection, 'path'>, parent: JsonValue): string {
  return path.replace(/\{[^}]*\}/, scalarText(parent));
}

/** Reads all children of one record. A child that does not name its parent gets the field. */
export async function readBelow(
  client: ApiClient,
  collection: NestedCollection,
  parent: JsonValue,
  { query, signal }: { readonly query: readonly (readonly [string, string])[]; readonly signal: AbortSignal },
): Promise<Below> {
  const { key } = collection;
  const records: JsonObject[] = [];
  let headers: Below['headers'];
  try {
    for await (const page of pages(client, { method: 'GET', path: childrenPath(collection, parent), query, signal })) {
      headers ??= page.response.headers;
      for (const record of page.rows) records.push(record[key] === undefined ? { ...record, [key]: parent } : record);
    }
    return { parent, records, headers };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ForbiddenError) return { parent, records: [], headers, error };
    throw error;
  }
}
