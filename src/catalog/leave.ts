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
    { code: 'add-leave', name: 'add', summary: 'Be away: some days, or half of one' },
    { code: 'who-is-away', name: 'who', summary: 'Who is away: today, next week, any days' },
    {
      code: 'absence-calendar',
      name: 'calendar',
      summary: 'Who is away on which day: as a grid, a page, or a file for other calendars',
    },
    { code: 'used-days', name: 'used', summary: 'How many working days of leave people have used in a year' },
  ],
  fields: {
    id: { kind: 'id' },
    user_id: userField({ summary: 'Who is absent' }),
    user: { kind: 'json', assumed: true },
    manager_id: userField({ summary: 'Who is in charge of it' }),
    manager: { kind: 'json', assumed: true },
    start: { kind: 'date-time', write: 'both', summary: 'When it began' },
    end: { kind: 'span-end', begins: 'start', write: 'both', summary: 'When it ended, a day included; not given while it runs' },
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
      summary: 'Began in this year, in your time zone',
      takes: 'year',
      sets: [
        { field: 'start', operator: 'gte', edge: 'first' },
        { field: 'start', operator: 'lte', edge: 'last' },
      ],
    },
    {
      flag: 'from',
      summary: 'Away on this day or later, running ones included',
      takes: 'date-time',
      sets: [{ field: 'end', operator: 'gte', orNull: true }],
    },
    { flag: 'to', summary: 'Away on this day or earlier', takes: 'date-time', sets: [{ field: 'start', operator: 'lte' }] },
    { flag: 'starts-from', summary: 'Began on this day or later', takes: 'date-time', sets: [{ field: 'start', operator: 'gte' }] },
    { flag: 'starts-to', summary: 'Began on this day or earlier', takes: 'date-time', sets: [{ field: 'start', operator: 'lte' }] },
    { flag: 'running', summary: 'Not ended yet', sets: [{ field: 'end', operator: 'null', value: 'true' }] },
    { flag: 'user', summary: 'Whose; others than yourself need absences::manage', takes: 'user', sets: [{ field: 'user_id' }] },
    { flag: 'manager', summary: 'In the charge of this user', takes: 'user', sets: [{ field: 'manager_id' }] },
    { flag: 'no-manager', summary: 'In nobody’s charge', sets: [{ field: 'manager_id', operator: 'null', value: 'true' }] },
  ],
  notes: [
    {
      on: ['list'],
      text: 'Newest first, by start. --from and --to find who is away then, whenever that began; --year, --starts-from and --starts-to go by the start.',
    },
    { on: ['create', 'update'], text: 'A bare date means the whole day, in your time zone.' },
    'An absence runs while its end is null.',
  ],
  examples: [
    {
      verb: 'list',
      args: "--year 2025 --jq 'group_by(.user_id) | map({user: .[0].user_id, absences: length})'",
      does: 'How many each person had in 2025',
    },
    { verb: 'list', args: '--from monday --to +1w', does: 'Who is away from Monday to a week from today, running absences included' },
    { verb: 'list', args: '--running --no-manager', does: 'Running absences that nobody looks after' },
    { verb: 'create', args: '--user me --start today', does: 'You are not in today' },
    { verb: 'create', args: '--user mira@example.com --start 2026-03-02 --end 2026-03-06', does: 'A week of somebody else' },
    { verb: 'create', args: '--user me --start 2026-12-07 --end 2026-12-11', does: 'Five whole days' },
    { verb: 'update', args: '88 --end today', does: 'Today is the last day of it' },
    { verb: 'update', args: '88 --end none', does: 'It runs again' },
    { verb: 'update', args: 'last --manager mira@example.com', does: 'Somebody looks after it' },
  ],
});

/** What holidays and free days have in common. */
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
    shortcuts: dayShortcuts('date', 'On this day or later', 'On this day or earlier'),
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
    { verb: 'list', args: '--from today --sort date', does: 'Those to come' },
    { verb: 'list', args: '--from 2026-01-01 --to 2026-12-31 --output csv', does: 'Those of a year, for a spreadsheet' },
    { verb: 'create', args: '--name "New Year" --date 2027-01-01', does: 'A holiday' },
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
    { verb: 'list', args: '--from today --sort date', does: 'Those to come' },
    { verb: 'list', args: '--limit 10', does: 'The first ten' },
    { verb: 'create', args: '--name "Company outing" --date 2026-06-12', does: 'A free day' },
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
    user_id: userField({ summary: 'Whose; yours if not given' }),
    user: { kind: 'json', assumed: true },
    date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    note: { ...TEXT, example: 'At the office' },
    ...STAMPS,
  },
  columns: ['id', 'date', 'user_id', 'note'],
  relations: { user: { assumed: true } },
  filters: { date: BY_DATE, user_id: BY_USER, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    ...dayShortcuts('date', 'On this day or later', 'On this day or earlier'),
    { flag: 'user', summary: 'Whose', takes: 'user', sets: [{ field: 'user_id' }] },
  ],
  notes: ['Checking in yourself needs no permission; reading check-ins back needs checkins::read.'],
  examples: [
    { verb: 'list', args: '--from today --include user', does: 'Who checked in today' },
    { verb: 'list', args: '--user me --from monday', does: 'Yours of this week' },
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
    minutes: { kind: 'duration', write: 'both', required: true, assumed: true, summary: 'By how much', example: '8h' },
    ...STAMPS,
  },
  columns: ['id', 'date', 'user_id', 'minutes'],
  relations: { user: { assumed: true } },
  filters: { date: BY_DATE, user_id: BY_USER, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    ...dayShortcuts('date', 'On this day or later', 'On this day or earlier'),
    { flag: 'user', summary: 'Whose balance', takes: 'user', sets: [{ field: 'user_id' }] },
  ],
  examples: [
    { verb: 'list', args: '--user me', does: 'What changed your balance' },
    { verb: 'list', args: '--from 2026-01-01 --output csv', does: 'This year’s, for a spreadsheet' },
    { verb: 'create', args: '--user mira@example.com --date today --minutes 8h', does: 'A day more for somebody' },
  ],
});

export const leaveArea: Area = { title: 'Leave', resources: [absences, holidays, freeDays, checkins, furloughBalanceMutations] };
