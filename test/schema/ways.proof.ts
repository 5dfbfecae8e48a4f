import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KNOBS } from '../../src/sandbox/knobs.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { compileDocument } from '../../src/schema/compile.ts';
import type { DescribedNoun } from '../../src/schema/described.ts';
import { readDocument } from '../../src/schema/read-document.ts';

/** The sandbox's document, written as these knobs say. */
async function nounsOf(knobs: Readonly<Record<string, string>>, file = 'openapi.json'): Promise<readonly DescribedNoun[]> {
  const sandbox = await startSandbox({ knobs: knobs as never });
  const headers = { authorization: `Bearer ${sandbox.tokens[0]?.value}` };
  const answer = await fetch(`${sandbox.origin}/api/v2/${file}`, { headers });
  const document = await readDocument(new Uint8Array(await answer.arrayBuffer()));
  await sandbox.close();
  return (await compileDocument(document, 'test', '2026-06-01T12:00:00Z')).nouns;
}

/** Without what OpenAPI 3.0 cannot say: the scopes of a bearer token. */
function withoutAbilities(nouns: readonly DescribedNoun[]): unknown {
  return JSON.parse(JSON.stringify(nouns, (key, value: unknown) => (key === 'abilities' ? undefined : value)));
}

/** Fields in no order: a document that puts records together has those of the summary first. */
function unordered(nouns: readonly DescribedNoun[]): unknown {
  return JSON.parse(
    JSON.stringify(nouns, (key, value: unknown) =>
      key === 'summary' || key === 'detail' ? (Array.isArray(value) ? value.toSorted() : value) : value,
    ),
  );
}

let plain: readonly DescribedNoun[];
beforeAll(async () => {
  plain = await nounsOf({});
});
afterAll(() => undefined);

const WAYS: readonly (readonly [knob: string, value: string])[] = [
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

describe('what is known of a service, however its description is written', () => {
  it.each(WAYS)('%s %s', async (knob, value) => {
    expect(await nounsOf({ [knob]: value })).toEqual(plain);
  });

  it('put together with allOf', async () => {
    expect(unordered(await nounsOf({ openapiSchemas: 'all-of' }))).toEqual(unordered(plain));
  });

  it('in OpenAPI 3.0', async () => {
    expect(withoutAbilities(await nounsOf({ openapiVersion: '3.0.3' }))).toEqual(withoutAbilities(plain));
  });

  it('in YAML', async () => {
    expect(await nounsOf({}, 'openapi.yaml')).toEqual(plain);
  });

  it('in no other way that the sandbox knows', () => {
    const known = new Set([...WAYS.map(([knob]) => knob), 'openapi', 'openapiSchemas', 'openapiVersion']);
    expect(Object.keys(KNOBS).filter((knob) => knob.startsWith('openapi') && !known.has(knob))).toEqual([]);
  });
});
