// The questions of the guide, each asked of a copy of the sandbox; what many of them answer is reckoned in another way besides: by svc's own
// commands, or from the records themselves.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/values/json.ts';
import { type SignedIn, signedIn } from '../support/svc.ts';

const GUIDE = fileURLToPath(new URL('../../docs/guides/questions.md', import.meta.url));
const QUESTIONS = [...(await readFile(GUIDE, 'utf8')).matchAll(/^### (\d+)\. (.*)\n\n```sql\n([\s\S]*?)```$/gm)].map(
  ([, number = '', title = '', sql = '']) => ({ number: Number(number), title, sql }),
);

/** What may well have no answer in the sandbox. */
const MAY_BE_EMPTY: ReadonlySet<number> = new Set([5]);

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
  await rows(['sync']);
});
afterAll(() => here.remove());

async function rows(argv: readonly string[], stdin?: string): Promise<readonly JsonObject[]> {
  const { code, stdout, stderr } = await here.svc([...argv, '--output', 'json'], stdin === undefined ? {} : { stdin });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as JsonObject[];
}

type Row = Readonly<Record<string, unknown>>;
const table = (name: string): readonly Row[] => here.sandbox.rows(name) as unknown as readonly Row[];
const named = (name: string, id: unknown) => table(name).find((row) => row['id'] === id)?.['name'] ?? null;
const worklogs = (from: string, to: string) => table('worklogs').filter(({ date }) => String(date) >= from && String(date) <= to);

/** Adds up by a key, in the order in which the keys first come. */
function sums(all: readonly Row[], key: (row: Row) => unknown, value: (row: Row) => number = ({ minutes }) => Number(minutes)) {
  const found = new Map<unknown, number>();
  for (const row of all) found.set(key(row), (found.get(key(row)) ?? 0) + value(row));
  return found;
}

/** What another way of reckoning gives, in the columns of the question. */
const OTHERWISE: Readonly<Record<number, () => Promise<readonly Row[]>>> = {
  1: async () =>
    [...sums(worklogs('2025-03-01', '2025-03-31'), (row) => row['project_id'])].map(([id, minutes]) => ({
      project: named('projects', id),
      hours: minutes / 60,
    })),
  4: async () => {
    const year = worklogs('2025-01-01', '2025-12-31');
    const billable = sums(
      year,
      ({ user_id }) => user_id,
      (row) => (row['is_not_billable'] === true ? 0 : Number(row['minutes'])),
    );
    return [...sums(year, ({ user_id }) => user_id)].map(([id, minutes]) => ({
      person: named('users', id),
      percent: Math.round((1000 * (billable.get(id) ?? 0)) / minutes) / 10,
    }));
  },
  7: async () =>
    [...sums(worklogs('2025-01-01', '2025-12-31'), ({ user_id, date }) => `${date} ${user_id}`)]
      .filter(([, minutes]) => minutes > 600)
      .map(([key, minutes]) => {
        const [date, user] = String(key).split(' ');
        return { person: named('users', Number(user)), date, hours: minutes / 60 };
      }),
  8: async () => {
    const told = await rows(['billing', 'unbilled', '2025-01-01..2025-03-31', '--by', 'customer']);
    return told.map((row) => ({ customer: row['customer'], unbilled_minutes: row['unbilled_minutes'], oldest: row['oldest_date'] }));
  },
  11: async () => {
    const yearly = sums(
      await rows(['sales-invoices', 'list']),
      (row) => `${row['customer_id']} ${String(row['invoice_date']).slice(0, 4)}`,
      (row) => Number(row['total_amount']),
    );
    return [...yearly].map(([key, amount]) => {
      const [id, year] = String(key).split(' ');
      return { customer: named('customers', Number(id)), year, amount };
    });
  },
  12: async () => {
    const told = await rows(['budgets', 'burn']);
    return told
      .filter(({ percent }) => Number(percent) >= 75)
      .map((row) => ({
        project: row['project'],
        budget: row['name'],
        spent: Number(row['spent_minutes']) / 60,
        left: Number(row['left_minutes']) / 60,
        percent: row['percent'],
      }));
  },
  14: async () => {
    const told = (await rows(['absences', 'calendar', '2025-05-19..2025-05-23'])) as unknown as readonly {
      user: string;
      days: { date: string }[];
    }[];
    return told
      .filter(({ days }) => days.length > 0)
      .map(({ user, days }) => {
        const dates = [...new Set(days.map(({ date }) => date))].toSorted();
        return { person: user, first: dates[0], last: dates.at(-1), days: dates.length };
      });
  },
  18: async () => {
    const logged = sums(table('worklogs'), (row) => row['work_item_id']);
    return table('work-items')
      .filter(({ id, estimation }) => Number(estimation) > 0 && (logged.get(id) ?? 0) > Number(estimation))
      .map((row) => ({
        issue_key: row['issue_key'],
        title: row['title'],
        estimated: Number(row['estimation']) / 60,
        hours: (logged.get(row['id']) ?? 0) / 60,
      }));
  },
  20: async () =>
    [
      ...sums(
        table('work-items'),
        (row) => `${row['workflow_status_id']} ${row['assignee_id'] ?? 0}`,
        () => 1,
      ),
    ].map(([key, items]) => {
      const [status, user] = String(key).split(' ').map(Number);
      return { status: named('workflow-statuses', status), assignee: named('users', user) ?? 'nobody', items };
    }),
};

describe('the questions of docs/guides/questions.md', () => {
  it('have the numbers 1 to 20', () => {
    expect(QUESTIONS.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it.each(QUESTIONS)(
    'get an answer, which equals a second calculation where there is one: question $number ("$title")',
    async ({ number, sql }) => {
      const found = await rows(['sql', '-'], sql);
      if (!MAY_BE_EMPTY.has(number)) expect(found).not.toEqual([]);
      const otherwise = await OTHERWISE[number]?.();
      if (otherwise !== undefined) expect(inOrder(found)).toEqual(inOrder(otherwise));
    },
  );
});

function inOrder(all: readonly Row[]): readonly string[] {
  return all
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value)))
    .toSorted();
}
