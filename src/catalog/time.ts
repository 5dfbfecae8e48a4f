import { type Area, defineResource } from './define.ts';
import { BY_DATE, BY_ID, BY_USER, dayShortcuts, idShortcut, refTo, shortcut, TEXT, userField, withRecord } from './fields.ts';

/** Logged hours (rules 4.1 to 4.10). The documentation shows the fields of a record, but not the filters. */
const worklogs = defineResource({
  noun: 'worklogs',
  summary: 'Logged hours',
  ability: 'times',
  counted: false,
  createAs: { name: 'add', aliases: ['create', 'log'], summary: 'Log hours' },
  ownCommands: [
    { code: 'log-hours', insteadOf: 'create' },
    { code: 'edit-days', insteadOf: 'edit' },
    { code: 'import-hours', insteadOf: 'import' },
    { code: 'copy-hours', name: 'copy', summary: 'Log the entries of another week or day again' },
    { code: 'suggest-hours', name: 'suggest', summary: 'Propose missing hours from commits, meetings and logs' },
  ],
  fields: {
    date: { kind: 'date', write: 'both', default: 'today', summary: 'The day of the work (default: today)' },
    minutes: { kind: 'duration', write: 'both', required: true, summary: 'The duration: 90, 90m, 1h30, 1.5h, 1:30' },
    description: { kind: 'string', write: 'both', summary: 'The text: what you did', example: 'Review' },
    project_id: { kind: 'id', write: 'both', ref: 'projects' },
    project: { kind: 'json' },
    work_item_id: { kind: 'work-item', write: 'both', ref: 'work-items', summary: 'The work item, by id or key (ABC-12)' },
    work_item: { kind: 'json' },
    budget_id: { kind: 'id', write: 'both', ref: 'budgets' },
    budget: { kind: 'json' },
    task_id: { kind: 'id', write: 'both', ref: 'tasks' },
    task: { kind: 'json' },
    user_id: { kind: 'user', write: 'both', ref: 'users', summary: 'The user who worked (default: you)' },
    user: { kind: 'json' },
    is_overtime: { kind: 'boolean', write: 'both', flag: 'overtime', summary: 'Count the hours as overtime' },
    is_not_billable: { kind: 'boolean', write: 'both', flag: 'not-billable', summary: 'Mark the hours as not billable' },
    exceeded_budget: { kind: 'boolean' },
    reviewed_by: { kind: 'json' },
    invoice_id: { kind: 'id', ref: 'invoices' },
    sales_invoice_row_id: { kind: 'id', ref: 'sales-invoice-rows' },
    links: { kind: 'json' },
  },
  columns: ['id', 'date', 'minutes', 'project_id', 'work_item_id', 'description'],
  wide: ['user_id', 'budget_id'],
  relations: { project: {}, budget: {}, task: {}, work_item: {}, user: {} },
  filters: {
    date: BY_DATE,
    user_id: BY_USER,
    project_id: BY_ID,
    work_item_id: { kind: 'work-item', operators: ['in'], assumed: true },
  },
  shortcuts: [
    ...dayShortcuts('date', 'Show only hours of this day or later', 'Show only hours of this day or earlier'),
    shortcut('date', 'Show only hours of this day', 'date', { field: 'date' }),
    shortcut('user', 'Show only hours of this user', 'user', { field: 'user_id' }),
    idShortcut('project', 'Show only hours on this project'),
    shortcut('work-item', 'Show only hours on this work item', 'work-item', { field: 'work_item_id' }),
  ],
  notes: [
    'Listing hours needs the permission hours::read. Logging your own hours needs none.',
    { on: ['create', 'update'], text: 'A token with the ability hours covers only timers; worklogs need the ability times.' },
  ],
  examples: [
    ['list', '--from monday --to today --user me', 'List your hours of this week'],
    ['list', '--from last-month --include user --fields date,user.name,minutes -o csv', 'Write last month as CSV, with names'],
    ['create', '--minutes 1h30 --work-item ABC-12 --description "Review"', 'Log an hour and a half, today'],
    ['create', '--minutes 45 --date yesterday --project "Web shop"', 'Log hours for yesterday'],
    ['update', '812 --minutes 2h', 'Set the duration of entry 812'],
    ['update', '812 --not-billable --if-unchanged', 'Mark hours as not billable, unless somebody changed the entry since'],
    [
      'update',
      `--where "project = 'Old shop' AND date >= '2026-10-01'" --project "Web shop"`,
      'Set another project for hours since a day, after a question',
    ],
  ],
});

const timers = defineResource({
  noun: 'timers',
  summary: 'Running timers',
  ability: 'hours',
  ownCommands: [
    { code: 'start-timer', name: 'start', summary: 'Start a timer' },
    { code: 'continue-timer', name: 'continue', summary: 'Start a timer like your last entry' },
    { code: 'timer-status', name: 'status', summary: 'Show your running timers, and the time so far' },
    { code: 'stop-timer', name: 'stop', summary: 'End a timer, and log its time' },
    { code: 'switch-timer', name: 'switch', summary: 'End the running timer, and start another one' },
    { code: 'cancel-timer', name: 'cancel', summary: 'End a timer without logging hours' },
  ],
  fields: {
    ...withRecord('user', userField({ summary: 'The user of the timer (default: you)' })),
    ...withRecord('project', refTo('projects')),
    work_item_id: { kind: 'work-item', write: 'both', ref: 'work-items', assumed: true },
    work_item: { kind: 'json', assumed: true },
    description: { ...TEXT, example: 'Call with the customer' },
    started_at: { kind: 'date-time', write: 'both', assumed: true, summary: 'The start of the timer' },
  },
  columns: ['id', 'user_id', 'project_id', 'work_item_id', 'description', 'started_at'],
  filters: { user_id: BY_USER, project_id: BY_ID },
  shortcuts: [
    shortcut('user', 'Show only timers of this user', 'user', { field: 'user_id' }),
    idShortcut('project', 'Show only timers on this project'),
  ],
  notes: ['Listing timers needs the permission hours::read. Starting your own timer needs no permission.'],
  examples: [
    ['list', '--user me', 'List your running timers'],
    ['list', '--include user,project --output json', 'List all running timers with users and projects'],
    ['create', '--project "Web shop" --description "Call with the customer"', 'Start a timer on a project'],
    ['create', '--work-item ABC-12', 'Start a timer on a work item'],
  ],
});

export const time: Area = { title: 'Time', resources: [worklogs, timers] };
