import { type Area, defineResource } from './define.ts';
import { ARRANGED, BY_ENUM, BY_ID, BY_USER, idShortcut, NAME, refTo, shortcut, TEXT, userField, withRecord } from './fields.ts';

const events = defineResource({
  noun: 'events',
  summary: 'Events of the calendar',
  counted: false,
  fields: {
    title: { ...NAME, example: 'Kick-off' },
    start: { kind: 'date-time', write: 'both', required: true, assumed: true, example: '"2026-06-12 10:00"' },
    end: { kind: 'span-end', begins: 'start', write: 'both', assumed: true, summary: 'The end; a date alone means the end of that day' },
    location: { ...TEXT, example: 'Room 2' },
    ...withRecord('user', userField({ summary: 'The user (default: you)' })),
    ...withRecord('project', refTo('projects')),
  },
  columns: ['id', 'start', 'end', 'title', 'location', 'user_id'],
  wide: ['project_id'],
  filters: {
    start: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
    end: { kind: 'date-time', operators: ['gte', 'lt'], assumed: true },
    user_id: BY_USER,
    project_id: BY_ID,
  },
  shortcuts: [
    shortcut('from', 'Show only events that end at this time or later', 'date-time', { field: 'end', operator: 'gte', orNull: 'start' }),
    shortcut('to', 'Show only events that begin before this time, or on this day or earlier', 'date-time', {
      field: 'start',
      operator: 'lt',
      edge: 'after',
    }),
    {
      ...shortcut('starts-from', 'Show only events that begin at this time or later', 'date-time', { field: 'start', operator: 'gte' }),
      ahead: true,
    },
    shortcut('before', 'Show only events that begin before this time', 'date-time', { field: 'start', operator: 'lt' }),
    shortcut('user', 'Show only events of this user', 'user', { field: 'user_id' }),
    idShortcut('project', 'Show only records of this project'),
  ],
  notes: [
    { on: ['list'], text: '--from and --to select events by their time, also events that began earlier.' },
    { on: ['create', 'update'], text: 'A bare date means the whole day, in your time zone.' },
    'Events are entries of the calendar; they are not notifications of changes.',
  ],
  examples: [
    ['list', '--from today --to today --user me', 'List your events of today'],
    ['list', '--starts-from today --sort start --limit 10', 'List the next ten events'],
    ['create', '--title "Kick-off" --start "2026-06-12 10:00" --location "Room 2"', 'Create a meeting'],
  ],
});

export const planningArea: Area = { title: 'Planning', resources: [events] };

const sprints = defineResource({
  noun: 'sprints',
  summary: 'Sprints: planned, running and completed',
  ability: 'project_management',
  reorderable: true,
  ownCommands: [
    { code: 'burn-down', name: 'burndown', summary: 'Compare the logged hours of a sprint with its estimations, by day', onlyReads: true },
  ],
  fields: {
    name: { ...NAME, example: 'Sprint 14' },
    goal: { ...TEXT, summary: 'The goal of the sprint' },
    state: { kind: 'enum', assumed: true, summary: 'The state; svc sprints complete ends the sprint' },
    start_date: { kind: 'date', write: 'both', assumed: true },
    end_date: { kind: 'date', write: 'both', assumed: true },
  },
  columns: ['id', 'name', 'state', 'start_date', 'end_date'],
  wide: ['goal'],
  filters: { state: BY_ENUM },
  shortcuts: [{ flag: 'state', summary: 'Show only records in this state', takes: 'enum', sets: [{ field: 'state' }] }],
  actions: [{ name: 'complete', summary: 'Complete a sprint' }],
  notes: [ARRANGED],
  examples: [
    ['list', '--state active', 'List active sprints'],
    ['list', '--sort -start_date --limit 5', 'List the last five sprints'],
    ['create', '--name "Sprint 14" --start-date monday --end-date +2w', 'Create a sprint of two weeks from Monday'],
    ['complete', '14', 'Complete sprint 14'],
  ],
});

export const sprintArea: Area = { title: 'Sprints', resources: [sprints] };
