import { type Area, defineResource } from './define.ts';
import { NAME, TEXT } from './fields.ts';

const users = defineResource({
  noun: 'users',
  summary: 'People of the organisation',
  counted: true,
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
    { verb: 'list', args: '--search ana', does: 'Find a person by name' },
    { verb: 'list', args: '--output csv --fields id,name,timezone', does: 'Write all users for a spreadsheet' },
  ],
});

const companyBranches = defineResource({
  noun: 'company-branches',
  singular: 'company-branch',
  summary: 'Branches of the company',
  counted: true,
  fields: {
    name: { ...NAME, example: 'Rotterdam' },
    city: { ...TEXT, example: 'Rotterdam' },
    latitude: { kind: 'coordinate', write: 'both', assumed: true, example: '51.9225' },
    longitude: { kind: 'coordinate', write: 'both', assumed: true, example: '4.47917' },
  },
  columns: ['id', 'name', 'city', 'latitude', 'longitude'],
  examples: [
    { verb: 'list', args: '--sort name', does: 'List all branches by name' },
    { verb: 'list', args: "--jq '.[] | [.name, .latitude, .longitude] | @csv'", does: 'Print the names and coordinates of the branches' },
    { verb: 'update', args: '2 --latitude 51.9225 --longitude 4.47917', does: 'Set the coordinates of a branch' },
  ],
});

export const organizationArea: Area = { title: 'Organisation', resources: [users, companyBranches] };
