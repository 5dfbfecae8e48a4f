import { type Area, defineResource } from './define.ts';
import { ARRANGED, ASSUMED_STAMP_FILTERS, BY_ID, idShortcut, NAME, STAMPS, TEXT } from './fields.ts';

/** Rules 4.22 to 4.26, 9.32 to 9.45. */
const workflows = defineResource({
  noun: 'workflows',
  singular: 'workflow',
  summary: 'Workflows: the statuses of work items and the transitions between them',
  path: '/workflows',
  ability: 'workflows',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { kind: 'string', write: 'both', required: true, example: 'Support' },
    order: { kind: 'integer', summary: 'The place in lists; the service sets it' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'order'],
  relations: { statuses: { many: true, assumed: true }, transitions: { many: true, assumed: true } },
  filters: ASSUMED_STAMP_FILTERS,
  actions: [{ name: 'apply', summary: 'Create a workflow with its statuses and transitions from a file' }],
  notes: [
    {
      on: ['create'],
      text: 'A new workflow has no statuses and no transitions, so its work items cannot change status. svc workflows apply creates the whole workflow from a file.',
    },
    'Workflows need the sprints feature.',
  ],
  examples: [
    { verb: 'list', args: '--include statuses', does: 'List all workflows with their statuses' },
    { verb: 'list', args: '--output ids', does: 'Print only the ids' },
    { verb: 'create', args: '--name "Support"', does: 'Create an empty workflow' },
    { verb: 'apply', args: 'support.yaml --dry-run', does: 'Show what svc would create from a file' },
  ],
});

const workflowStatuses = defineResource({
  noun: 'workflow-statuses',
  singular: 'workflow-status',
  summary: 'The statuses of workflows',
  path: '/workflow-statuses',
  ability: 'workflows',
  counted: true,
  fields: {
    id: { kind: 'id' },
    workflow_id: { kind: 'id', write: 'create', required: true, ref: 'workflows' },
    workflow: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Waiting' },
    ...STAMPS,
  },
  columns: ['id', 'workflow_id', 'name'],
  relations: { workflow: { assumed: true } },
  filters: { workflow_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('workflow', 'Show only statuses of this workflow')],
  examples: [
    { verb: 'list', args: '--workflow 1', does: 'List the statuses of workflow 1' },
    { verb: 'list', args: '--fields id,name', does: 'Show only the ids and names of statuses' },
    { verb: 'create', args: '--workflow 1 --name "Waiting"', does: 'Add a status' },
  ],
});

const workflowTransitions = defineResource({
  noun: 'workflow-transitions',
  singular: 'workflow-transition',
  summary: 'Transitions that workflows allow',
  path: '/workflow-transitions',
  ability: 'workflows',
  counted: true,
  fields: {
    id: { kind: 'id' },
    from_status_id: { kind: 'id', write: 'both', required: true, ref: 'workflow-statuses', flag: 'from', example: '3' },
    from_status: { kind: 'json', assumed: true },
    to_status_id: { kind: 'id', write: 'both', required: true, ref: 'workflow-statuses', flag: 'to', example: '4' },
    to_status: { kind: 'json', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'from_status_id', 'to_status_id'],
  relations: { from_status: { assumed: true }, to_status: { assumed: true } },
  filters: {
    from_status_id: { kind: 'id', operators: [] },
    to_status_id: { kind: 'id', operators: [], assumed: true },
    ...ASSUMED_STAMP_FILTERS,
  },
  shortcuts: [
    { flag: 'from', summary: 'Show only transitions from this status', takes: 'id', sets: [{ field: 'from_status_id' }] },
    { flag: 'to', summary: 'Show only transitions to this status', takes: 'id', sets: [{ field: 'to_status_id' }] },
  ],
  examples: [
    { verb: 'list', args: '--from 3 --include to_status', does: 'List the transitions from status 3' },
    { verb: 'list', args: '--to 5', does: 'List the transitions to status 5' },
    { verb: 'create', args: '--from 3 --to 4', does: 'Allow the transition from status 3 to status 4' },
  ],
});

const workTypes = defineResource({
  noun: 'work-types',
  singular: 'work-type',
  summary: 'Kinds of work',
  path: '/work-types',
  ability: 'work_types',
  counted: true,
  reorderable: true,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Consulting' },
    hourly_rate: { ...TEXT, kind: 'money', example: '95.00' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'hourly_rate'],
  filters: ASSUMED_STAMP_FILTERS,
  notes: [ARRANGED],
  examples: [
    { verb: 'list', args: '--sort name', does: 'List all kinds of work by name' },
    { verb: 'list', args: "--jq '.[].name'", does: 'Print only the names' },
    { verb: 'create', args: '--name "Consulting" --hourly-rate 95.00', does: 'Create a kind of work' },
  ],
});

export const configurationArea: Area = {
  title: 'Configuration',
  resources: [workflows, workflowStatuses, workflowTransitions, workTypes],
};
