import type { Row, Values } from '../json.ts';
import { missingPermission } from '../problem.ts';
import { type DefinedResource, defineServedResource, type ServedField, type ValidWrite } from './define.ts';
import { flag, readOnly, ref, requiredDay, textField } from './fields.ts';

// Users need a permission to read hours, but not to log their own hours (rules 11.39, 11.40).
const permissions = { list: 'hours::read', create: 'hours::manage', update: 'hours::manage', delete: 'hours::manage' };

export const timeResources: readonly DefinedResource[] = [
  defineServedResource('worklogs', {
    prefixes: ['times'],
    permissions,
    own: 'user_id',
    defaultSort: '-date',
    search: ['description'],
    // By the documentation, every view has the fields with `always` (rules 4.1 to 4.7).
    fields: {
      date: { ...requiredDay, shown: 'always' },
      minutes: { type: 'minutes', write: 'required', shown: 'always', filter: true, sort: true },
      description: { ...textField, default: '', shown: 'always' },
      user_id: ref('users', { nullable: false, shown: 'unsure-id' }),
      project_id: ref('projects', { shown: 'unsure-id' }),
      work_item_id: ref('work-items', { shown: 'always' }),
      budget_id: ref('budgets', { shown: 'unsure-id' }),
      task_id: ref('tasks', { shown: 'unsure-id' }),
      is_overtime: { ...flag, shown: 'always' },
      is_not_billable: { ...flag, shown: 'unsure' },
      exceeded_budget: { ...readOnly(flag), shown: 'unsure' },
      reviewed_by: { type: 'reference', to: 'users', as: 'reviewer', nullable: true, shown: 'unsure-id', filter: true },
      invoice_id: { type: 'integer', nullable: true, shown: 'unsure-id', filter: true },
      sales_invoice_row_id: { type: 'integer', nullable: true, shown: 'unsure-id', filter: true },
    },
    linksShown: 'unsure',
    prepare: prepareWorklog,
    follow: endTimers,
  }),
  defineServedResource('timers', {
    prefixes: ['hours'],
    permissions,
    own: 'user_id',
    counted: true,
    fields: {
      user_id: ref('users', { nullable: false }),
      project_id: ref('projects'),
      work_item_id: ref('work-items'),
      description: { ...textField, default: '' },
      started_at: { type: 'datetime', write: 'optional', sort: true, filter: true },
      stopped_at: { type: 'datetime', nullable: true, write: 'optional', when: ({ timerEnds }) => timerEnds === 'patch' },
    },
    // The list contains only running timers (rule 9.65). The sandbox does not find a stopped timer by its id either.
    visible: (row) => (row['stopped_at'] ?? null) === null,
    prepare: ({ kind, values, actor, now }) =>
      kind === 'create'
        ? {
            user_id: values['user_id'] ?? actor.user.id,
            started_at: values['started_at'] ?? `${new Date(now).toISOString().slice(0, 19)}Z`,
          }
        : {},
  }),
];

/**
 * Adds the values that the sandbox itself sets in a worklog. If the body of a create names no user, the user is the sender. If a body names
 * no project, the project comes from the work item, budget or task in the body.
 * @throws Problem 403 for overtime without the permission.
 */
function prepareWorklog({ kind, values, row, actor, db }: ValidWrite): Values {
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

/** Returns a field with the minutes of the worklogs that refer to a record. @param by field of the worklogs with the id of the record. */
export function loggedMinutes(by: string): ServedField {
  const add = (sum: number, { minutes }: Row): number => sum + (typeof minutes === 'number' ? minutes : 0);
  return { type: 'minutes', compute: (row, { db }) => db.table('worklogs').where(by, row.id).reduce(add, 0) };
}

function endTimers(worklog: Row, { db, interpretations }: ValidWrite): void {
  if (!interpretations.worklogEndsTimers) return;
  const timers = db.table('timers');
  for (const { id } of timers.where('user_id', worklog['user_id'] ?? null)) timers.remove(id);
}
