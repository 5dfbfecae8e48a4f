import { missingPermission } from '../problem.ts';
import { type DefinedResource, defineServedResource, type ValidWrite } from './define.ts';
import { choice, count, flag, name, ref, tag, textField } from './fields.ts';

export const customers: readonly DefinedResource[] = [
  defineServedResource('customers', {
    schema: 'Customer',
    prefixes: ['customers'],
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
      tags: { resource: 'tags', ids: 'tag_ids' },
    },
  }),
  defineServedResource('contacts', {
    schema: 'Contact',
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
    // Emergency contacts are their own employee's business alone (rules 4.41, 4.42).
    visible: (row, actor) => row['is_emergency_contact'] !== true || row['user_id'] === actor.user.id,
    prepare: emergencyContactsAreOnesOwn,
  }),
  defineServedResource('contact-roles', {
    schema: 'ContactRole',
    prefixes: ['customers'],
    counted: true,
    fields: { name, contacts_count: count('contacts', 'contact_role_id') },
  }),
  defineServedResource('customer-categories', {
    schema: 'CustomerCategory',
    prefixes: ['customer_categories'],
    counted: true,
    fields: { name, color: textField, customers_count: count('customers', 'customer_category_id') },
  }),
  defineServedResource('tags', {
    schema: 'Tag',
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
