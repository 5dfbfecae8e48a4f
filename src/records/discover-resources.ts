import type { DescribedResource } from '../schema/described.ts';
import { discoveredResources, schemaNames } from '../schema/discovered.ts';
import { storeDiscovery, storedIndex, storedResource } from '../schema/stored-schema.ts';
import type { Needs } from '../session/context.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { operationsOf, templateOf } from './discovery.ts';

/**
 * Stores the resources that are neither built into svc nor in an imported API spec. Returns the names of the stored resources. If the API
 * spec has the schema of a resource, svc also stores the fields. Empty if svc can’t store the result.
 */
export async function discoverResources(
  context: Needs<'catalog' | 'files' | 'host' | 'notice' | 'paths'>,
  entries: readonly JsonObject[],
): Promise<readonly string[]> {
  const host = await context.host();
  const known = context.catalog.nouns.filter(({ isDiscovered }) => isDiscovered !== true);
  const read = entries.map((entry) => ({
    path: templateOf(entry['path']),
    itemPath: templateOf(entry['item_path']),
    prefix: scalarText(entry['permission_prefix'] ?? null) || undefined,
    operations: operationsOf(entry).map((line) => {
      const [method = '', path] = line.split(' ');
      return `${method.toUpperCase()} ${templateOf(path) ?? ''}`;
    }),
    schemas: schemaNames(entry['schemas'] ?? entry['schema']),
  }));
  const found = discoveredResources(read, known);
  const schemasOf = ({ path, itemPath }: DescribedResource) =>
    read.find((one) => (one.path ?? null) === path && (one.itemPath ?? null) === itemPath)?.schemas ?? [];
  const nouns = await Promise.all(found.map(async (noun) => tied(context, noun, schemasOf(noun))));
  // If svc can’t store the result, later commands can’t use the resources.
  const isStored = await storeDiscovery(context, host, nouns).then(
    () => true,
    () => false,
  );
  return isStored ? nouns.map(({ noun }) => noun) : [];
}

async function tied(
  context: Needs<'files' | 'host' | 'notice' | 'paths'>,
  noun: DescribedResource,
  schemas: readonly string[],
): Promise<DescribedResource> {
  if (schemas.length === 0) return noun;
  const host = await context.host();
  const index = await storedIndex(context, host);
  for (const { noun: name } of index?.nouns ?? []) {
    const described = index === undefined ? undefined : await storedResource(context, host, index, name);
    if (described?.schema !== undefined && schemas.includes(described.schema))
      return { ...noun, fields: described.fields, schema: described.schema };
  }
  return noun;
}
