import { type Area, defineResource, type Resource } from './define.ts';
import { BY_DATE, BY_USER, dayShortcuts, NAME, nullShortcut, shortcut, TEXT, userField, withRecord } from './fields.ts';

/** Absences. The documentation lists all parameters of this list (rules 9.13 to 9.30), but not the fields of its records. */
const absences = defineResource({
  noun: 'absences',
  summary: 'Sick leave, holidays and other absences of people',
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
    ...withRecord('user', userField({ summary: 'The absent user' })),
    ...withRecord('manager', userField({ summary: 'The manager' })),
    start: { kind: 'date-time', write: 'both', summary: 'The start' },
    end: {
      kind: 'span-end',
      begins: 'start',
      write: 'both',
      summary: 'The end; a date alone means the end of that day, and no end means that the absence continues',
    },
    type: { kind: 'enum', assumed: true, summary: 'The type, such as vacation' },
    status: { kind: 'enum', assumed: true, summary: 'The state, such as requested' },
  },
  columns: ['id', 'user_id', 'start', 'end', 'type', 'status', 'manager_id'],
  filters: {
    start: { kind: 'date-time', operators: ['gte', 'lte'] },
    end: { kind: 'date-time', operators: ['gte', 'lte', 'null'] },
    manager_id: { kind: 'user', operators: ['in', 'null'] },
    user_id: { kind: 'user', operators: ['in'], takesMe: true },
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
      summary: 'Show only absences on this day or later, and absences without an end',
      takes: 'date-time',
      sets: [{ field: 'end', operator: 'gte', orNull: true }],
    },
    shortcut('to', 'Show only absences on this day or earlier', 'date-time', { field: 'start', operator: 'lte' }),
    {
      ...shortcut('starts-from', 'Show only absences that begin on this day or later', 'date-time', { field: 'start', operator: 'gte' }),
      ahead: true,
    },
    {
      ...shortcut('starts-to', 'Show only absences that begin on this day or earlier', 'date-time', { field: 'start', operator: 'lte' }),
      ahead: 'starts-from',
    },
    nullShortcut('running', 'Show only absences without an end', 'end'),
    shortcut('user', 'Show only absences of this user (other users need absences::manage)', 'user', { field: 'user_id' }),
    shortcut('manager', 'Show only absences whose manager is this user', 'user', { field: 'manager_id' }),
    nullShortcut('no-manager', 'Show only absences without a manager', 'manager_id'),
  ],
  notes: [
    {
      on: ['list'],
      text: 'svc lists absences by start, newest first. --from and --to select absences by their days, also absences that began earlier. --year, --starts-from and --starts-to select absences by their start. A weekday in --starts-from or --starts-to means the next such day, today included.',
    },
    { on: ['create', 'update'], text: 'A bare date means the whole day, in your time zone.' },
    'An absence continues while its end is null.',
  ],
  examples: [
    [
      'list',
      "--year 2025 --jq 'group_by(.user_id) | map({user: .[0].user_id, absences: length})'",
      'Count the absences of each person in 2025',
    ],
    ['list', '--from monday --to +1w', 'List absences from Monday to a week from today'],
    ['list', '--running --no-manager', 'List absences without an end and without a manager'],
    ['create', '--user me --start today', 'Create an absence of yours from today'],
    ['create', '--user mira@example.com --start 2026-03-02 --end 2026-03-06', 'Create a week of absence for somebody else'],
    ['create', '--user me --start 2026-12-07 --end 2026-12-11', 'Create an absence of five whole days'],
    ['update', '88 --end today', 'End an absence today'],
    ['update', '88 --end none', 'Remove the end of an absence'],
    ['update', 'last --manager mira@example.com', 'Set the manager of your last absence'],
  ],
});

function dayOff(name: string, date: string) {
  return {
    fields: {
      name: { ...NAME, example: name },
      date: { kind: 'date', write: 'both', required: true, assumed: true, example: date },
    },
    columns: ['id', 'date', 'name'],
    filters: { date: BY_DATE },
    shortcuts: dayShortcuts('date', 'Show only records of this day or later', 'Show only records of this day or earlier'),
  } as const satisfies Partial<Resource>;
}

const holidays = defineResource({
  noun: 'holidays',
  summary: 'Public holidays',
  ...dayOff('New Year', '2027-01-01'),
  examples: [
    ['list', '--from today --sort date', 'List the days from today on'],
    ['list', '--from 2026-01-01 --to 2026-12-31 --output csv', 'Write a year for a spreadsheet'],
    ['create', '--name "New Year" --date 2027-01-01', 'Create a holiday'],
  ],
});

const freeDays = defineResource({
  noun: 'free-days',
  summary: 'Days on which nobody needs to work',
  ...dayOff('Company outing', '2026-06-12'),
  examples: [
    ['list', '--from today --sort date', 'List the days from today on'],
    ['list', '--limit 10', 'List the first ten public holidays'],
    ['create', '--name "Company outing" --date 2026-06-12', 'Create a free day'],
  ],
});

const checkins = defineResource({
  noun: 'checkins',
  summary: 'Daily checkins',
  counted: false,
  fields: {
    ...withRecord('user', userField({ summary: 'The user (default: you)' })),
    date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    note: { ...TEXT, example: 'At the office' },
  },
  columns: ['id', 'date', 'user_id', 'note'],
  filters: { date: BY_DATE, user_id: BY_USER },
  shortcuts: [
    ...dayShortcuts('date', 'Show only records of this day or later', 'Show only records of this day or earlier'),
    shortcut('user', 'Show only checkins of this user', 'user', { field: 'user_id' }),
  ],
  notes: ['Listing checkins needs the permission checkins::read. Checking in needs no permission.'],
  examples: [
    ['list', '--from today --include user', 'List the checkins of today'],
    ['list', '--user me --from monday', 'List your checkins of this week'],
    ['create', '--date today --note "At the office"', 'Check in'],
  ],
});

const furloughBalanceMutations = defineResource({
  noun: 'furlough-balance-mutations',
  summary: 'Changes of people’s leave balances',
  ability: 'furlough',
  counted: false,
  fields: {
    ...withRecord('user', userField({ required: true })),
    date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    minutes: { kind: 'duration', write: 'both', required: true, assumed: true, summary: 'The time to add', example: '8h' },
  },
  columns: ['id', 'date', 'user_id', 'minutes'],
  filters: { date: BY_DATE, user_id: BY_USER },
  shortcuts: [
    ...dayShortcuts('date', 'Show only records of this day or later', 'Show only records of this day or earlier'),
    shortcut('user', 'Show only changes of this user’s balance', 'user', { field: 'user_id' }),
  ],
  examples: [
    ['list', '--user me', 'List the changes of your balance'],
    ['list', '--from 2026-01-01 --output csv', 'Write the changes of this year for a spreadsheet'],
    ['create', '--user mira@example.com --date today --minutes 8h', 'Add a day to somebody’s balance'],
  ],
});

export const leaveArea: Area = { title: 'Leave', resources: [absences, holidays, freeDays, checkins, furloughBalanceMutations] };
