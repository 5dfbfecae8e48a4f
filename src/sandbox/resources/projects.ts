import { type DefinedResource, defineServedResource } from './define.ts';
import { choice, count, day, flag, html, minutes, money, name, position, ref, requiredRef, tag, textField, webUrl } from './fields.ts';

const tags = { resource: 'tags', ids: 'tag_ids' };

export const projects: readonly DefinedResource[] = [
  defineServedResource('projects', {
    schema: 'Project',
    prefixes: ['projects', 'kanban'],
    counted: true,
    softDelete: true,
    search: ['name', 'description', 'key_prefix'],
    fields: {
      name,
      key_prefix: tag,
      description: html,
      status: choice(['active', 'planned', 'on-hold', 'completed']),
      customer_id: ref('customers'),
      project_manager_id: ref('users'),
      company_branch_id: ref('company-branches'),
      workflow_id: ref('workflows'),
      start_date: day,
      end_date: day,
      hourly_rate: money,
      is_billable: { ...flag, default: true },
      tag_ids: { type: 'references', to: 'tags', write: 'optional', default: [], shown: 'detail' },
      work_items_count: count('work-items', 'project_id'),
      web_url: webUrl((row) => `/projects/${row.id}`),
    },
    many: {
      budgets: { resource: 'budgets', by: 'project_id' },
      project_links: { resource: 'project-links', by: 'project_id' },
      work_items: { resource: 'work-items', by: 'project_id' },
      tags,
    },
  }),
  defineServedResource('project-links', {
    schema: 'ProjectLink',
    prefixes: ['projects'],
    counted: true,
    search: ['name', 'url'],
    fields: { project_id: requiredRef('projects'), name, url: { type: 'string', write: 'required' }, order: position },
  }),
  defineServedResource('budgets', {
    schema: 'Budget',
    prefixes: ['budgets'],
    counted: true,
    softDelete: true,
    search: ['name'],
    fields: {
      project_id: requiredRef('projects'),
      budget_group_id: ref('budget-groups'),
      name,
      budget: { ...minutes, default: 0 },
      logged_minutes: {
        type: 'minutes',
        compute: (row, { db }) => sumOfMinutes(db.table('worklogs').where('budget_id', row.id)),
      },
      hourly_rate: money,
      is_fixed_price: flag,
    },
  }),
  defineServedResource('budget-groups', {
    schema: 'BudgetGroup',
    prefixes: ['budget_groups'],
    counted: true,
    search: ['name'],
    fields: { name, description: textField, budgets_count: count('budgets', 'budget_group_id') },
    many: { budgets: { resource: 'budgets', by: 'budget_group_id' } },
  }),
];

function sumOfMinutes(rows: readonly { readonly [field: string]: unknown }[]): number {
  return rows.reduce((sum, row) => sum + (typeof row['minutes'] === 'number' ? row['minutes'] : 0), 0);
}
