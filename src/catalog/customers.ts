import { type Area, defineResource } from './define.ts';
import { ASSUMED_STAMP_FILTERS, BY_ID, idShortcut, NAME, refTo, STAMPS, TEXT } from './fields.ts';

const customers = defineResource({
  noun: 'customers',
  singular: 'customer',
  summary: 'Customers that projects are billed to',
  path: '/customers',
  ability: 'customers',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Acme' },
    email: { ...TEXT, example: 'office@acme.example.com' },
    phone: TEXT,
    customer_category_id: refTo('customer-categories', { flag: 'category' }),
    customer_category: { kind: 'json', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'name', 'email', 'phone'],
  wide: ['customer_category_id'],
  relations: { customer_category: { assumed: true } },
  filters: { customer_category_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('category', 'In this category', 'customer_category_id')],
  examples: [
    { verb: 'list', args: '--search acme', does: 'Find a customer by name' },
    { verb: 'list', args: '--category 2 --output csv > customers.csv', does: 'A category, for a spreadsheet' },
    { verb: 'create', args: '--name "Acme" --email office@acme.example.com', does: 'A new customer' },
  ],
});

const contacts = defineResource({
  noun: 'contacts',
  singular: 'contact',
  summary: 'People to reach: at customers, and in an emergency',
  path: '/contacts',
  ability: 'customers',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Mira Jansen' },
    email: { ...TEXT, example: 'mira@acme.example.com' },
    phone: TEXT,
    customer_id: refTo('customers'),
    customer: { kind: 'json', assumed: true },
    contact_role_id: { kind: 'id', write: 'both', ref: 'contact-roles', flag: 'role', summary: 'What they do there' },
    role: { kind: 'json' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'customer_id', 'contact_role_id', 'email', 'phone'],
  relations: { role: { key: 'contact_role_id' }, customer: { assumed: true } },
  filters: { customer_id: BY_ID, contact_role_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('customer', 'At this customer'), idShortcut('role', 'With this contact role', 'contact_role_id')],
  notes: ['Emergency contacts are seen and changed by that very employee only, and you can add them for yourself only.'],
  examples: [
    { verb: 'list', args: '--customer "Bakkerij Jansen & Zonen" --include role', does: 'Whom to call at a customer, and what they do' },
    { verb: 'list', args: '--search jansen', does: 'Find someone by name' },
    { verb: 'create', args: '--name "Mira Jansen" --customer "Bakkerij Jansen & Zonen" --role Director', does: 'A contact at a customer' },
  ],
});

const contactRoles = defineResource({
  noun: 'contact-roles',
  singular: 'contact-role',
  summary: 'What contacts do at a customer',
  path: '/contact-roles',
  ability: 'customers',
  counted: true,
  fields: { id: { kind: 'id' }, name: { ...NAME, example: 'Bookkeeping' }, ...STAMPS },
  columns: ['id', 'name', 'created_at'],
  filters: ASSUMED_STAMP_FILTERS,
  examples: [
    { verb: 'list', args: '--sort name', does: 'All roles, by name' },
    { verb: 'list', args: "--jq '.[].name'", does: 'Their names alone' },
  ],
});

const customerCategories = defineResource({
  noun: 'customer-categories',
  singular: 'customer-category',
  summary: 'Categories of customers',
  path: '/customer-categories',
  ability: 'customer_categories',
  counted: true,
  fields: { id: { kind: 'id' }, name: { ...NAME, example: 'Public sector' }, ...STAMPS },
  columns: ['id', 'name', 'created_at'],
  filters: ASSUMED_STAMP_FILTERS,
  examples: [
    { verb: 'list', args: '--sort name', does: 'All categories, by name' },
    { verb: 'list', args: "--jq '.[].name'", does: 'Their names alone' },
  ],
});

export const customerArea: Area = { title: 'Customers', resources: [customers, contacts, contactRoles, customerCategories] };
