import { type DefinedResource, defineServedResource } from './define.ts';
import { choice, count, flag, money, name, position, readOnly, requiredRef, textField } from './fields.ts';

const prefixes = ['workflows'] as const;

export const configuration: readonly DefinedResource[] = [
  defineServedResource('workflows', {
    schema: 'Workflow',
    prefixes,
    feature: 'sprints',
    counted: true,
    fields: { name, order: position, statuses_count: count('workflow-statuses', 'workflow_id') },
    many: {
      statuses: { resource: 'workflow-statuses', by: 'workflow_id' },
      transitions: { resource: 'workflow-transitions', by: 'workflow_id' },
    },
  }),
  defineServedResource('workflow-statuses', {
    schema: 'WorkflowStatus',
    prefixes,
    feature: 'sprints',
    counted: true,
    fields: {
      workflow_id: requiredRef('workflows'),
      name,
      category: choice(['todo', 'in_progress', 'done']),
      color: textField,
      order: position,
    },
  }),
  defineServedResource('workflow-transitions', {
    schema: 'WorkflowTransition',
    prefixes,
    feature: 'sprints',
    counted: true,
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
    schema: 'WorkType',
    prefixes: ['work_types'],
    counted: true,
    defaultSort: 'order',
    reorderable: true,
    cacheSeconds: 60,
    fields: { name, hourly_rate: money, is_billable: { ...flag, default: true }, order: position },
  }),
];
