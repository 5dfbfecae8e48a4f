import { type Area, defineResource } from './define.ts';
import { ARRANGED, ASSUMED_STAMP_FILTERS, BY_ENUM, NAME, STAMPS, TEXT } from './fields.ts';

const sprints = defineResource({
  noun: 'sprints',
  singular: 'sprint',
  summary: 'Sprints: planned, running and completed',
  path: '/sprints',
  ability: 'project_management',
  counted: true,
  reorderable: true,
  ownCommands: [
    { code: 'burn-down', name: 'burndown', summary: 'Compare the logged hours of a sprint with its estimations, by day', looks: true },
  ],
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Sprint 14' },
    goal: { ...TEXT, summary: 'The goal of the sprint' },
    state: { kind: 'enum', assumed: true, summary: 'The state; svc sprints complete ends the sprint' },
    start_date: { kind: 'date', write: 'both', assumed: true },
    end_date: { kind: 'date', write: 'both', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'name', 'state', 'start_date', 'end_date'],
  wide: ['goal'],
  filters: { state: BY_ENUM, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [{ flag: 'state', summary: 'Show only records in this state', takes: 'enum', sets: [{ field: 'state' }] }],
  actions: [{ name: 'complete', summary: 'Complete a sprint' }],
  notes: [ARRANGED],
  examples: [
    { verb: 'list', args: '--state active', does: 'List active sprints' },
    { verb: 'list', args: '--sort -start_date --limit 5', does: 'List the last five' },
    { verb: 'create', args: '--name "Sprint 14" --start-date monday --end-date +2w', does: 'Create a sprint of two weeks from Monday' },
    { verb: 'complete', args: '14', does: 'Complete sprint 14' },
  ],
});

export const sprintArea: Area = { title: 'Sprints', resources: [sprints] };
