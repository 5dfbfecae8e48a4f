import { defineResource, STAMP_FILTERS, STAMPS } from './define.ts';

export const projects = defineResource({
  noun: 'projects',
  singular: 'project',
  summary: 'Projects',
  path: '/projects',
  ability: 'projects',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { kind: 'string', write: 'both', required: true, assumed: true },
    status: { kind: 'enum', write: 'both', values: ['on-hold'], summary: 'Its state; more values exist than are listed' },
    customer_id: { kind: 'id', write: 'both', ref: 'customers', assumed: true },
    customer: { kind: 'json', assumed: true },
    start_date: { kind: 'date', write: 'both', assumed: true },
    end_date: { kind: 'date', write: 'both', summary: 'The last day, if there is one' },
    web_url: { kind: 'string' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'status', 'end_date'],
  relations: { customer: { assumed: true } },
  filters: {
    status: { kind: 'enum', operators: ['in'], assumed: true },
    customer_id: { kind: 'id', operators: ['in'], assumed: true },
    created_at: { ...STAMP_FILTERS.created_at, assumed: true },
    updated_at: { ...STAMP_FILTERS.updated_at, assumed: true },
  },
  shortcuts: [
    { flag: 'status', summary: 'In this state, such as on-hold', takes: 'enum', sets: [{ field: 'status' }] },
    { flag: 'customer', summary: 'Billed to this customer', takes: 'id', sets: [{ field: 'customer_id' }] },
  ],
  examples: [
    { verb: 'list', args: '--status on-hold', does: 'Projects that are on hold' },
    { verb: 'list', args: '--search website --fields id,name', does: 'Projects with “website” in their text' },
  ],
});
