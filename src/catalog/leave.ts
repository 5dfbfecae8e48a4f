import { type Area, defineResource, type Resource } from './define.ts';
import { ASSUMED_STAMP_FILTERS, BY_DATE, BY_USER, dayShortcuts, NAME, STAMP_FILTERS, STAMPS, TEXT, userField } from './fields.ts';

/** Absences: the one collection whose parameters are all documented (rules 9.13 to 9.30). Its fields are not. */
const absences = defineResource({
  noun: 'absences',
  singular: 'absence',
  summary: 'Sick leave, holidays and other absences of people',
  path: '/absences',
  ability: 'absences',
  counted: true,
  ownCommands: [
    { code: 'add-leave', name: 'add', summary: 'Add an absence for some days, or for half a day' },
    { code: 'who-is-away', name: 'who', summary: 'Show who is away today, next week or on any days' },
    {
      code: 'absence-calendar',
      name: 'calendar',
      summary: 'Show absences by person and day, as a grid, a page or a calendar file',
    },
    { code: 'used-days', name: 'used', summary: 'Count the working days of leave that people used in a year' },
  ],
  fields: {
    id: { kind: 'id' },
    user_id: userField({ summary: 'The absent user' }),
    user: { kind: 'json', assumed: true },
    manager_id: userField({ summary: 'The user in charge' }),
    manager: { kind: 'json', assumed: true },
    start: { kind: 'date-time', write: 'both', summary: 'The start' },
    end: {
      kind: 'span-end',
      begins: 'start',
      write: 'both',
      summary: 'The end; a day is included, and no end means that the absence continues',
    },
    ...STAMPS,
  },
  columns: ['id', 'user_id', 'start', 'end', 'manager_id'],
  relations: { user: { assumed: true }, manager: { assumed: true } },
  filters: {
    start: { kind: 'date-time', operators: ['gte', 'lte'] },
    end: { kind: 'date-time', operators: ['gte', 'lte', 'null'] },
    manager_id: { kind: 'user', operators: ['in', 'null'] },
    user_id: { kind: 'user', operators: ['in'], takesMe: true },
    ...STAMP_FILTERS,
  },
  parametersComplete: true,
  defaultSort: '-start',
  shortcuts: [
    {
      flag: 'year',
      summary: 'Show only absences that began in this year, in your time zone',
      takes: 'year',
      sets: [
        { field: 'start', operator: 'gte', edge: 'first' },
        { field: 'start', operator: 'lte', edge: 'last' },
      ],
    },
    {
      flag: 'from',
      summary: 'Show only absences on this day or later, also those without an end',
      takes: 'date-time',
      sets: [{ field: 'end', operator: 'gte', orNull: true }],
    },
    { flag: 'to', summary: 'Show only absences on this day or earlier', takes: 'date-time', sets: [{ field: 'start', operator: 'lte' }] },
    {
      flag: 'starts-from',
      summary: 'Show only absences that began on this day or later',
      takes: 'date-time',
      sets: [{ field: 'start', operator: 'gte' }],
    },
    {
      flag: 'starts-to',
      summary: 'Show only absences that began on this day or earlier',
      takes: 'date-time',
      sets: [{ field: 'start', operator: 'lte' }],
    },
    { flag: 'running', summary: 'Show only absences that have not ended', sets: [{ field: 'end', operator: 'null', value: 'true' }] },
    {
      flag: 'user',
      summary: 'Show only absences of this user (other users need absences::manage)',
      takes: 'user',
      sets: [{ field: 'user_id' }],
    },
    { flag: 'manager', summary: 'Show only absences in the charge of this user', takes: 'user', sets: [{ field: 'manager_id' }] },
    {
      flag: 'no-manager',
      summary: 'Show only absences in nobody’s charge',
      sets: [{ field: 'manager_id', operator: 'null', value: 'true' }],
    },
  ],
  notes: [
    {
      on: ['list'],
      text: 'The list is ordered by start, newest first. --from and --to find absences on those days, also those that began before. --year, --starts-from and --starts-to compare the start.',
    },
    { on: ['create', 'update'], text: 'A bare date means the whole day, in your time zone.' },
    'An absence continues while its end is null.',
  ],
  examples: [
    {
      verb: 'list',
      args: "--year 2025 --jq 'group_by(.user_id) | map({user: .[0].user_id, absences: length})'",
      does: 'Count the absences of each person in 2025',
    },
    { verb: 'list', args: '--from monday --to +1w', does: 'List absences from Monday to a week from today' },
    { verb: 'list', args: '--running --no-manager', does: 'List absences without an end and without a manager' },
    { verb: 'create', args: '--user me --start today', does: 'Create an absence of yours from today' },
    {
      verb: 'create',
      args: '--user mira@example.com --start 2026-03-02 --end 2026-03-06',
      does: 'Create a week of absence for somebody else',
    },
    { verb: 'create', args: '--user me --start 2026-12-07 --end 2026-12-11', does: 'Create an absence of five whole days' },
    { verb: 'update', args: '88 --end today', does: 'End an absence today' },
    { verb: 'update', args: '88 --end none', does: 'Remove the end of an absence' },
    { verb: 'update', args: 'last --manager mira@example.com', does: 'Set the manager of your last absence' },
  ],
});

