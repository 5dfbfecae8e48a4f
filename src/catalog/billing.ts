import { type Area, defineChild, defineResource, type Note, type Parent } from './define.ts';
import {
  BY_ENUM,
  BY_FLAG,
  BY_ID,
  DUE,
  DUE_BY,
  dayShortcuts,
  idShortcut,
  NAME,
  notAllAtOnce,
  refTo,
  shortcut,
  TEXT,
  withRecord,
} from './fields.ts';

const SALES_INVOICE: Parent = { noun: 'sales-invoices', singular: 'sales-invoice', parameter: 'sales_invoice' };

/** The note about approval of invoices (rules 5.15 to 5.18). */
const APPROVAL: Note = {
  on: ['create', 'update', 'delete'],
  text: 'Without the permission Finalise sales invoices, a change of an invoice or row sets the invoice back to Pending approval.',
};

const salesInvoiceRows = defineResource({
  noun: 'sales-invoice-rows',
  summary: 'The rows of sales invoices',
  ability: 'sales_invoices',
  counted: false,
  fields: {
    sales_invoice_id: { kind: 'id', write: 'create', ref: 'sales-invoices', summary: 'The invoice of the row' },
    sales_invoice: { kind: 'json' },
    subscription_item_id: { kind: 'id', write: 'both', ref: 'subscription-items' },
    budget_id: { kind: 'id', write: 'both', ref: 'budgets' },
    name: { kind: 'string', write: 'both', example: 'Development' },
    description: { kind: 'string', write: 'both' },
    quantity: { kind: 'decimal', write: 'both', summary: 'The quantity, in hours if the row bills time of a budget', example: '2' },
    unit_price: { kind: 'money', write: 'both', example: '95.00' },
    hourly_rate: { kind: 'money', write: 'both' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'The VAT in percent', example: '21' },
    vat_amount: { kind: 'money' },
    total_amount: { kind: 'money' },
    billable_minutes: { kind: 'duration', write: 'both', summary: 'The billed time' },
    is_aggregated_price: { kind: 'boolean', write: 'both', flag: 'aggregated-price' },
    sort_order: { kind: 'integer', write: 'both', summary: 'The place of the row on the invoice' },
    external_item_id: { kind: 'string', summary: 'The reference for the accounting export' },
    external_vat_code: { kind: 'string', summary: 'The reference for the accounting export' },
    external_cost_center: { kind: 'string', summary: 'The reference for the accounting export' },
    external_gl_account: { kind: 'string', summary: 'The reference for the accounting export' },
    links: { kind: 'json' },
    deleted_at: { kind: 'date-time' },
  },
  columns: ['id', 'sales_invoice_id', 'name', 'quantity', 'unit_price', 'vat_rate', 'total_amount'],
  relations: { sales_invoice: {} },
  filters: { sales_invoice_id: BY_ID, budget_id: BY_ID },
  shortcuts: [idShortcut('sales-invoice', 'Show only rows of this invoice'), idShortcut('budget', 'Show only rows that bill this budget')],
  notes: [
    APPROVAL,
    {
      on: ['create', 'update'],
      text: 'Field names of the accounting export contain the name of your accounting product; set these fields with -f name=value.',
    },
    {
      on: ['list'],
      text: 'Some organisations cannot list all rows at once. svc sales-invoices rows list 7 always lists the rows of one invoice.',
    },
  ],
  examples: [
    ['list', '--sales-invoice 7', 'List the rows of invoice 7'],
    ['list', "--jq 'map(.total_amount | tonumber) | add'", 'Print the sum of all rows'],
    ['create', '--sales-invoice 7 --name "Development" --quantity 2 --unit-price 95.00 --vat-rate 21', 'Add a row'],
    ['update', '31 --quantity 3', 'Set the quantity'],
    ['update', '31 --unit-price 90 --if-unchanged', 'Set the price, unless somebody changed the row since you read it'],
  ],
});

