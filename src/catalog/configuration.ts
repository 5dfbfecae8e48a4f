import { type Area, defineResource } from './define.ts';
import { ARRANGED, BY_ID, idShortcut, NAME, shortcut, TEXT } from './fields.ts';

/** Workflows and their statuses (rules 4.22 to 4.26, 9.32 to 9.45). */
const workflows = defineResource({
  noun: 'workflows',
  summary: 'Workflows: the statuses of work items and the transitions between them',
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
    ['list', '--include statuses', 'List all workflows with their statuses'],
    ['list', '--output ids', 'Print only the ids'],
    ['create', '--name "Support"', 'Create an empty workflow'],
    ['apply', 'support.yaml --dry-run', 'Show what svc would create from a file'],
  ],
});

const workflowStatuses = defineResource({
  noun: 'workflow-statuses',
  singular: 'workflow-status',
  summary: 'The statuses of workflows',
  ability: 'workflows',
  fields: {
    workflow_id: { kind: 'id', write: 'create', required: true, ref: 'workflows' },
    workflow: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Waiting' },
  },
  columns: ['id', 'workflow_id', 'name'],
  filters: { workflow_id: BY_ID },
  shortcuts: [idShortcut('workflow', 'Show only statuses of this workflow')],
  examples: [
    ['list', '--workflow 1', 'List the statuses of workflow 1'],
    ['list', '--fields id,name', 'Show only the ids and names of statuses'],
    ['create', '--workflow 1 --name "Waiting"', 'Add a status'],
  ],
});

const STATUS = { kind: 'id', write: 'both', required: true, ref: 'workflow-statuses' } as const;

const workflowTransitions = defineResource({
  noun: 'workflow-transitions',
  summary: 'Transitions that workflows allow',
  ability: 'workflows',
  fields: {
    from_status_id: { ...STATUS, flag: 'from', example: '3', summary: 'The status before the transition' },
    from_status: { kind: 'json', assumed: true },
    to_status_id: { ...STATUS, flag: 'to', example: '4', summary: 'The status after the transition' },
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
    ['list', '--from 3 --include to_status', 'List the transitions from status 3'],
    ['list', '--to 5', 'List the transitions to status 5'],
    ['create', '--from 3 --to 4', 'Allow the transition from status 3 to status 4'],
  ],
});

const workTypes = defineResource({
  noun: 'work-types',
  summary: 'Kinds of work',
  reorderable: true,
  fields: {
    name: { ...NAME, example: 'Consulting' },
    hourly_rate: { ...TEXT, kind: 'money', example: '95.00' },
  },
  columns: ['id', 'name', 'hourly_rate'],
  notes: [ARRANGED],
  examples: [
    ['list', '--sort name', 'List all work types by name'],
    ['list', "--jq '.[].name'", 'Print only the names'],
    ['create', '--name "Consulting" --hourly-rate 95.00', 'Create a work type'],
  ],
});

export const configurationArea: Area = {
  title: 'Configuration',
  resources: [workflows, workflowStatuses, workflowTransitions, workTypes],
};
