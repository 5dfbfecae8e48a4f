import { type Area, defineResource } from './define.ts';
import { ASSUMED_STAMP_FILTERS, BY_ID, BY_USER, idShortcut, NAME, refTo, STAMPS, TEXT, userField } from './fields.ts';

const events = defineResource({
  noun: 'events',
  singular: 'event',
  summary: 'The calendar',
  path: '/events',
  ability: 'events',
  counted: false,
  fields: {
    id: { kind: 'id' },
    title: { ...NAME, example: 'Kick-off' },
    start: { kind: 'date-time', write: 'both', required: true, assumed: true, example: '"2026-06-12 10:00"' },
    end: { kind: 'span-end', begins: 'start', write: 'both', assumed: true, summary: 'When it ends; a day is included' },
    location: { ...TEXT, example: 'Room 2' },
    user_id: userField({ summary: 'Whose; yours if not given' }),
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
      summary: 'Not over before this time',
      takes: 'date-time',
      sets: [{ field: 'end', operator: 'gte', orNull: 'start' }],
    },
    { flag: 'to', summary: 'Begins on this day or earlier', takes: 'date-time', sets: [{ field: 'start', operator: 'lt', edge: 'after' }] },
    { flag: 'starts-from', summary: 'Begins at this time or later', takes: 'date-time', sets: [{ field: 'start', operator: 'gte' }] },
    { flag: 'before', summary: 'Begins before this time', takes: 'date-time', sets: [{ field: 'start', operator: 'lt' }] },
    { flag: 'user', summary: 'Whose', takes: 'user', sets: [{ field: 'user_id' }] },
    idShortcut('project', 'Of this project'),
  ],
  notes: [
    { on: ['list'], text: '--from and --to find what is on then, whenever it began.' },
    { on: ['create', 'update'], text: 'A bare date means the whole day, in your time zone.' },
    'These are the events of the calendar; the service sends no notifications here.',
  ],
  examples: [
    { verb: 'list', args: '--from today --to today --user me', does: 'Your day' },
    { verb: 'list', args: '--starts-from today --sort start --limit 10', does: 'What comes next' },
    { verb: 'create', args: '--title "Kick-off" --start "2026-06-12 10:00" --location "Room 2"', does: 'A meeting' },
  ],
});

export const planningArea: Area = { title: 'Planning', resources: [events] };