/** Fields that holidays and free days share. */
function dayOff(name: string, date: string) {
  return {
    fields: {
      id: { kind: 'id' },
      name: { ...NAME, example: name },
      date: { kind: 'date', write: 'both', required: true, assumed: true, example: date },
      ...STAMPS,
    },
    columns: ['id', 'date', 'name'],
    filters: { date: BY_DATE, ...ASSUMED_STAMP_FILTERS },
    shortcuts: dayShortcuts('date', 'Show only records of this day or later', 'Show only records of this day or earlier'),
  } as const satisfies Partial<Resource>;
}

const holidays = defineResource({
  noun: 'holidays',
  singular: 'holiday',
  summary: 'Public holidays',
  path: '/holidays',
  ability: 'holidays',
  counted: true,
  ...dayOff('New Year', '2027-01-01'),
  examples: [
    { verb: 'list', args: '--from today --sort date', does: 'List the days from today on' },
    { verb: 'list', args: '--from 2026-01-01 --to 2026-12-31 --output csv', does: 'Write a year for a spreadsheet' },
    { verb: 'create', args: '--name "New Year" --date 2027-01-01', does: 'Create a holiday' },
  ],
});

const freeDays = defineResource({
  noun: 'free-days',
  singular: 'free-day',
  summary: 'Days on which nobody needs to work',
  path: '/free-days',
  ability: 'free_days',
  counted: true,
  ...dayOff('Company outing', '2026-06-12'),
  examples: [
    { verb: 'list', args: '--from today --sort date', does: 'List the days from today on' },
    { verb: 'list', args: '--limit 10', does: 'List the first ten' },
    { verb: 'create', args: '--name "Company outing" --date 2026-06-12', does: 'Create a free day' },
  ],
});

const checkins = defineResource({
  noun: 'checkins',
  singular: 'checkin',
  summary: 'Daily check-ins',
  path: '/checkins',
  ability: 'checkins',
  counted: false,
  fields: {
    id: { kind: 'id' },
    user_id: userField({ summary: 'The user (default: you)' }),
    user: { kind: 'json', assumed: true },
    date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    note: { ...TEXT, example: 'At the office' },
    ...STAMPS,
  },
  columns: ['id', 'date', 'user_id', 'note'],
  relations: { user: { assumed: true } },
  filters: { date: BY_DATE, user_id: BY_USER, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    ...dayShortcuts('date', 'Show only records of this day or later', 'Show only records of this day or earlier'),
    { flag: 'user', summary: 'Show only check-ins of this user', takes: 'user', sets: [{ field: 'user_id' }] },
  ],
  notes: ['You need no permission to check in, and checkins::read to list check-ins.'],
  examples: [
    { verb: 'list', args: '--from today --include user', does: 'List the check-ins of today' },
    { verb: 'list', args: '--user me --from monday', does: 'List your check-ins of this week' },
    { verb: 'create', args: '--date today --note "At the office"', does: 'Check in' },
  ],
});

const furloughBalanceMutations = defineResource({
  noun: 'furlough-balance-mutations',
  singular: 'furlough-balance-mutation',
  summary: 'Changes of people’s leave balances',
  path: '/furlough-balance-mutations',
  ability: 'furlough',
  counted: false,
  fields: {
    id: { kind: 'id' },
    user_id: userField({ required: true }),
    user: { kind: 'json', assumed: true },
    date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    minutes: { kind: 'duration', write: 'both', required: true, assumed: true, summary: 'The time to add', example: '8h' },
    ...STAMPS,
  },
  columns: ['id', 'date', 'user_id', 'minutes'],
  relations: { user: { assumed: true } },
  filters: { date: BY_DATE, user_id: BY_USER, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    ...dayShortcuts('date', 'Show only records of this day or later', 'Show only records of this day or earlier'),
    { flag: 'user', summary: 'Show only changes of this user’s balance', takes: 'user', sets: [{ field: 'user_id' }] },
  ],
  examples: [
    { verb: 'list', args: '--user me', does: 'List the changes of your balance' },
    { verb: 'list', args: '--from 2026-01-01 --output csv', does: 'Write the changes of this year for a spreadsheet' },
    { verb: 'create', args: '--user mira@example.com --date today --minutes 8h', does: 'Add a day to somebody’s balance' },
  ],
});

export const leaveArea: Area = { title: 'Leave', resources: [absences, holidays, freeDays, checkins, furloughBalanceMutations] };
