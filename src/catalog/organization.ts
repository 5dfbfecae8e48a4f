import { defineResource, STAMP_FILTERS, STAMPS } from './define.ts';

export const users = defineResource({
  noun: 'users',
  singular: 'user',
  summary: 'The people of the organisation',
  path: '/users',
  ability: 'users',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { kind: 'string', write: 'both', required: true },
    email: { kind: 'string', write: 'both', assumed: true },
    timezone: { kind: 'string', write: 'both', summary: 'IANA zone; none: the organisation’s own' },
    working_hours: { kind: 'json', summary: 'Times of day' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'email', 'timezone'],
  filters: {
    created_at: { ...STAMP_FILTERS.created_at, assumed: true },
    updated_at: { ...STAMP_FILTERS.updated_at, assumed: true },
  },
  examples: [
    { verb: 'list', args: '--search ana', does: 'Find someone by name' },
    { verb: 'list', args: '--output csv --fields id,name,timezone', does: 'Everybody, for a spreadsheet' },
  ],
});
