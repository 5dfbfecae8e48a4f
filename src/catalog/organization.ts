import { type Area, defineResource } from './define.ts';
import { NAME, TEXT } from './fields.ts';

const users = defineResource({
  noun: 'users',
  summary: 'People of the organisation',
  fields: {
    name: { kind: 'string', write: 'both', required: true, example: 'Ada Okafor' },
    email: { ...TEXT, example: 'ada@acme.example.com' },
    timezone: {
      kind: 'string',
      write: 'both',
      summary: 'The time zone (IANA); none means the zone of the organisation',
      example: 'Europe/Lisbon',
    },
    working_hours: { kind: 'json', summary: 'The working hours, as times of day' },
  },
  columns: ['id', 'name', 'email', 'timezone'],
  ownCommands: [
    {
      code: 'users-capacity',
      name: 'capacity',
      summary: 'Show how many hours people can work, by week, without days off and leave',
      onlyReads: true,
    },
  ],
  notes: ['svc me shows your own record.'],
  examples: [
    ['list', '--search ana', 'Find a person by name'],
    ['list', '--output csv --fields id,name,timezone', 'Write all users for a spreadsheet'],
  ],
});

const companyBranches = defineResource({
  noun: 'company-branches',
  singular: 'company-branch',
  summary: 'Branches of the company',
  fields: {
    name: { ...NAME, example: 'Rotterdam' },
    city: { ...TEXT, example: 'Rotterdam' },
    latitude: { kind: 'coordinate', write: 'both', assumed: true, example: '51.9225' },
    longitude: { kind: 'coordinate', write: 'both', assumed: true, example: '4.47917' },
  },
  columns: ['id', 'name', 'city', 'latitude', 'longitude'],
  examples: [
    ['list', '--sort name', 'List all branches by name'],
    ['list', "--jq '.[] | [.name, .latitude, .longitude] | @csv'", 'Print the names and coordinates of the branches'],
    ['update', '2 --latitude 51.9225 --longitude 4.47917', 'Set the coordinates of a branch'],
  ],
});

export const organizationArea: Area = { title: 'Organisation', resources: [users, companyBranches] };
