import { expect, test } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { planGroupUndo, planUndo } from '../../src/journal/undo-plan.ts';
import { parseJson, stringifyJson } from '../../src/values/json.ts';
import { aWrite } from './fixtures/entries.ts';

function done(given: Partial<JournalEntry>): JournalEntry {
  return {
    ...aWrite(),
    number: 12,
    at: 0,
    sentAt: 0,
    settledAt: 0,
    outcome: 'done',
    status: 200,
    recordId: '5902',
    etagLeft: '"left"',
    request: '',
    undoneBy: undefined,
    ...given,
  };
}

const isWritable = (noun: string, field: string) => noun === 'worklogs' && ['date', 'minutes', 'description'].includes(field);
const plan = (given: Partial<JournalEntry>) => planUndo(done(given), isWritable);
const patch = (body: string, before: string | undefined) => ({
  method: 'PATCH',
  path: '/worklogs/5902?view=detail',
  body: Buffer.from(body),
  before: before === undefined ? undefined : (parseJson(before) as NonNullable<JournalEntry['before']>),
});

test('the undo of a create is a delete with the known ETag', () => {
  expect(plan({})).toMatchObject({ kind: 'request', method: 'DELETE', path: '/worklogs/5902', body: undefined, ifMatch: '"left"' });
  expect(plan({ etagLeft: undefined })).toMatchObject({ kind: 'request', ifMatch: undefined });
});

test('the undo deletes a created child record at its own path', () => {
  expect(plan({ path: '/work-items/ABC-1/subtasks?x=1', collection: '/subtasks' })).toMatchObject({ path: '/subtasks/5902' });
  expect(plan({ path: '/sales-invoices/3/rows' })).toMatchObject({ path: '/sales-invoices/3/rows/5902' });
  expect(plan({ recordId: 'a/../b' })).toMatchObject({ path: '/worklogs/a%2F..%2Fb' });
});

test('the undo restores exactly the old values of the updated fields', () => {
  const undo = plan(patch('{"minutes":120,"rate":"2.00","description":"x"}', '{"rate":1.10,"minutes":90,"description":null,"id":5902}'));
  expect(undo).toMatchObject({ kind: 'request', method: 'PATCH', path: '/worklogs/5902', ifMatch: '"left"' });
  if (undo.kind === 'none') throw new Error('It can be undone.');
  expect(stringifyJson(undo.body ?? null)).toBe('{"minutes":90,"rate":1.10,"description":null}');
  expect(stringifyJson(undo.before ?? null)).toBe('{"minutes":120,"rate":"2.00","description":"x"}');
});

test('the undo sets the earlier status after a transition', () => {
  const transition = {
    path: '/work-items/ABC-12/actions/transition',
    body: Buffer.from('{"workflow_status_id":7}'),
    before: { workflow_status_id: 3 },
  };
  expect(plan(transition)).toMatchObject({
    kind: 'request',
    method: 'POST',
    path: '/work-items/ABC-12/actions/transition',
    body: { workflow_status_id: 3 },
    before: { workflow_status_id: 7 },
    ifMatch: '"left"',
  });
});

test.each<[string, Partial<JournalEntry>, object]>([
  [
    'a field that svc did not read',
    patch('{"minutes":120,"overtime":true}', '{"minutes":90}'),
    { reason: 'not-seen', fields: ['overtime'] },
  ],
  ['an update whose record svc did not read', patch('{"minutes":120}', undefined), { reason: 'not-seen', fields: ['minutes'] }],
  ['a field that only the prototype has', patch('{"toString":1}', '{}'), { reason: 'not-seen', fields: ['toString'] }],
  ['an update whose body is not an object', patch('[]', '{}'), { reason: 'not-seen' }],
  ['a create without a known record', { recordId: undefined }, { reason: 'not-seen' }],
  ['an action without an opposite', { path: '/sprints/1/actions/complete' }, { reason: 'action' }],
  ['a method that svc does not know', { method: 'PUT' }, { reason: 'action' }],
  ['a write whose answer was lost', { outcome: 'unknown' }, { reason: 'not-done' }],
  ['a waiting write', { outcome: 'waiting' }, { reason: 'not-done' }],
  ['a refused write', { outcome: 'refused' }, { reason: 'not-done' }],
  ['an undone write', { undoneBy: 13 }, { reason: 'undone' }],
  ['an undo', { undoes: 11, ...patch('{"minutes":1}', '{"minutes":2}') }, { reason: 'undo' }],
])('svc plans no undo for %s', (_name, given, answer) => {
  expect(plan(given)).toMatchObject({ kind: 'none', ...answer });
});

test('svc suggests the command that creates a deleted record again, instead of an undo', () => {
  const gone = { method: 'DELETE', path: '/worklogs/5902', body: undefined };
  const before = { id: 5902, date: '2026-01-15', minutes: 90, description: null, user_id: 1 };
  expect(plan({ ...gone, before })).toMatchObject({
    kind: 'none',
    reason: 'deleted',
    again: ['worklogs', 'create', '--data', '{"date":"2026-01-15","minutes":90}'],
  });
  for (const given of [{}, { before, noun: undefined }, { before: { id: 1 } }]) {
    expect(plan({ ...gone, ...given })).toMatchObject({ reason: 'deleted', again: undefined });
  }
});

test('svc plans the undo of a bulk run from its last write, without the failed writes', () => {
  const entries = [
    done({ number: 1 }),
    done({ number: 2, outcome: 'refused' }),
    done({ number: 3, undoneBy: 9 }),
    done({ number: 4, ...patch('{"minutes":1}', undefined) }),
  ];
  expect(planGroupUndo(entries, isWritable).map((each) => [each.entry.number, each.kind])).toEqual([
    [4, 'none'],
    [3, 'none'],
    [1, 'request'],
  ]);
});
