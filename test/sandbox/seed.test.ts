import { expect, test } from 'vitest';
import { sandbox, send } from './support.ts';

test('the same seed creates the same worklogs and tokens, and another seed creates other worklogs', async () => {
  const [one, same, other] = await Promise.all([sandbox(), sandbox(), sandbox({ seed: 7 })]);
  const rows = async (service: typeof one): Promise<unknown> =>
    (await send(service, '/worklogs?per_page=100&sort=id')).body.data.map(({ links: _, ...row }: Record<string, unknown>) => row);
  expect(await rows(same)).toEqual(await rows(one));
  expect(await rows(other)).not.toEqual(await rows(one));
  expect(same.tokens).toEqual(one.tokens);
});

test('absences, worklogs and invoices of 2025 are equal on five days, and records are at least an hour old', async () => {
  // A working day before, in and after its hours, a weekend, and long after.
  const timestamps = [
    '2026-11-23T00:10:00Z',
    '2026-11-24T17:00:02Z',
    '2026-11-26T20:00:00Z',
    '2026-11-28T12:00:00Z',
    '2027-02-10T05:00:00Z',
  ];
  const worlds = await Promise.all(
    timestamps.map(async (timestamp) => {
      const service = await sandbox({ clock: { now: () => Date.parse(timestamp) } });
      const began = Date.parse(timestamp) - 3_600_000;
      for (const resource of ['worklogs', 'absences', 'work-items', 'sales-invoices', 'customers'])
        for (const { created_at, updated_at } of service.rows(resource))
          expect(Math.max(Date.parse(String(created_at)), Date.parse(String(updated_at))), resource).toBeLessThanOrEqual(began);
      const leave = service.rows('absences').filter(({ start }) => String(start) < '2026');
      const hours = service.rows('worklogs').filter(({ date }) => String(date) < '2026');
      return {
        leave: leave.map(({ user_id, type, start, end, status }) => [user_id, type, start, end, status].join(' ')).sort(),
        hours: hours.map(({ id, user_id, minutes, project_id }) => [id, user_id, minutes, project_id].join(' ')),
        invoices: service.rows('sales-invoices'),
      };
    }),
  );
  for (const sandboxState of worlds) expect(sandboxState).toEqual(worlds[0]);
});

test('the data of the sandbox include an admin, people, projects, work items and recent worklogs', async () => {
  const service = await sandbox();
  const total = async (path: string): Promise<number> => (await send(service, path)).body.meta.page.total;
  expect(await total('/users')).toBe(12);
  expect(await total('/projects?filter[status]=on-hold')).toBeGreaterThan(0);
  expect(await total('/work-items?with_total=1&per_page=1')).toBe(120);
  expect(await total('/worklogs?with_total=1&per_page=1')).toBeGreaterThan(3000);
  expect(await total('/worklogs?with_total=1&per_page=1&filter[date][gte]=2026-06-12')).toBeGreaterThan(0);
  const me = await send(service, '/me');
  expect(me.body.data).toMatchObject({ name: 'Sanne de Vries', role: 'admin', timezone: 'Europe/Amsterdam' });
});

test('the data of the sandbox include escape codes, formulas, emoji and quotation marks', async () => {
  const service = await sandbox({ limits: 'off' });
  const texts: string[] = [];
  for (const search of ['[31m', '=1+1', '🚀', '"later"']) {
    const { body } = await send(service, `/worklogs?q=${encodeURIComponent(search)}`);
    texts.push(...body.data.map((row: { description: string }) => row.description));
  }
  expect(texts.some((text) => text.includes('\u001b'))).toBe(true);
  expect(new Set(texts).size).toBeGreaterThanOrEqual(4);
});

test('each absence in the data of the sandbox has the manager of its person', async () => {
  const service = await sandbox();
  const managers = new Map(service.rows('users').map(({ id, manager_id }) => [id, manager_id ?? null]));
  expect([...managers.values()]).toEqual([null, 1, 2, 2, 2, null, 1, 7, 7, 7, 1, null]);
  for (const { user_id, manager_id } of service.rows('absences')) expect(manager_id, String(user_id)).toBe(managers.get(Number(user_id)));
});

test('the statuses, labels and work types in the data of the sandbox are in order', async () => {
  const service = await sandbox();
  const orders = (resource: string) => service.rows(resource).map(({ name, order }) => [name, order]);
  expect(orders('workflow-statuses')).toEqual([
    ['To do', 1],
    ['In progress', 2],
    ['In review', 3],
    ['Done', 4],
    ['Open', 1],
    ['Closed', 2],
  ]);
  for (const resource of ['workflows', 'labels', 'work-types'])
    expect(orders(resource).map(([, order]) => order)).toEqual(orders(resource).map((_, index) => index + 1));
});
