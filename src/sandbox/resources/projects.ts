import { missingPermission } from '../problem.ts';
import { type DefinedResource, defineServedResource, type ValidWrite } from './define.ts';
import { choice, count, day, flag, html, minutes, money, name, position, ref, requiredRef, tag, textField, webUrl } from './fields.ts';
import { loggedMinutes } from './time.ts';

const tags = { resource: 'tags', ids: 'tag_ids' };

export const projects: readonly DefinedResource[] = [
  defineServedResource('projects', {
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
    prefixes: ['projects'],
    counted: true,
    search: ['name', 'url'],
    fields: { project_id: requiredRef('projects'), name, url: { type: 'string', write: 'required' }, order: position },
  }),
  defineServedResource('budgets', {
    counted: true,
    softDelete: true,
    search: ['name'],
    fields: {
      project_id: requiredRef('projects'),
      budget_group_id: ref('budget-groups'),
      name,
      budget: { ...minutes, default: 0 },
      logged_minutes: loggedMinutes('budget_id'),
      hourly_rate: money,
      is_fixed_price: flag,
    },
  }),
  defineServedResource('budget-groups', {
    counted: true,
    search: ['name'],
    fields: { name, description: textField, budgets_count: count('budgets', 'budget_group_id') },
    many: { budgets: { resource: 'budgets', by: 'budget_group_id' } },
  }),
];

export const customers: readonly DefinedResource[] = [
  defineServedResource('customers', {
    counted: true,
    softDelete: true,
    search: ['name', 'email', 'city'],
    fields: {
      name,
      number: tag,
      status: choice(['active', 'prospect', 'former']),
      customer_category_id: ref('customer-categories'),
      email: textField,
      phone: textField,
      address: { ...textField, shown: 'detail' },
      postal_code: { ...textField, shown: 'detail' },
      city: tag,
      country_code: tag,
      vat_number: { ...textField, shown: 'detail' },
      tag_ids: { type: 'references', to: 'tags', write: 'optional', default: [], shown: 'detail' },
      contacts_count: count('contacts', 'customer_id'),
      projects_count: count('projects', 'customer_id'),
    },
    many: {
      contacts: { resource: 'contacts', by: 'customer_id' },
      projects: { resource: 'projects', by: 'customer_id' },
      tags,
    },
  }),
  defineServedResource('contacts', {
    prefixes: ['customers'],
    counted: true,
    softDelete: true,
    search: ['name', 'email'],
    fields: {
      name,
      email: tag,
      phone: textField,
      customer_id: ref('customers'),
      contact_role_id: ref('contact-roles', { as: 'role' }),
      user_id: ref('users'),
      is_emergency_contact: flag,
      note: { ...textField, shown: 'detail' },
    },
    // Only the employee concerned can see an emergency contact (rules 4.41, 4.42).
    visible: (row, actor) => row['is_emergency_contact'] !== true || row['user_id'] === actor.user.id,
    prepare: emergencyContactsAreOnesOwn,
  }),
  defineServedResource('contact-roles', {
    prefixes: ['customers'],
    counted: true,
    fields: { name, contacts_count: count('contacts', 'contact_role_id') },
  }),
  defineServedResource('customer-categories', {
    counted: true,
    fields: { name, color: textField, customers_count: count('customers', 'customer_category_id') },
  }),
  defineServedResource('tags', {
    prefixes: ['customers'],
    topLevel: false,
    verbs: [],
    fields: { name },
  }),
];

function emergencyContactsAreOnesOwn({ values, row, actor }: ValidWrite): Record<string, never> {
  const after = { ...row, ...values };
  if (after['is_emergency_contact'] === true && after['user_id'] !== actor.user.id) {
    throw missingPermission('users::own_emergency_contacts');
  }
  return {};
}
