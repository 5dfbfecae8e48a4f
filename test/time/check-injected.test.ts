// Two hundred things that are wrong with the hours of an organisation: svc check names each, and nothing else.
import { expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import type { JsonObject } from '../../src/values/json.ts';
import { injectMistakes, NOW, RANGE } from './injected-mistakes.ts';
import { organisation } from './organisation.ts';

const KINDS = 12;

async function checked(seed: number, count: number, interpretations: SandboxOptions['interpretations'] = {}) {
  const { tables, expected } = injectMistakes(seed, 20, count);
  const here = await organisation(NOW, tables, { interpretations });
  try {
    const result = await here.svc(['check', '--team', `${RANGE.first}..${RANGE.last}`]);
    const rows = JSON.parse(result.stdout) as JsonObject[];
    const seen = rows.map(({ kind, user_id, date, minutes, records, ids }) => JSON.stringify([kind, user_id, date, minutes, records, ids]));
    return { ...result, seen: seen.sort(), expected: [...expected].sort() };
  } finally {
    await here.remove();
  }
}

it.each([2026, 7])('svc check finds exactly the injected problems, at least two hundred (seed %i)', async (seed) => {
  const { code, seen, expected, stderr } = await checked(seed, 200);
  expect(expected.length).toBeGreaterThanOrEqual(200);
  expect(new Set(expected.map((line) => JSON.parse(line)[0])).size).toBe(KINDS);
  expect(seen).toEqual(expected);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${expected.length} findings.`)]);
});

/** What the service leaves open, decided otherwise. */
const OTHERWISE = {
  summary: 'bare',
  falseInSummary: 'left-out',
  booleans: 'digits',
  workingHours: 'from-to',
  hoursFilters: 'by-date',
  assumedIncludes: 'refused',
  topLevelChildren: false,
  wrapSingleRecords: false,
} as const;

it('svc check finds exactly the injected problems with other interpretations of the service', async () => {
  const { seen, expected } = await checked(11, 200, OTHERWISE);
  expect(seen).toEqual(expected);
});

it('svc check finds nothing in the same organisation without the problems, and exits 0', async () => {
  expect(await checked(2026, 0)).toMatchObject({ code: 0, seen: [], stderr: '' });
});
