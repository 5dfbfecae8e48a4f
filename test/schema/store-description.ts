import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DescribedResource } from '../../src/schema/described.ts';
import { indexPath, resourcePath } from '../../src/schema/stored-schema.ts';
import { parseHost } from '../../src/values/addresses.ts';

const GENERATION = '0123456789abcdef';

/** Stores an API spec in a home directory as an import does, from given resources. */
export async function storeResources(home: string, hostName: string, nouns: readonly DescribedResource[]): Promise<void> {
  const host = parseHost(hostName);
  const paths = { state: `${home}/.local/state/svc` };
  await mkdir(dirname(indexPath(paths, host)), { recursive: true });
  for (const noun of nouns) await writeFile(resourcePath(paths, host, GENERATION, noun.noun), JSON.stringify(noun));
  const index = {
    form: 1,
    title: 'A service',
    version: '1.0.0',
    openapi: '3.1.0',
    digest: '0'.repeat(64),
    importedAt: '2026-01-01T00:00:00Z',
    source: 'test',
    generation: GENERATION,
    nouns: nouns.map(({ noun, singular, summary }) => ({ noun, singular, summary })),
  };
  await writeFile(indexPath(paths, host), JSON.stringify(index));
}
