import { beforeAll, describe, expect, it } from 'vitest';
import { INTERPRETATIONS } from '../../src/sandbox/interpretations.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { compileDocument } from '../../src/schema/compile.ts';
import type { DescribedResource } from '../../src/schema/described.ts';
import { readDocument } from '../../src/schema/read-document.ts';
import { toOpenApi } from '../../src/schema/to-openapi.ts';
import { startTenant } from '../support/tenant/start-tenant.ts';

/** The sandbox's document, written as these interpretations say. */
async function resourcesIn(
  interpretations: Readonly<Record<string, string>>,
  file = 'openapi.json',
): Promise<readonly DescribedResource[]> {
  const sandbox = await startSandbox({ interpretations: interpretations as never });
  const nouns = await resourcesAt(sandbox, file);
  await sandbox.close();
  return nouns;
}

/** The document of a tenant whose fields, filters, resources and manner of writing the number chooses. */
async function resourcesOfTenant(tenant: number): Promise<readonly DescribedResource[]> {
  const sandbox = await startTenant({ tenant });
  const nouns = await resourcesAt(sandbox, 'openapi.json');
  await sandbox.close();
  return nouns;
}

async function resourcesAt({ origin, tokens }: Sandbox, file: string): Promise<readonly DescribedResource[]> {
  const answer = await fetch(`${origin}/api/v2/${file}`, { headers: { authorization: `Bearer ${tokens[0]?.value}` } });
  return compiled(new Uint8Array(await answer.arrayBuffer()));
}

async function compiled(bytes: Uint8Array): Promise<readonly DescribedResource[]> {
  const { nouns } = await compileDocument(await readDocument(bytes), 'test', '2026-06-01T12:00:00Z');
  // What is not there, and what is undefined, are one in a file.
  return JSON.parse(JSON.stringify(nouns)) as DescribedResource[];
}

/** Without what OpenAPI 3.0 cannot say: the scopes of a bearer token. */
function withoutAbilities(nouns: readonly DescribedResource[]): unknown {
  return JSON.parse(JSON.stringify(nouns, (key, value: unknown) => (key === 'abilities' ? undefined : value)));
}

/** Fields in no order: a document that puts records together has those of the summary first. */
function unordered(nouns: readonly DescribedResource[]): unknown {
  return JSON.parse(
    JSON.stringify(nouns, (key, value: unknown) =>
      key === 'summary' || key === 'detail' ? (Array.isArray(value) ? value.toSorted() : value) : value,
    ),
  );
}

let plain: readonly DescribedResource[];
beforeAll(async () => {
  plain = await resourcesIn({});
});

const WAYS: readonly (readonly [option: string, value: string])[] = [
  ['openapiFilters', 'deep-object'],
  ['openapiNull', 'any-of'],
  ['openapiNull', 'one-of'],
  ['openapiBodies', 'inline'],
  ['openapiServers', 'relative'],
  ['openapiPrefix', 'paths'],
  ['openapiIncludes', 'pattern'],
  ['openapiAbilities', 'extension'],
  ['openapiAbilities', 'words'],
];

describe('the import of an API spec', () => {
  it.each(WAYS)('finds the same resources with the sandbox option %s %s', async (option, value) => {
    expect(await resourcesIn({ [option]: value })).toEqual(plain);
  });

  it('finds the same resources when schemas use allOf', async () => {
    expect(unordered(await resourcesIn({ openapiSchemas: 'all-of' }))).toEqual(unordered(plain));
  });

  it('finds the same resources, except their abilities, in OpenAPI 3.0', async () => {
    expect(withoutAbilities(await resourcesIn({ openapiVersion: '3.0.3' }))).toEqual(withoutAbilities(plain));
  });

  it('finds the same resources in YAML', async () => {
    expect(await resourcesIn({}, 'openapi.yaml')).toEqual(plain);
  });

  it.each(Array.from({ length: 20 }, (_, at) => at + 1))(
    'finds the same resources of made-up organisation %i after an export',
    async (tenant) => {
      const nouns = await resourcesOfTenant(tenant);
      const options = { title: 'Again', version: '1', server: 'https://acme.test/api/v2' };
      const again = JSON.stringify(
        toOpenApi(
          nouns.map((noun) => ({ noun })),
          options,
        ),
      );
      expect(await compiled(Buffer.from(again))).toEqual(nouns);
    },
  );

  it('has a test for each sandbox option about the form of an API spec', () => {
    const known = new Set([...WAYS.map(([option]) => option), 'openapi', 'openapiSchemas', 'openapiVersion']);
    expect(Object.keys(INTERPRETATIONS).filter((option) => option.startsWith('openapi') && !known.has(option))).toEqual([]);
  });
});