const salesInvoices = defineResource({
  noun: 'sales-invoices',
  summary: 'Invoices to customers',
  fields: {
    number: { kind: 'string', assumed: true },
    ...withRecord('customer', refTo('customers', { required: true })),
    ...withRecord('project', refTo('projects')),
    status: { kind: 'enum', assumed: true, summary: 'The state, such as Pending approval' },
    reference: { ...TEXT, summary: 'The reference of the customer' },
    invoice_date: { kind: 'date', write: 'both', assumed: true },
    due_date: { ...DUE, write: 'both', assumed: true },
    total_amount: { kind: 'money', assumed: true },
  },
  columns: ['id', 'number', 'customer_id', 'status', 'invoice_date', 'due_date', 'total_amount'],
  wide: ['project_id', 'reference'],
  relations: { customer: { assumed: true }, project: { assumed: true }, rows: { many: true, assumed: true } },
  filters: {
    customer_id: BY_ID,
    project_id: BY_ID,
    status: BY_ENUM,
    invoice_date: { kind: 'date', operators: ['gte', 'lte'], assumed: true },
    due_date: { kind: 'date', operators: ['gte', 'lte'], assumed: true },
  },
  shortcuts: [
    idShortcut('customer', 'Show only invoices to this customer'),
    idShortcut('project', 'Show only invoices for this project'),
    shortcut('status', 'Show only invoices in this state', 'enum', { field: 'status' }),
    ...dayShortcuts('invoice_date', 'Show only invoices dated this day or later', 'Show only invoices dated this day or earlier'),
    DUE_BY,
  ],
  nested: [
    defineChild(SALES_INVOICE, 'rows', salesInvoiceRows, {
      summary: 'The rows of one invoice',
      notes: [APPROVAL],
      examples: [
        ['list', '7', 'List the rows of invoice 7'],
        ['list', '7 --output csv --fields name,quantity,unit_price,total_amount', 'Write the list for a spreadsheet'],
        ['create', '7 --name "Development" --quantity 2 --unit-price 95.00 --vat-rate 21', 'Add a row'],
        ['create', '7 --name "Travel" --unit-price 48.50', 'Add another row'],
      ],
    }),
  ],
  notes: [APPROVAL],
  examples: [
    ['list', '--customer "Bakkerij Jansen & Zonen" --from 2026-01-01', 'List the invoices of this year to a customer'],
    ['list', '--due-by today --include customer', 'List invoices that are due, with their customers'],
    ['create', '--customer "Bakkerij Jansen & Zonen" --invoice-date today --due-date +4w', 'Create an invoice, due in four weeks'],
  ],
});

const invoices = defineResource({
  noun: 'invoices',
  summary: 'Older invoices, each for one project',
  fields: {
    number: TEXT,
    ...withRecord('project', refTo('projects', { required: true })),
    date: { kind: 'date', write: 'both', assumed: true },
    amount: { kind: 'money', write: 'both', assumed: true, example: '1250.00' },
  },
  columns: ['id', 'number', 'project_id', 'date', 'amount'],
  filters: { project_id: BY_ID, date: { kind: 'date', operators: ['gte', 'lte'], assumed: true } },
  shortcuts: [
    idShortcut('project', 'Show only records of this project'),
    ...dayShortcuts('date', 'Show only invoices dated this day or later', 'Show only invoices dated this day or earlier'),
  ],
  notes: [{ on: ['list', 'create'], text: 'svc sales-invoices lists the newer invoices.' }],
  examples: [
    ['list', '--project "Web shop"', 'List the invoices of a project'],
    ['list', '--from 2025-01-01 --to 2025-12-31 --output csv', 'Write a year for a spreadsheet'],
    ['create', '--project "Web shop" --date today --amount 1250.00', 'Create an invoice with the date of today'],
  ],
});

const SUBSCRIPTION: Parent = { noun: 'customer-subscriptions', singular: 'customer-subscription', parameter: 'customer_subscription' };

const subscriptionItems = defineResource({
  noun: 'subscription-items',
  summary: 'Items of the subscriptions of customers',
  ability: 'customer_subscriptions',
  counted: false,
  fields: {
    ...withRecord('customer_subscription', refTo('customer-subscriptions', { write: 'create', required: true, flag: 'subscription' })),
    ...withRecord('subscription_product', refTo('subscription-products', { flag: 'product' })),
    name: { ...NAME, example: 'Hosting' },
    quantity: { kind: 'decimal', write: 'both', assumed: true, example: '1' },
    unit_price: { kind: 'money', write: 'both', assumed: true, example: '25.00' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'The VAT in percent', assumed: true, example: '21' },
  },
  columns: ['id', 'customer_subscription_id', 'name', 'quantity', 'unit_price', 'vat_rate'],
  filters: { customer_subscription_id: BY_ID, subscription_product_id: BY_ID },
  shortcuts: [
    idShortcut('subscription', 'Show only items of this subscription', 'customer_subscription_id'),
    idShortcut('product', 'Show only items of this product', 'subscription_product_id'),
  ],
  notes: [notAllAtOnce('customer-subscriptions items list 7')],
  examples: [
    ['list', '--subscription 7', 'List the items of subscription 7'],
    ['list', '--product 3', 'List the subscriptions with product 3'],
    ['create', '--subscription 7 --name "Hosting" --unit-price 25.00', 'Add an item'],
  ],
});

