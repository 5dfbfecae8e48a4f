import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Interpretations } from '../../../src/sandbox/interpretations.ts';
import { IS_FULL } from '../../support/parts.ts';
import { createTenant } from '../../support/tenant/tenant.ts';
import { sandbox, send, tokenNamed } from '../support.ts';
import { lint } from './linter.ts';
import { documentOf } from './run.ts';

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

test.each<[string, Partial<Interpretations>]>([
  ['default options', {}],
  ['version 3.0', { openapiVersion: '3.0.3', openapiFilters: 'deep-object', openapiSchemas: 'all-of', openapiAbilities: 'extension' }],
  ['version 3.1 and choices', { openapiNull: 'one-of', openapiPrefix: 'paths', openapiBodies: 'inline', openapiServers: 'relative' }],
  ['version 3.1 and descriptions in words', { openapiNull: 'any-of', openapiIncludes: 'pattern', openapiAbilities: 'words' }],
])('an independent linter finds no error in the API spec with %s', async (_, interpretations) => {
  const service = await sandbox({ interpretations, switches: { furlough: true } });
  expect(await lint(await documentOf(service))).toEqual([]);
});

/** Three in CI; all with SVC_TEST_FULL=1. */
test.each(IS_FULL ? SEEDS : SEEDS.slice(0, 3))('an independent linter finds no error in the API spec of tenant %i', async (tenant) => {
  const service = await sandbox({ limits: 'off', switches: { furlough: true }, tenant });
  expect(await lint(await documentOf(service))).toEqual([]);
});

test('the YAML of the API spec has the same contents as the JSON', async () => {
  const service = await sandbox();
  const { body } = await send(service, '/openapi.json');
  const answer = await fetch(`${service.baseUrl}/openapi.yaml`, { headers: { authorization: `Bearer ${tokenNamed(service, 'full')}` } });
  expect(answer.headers.get('content-type')).toBe('application/yaml');
  expect(load(await answer.text())).toEqual(body);
});

test('twenty tenants together have every kind of change', async () => {
  const seen = new Set<string>();
  for (const tenant of SEEDS) {
    for (const { kind, what } of createTenant(tenant).changes) seen.add(`${kind} ${what}`);
  }
  expect([...seen].sort()).toEqual([
    'added action',
    'added field',
    'added filter',
    'added resource',
    'added sort',
    'added value',
    'removed field',
    'removed filter',
    'removed include',
    'removed resource',
    'removed sort',
    'removed value',
    'renamed field',
    'renamed resource',
  ]);
});
