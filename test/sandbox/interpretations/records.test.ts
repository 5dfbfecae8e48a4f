import { describe, expect, test } from 'vitest';
import type { Interpretations } from '../../../src/sandbox/start.ts';
import { sandbox, send } from '../support.ts';

const SURE = ['id', 'date', 'minutes', 'description', 'work_item_id', 'is_overtime', 'created_at', 'updated_at'];
const IDS = ['user_id', 'project_id', 'budget_id', 'task_id', 'reviewed_by', 'invoice_id', 'sales_invoice_row_id'];

/** The names of the fields of the first record of a path. */
async function fields(interpretations: Partial<Interpretations>, path: string): Promise<string[]> {
  const service = await sandbox({ interpretations });
  return Object.keys((await send(service, path)).body.data[0]).toSorted();
}

describe('the option summary', () => {
  test.each([
    ['usual', [...SURE, ...IDS, 'is_not_billable', 'exceeded_budget', 'links']],
    ['documented', SURE],
    ['bare', [...SURE, 'links']],
    ['all', [...SURE, ...IDS, 'is_not_billable', 'exceeded_budget', 'links']],
  ] as const)('with the value %s sets the fields of a worklog in the summary view', async (summary, expected) => {
    expect(await fields({ summary }, '/worklogs?per_page=1')).toEqual([...expected].toSorted());
  });

  test.each([
    ['usual', { working_hours: false, email: true }],
    ['documented', { working_hours: false, email: true }],
    ['bare', { working_hours: false, email: false }],
    ['all', { working_hours: true, email: true }],
  ] as const)('with the value %s sets the fields of a user in the summary view', async (summary, has) => {
    const names = await fields({ summary }, '/users?per_page=1');
    for (const [field, there] of Object.entries(has)) expect([field, names.includes(field)]).toEqual([field, there]);
    expect(names).toEqual(expect.arrayContaining(['id', 'name', 'created_at', 'updated_at']));
  });

  test('leaves the detail view complete, and shows an included relation without its id field', async () => {
    const everything = [...SURE, ...IDS, 'is_not_billable', 'exceeded_budget', 'links'].toSorted();
    expect(await fields({ summary: 'documented' }, '/worklogs?per_page=1&view=detail')).toEqual(everything);
    expect(await fields({ summary: 'documented' }, '/worklogs?per_page=1&include=user')).toEqual([...SURE, 'user'].toSorted());
  });

  test.each([
    ['documented', 'always', true],
    ['documented', 'as-summary', false],
    ['usual', 'never', false],
    ['usual', 'as-summary', true],
  ] as const)(
    'with the value %s and worklogSummaryIds %s shows the ids of relations in a summary: %s',
    async (summary, worklogSummaryIds, there) => {
      const names = await fields({ summary, worklogSummaryIds }, '/worklogs?per_page=1');
      for (const id of IDS) expect([id, names.includes(id)]).toEqual([id, there]);
      const detailed = await fields({ summary, worklogSummaryIds }, '/worklogs?per_page=1&view=detail');
      expect(detailed).toEqual(expect.arrayContaining(IDS));
    },
  );
});

test.each([
  ['sent', false],
  ['left-out', undefined],
  ['null', null],
] as const)('the option falseInSummary with the value %s makes a false value in the summary view %s', async (falseInSummary, expected) => {
  const service = await sandbox({ interpretations: { falseInSummary } });
  const flags = async (view: string): Promise<Set<unknown>> => {
    const { body } = await send(service, `/worklogs?per_page=100&view=${view}`);
    return new Set(body.data.map((row: { is_overtime?: unknown }) => row.is_overtime));
  };
  expect(await flags('summary')).toEqual(new Set([expected, true]));
  expect(await flags('detail')).toEqual(new Set([false, true]));
});

test.each([
  ['start-end', { monday: { start: '09:00', end: '17:00' }, wednesday: null }],
  ['from-to', { monday: { from: '09:00', to: '17:00' }, wednesday: null }],
  ['per-day', { monday: '08:00', wednesday: '00:00', sunday: '00:00' }],
  ['one-time', '08:00'],
  ['list', ['08:00', '08:00', '00:00', '08:00', '08:00', '00:00', '00:00']],
  ['minutes', 480],
  ['null', null],
  ['text', 'nine to five, mostly'],
] as const)('the option workingHours with the value %s sets the form of working hours', async (workingHours, expected) => {
  const service = await sandbox({ interpretations: { workingHours } });
  const { working_hours } = (await send(service, '/users/3')).body.data;
  if (typeof expected === 'object' && expected !== null && !Array.isArray(expected)) expect(working_hours).toMatchObject(expected);
  else expect(working_hours).toEqual(expected);
  // Somebody without hours has none in any form.
  expect((await send(service, '/users/12')).body.data.working_hours).toBeNull();
});

test('the options missingTimezone and organisationZone set the fields of a person without a time zone', async () => {
  const service = await sandbox();
  const anais = async () => (await send(service, '/users/11')).body.data;
  expect(await anais()).toMatchObject({ timezone: null });
  expect(await anais()).not.toHaveProperty('organization_timezone');
  Object.assign(service.interpretations, { missingTimezone: 'absent', organisationZone: 'shown' });
  expect(await anais()).not.toHaveProperty('timezone');
  expect(await anais()).toHaveProperty('organization_timezone', 'Europe/Amsterdam');
  expect((await send(service, '/users/1')).body.data.timezone).toBe('Europe/Amsterdam');
});

test.each([
  ['in-trash', 404, [6]],
  ['readable', 200, [6]],
  ['gone', 404, []],
] as const)(
  'the option deletedRecords with the value %s makes a request for a deleted record get %i',
  async (deletedRecords, status, trash) => {
    const service = await sandbox({ interpretations: { deletedRecords } });
    await send(service, '/projects/6', { method: 'DELETE' });
    const read = await send(service, '/projects/6');
    expect(read.status).toBe(status);
    if (status === 200) expect(read.body.data.deleted_at).toBe('2026-06-15T12:00:00Z');
    expect((await send(service, '/projects/6', { method: 'PATCH', body: { name: 'x' } })).status).toBe(404);
    expect((await send(service, '/projects?trashed=only')).body.data.map((row: { id: number }) => row.id)).toEqual(trash);
  },
);

test('sandbox.rows() returns the stored rows with hidden fields, and throws for an unknown resource', async () => {
  const service = await sandbox({ interpretations: { summary: 'bare', workingHours: 'text', falseInSummary: 'left-out' } });
  expect(service.rows('users')[2]).toMatchObject({ id: 3, working_hours: { wednesday: null }, is_active: true });
  await send(service, '/users/3', { method: 'DELETE' });
  expect(service.rows('users')[2]).toMatchObject({ id: 3, deleted_at: '2026-06-15T12:00:00Z' });
  expect(() => service.rows('nosuch')).toThrow(RangeError);
});

test('the option wrapSingleRecords with the value false still wraps the answer of /me in data', async () => {
  const service = await sandbox({ interpretations: { wrapSingleRecords: false } });
  expect((await send(service, '/users/1')).body.id).toBe(1);
  expect((await send(service, '/me')).body.data.id).toBe(1);
});
