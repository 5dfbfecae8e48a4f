import { type Area, defineResource } from './define.ts';
import { ARRANGED, BY_ID, idShortcut, NAME, shortcut, TEXT } from './fields.ts';

/** Workflows and their statuses (rules 4.22 to 4.26, 9.32 to 9.45). */
const workflows = defineResource({
  noun: 'workflows',
  summary: 'Workflows: the statuses of work items and the transitions between them',
  counted: true,
  fields: {
    name: { kind: 'string', write: 'both', required: true, example: 'Support' },
    order: { kind: 'integer', summary: 'The place in lists; the service sets it' },
  },
  columns: ['id', 'name', 'order'],
  relations: { statuses: { many: true, assumed: true }, transitions: { many: true, assumed: true } },
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
  ability: 'workflows',
  counted: true,
  fields: {
    workflow_id: { kind: 'id', write: 'create', required: true, ref: 'workflows' },
    workflow: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Waiting' },
  },
  columns: ['id', 'workflow_id', 'name'],
  filters: { workflow_id: BY_ID },
  shortcuts: [idShortcut('workflow', 'Show only statuses of this workflow')],
  examples: [
    { verb: 'list', args: '--workflow 1', does: 'List the statuses of workflow 1' },
    { verb: 'list', args: '--fields id,name', does: 'Show only the ids and names of statuses' },
    { verb: 'create', args: '--workflow 1 --name "Waiting"', does: 'Add a status' },
  ],
});

const workflowTransitions = defineResource({
  noun: 'workflow-transitions',
  summary: 'Transitions that workflows allow',
  ability: 'workflows',
  counted: true,
  fields: {
    from_status_id: {
      kind: 'id',
      write: 'both',
      required: true,
      ref: 'workflow-statuses',
      flag: 'from',
      example: '3',
      summary: 'The status before the transition',
    },
    from_status: { kind: 'json', assumed: true },
    to_status_id: {
      kind: 'id',
      write: 'both',
      required: true,
      ref: 'workflow-statuses',
      flag: 'to',
      example: '4',
      summary: 'The status after the transition',
    },
    to_status: { kind: 'json', assumed: true },
  },
  columns: ['id', 'from_status_id', 'to_status_id'],
  filters: {
    from_status_id: { kind: 'id', operators: [] },
    to_status_id: { kind: 'id', operators: [], assumed: true },
  },
  shortcuts: [
    shortcut('from', 'Show only transitions from this status', 'id', { field: 'from_status_id' }),
    shortcut('to', 'Show only transitions to this status', 'id', { field: 'to_status_id' }),
  ],
  examples: [
    { verb: 'list', args: '--from 3 --include to_status', does: 'List the transitions from status 3' },
    { verb: 'list', args: '--to 5', does: 'List the transitions to status 5' },
    { verb: 'create', args: '--from 3 --to 4', does: 'Allow the transition from status 3 to status 4' },
  ],
});

const workTypes = defineResource({
  noun: 'work-types',
  summary: 'Kinds of work',
  counted: true,
  reorderable: true,
  fields: {
    name: { ...NAME, example: 'Consulting' },
    hourly_rate: { ...TEXT, kind: 'money', example: '95.00' },
  },
  columns: ['id', 'name', 'hourly_rate'],
  notes: [ARRANGED],
  examples: [
    { verb: 'list', args: '--sort name', does: 'List all work types by name' },
    { verb: 'list', args: "--jq '.[].name'", does: 'Print only the names' },
    { verb: 'create', args: '--name "Consulting" --hourly-rate 95.00', does: 'Create a work type' },
  ],
});

export const configurationArea: Area = {
  title: 'Configuration',
  resources: [workflows, workflowStatuses, workflowTransitions, workTypes],
};
