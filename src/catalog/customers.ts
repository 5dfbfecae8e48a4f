import { type Area, defineResource } from './define.ts';
import { BY_ID, idShortcut, NAME, refTo, TEXT, withRecord } from './fields.ts';

const customers = defineResource({
  noun: 'customers',
  summary: 'Customers that projects are billed to',
  fields: {
    name: { ...NAME, example: 'Acme' },
    email: { ...TEXT, example: 'office@acme.example.com' },
    phone: TEXT,
    ...withRecord('customer_category', refTo('customer-categories', { flag: 'category' })),
  },
  columns: ['id', 'name', 'email', 'phone'],
  wide: ['customer_category_id'],
  filters: { customer_category_id: BY_ID },
  shortcuts: [idShortcut('category', 'Show only customers in this category', 'customer_category_id')],
  examples: [
    ['list', '--search acme', 'Find a customer by name'],
    ['list', '--category 2 --output csv > customers.csv', 'Write the customers of a category for a spreadsheet'],
    ['create', '--name "Acme" --email office@acme.example.com', 'Create a customer'],
  ],
});

const contacts = defineResource({
  noun: 'contacts',
  summary: 'Contacts at customers, and emergency contacts',
  ability: 'customers',
  fields: {
    name: { ...NAME, example: 'Mira Jansen' },
    email: { ...TEXT, example: 'mira@acme.example.com' },
    phone: TEXT,
    ...withRecord('customer', refTo('customers')),
    contact_role_id: { kind: 'id', write: 'both', ref: 'contact-roles', flag: 'role', summary: 'The role at the customer' },
    role: { kind: 'json' },
  },
  columns: ['id', 'name', 'customer_id', 'contact_role_id', 'email', 'phone'],
  relations: { role: { key: 'contact_role_id' }, customer: { assumed: true } },
  filters: { customer_id: BY_ID, contact_role_id: BY_ID },
  shortcuts: [
    idShortcut('customer', 'Show only contacts at this customer'),
    idShortcut('role', 'Show only contacts with this role', 'contact_role_id'),
  ],
  notes: ['You can see, add and change only your own emergency contacts.'],
  examples: [
    ['list', '--customer "Bakkerij Jansen & Zonen" --include role', 'List the contacts at a customer with their roles'],
    ['list', '--search jansen', 'Find a person by name'],
    ['create', '--name "Mira Jansen" --customer "Bakkerij Jansen & Zonen" --role Director', 'Create a contact at a customer'],
  ],
});

const contactRoles = defineResource({
  noun: 'contact-roles',
  summary: 'Roles of contacts at customers',
  ability: 'customers',
  fields: { name: { ...NAME, example: 'Bookkeeping' } },
  columns: ['id', 'name', 'created_at'],
  examples: [
    ['list', '--sort name', 'List all roles by name'],
    ['list', "--jq '.[].name'", 'Print only the names'],
  ],
});

const customerCategories = defineResource({
  noun: 'customer-categories',
  singular: 'customer-category',
  summary: 'Categories of customers',
  fields: { name: { ...NAME, example: 'Public sector' } },
  columns: ['id', 'name', 'created_at'],
  examples: [
    ['list', '--sort name', 'List all categories by name'],
    ['list', "--jq '.[].name'", 'Print only the names'],
  ],
});

export const customerArea: Area = { title: 'Customers', resources: [customers, contacts, contactRoles, customerCategories] };
