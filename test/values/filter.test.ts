import { expect, test } from 'vitest';
import { parseFilterExpression } from '../../src/values/assignment.ts';

test.each([
  ['start.gte=2025-01-01', { field: 'start', operator: 'gte', value: '2025-01-01' }],
  ['user_id=me', { field: 'user_id', value: 'me' }],
  ['name=a=b.c', { field: 'name', value: 'a=b.c' }],
  ['manager_id.null=true', { field: 'manager_id', operator: 'null', value: 'true' }],
  ['name=', { field: 'name', value: '' }],
  ['name=two\nlines', { field: 'name', value: 'two\nlines' }],
])('svc parses the filter %j as %j', (text, expected) => {
  expect(parseFilterExpression(text)).toEqual(expected);
});

test.each([
  ['start', 'Filter: "start" has no "=".'],
  ['start>=2025', 'Filter: "start>" is not a field to filter by.'],
  ['a.b.c=1', 'Filter: "a.b.c" is not a field to filter by.'],
  ['filter[start]=1', 'Filter: "filter[start]" is not a field to filter by.'],
  ['=1', 'Filter: "" is not a field to filter by.'],
])('svc refuses the filter %s', (text, message) => {
  expect(() => parseFilterExpression(text)).toThrow(
    expect.objectContaining({ name: 'UsageError', message, hint: expect.stringContaining('<field>=<value>') }),
  );
});
