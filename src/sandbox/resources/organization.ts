import type { Json, Row } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import { type DefinedResource, defineServedResource, type FieldSurroundings } from './define.ts';
import { choice, count, day, flag, name, ref, tag, textField } from './fields.ts';
import { hoursSchema, writtenHours } from './working-hours.ts';
import { ORGANISATION_ZONE } from './zone.ts';

export const organization: readonly DefinedResource[] = [
  defineServedResource('users', {
    schema: 'User',
    prefixes: ['users'],
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
    schema: 'CompanyBranch',
    prefixes: ['company_branches'],
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

function writtenTimezone(row: Row, { knobs }: FieldSurroundings): Json | undefined {
  return row['timezone'] ?? (lacksTimezone(knobs) ? undefined : null);
}

function lacksTimezone({ missingTimezone }: SandboxKnobs): boolean {
  return missingTimezone === 'absent';
}
