import type { DescribedResource } from '../../src/schema/described.ts';

/** Rooms, a resource that svc does not know, as in an API spec. */
export const ROOMS: DescribedResource = {
  noun: 'rooms',
  singular: 'room',
  summary: 'Rooms',
  description: 'Where people meet.',
  path: '/rooms',
  itemPath: '/rooms/{room}',
  schema: 'Room',
  fields: {
    id: { kind: 'id' },
    name: { kind: 'string', write: 'both', required: true, summary: 'What it is called. Shown on the door.' },
    seats: { kind: 'integer', write: 'both' },
    floor: { kind: 'enum', write: 'both', values: ['ground', 'first'] },
    mood: { kind: 'enum', write: 'both', values: ['calm', 'loud'], extensible: true },
    output: { kind: 'string', write: 'both', nullable: true },
    code: { kind: 'string', write: 'create' },
    booked_minutes: { kind: 'integer' },
  },
  list: {
    filters: {
      seats: { kind: 'integer', operators: ['eq', 'gte', 'in'] },
      booked_minutes: { kind: 'integer', operators: ['gte'] },
    },
    sorts: ['id', 'name'],
    paged: true,
    search: false,
    trashed: ['without', 'only'],
    maxPerPage: 50,
  },
  includes: { bookings: { many: true } },
  views: { summary: ['id', 'name', 'seats'], detail: ['id', 'name', 'seats', 'floor', 'mood', 'output', 'code', 'booked_minutes'] },
  operations: [
    { name: 'list', method: 'GET', path: '/rooms', abilities: ['api:read:rooms'] },
    { name: 'get', method: 'GET', path: '/rooms/{room}', abilities: ['api:read:rooms'] },
    { name: 'create', method: 'POST', path: '/rooms', abilities: ['api:write:rooms'] },
    { name: 'update', method: 'PATCH', path: '/rooms/{room}', abilities: ['api:write:rooms'] },
    {
      name: 'lock',
      method: 'POST',
      path: '/rooms/{room}/actions/lock',
      summary: 'Lock a room.',
      abilities: ['api:write:rooms'],
      permission: 'rooms::lock',
      body: { reason: { kind: 'string', required: true }, until: { kind: 'date' } },
    },
    { name: 'list', method: 'POST', path: '/rooms/{room}/lists', summary: 'Make a list.' },
    { name: 'photo', method: 'PUT', path: '/rooms/{room}/photo', contentType: 'image/png' },
  ],
  nested: [
    {
      noun: 'bookings',
      singular: 'booking',
      summary: 'Bookings',
      path: '/rooms/{room}/bookings',
      itemPath: null,
      fields: { id: { kind: 'id' }, day: { kind: 'date', write: 'create', required: true } },
      list: { filters: {}, paged: false, search: false },
      operations: [
        { name: 'list', method: 'GET', path: '/rooms/{room}/bookings' },
        { name: 'create', method: 'POST', path: '/rooms/{room}/bookings' },
      ],
    },
  ],
};

/** Worklogs of an organisation with another name for their length, and without a filter by project. */
export const RENAMED_WORKLOGS: DescribedResource = {
  noun: 'worklogs',
  singular: 'worklog',
  summary: 'Worklogs',
  path: '/worklogs',
  itemPath: '/worklogs/{worklog}',
  fields: {
    id: { kind: 'id' },
    date: { kind: 'date', write: 'both', required: true, summary: 'Which day' },
    spent: { kind: 'integer', write: 'both', required: true },
    description: { kind: 'string', write: 'both', nullable: true },
    user_id: { kind: 'integer', write: 'both' },
    created_at: { kind: 'date-time' },
  },
  list: { filters: { date: { kind: 'date', operators: ['eq', 'gte', 'lte'] } }, sorts: ['id'], paged: false, search: true },
  includes: {},
  operations: [
    { name: 'list', method: 'GET', path: '/worklogs' },
    { name: 'create', method: 'POST', path: '/worklogs', body: { date: { kind: 'date' }, spent: { kind: 'integer' } } },
  ],
};
