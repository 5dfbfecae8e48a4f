import { defineResource, STAMP_FILTERS, STAMPS } from './define.ts';

/** Absences: the one collection whose parameters are all documented (rules on absences). Its fields are not. */
export const absences = defineResource({
  noun: 'absences',
  singular: 'absence',
  summary: 'Sick leave and other absences',
  path: '/absences',
  ability: 'absences',
  counted: true,
  fields: {
    id: { kind: 'id' },
    user_id: { kind: 'user', write: 'both', ref: 'users', assumed: true, summary: 'Who is absent' },
    user: { kind: 'json', assumed: true },
    manager_id: { kind: 'id', write: 'both', ref: 'users', assumed: true, summary: 'Who is in charge of it' },
    manager: { kind: 'json', assumed: true },
    start: { kind: 'date-time', write: 'both', summary: 'When it began' },
    end: { kind: 'date-time', write: 'both', summary: 'When it ended; not given while it runs' },
    ...STAMPS,
  },
  columns: ['id', 'user_id', 'start', 'end', 'manager_id'],
  relations: { user: { assumed: true }, manager: { assumed: true } },
  filters: {
    start: { kind: 'date-time', operators: ['gte', 'lte'] },
    end: { kind: 'date-time', operators: ['gte', 'lte', 'null'] },
    manager_id: { kind: 'id', operators: ['in', 'null'] },
    user_id: { kind: 'user', operators: ['in'] },
    ...STAMP_FILTERS,
  },
  filtersComplete: true,
  search: false,
  shortcuts: [
    {
      flag: 'year',
      summary: 'Began in this year, in your time zone',
      takes: 'year',
      sets: [
        { field: 'start', operator: 'gte', edge: 'first' },
        { field: 'start', operator: 'lte', edge: 'last' },
      ],
    },
    { flag: 'from', summary: 'Began on this day or later', takes: 'date-time', sets: [{ field: 'start', operator: 'gte' }] },
    { flag: 'to', summary: 'Began on this day or earlier', takes: 'date-time', sets: [{ field: 'start', operator: 'lte' }] },
    { flag: 'running', summary: 'Not ended yet', sets: [{ field: 'end', operator: 'null', value: 'true' }] },
    { flag: 'user', summary: 'Whose; others than yourself need absences::manage', takes: 'user', sets: [{ field: 'user_id' }] },
    { flag: 'manager', summary: 'In the charge of this user', takes: 'id', sets: [{ field: 'manager_id' }] },
    { flag: 'no-manager', summary: 'In nobody’s charge', sets: [{ field: 'manager_id', operator: 'null', value: 'true' }] },
  ],
  notes: ['Newest first, by start. An absence runs while its end is null.'],
  examples: [
    {
      verb: 'list',
      args: "--year 2025 --jq 'group_by(.user_id) | map({user: .[0].user_id, absences: length})'",
      does: 'How many each person had in 2025',
    },
    { verb: 'list', args: '--running --no-manager', does: 'Running absences that nobody looks after' },
  ],
});
