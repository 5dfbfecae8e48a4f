import { describe, expect, test } from 'vitest';
import { fieldValue, pickFields, selectFields, trackMissing } from '../../src/output/fields.ts';
import { parseJson } from '../../src/values/json.ts';

const record = {
  id: 7,
  user: { id: 3, name: 'Zoë', team: { id: 1, name: 'A' } },
  labels: [{ id: 1, name: 'a' }, { id: 2 }],
  parent: null,
  price: parseJson('1.10'),
};

test.each([
  [['user.name', 'id'], '{"user":{"name":"Zoë"},"id":7}'],
  [['user.name', 'id', 'user.id'], '{"user":{"name":"Zoë","id":3},"id":7}'],
  [['user.team.name'], '{"user":{"team":{"name":"A"}}}'],
  [['user', 'user.name'], '{"user":{"id":3,"name":"Zoë","team":{"id":1,"name":"A"}}}'],
  [['user.name', 'user'], '{"user":{"id":3,"name":"Zoë","team":{"id":1,"name":"A"}}}'],
  [['labels.name'], '{"labels":[{"name":"a"},{}]}'],
  [['parent.name', 'price'], '{"parent":null,"price":1.10}'],
  [['nothing', 'toString', '__proto__'], '{}'],
])('svc keeps only the fields %j of a record', (names, json) => {
  expect(JSON.stringify(pickFields(record, selectFields(names)))).toBe(json);
});

test.each([
  ['id', 7],
  ['user.team.name', 'A'],
  ['labels.name', ['a']],
  ['parent.name', null],
  ['id.x', undefined],
  ['nothing', undefined],
  ['constructor', undefined],
])('svc reads the field %s of a record as %j', (name, value) => {
  expect(fieldValue(record, name)).toEqual(value);
});

describe('missing fields', () => {
  test('are the fields that no record has', () => {
    const tracker = trackMissing(['id', 'user.name', 'nope', 'late']);
    tracker.see(record);
    expect(tracker.missing).toEqual(['nope', 'late']);
    tracker.see({ late: null });
    expect(tracker.missing).toEqual(['nope']);
  });
});
