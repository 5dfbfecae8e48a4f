// The cost of a sync of a large organisation, unchanged and after a hundred deletes. SVC_TEST_FULL=1 uses 170,000 rows.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeLargeOrganisation } from '../support/large-organisation.ts';
import { IS_FULL } from '../support/parts.ts';
import { randomOf } from '../support/random.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const ROWS = IS_FULL ? 100_000 : 4_000;
/** Number of rows that are deleted at once. */
const GONE = IS_FULL ? 100 : 6;
const share = (part: number) => Math.round(ROWS * part);

let here: SignedIn;
beforeAll(async () => {
  const directory = join(process.env['TMPDIR'] ?? '/tmp', `large-${process.pid}`);
  await writeLargeOrganisation(directory, {
    worklogs: share(0.42),
    // Enough rows for a hundred deletes among them.
    customers: ROWS,
    contacts: share(0.06),
    absences: share(0.06),
    events: share(0.05),
    checkins: share(0.05),
    'sales-invoices': 80,
    'sales-invoice-rows': share(0.05),
    'work-items': 150,
    ...Object.fromEntries(SMALL.map((noun) => [noun, Math.min(90, share(0.002))])),
  });
  here = await signedIn({ data: directory, limits: 'off', personalToken: true });
}, 600_000);
afterAll(() => here.remove());

const SMALL = [
  ...['labels', 'todos', 'tasks', 'sprints', 'workflows', 'workflow-statuses', 'workflow-transitions', 'work-types', 'projects'],
  ...['project-links', 'budgets', 'budget-groups', 'timers', 'holidays', 'free-days', 'invoices', 'subscription-products'],
  ...['drive-folders', 'drive-documents', 'notes', 'contact-roles', 'customer-categories', 'company-branches'],
];

interface Synced {
  readonly noun: string;
  readonly rows: number;
  readonly put: number;
  readonly gone: number;
  readonly known_by: string;
}

async function sync(...words: string[]) {
  here.sandbox.requests.length = 0;
  const { code, stdout, stderr } = await here.svc(['sync', '--to', join(here.home, 'large.sqlite'), ...words]);
  expect(code, stderr).toBe(0);
  const tables = JSON.parse(stdout) as Synced[];
  const units = here.sandbox.requests.reduce((sum, each) => sum + each.units, 0);
  expect(stderr).toContain(`for ${units} rate-limit unit`);
  return { tables, units, requests: here.sandbox.requests.length, of: (noun: string) => tables.find((table) => table.noun === noun) };
}

function held(table: string): number[] {
  const database = new DatabaseSync(join(here.home, 'large.sqlite'), { readOnly: true });
  const rows = database.prepare(`SELECT id FROM svc_record_${table} ORDER BY id`).all() as { id: number }[];
  database.close();
  return rows.map(({ id }) => id);
}

const there = (noun: string) =>
  here.sandbox
    .rows(noun)
    .filter((row) => (row['deleted_at'] ?? null) === null)
    .map(({ id }) => id);

it('a sync of forty unchanged resources costs less than 160 rate-limit units', { timeout: 3_600_000 }, async () => {
  const first = await sync();
  const rows = first.tables.filter(({ noun }) => !noun.includes('.')).reduce((sum, table) => sum + table.rows, 0);
  const nouns = first.tables.filter(({ noun }) => !noun.includes('.')).length;
  expect(nouns).toBeGreaterThanOrEqual(40);
  expect(rows).toBeGreaterThanOrEqual(ROWS * 0.95);
  await sync();
  const idle = await sync();
  console.log(`${nouns} nouns, ${rows} rows: first ${first.requests} requests, ${first.units} units; idle ${idle.requests}, ${idle.units}`);
  expect(idle.tables.filter(({ put, gone }) => put + gone > 0)).toEqual([]);
  expect(idle.tables.filter(({ known_by }) => known_by === 'changes')).toEqual([]);
  // 60 for changes and counts, and 100 for the compared pages.
  expect(idle.units).toBeLessThan(160);
});

it('svc sync removes the rows of a hidden long table, and reads the rows when the table is visible again', {
  timeout: 3_600_000,
}, async () => {
  here.sandbox.setRole(1, 'contractor');
  expect((await sync('worklogs')).of('worklogs')).toMatchObject({ rows: 0, gone: share(0.42) });
  here.sandbox.setRole(1, 'admin');
  expect((await sync('worklogs')).of('worklogs')).toMatchObject({ rows: share(0.42), put: share(0.42) });
  expect(held('worklogs')).toEqual(there('worklogs'));
});

const random = randomOf(20_261_122);
const pick = (below: number) => Math.floor(random() * below);
const some = (ids: readonly number[], count: number) => {
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(ids[pick(ids.length)] ?? 0);
  return [...chosen];
};
const neighbours = (ids: readonly number[], count: number) => {
  const from = pick(ids.length - count);
  return ids.slice(from, from + count);
};

const PATTERNS = {
  scattered: (ids: readonly number[]) => some(ids, GONE),
  neighbours: (ids: readonly number[]) => neighbours(ids, GONE),
  mixed: (ids: readonly number[]) => {
    const near = neighbours(ids, GONE / 2);
    return [
      ...near,
      ...some(
        ids.filter((id) => !near.includes(id)),
        GONE / 2,
      ),
    ];
  },
};

it.each([
  { noun: 'customers', trash: true, how: 'by counts and the trash' },
  { noun: 'customers', trash: false, how: 'by counts without a trash' },
  { noun: 'worklogs', trash: false, how: 'by requesting totals' },
])(`svc sync finds ${GONE} deleted rows of $noun $how`, { timeout: 3_600_000 }, async ({ noun, trash }) => {
  here.sandbox.interpretations.trashedTakes = trash ? 'with-and-only' : 'nothing';
  await sync(noun);
  for (const [name, choose] of Object.entries(PATTERNS)) {
    const { baseUrl, tokens } = here.sandbox;
    for (const id of choose(there(noun)))
      await fetch(`${baseUrl}/${noun}/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${tokens[0]?.value}` } });
    const costs: string[] = [];
    for (let turn = 1; turn <= 20; turn += 1) {
      const { of, units } = await sync(noun);
      costs.push(`${of(noun)?.gone} for ${units}`);
      expect(units).toBeLessThanOrEqual(215);
      if (of(noun)?.known_by === 'counts') break;
    }
    console.log(`${noun}${trash ? ' with a trash' : ''}, ${GONE} ${name}: ${costs.join(', ')} units`);
    expect(held(noun)).toEqual(there(noun));
    if (trash) expect(costs).toHaveLength(1);
  }
});
