import { type Area, defineResource } from './define.ts';
import { ASSUMED_STAMP_FILTERS, BY_ID, BY_USER, idShortcut, NAME, refTo, STAMPS, TEXT, userField } from './fields.ts';

const events = defineResource({
  noun: 'events',
  singular: 'event',
  summary: 'Events of the calendar',
  path: '/events',
  ability: 'events',
  counted: false,
  fields: {
    id: { kind: 'id' },
    title: { ...NAME, example: 'Kick-off' },
    start: { kind: 'date-time', write: 'both', required: true, assumed: true, example: '"2026-06-12 10:00"' },
    end: { kind: 'span-end', begins: 'start', write: 'both', assumed: true, summary: 'The end; a day is included' },
    location: { ...TEXT, example: 'Room 2' },
    user_id: userField({ summary: 'The user (default: you)' }),
    user: { kind: 'json', assumed: true },
    project_id: refTo('projects'),
    project: { kind: 'json', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'start', 'end', 'title', 'location', 'user_id'],
  wide: ['project_id'],
  relations: { user: { assumed: true }, project: { assumed: true } },
  filters: {
    start: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
    end: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
    user_id: BY_USER,
    project_id: BY_ID,
    ...ASSUMED_STAMP_FILTERS,
  },
  shortcuts: [
    {
      flag: 'from',
      summary: 'Show only events that end at this time or later',
      takes: 'date-time',
      sets: [{ field: 'end', operator: 'gte', orNull: 'start' }],
    },
    {
      flag: 'to',
      summary: 'Show only events that begin on this day or earlier',
      takes: 'date-time',
      sets: [{ field: 'start', operator: 'lt', edge: 'after' }],
    },
    {
      flag: 'starts-from',
      summary: 'Show only events that begin at this time or later',
      takes: 'date-time',
      sets: [{ field: 'start', operator: 'gte' }],
    },
    {
      flag: 'before',
      summary: 'Show only events that begin before this time',
      takes: 'date-time',
      sets: [{ field: 'start', operator: 'lt' }],
    },
    { flag: 'user', summary: 'Show only events of this user', takes: 'user', sets: [{ field: 'user_id' }] },
    idShortcut('project', 'Show only records of this project'),
  ],
  notes: [
    { on: ['list'], text: '--from and --to find events in that time, also those that began before.' },
    { on: ['create', 'update'], text: 'A bare date means the whole day, in your time zone.' },
    'Events are entries of the calendar; they are not notifications of changes.',
  ],
  examples: [
    { verb: 'list', args: '--from today --to today --user me', does: 'List your events of today' },
    { verb: 'list', args: '--starts-from today --sort start --limit 10', does: 'List the next ten events' },
    { verb: 'create', args: '--title "Kick-off" --start "2026-06-12 10:00" --location "Room 2"', does: 'Create a meeting' },
  ],
});

export const planningArea: Area = { title: 'Planning', resources: [events] };
