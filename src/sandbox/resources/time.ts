import type { Values } from '../json.ts';
import { missingPermission } from '../problem.ts';
import { type Change, defineResource, type Resource } from './define.ts';
import { flag, readOnly, ref, requiredDay, text } from './fields.ts';

// Filing one's own needs no permission, reading back does (rules 11.39, 11.40).
const permissions = { list: 'hours::read', create: 'hours::manage', update: 'hours::manage', delete: 'hours::manage' };

export const time: readonly Resource[] = [
  defineResource('worklogs', {
    schema: 'Worklog',
    prefixes: ['times'],
    permissions,
    own: 'user_id',
    defaultSort: '-date',
    search: ['description'],
    fields: {
      date: requiredDay,
      minutes: { type: 'minutes', write: 'required', filter: true, sort: true },
      description: { ...text, default: '' },
      user_id: ref('users', { nullable: false }),
      project_id: ref('projects'),
      work_item_id: ref('work-items'),
      budget_id: ref('budgets'),
      task_id: ref('tasks'),
      is_overtime: flag,
      is_not_billable: flag,
      exceeded_budget: readOnly(flag),
      reviewed_by: { type: 'reference', to: 'users', as: 'reviewer', nullable: true, filter: true },
      invoice_id: { type: 'integer', nullable: true, filter: true },
      sales_invoice_row_id: { type: 'integer', nullable: true, filter: true },
    },
    prepare: prepareWorklog,
  }),
  defineResource('timers', {
    schema: 'Timer',
    prefixes: ['hours'],
    permissions,
    own: 'user_id',
    counted: true,
    fields: {
      user_id: ref('users', { nullable: false }),
      project_id: ref('projects'),
      work_item_id: ref('work-items'),
      description: { ...text, default: '' },
      started_at: { type: 'datetime', write: 'optional', sort: true, filter: true },
    },
    prepare: ({ kind, values, actor, now }) =>
      kind === 'create'
        ? {
            user_id: values['user_id'] ?? actor.user.id,
            started_at: values['started_at'] ?? `${new Date(now).toISOString().slice(0, 19)}Z`,
          }
        : {},
  }),
];

/** A worklog is its sender's unless it says otherwise, and takes its project from the work item, budget or task it names. */
function prepareWorklog({ kind, values, row, actor, db }: Change): Values {
  if (kind === 'delete') return {};
  if (values['is_overtime'] === true && !actor.may('times::write_overtime')) throw missingPermission('times::write_overtime');
  const more: Values = {};
  if (row === undefined) more['user_id'] = values['user_id'] ?? actor.user.id;
  if ((values['project_id'] ?? null) === null) {
    const sources = [
      ['work_item_id', 'work-items'],
      ['budget_id', 'budgets'],
      ['task_id', 'tasks'],
    ] as const;
    for (const [field, resource] of sources) {
      const id = values[field];
      const project = typeof id === 'number' ? db.table(resource).get(id)?.['project_id'] : undefined;
      if (project !== undefined) {
        more['project_id'] = project;
        break;
      }
    }
  }
  return more;
}
