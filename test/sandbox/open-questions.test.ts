import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentKnobs } from '../../src/sandbox/knobs/document.ts';
import { KNOBS } from '../../src/sandbox/knobs.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
type Knob = keyof typeof KNOBS;

/** The knobs that give each question of chapter 18 its other answers. */
const ANSWERS: Readonly<Record<string, readonly [Knob, ...Knob[]]>> = {
  '18.1': ['wrapSingleRecords'],
  '18.2': ['discoveryPaths'],
  '18.3': ['narrowedDiscovery', 'narrowedMe'],
  '18.4': ['absenceBounds'],
  '18.5': ['descending'],
  '18.6': ['booleans'],
  '18.7': ['refreshEndsAccessToken', 'refreshReuseDisconnects'],
  '18.8': ['unknownClient'],
  '18.9': ['authorizeErrors'],
  '18.10': ['clientName', 'redirectPort', 'registrationStatus'],
  '18.11': ['cursorBindsInclude', 'cursorBindsTotal'],
  '18.12': ['idempotencyKey', 'reusedKey', 'storedErrors'],
  '18.13': ['admission', 'rateWindow'],
  '18.14': ['rateLimitHeaders', 'oauthCountsForAddress'],
  '18.15': ['missingRecordType'],
  '18.16': ['parameterMember', 'keyMember', 'transitionEnds'],
  '18.17': ['statusTypes'],
  '18.18': ['topLevelChildren'],
  '18.19': ['deleteAnswers'],
  '18.20': ['trashedTakes'],
  '18.21': ['uploads', 'uploadsRefuseApps', 'uploadContents'],
  '18.22': ['staleNoop'],
  '18.23': ['summary', 'worklogSummaryIds', 'falseInSummary'],
  '18.24': ['workingHours'],
  '18.25': ['me'],
  '18.26': ['discoveryMe', 'discoveryUploads', 'discoveryActions', 'discoveryOperations', 'discoveryName'],
  '18.27': ['hoursFilters', 'otherFilters', 'assumedSorts', 'assumedIncludes', 'refusalType'],
  '18.28': ['missingRecordType'],
  '18.29': ['keyOwner', 'keyLifetime'],
  '18.30': ['pages'],
  '18.31': ['deletedRecords'],
  '18.32': ['timerEnds', 'worklogEndsTimers'],
  '18.33': ['billedWorklogs'],
  '18.34': ['wholeDayEnd'],
  '18.35': ['recordClock'],
  '18.36': ['missingTimezone', 'organisationZone'],
};

/**
 * Knobs of which chapter 18 asks nothing: RFC 8414 and RFC 9207 say more than the service's own documentation, and its
 * OpenAPI document is named there and not shown.
 */
const BEYOND = ['issuer', 'issParameter', ...(Object.keys(documentKnobs) as Knob[])];

test('every open question can be answered otherwise (rules 18.1 to 18.36)', () => {
  const chapter = readFileSync(join(DOCS, 'service-rules.md'), 'utf8');
  const questions = [...chapter.matchAll(/^\| (18\.\d+) \|/gm)].map(([, number]) => number);
  expect(Object.keys(ANSWERS)).toEqual(questions);
});

test('every knob answers a question', () => {
  expect(new Set([...Object.values(ANSWERS).flat(), ...BEYOND])).toEqual(new Set(Object.keys(KNOBS)));
});

describe('docs/sandbox.md says what each knob takes, the default first', () => {
  const rows = readFileSync(join(DOCS, 'sandbox.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  test.each(Object.entries(KNOBS))('%s', (name, values) => {
    const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``)) ?? '';
    const places = values.map((value) => row.indexOf(`\`${String(value)}\``, row.indexOf('|', 1)));
    expect(places).not.toContain(-1);
    expect(places[0]).toBe(Math.min(...places));
  });
});
