import type { Interpretations } from '../interpretations.ts';
import { isObject, type Json, type Row } from '../json.ts';
import { type DefinedResource, defineServedResource, type FieldSurroundings, type JsonSchema } from './define.ts';
import {
  authoredBy,
  choice,
  count,
  dateTime,
  day,
  flag,
  money,
  name,
  ORGANISATION_ZONE,
  position,
  readOnly,
  ref,
  requiredRef,
  tag,
  textField,
} from './fields.ts';

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

interface TimeRange {
  readonly start: string;
  readonly end: string;
}

/**
 * Returns working hours in the form that the options choose. The stored form is a map from weekdays to start and end, or null. Any other
 * stored form stays unchanged.
 */
function writtenHours(row: Row, { interpretations }: FieldSurroundings): Json {
  const stored = row['working_hours'] ?? null;
  if (interpretations.workingHours === 'start-end' || !isObject(stored) || Object.keys(stored).length === 0) return stored;
  const ranges = WEEK.map((day) => rangeOf(stored[day]));
  const minutes = ranges.map((range) => (range === undefined ? 0 : minutesOf(range.end) - minutesOf(range.start)));
  const ofWeek = (write: (index: number) => Json): Json => Object.fromEntries(WEEK.map((day, index) => [day, write(index)]));
  const written = {
    'from-to': ofWeek((index) => (ranges[index] ? { from: ranges[index].start, to: ranges[index].end } : null)),
    'per-day': ofWeek((index) => timeOf(minutes[index] ?? 0)),
    'one-time': timeOf(Math.max(...minutes)),
    list: minutes.map(timeOf),
    minutes: Math.max(...minutes),
    null: null,
    text: 'nine to five, mostly',
  };
  return written[interpretations.workingHours];
}

function hoursSchema({ workingHours }: Interpretations): JsonSchema {
  const time: JsonSchema = { type: 'string', format: 'time-of-day', pattern: '^[0-9]{2}:[0-9]{2}$' };
  const week = (day: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(WEEK.map((name) => [name, day])),
  });
  const range = (from: string, to: string): JsonSchema => ({
    type: ['object', 'null'],
    properties: { [from]: time, [to]: time },
    required: [from, to],
  });
  const schemas = {
    'start-end': week(range('start', 'end')),
    'from-to': week(range('from', 'to')),
    'per-day': week(time),
    'one-time': time,
    list: { type: 'array', items: time },
    minutes: { type: 'integer', format: 'minutes' },
    null: { type: 'object', additionalProperties: true },
    text: { type: 'string' },
  };
  return schemas[workingHours];
}

function rangeOf(value: Json | undefined): TimeRange | undefined {
  if (!isObject(value)) return undefined;
  const { start, end } = value;
  return typeof start === 'string' && typeof end === 'string' ? { start, end } : undefined;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

export const organization: readonly DefinedResource[] = [
  defineServedResource('users', {
    counted: true,
    softDelete: true,
    search: ['name', 'email', 'job_title'],
    fields: {
      name,
      first_name: { type: 'string', nullable: true, write: 'optional' },
      last_name: { type: 'string', nullable: true, write: 'optional', sort: true },
      email: tag,
      job_title: textField,
      role: choice(['employee', 'manager', 'contractor', 'admin']),
      timezone: { type: 'string', nullable: true, write: 'optional', written: writtenTimezone, mayLack: lacksTimezone },
      organization_timezone: {
        type: 'string',
        compute: () => ORGANISATION_ZONE,
        when: ({ organisationZone }) => organisationZone === 'shown',
      },
      working_hours: { type: 'object', nullable: true, write: 'optional', shown: 'detail', written: writtenHours, shows: hoursSchema },
      manager_id: ref('users'),
      company_branch_id: ref('company-branches'),
      is_active: { ...flag, default: true },
      started_on: day,
    },
  }),
  defineServedResource('company-branches', {
    counted: true,
    search: ['name', 'city'],
    fields: {
      name,
      address: textField,
      city: tag,
      country_code: tag,
      latitude: { type: 'coordinate', nullable: true, write: 'optional' },
      longitude: { type: 'coordinate', nullable: true, write: 'optional' },
      users_count: count('users', 'company_branch_id'),
    },
  }),
];

function writtenTimezone(row: Row, { interpretations }: FieldSurroundings): Json | undefined {
  return row['timezone'] ?? (lacksTimezone(interpretations) ? undefined : null);
}

function lacksTimezone({ missingTimezone }: Interpretations): boolean {
  return missingTimezone === 'absent';
}

const ofWorkflows = { prefixes: ['workflows'], feature: 'sprints', counted: true } as const;

export const configuration: readonly DefinedResource[] = [
  defineServedResource('workflows', {
    ...ofWorkflows,
    fields: { name, order: position, statuses_count: count('workflow-statuses', 'workflow_id') },
    many: {
      statuses: { resource: 'workflow-statuses', by: 'workflow_id' },
      transitions: { resource: 'workflow-transitions', by: 'workflow_id' },
    },
  }),
  defineServedResource('workflow-statuses', {
    ...ofWorkflows,
    fields: {
      workflow_id: requiredRef('workflows'),
      name,
      category: choice(['todo', 'in_progress', 'done']),
      color: textField,
      order: position,
    },
  }),
  defineServedResource('workflow-transitions', {
    ...ofWorkflows,
    fields: {
      from_status_id: requiredRef('workflow-statuses'),
      to_status_id: requiredRef('workflow-statuses'),
      name: textField,
      workflow_id: readOnly(requiredRef('workflows')),
    },
    prepare: ({ values, row, db }) => {
      const from = values['from_status_id'] ?? row?.['from_status_id'];
      const status = typeof from === 'number' ? db.table('workflow-statuses').get(from) : undefined;
      return { workflow_id: status?.['workflow_id'] ?? null };
    },
  }),
  defineServedResource('work-types', {
    counted: true,
    defaultSort: 'order',
    reorderable: true,
    cacheSeconds: 60,
    fields: { name, hourly_rate: money, is_billable: { ...flag, default: true }, order: position },
  }),
];

export const planning: readonly DefinedResource[] = [
  defineServedResource('events', {
    softDelete: true,
    defaultSort: 'start',
    search: ['title', 'location'],
    fields: {
      title: { type: 'string', write: 'required', sort: true },
      start: { ...dateTime, nullable: false, write: 'required' },
      end: dateTime,
      is_all_day: flag,
      location: textField,
      user_id: ref('users'),
      project_id: ref('projects'),
    },
    prepare: authoredBy,
  }),
];
