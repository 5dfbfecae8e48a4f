// The same file, imported from services that answer the open questions in other ways: what arrives is right, or nothing is sent.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Interpretations } from '../../src/sandbox/interpretations.ts';
import { type PinnedSandbox, signInAt } from './support.ts';

let here: PinnedSandbox | undefined;
afterEach(async () => {
  await here?.remove();
  here = undefined;
});

const FILE = `User,Email,Project,Task,Description,Billable,Start date,Duration
Sanne de Vries,sanne@example.com,Web shop,,Mine,Yes,2031-03-31,01:30:00
Olumide Adeyemi,olumide@example.com,,ABC-5 Login,Theirs,No,2031-03-31,00:45:00
Zoë Müller-Lüdenscheidt,,8,,By name,Yes,2031-03-31,00:15:00
`;

const RIGHT = [
  { date: '2031-03-31', minutes: 90, description: 'Mine', project_id: 2 },
  { date: '2031-03-31', minutes: 45, description: 'Theirs', work_item_id: 5, user_id: 2, is_not_billable: true },
  { date: '2031-03-31', minutes: 15, description: 'By name', project_id: 8, user_id: 3 },
];

const INTERPRETATION_SETS: readonly Partial<Interpretations>[] = [
  { summary: 'usual', wrapSingleRecords: false },
  { summary: 'documented', falseInSummary: 'left-out', otherFilters: 'refused' },
  { summary: 'bare', falseInSummary: 'null', assumedSorts: 'refused', assumedIncludes: 'refused' },
  { summary: 'all', me: 'documented', hoursFilters: 'refused', missingTimezone: 'absent' },
  { deletedRecords: 'gone', missingRecordType: 'not-found', recordClock: 'behind', workingHours: 'text' },
];

it.each(INTERPRETATION_SETS)('svc worklogs import creates the same entries with %j (rule 18.23)', async (interpretations) => {
  here = await signInAt('2026-06-05T10:00:00Z', { interpretations });
  const file = join(here.home, 'hours.csv');
  await writeFile(file, FILE);
  const { code, stderr } = await here.svc(['worklogs', 'import', file]);
  const posts = here.sandbox.requests.filter(({ method }) => method === 'POST');
  expect(code, stderr).toBe(0);
  expect(posts.map(({ body }) => JSON.parse(body) as unknown)).toEqual(RIGHT);
  // As the sandbox has them, which is what will be signed and billed.
  const kept = here.sandbox.rows('worklogs').slice(-3);
  expect(kept.map((row) => [row['user_id'], row['minutes'], row['is_not_billable']])).toEqual([
    [1, 90, false],
    [2, 45, true],
    [3, 15, false],
  ]);
});