const customerSubscriptions = defineResource({
  noun: 'customer-subscriptions',
  summary: 'Subscriptions that customers pay for regularly',
  fields: {
    ...withRecord('customer', refTo('customers', { required: true })),
    ...withRecord('subscription_type', refTo('subscription-types', { flag: 'type' })),
    name: { ...NAME, example: 'Support' },
    start_date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    end_date: { kind: 'date', write: 'both', assumed: true },
    auto_renew: { kind: 'boolean', write: 'both', assumed: true },
    active: { kind: 'boolean', write: 'both', assumed: true },
  },
  columns: ['id', 'customer_id', 'name', 'start_date', 'end_date', 'active'],
  wide: ['subscription_type_id', 'auto_renew'],
  relations: { customer: { assumed: true }, subscription_type: { assumed: true }, items: { many: true, assumed: true } },
  filters: { customer_id: BY_ID, subscription_type_id: BY_ID, active: BY_FLAG },
  shortcuts: [
    idShortcut('customer', 'Show only records of this customer'),
    idShortcut('type', 'Show only records of this subscription type', 'subscription_type_id'),
    { flag: 'active', summary: 'Show only active subscriptions', sets: [{ field: 'active', value: 'true' }] },
  ],
  nested: [
    defineChild(SUBSCRIPTION, 'items', subscriptionItems, {
      summary: 'Items of one subscription',
      examples: [
        ['list', '7', 'List the items of subscription 7'],
        ['list', '7 --fields name,quantity,unit_price', 'Show only names and quantities'],
        ['create', '7 --name "Hosting" --unit-price 25.00', 'Add an item'],
      ],
    }),
  ],
  examples: [
    ['list', '--active --include customer', 'List active subscriptions with their customers'],
    ['list', '--customer "Bakkerij Jansen & Zonen"', 'List the subscriptions of a customer'],
    [
      'create',
      '--customer "Bakkerij Jansen & Zonen" --type Hosting --name "Support" --start-date today',
      'Create a subscription from today',
    ],
  ],
});

const SUBSCRIPTION_TYPE: Parent = { noun: 'subscription-types', singular: 'subscription-type', parameter: 'subscription_type' };

const subscriptionTypeItems = defineResource({
  noun: 'subscription-type-items',
  summary: 'Items of the subscription types',
  ability: 'subscription_types',
  counted: false,
  fields: {
    ...withRecord('subscription_type', refTo('subscription-types', { write: 'create', required: true, flag: 'type' })),
    ...withRecord('subscription_product', refTo('subscription-products', { flag: 'product' })),
    name: { ...NAME, example: 'Hosting' },
    quantity: { kind: 'decimal', write: 'both', assumed: true, example: '1' },
  },
  columns: ['id', 'subscription_type_id', 'name', 'quantity'],
  filters: { subscription_type_id: BY_ID, subscription_product_id: BY_ID },
  shortcuts: [
    idShortcut('type', 'Show only records of this subscription type', 'subscription_type_id'),
    idShortcut('product', 'Show only items of this product', 'subscription_product_id'),
  ],
  notes: [notAllAtOnce('subscription-types items list 2')],
  examples: [
    ['list', '--type 2', 'List the items of type 2'],
    ['list', '--product 3 --include subscription_type', 'List the types with product 3'],
    ['create', '--type 2 --product 3 --name "Hosting"', 'Add an item'],
  ],
});

const subscriptionTypes = defineResource({
  noun: 'subscription-types',
  summary: 'Types of subscription that you offer',
  fields: { name: { ...NAME, example: 'Support, monthly' } },
  columns: ['id', 'name', 'created_at'],
  relations: { items: { many: true, assumed: true } },
  nested: [
    defineChild(SUBSCRIPTION_TYPE, 'items', subscriptionTypeItems, {
      summary: 'Items of one subscription type',
      examples: [
        ['list', '2', 'List the items of type 2'],
        ['list', '2 --fields name,quantity', 'Show only names and quantities'],
        ['create', '2 --product 3 --name "Hosting"', 'Add an item'],
      ],
    }),
  ],
  examples: [
    ['list', '--sort name', 'List all types by name'],
    ['list', '--include items', 'List all types with their items'],
  ],
});

const subscriptionProducts = defineResource({
  noun: 'subscription-products',
  summary: 'Products in subscriptions',
  fields: {
    name: { ...NAME, example: 'Hosting' },
    unit_price: { kind: 'money', write: 'both', assumed: true, example: '25.00' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'The VAT in percent', assumed: true, example: '21' },
  },
  columns: ['id', 'name', 'unit_price', 'vat_rate'],
  examples: [
    ['list', '--sort name', 'List all products by name'],
    ['list', '--output csv --fields name,unit_price', 'Write a price list for a spreadsheet'],
    ['create', '--name "Hosting" --unit-price 25.00 --vat-rate 21', 'Create a product'],
  ],
});

export const billingArea: Area = {
  title: 'Billing',
  resources: [
    salesInvoices,
    salesInvoiceRows,
    invoices,
    customerSubscriptions,
    subscriptionItems,
    subscriptionTypes,
    subscriptionTypeItems,
    subscriptionProducts,
  ],
};
