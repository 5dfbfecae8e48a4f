import { expect, test } from 'vitest';
import { defaultInterpretations, type Interpretations } from '../../../src/sandbox/interpretations.ts';
import { partOf } from '../../support/parts.ts';
import { sandbox } from '../support.ts';
import { runAll } from './run.ts';

/** Forms of the document, and answers that interpretations shape, together so that each is met once. */
const STYLES: readonly (readonly [string, Partial<Interpretations>])[] = [
  ['with the defaults', {}],
  [
    'in OpenAPI 3.0.3, with one filter parameter',
    {
      openapiVersion: '3.0.3',
      openapiFilters: 'deep-object',
      openapiSchemas: 'all-of',
      openapiBodies: 'inline',
      openapiServers: 'relative',
      openapiAbilities: 'words',
      wrapSingleRecords: false,
      falseInSummary: 'null',
      keyMember: 'map',
      deleteAnswers: 'record',
    },
  ],
  [
    'with anyOf for null, and the prefix in paths',
    {
      openapiNull: 'any-of',
      openapiPrefix: 'paths',
      openapiIncludes: 'pattern',
      openapiAbilities: 'extension',
      openapiSchemas: 'all-of',
      falseInSummary: 'left-out',
      summary: 'usual',
      workingHours: 'from-to',
      missingTimezone: 'absent',
      parameterMember: 'source',
      discoveryOperations: 'map',
      deleteAnswers: 'accepted',
    },
  ],
  [
    'with oneOf for null',
    {
      openapiNull: 'one-of',
      openapiFilters: 'deep-object',
      summary: 'bare',
      booleans: 'digits',
      descending: 'suffix',
      absenceBounds: 'date',
      organisationZone: 'shown',
      timerEnds: 'logging-action',
      keyMember: 'pointer',
      statusTypes: 'absent',
      uploads: 'tickets',
    },
  ],
  ['with few parameters', { otherFilters: 'refused', assumedSorts: 'refused', assumedIncludes: 'refused', hoursFilters: 'by-date' }],
];

test.each(partOf(STYLES, 3))(
  'the sandbox accepts every request in the API spec, and every answer matches the API spec, %s',
  async (_, interpretations) => {
    const service = await sandbox({ limits: 'off', switches: { furlough: true }, interpretations });
    const { requests, faults, untried } = await runAll(service);
    expect(faults).toEqual([]);
    expect(untried).toEqual([]);
    // Else the run asks for less than there is.
    expect(requests).toBeGreaterThan(800);
  },
);

const TENANTS = partOf([1, 2, 3, 4, 5, 6, 7, 8], 8);

test.each(TENANTS)('answers match the API spec of tenant %i', async (tenant) => {
  const service = await sandbox({ limits: 'off', switches: { furlough: true }, tenant });
  const { requests, faults, untried } = await runAll(service);
  expect(faults).toEqual([]);
  expect(untried).toEqual([]);
  expect(requests).toBeGreaterThan(800);
});

test('the tests of answers use every value of openapiNull and openapiAbilities', () => {
  const usual = defaultInterpretations();
  const tried = STYLES.map(([, interpretations]) => ({ ...usual, ...interpretations }));
  expect(new Set(tried.map(({ openapiNull }) => openapiNull)).size).toBe(3);
  expect(new Set(tried.map(({ openapiAbilities }) => openapiAbilities)).size).toBe(3);
});
