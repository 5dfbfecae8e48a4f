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
  ownCommands: [{ code: 'burn-down', name: 'burndown', summary: 'What is logged of what a sprint was estimated at, by day', looks: true }],
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Sprint 14' },
    goal: { ...TEXT, summary: 'What it is for' },
    state: { kind: 'enum', assumed: true, summary: 'Its state; svc sprints complete ends it' },
    start_date: { kind: 'date', write: 'both', assumed: true },
    end_date: { kind: 'date', write: 'both', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'name', 'state', 'start_date', 'end_date'],
  wide: ['goal'],
  filters: { state: BY_ENUM, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [{ flag: 'state', summary: 'In this state', takes: 'enum', sets: [{ field: 'state' }] }],
  actions: [{ name: 'complete', summary: 'Complete a sprint' }],
  notes: [ARRANGED],
  examples: [
    { verb: 'list', args: '--state active', does: 'Sprints that are running' },
    { verb: 'list', args: '--sort -start_date --limit 5', does: 'The last five' },
    { verb: 'create', args: '--name "Sprint 14" --start-date monday --end-date +2w', does: 'Two weeks from Monday' },
    { verb: 'complete', args: '14', does: 'Complete sprint 14' },
  ],
});

export const sprintArea: Area = { title: 'Sprints', resources: [sprints] };
