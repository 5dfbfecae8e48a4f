import type { DescribedNoun } from '../schema/described.ts';
import { keptIndex, keptNoun } from '../schema/kept-schema.ts';
import type { Needs } from '../session/context.ts';
import type { KnownOperation } from '../transfer/known-operation.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { discover } from './discovery.ts';
import { operationsOf, templateOf } from './discovery-entry.ts';

/** What it takes to know the operations of an organisation. */
export type KnowingOperations = 'client' | 'files' | 'host' | 'notice' | 'paths';

/** Nouns under which files may come and go besides that of the records that they belong to. */
const FILE_NOUNS = ['upload-tickets', 'uploads', 'upload-urls', 'files', 'attachments'];

/** What the imported description says of the operations of a noun, and of those for files; none where nothing was imported. Asks nobody. */
export async function describedOperations(context: Needs<'files' | 'host' | 'notice' | 'paths'>, noun: string): Promise<KnownOperation[]> {
  const host = await context.host();
  const index = await keptIndex(context, host);
  if (index === undefined) return [];
  const nouns = await Promise.all([noun, ...FILE_NOUNS].map((name) => keptNoun(context, host, index, name)));
  return nouns.flatMap((found) => (found === undefined ? [] : operationsIn(found)));
}

function operationsIn({ operations, nested = [] }: DescribedNoun): KnownOperation[] {
  const own = operations
    .filter(({ deprecated }) => deprecated !== true)
    .map(({ method, path, body, query, contentType }): KnownOperation => {
      const known = {
        ...(body !== undefined && { body }),
        ...(query !== undefined && { query }),
        ...(contentType !== undefined && { contentType }),
      };
      return { method: method.toUpperCase(), path, ...known, from: 'description' };
    });
  return [...own, ...nested.flatMap(operationsIn)];
}

/** What discovery lists of them: that they are there, and nothing of their bodies. One request, kept like any answer that may be. */
export async function listedOperations(context: Needs<'client'>): Promise<KnownOperation[]> {
  const entries = await discover(context);
  return entries.flatMap((entry) => operationsOf(entry).flatMap((text) => listedOperation(text, entry)));
}

/** `POST /api/v2/upload-tickets`, wherever the service says that it lies; the name alone says nothing. */
function listedOperation(text: string, entry: JsonObject): KnownOperation[] {
  const [, method, written] = /^(?:\S+ )?(GET|POST|PUT|PATCH) (\S+)$/.exec(text) ?? [];
  const path = templateOf(written) ?? templateOf(isJsonObject(entry) ? entry['path'] : undefined);
  return method === undefined || path === undefined ? [] : [{ method, path, from: 'discovery' }];
}
