import { type Area, below, defineResource, type Note, type Parent } from './define.ts';
import {
  ASSUMED_STAMP_FILTERS,
  BY_ENUM,
  BY_FLAG,
  BY_ID,
  DELETED,
  dayShortcuts,
  idShortcut,
  NAME,
  notAllAtOnce,
  refTo,
  STAMPS,
  TEXT,
} from './fields.ts';

const SALES_INVOICE: Parent = { noun: 'sales-invoices', singular: 'sales-invoice', parameter: 'sales_invoice' };

/** Rules 5.15 to 5.18. */
const APPROVAL: Note = {
  on: ['create', 'update', 'delete'],
  text: 'Without the permission Finalise sales invoices, a change of an invoice or row sets the invoice back to Pending approval.',
};

const salesInvoiceRows = defineResource({
  noun: 'sales-invoice-rows',
  singular: 'sales-invoice-row',
  summary: 'The rows of sales invoices',
  path: '/sales-invoice-rows',
  ability: 'sales_invoices',
  counted: false,
  fields: {
    id: { kind: 'id' },
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
    ...STAMPS,
    ...DELETED,
  },
  columns: ['id', 'sales_invoice_id', 'name', 'quantity', 'unit_price', 'vat_rate', 'total_amount'],
  relations: { sales_invoice: {} },
  filters: { sales_invoice_id: BY_ID, budget_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('sales-invoice', 'Show only rows of this invoice'), idShortcut('budget', 'Show only rows that bill this budget')],
  notes: [
    APPROVAL,
    {
      on: ['create', 'update'],
      text: 'Field names of the accounting export contain the name of your accounting product; set these fields with -f name=value.',
    },
    {
      on: ['list'],
      text: 'Some organisations cannot list all rows at once. svc sales-invoices rows list 7 lists the rows of one invoice everywhere.',
    },
  ],
  examples: [
    { verb: 'list', args: '--sales-invoice 7', does: 'List the rows of invoice 7' },
    { verb: 'list', args: "--jq 'map(.total_amount | tonumber) | add'", does: 'Print the sum of all rows' },
    { verb: 'create', args: '--sales-invoice 7 --name "Development" --quantity 2 --unit-price 95.00 --vat-rate 21', does: 'Add a row' },
    { verb: 'update', args: '31 --quantity 3', does: 'Set the quantity' },
    { verb: 'update', args: '31 --unit-price 90 --if-unchanged', does: 'Set the price, unless somebody changes the row in between' },
  ],
});

const salesInvoices = defineResource({
  noun: 'sales-invoices',
  singular: 'sales-invoice',
  summary: 'Invoices to customers',
  path: '/sales-invoices',
  ability: 'sales_invoices',
  counted: true,
  fields: {
    id: { kind: 'id' },
    number: { kind: 'string', assumed: true },
    customer_id: refTo('customers', { required: true }),
    customer: { kind: 'json', assumed: true },
    project_id: refTo('projects'),
    project: { kind: 'json', assumed: true },
    status: { kind: 'enum', assumed: true, summary: 'The state, such as Pending approval' },
    reference: { ...TEXT, summary: 'The reference of the customer' },
    invoice_date: { kind: 'date', write: 'both', assumed: true },
    due_date: { kind: 'date', write: 'both', assumed: true },
    total_amount: { kind: 'money', assumed: true },
    ...STAMPS,
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
    ...ASSUMED_STAMP_FILTERS,
  },
  shortcuts: [
    idShortcut('customer', 'Show only records to this customer'),
    idShortcut('project', 'Show only records for this project'),
    { flag: 'status', summary: 'Show only records in this state', takes: 'enum', sets: [{ field: 'status' }] },
    ...dayShortcuts('invoice_date', 'Show only invoices dated this day or later', 'Show only invoices dated this day or earlier'),
    {
      flag: 'due-by',
      summary: 'Show only records due on this day or earlier',
      takes: 'date',
      sets: [{ field: 'due_date', operator: 'lte' }],
    },
  ],
  nested: [
    below(SALES_INVOICE, 'rows', salesInvoiceRows, {
      singular: 'row',
      summary: 'The rows of one invoice',
      counted: true,
      notes: [APPROVAL],
      examples: [
        { verb: 'list', args: '7', does: 'List the rows of invoice 7' },
        { verb: 'list', args: '7 --output csv --fields name,quantity,unit_price,total_amount', does: 'Write the list for a spreadsheet' },
        { verb: 'create', args: '7 --name "Development" --quantity 2 --unit-price 95.00 --vat-rate 21', does: 'Add a row' },
        { verb: 'create', args: '7 --name "Travel" --unit-price 48.50', does: 'Add another row' },
      ],
    }),
  ],
  notes: [APPROVAL],
  examples: [
    { verb: 'list', args: '--customer "Bakkerij Jansen & Zonen" --from 2026-01-01', does: 'List the invoices of this year to a customer' },
    { verb: 'list', args: '--due-by today --include customer', does: 'List invoices that are due, with their customers' },
    {
      verb: 'create',
      args: '--customer "Bakkerij Jansen & Zonen" --invoice-date today --due-date +4w',
      does: 'Create an invoice, due in four weeks',
    },
  ],
});

const invoices = defineResource({
  noun: 'invoices',
  singular: 'invoice',
  summary: 'Older invoices, each for one project',
  path: '/invoices',
  ability: 'invoices',
  counted: true,
  fields: {
    id: { kind: 'id' },
    number: TEXT,
    project_id: refTo('projects', { required: true }),
    project: { kind: 'json', assumed: true },
    date: { kind: 'date', write: 'both', assumed: true },
    amount: { kind: 'money', write: 'both', assumed: true, example: '1250.00' },
    ...STAMPS,
  },
  columns: ['id', 'number', 'project_id', 'date', 'amount'],
  relations: { project: { assumed: true } },
  filters: { project_id: BY_ID, date: { kind: 'date', operators: ['gte', 'lte'], assumed: true }, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    idShortcut('project', 'Show only records of this project'),
    ...dayShortcuts('date', 'Show only invoices dated this day or later', 'Show only invoices dated this day or earlier'),
  ],
  notes: [{ on: ['list', 'create'], text: 'Newer invoices are under svc sales-invoices.' }],
  examples: [
    { verb: 'list', args: '--project "Web shop"', does: 'List the invoices of a project' },
    { verb: 'list', args: '--from 2025-01-01 --to 2025-12-31 --output csv', does: 'Write a year for a spreadsheet' },
    { verb: 'create', args: '--project "Web shop" --date today --amount 1250.00', does: 'Create an invoice with the date of today' },
  ],
});

const SUBSCRIPTION: Parent = { noun: 'customer-subscriptions', singular: 'customer-subscription', parameter: 'customer_subscription' };

const subscriptionItems = defineResource({
  noun: 'subscription-items',
  singular: 'subscription-item',
  summary: 'Items of the subscriptions of customers',
  path: '/subscription-items',
  ability: 'customer_subscriptions',
  counted: false,
  fields: {
    id: { kind: 'id' },
    customer_subscription_id: refTo('customer-subscriptions', { write: 'create', required: true, flag: 'subscription' }),
    customer_subscription: { kind: 'json', assumed: true },
    subscription_product_id: refTo('subscription-products', { flag: 'product' }),
    subscription_product: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Hosting' },
    quantity: { kind: 'decimal', write: 'both', assumed: true, example: '1' },
    unit_price: { kind: 'money', write: 'both', assumed: true, example: '25.00' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'The VAT in percent', assumed: true, example: '21' },
    ...STAMPS,
  },
  columns: ['id', 'customer_subscription_id', 'name', 'quantity', 'unit_price', 'vat_rate'],
  relations: { customer_subscription: { assumed: true }, subscription_product: { assumed: true } },
  filters: { customer_subscription_id: BY_ID, subscription_product_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    idShortcut('subscription', 'Show only items of this subscription', 'customer_subscription_id'),
    idShortcut('product', 'Show only items of this product', 'subscription_product_id'),
  ],
  notes: [notAllAtOnce('customer-subscriptions items list 7')],
  examples: [
    { verb: 'list', args: '--subscription 7', does: 'List the items of subscription 7' },
    { verb: 'list', args: '--product 3', does: 'List the subscriptions with product 3' },
    { verb: 'create', args: '--subscription 7 --name "Hosting" --unit-price 25.00', does: 'Add an item' },
  ],
});

const customerSubscriptions = defineResource({
  noun: 'customer-subscriptions',
  singular: 'customer-subscription',
  summary: 'Subscriptions that customers pay for regularly',
  path: '/customer-subscriptions',
  ability: 'customer_subscriptions',
  counted: true,
  fields: {
    id: { kind: 'id' },
    customer_id: refTo('customers', { required: true }),
    customer: { kind: 'json', assumed: true },
    subscription_type_id: refTo('subscription-types', { flag: 'type' }),
    subscription_type: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Support' },
    start_date: { kind: 'date', write: 'both', required: true, assumed: true, example: 'today' },
    end_date: { kind: 'date', write: 'both', assumed: true },
    auto_renew: { kind: 'boolean', write: 'both', assumed: true },
    active: { kind: 'boolean', write: 'both', assumed: true },
    ...STAMPS,
  },
  columns: ['id', 'customer_id', 'name', 'start_date', 'end_date', 'active'],
  wide: ['subscription_type_id', 'auto_renew'],
  relations: { customer: { assumed: true }, subscription_type: { assumed: true }, items: { many: true, assumed: true } },
  filters: { customer_id: BY_ID, subscription_type_id: BY_ID, active: BY_FLAG, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    idShortcut('customer', 'Show only records of this customer'),
    idShortcut('type', 'Show only records of this subscription type', 'subscription_type_id'),
    { flag: 'active', summary: 'Show only active subscriptions', sets: [{ field: 'active', value: 'true' }] },
  ],
  nested: [
    below(SUBSCRIPTION, 'items', subscriptionItems, {
      singular: 'item',
      summary: 'Items of one subscription',
      counted: true,
      examples: [
        { verb: 'list', args: '7', does: 'List the items of subscription 7' },
        { verb: 'list', args: '7 --fields name,quantity,unit_price', does: 'Show only names and quantities' },
        { verb: 'create', args: '7 --name "Hosting" --unit-price 25.00', does: 'Add an item' },
      ],
    }),
  ],
  examples: [
    { verb: 'list', args: '--active --include customer', does: 'List active subscriptions with their customers' },
    { verb: 'list', args: '--customer "Bakkerij Jansen & Zonen"', does: 'List the subscriptions of a customer' },
    {
      verb: 'create',
      args: '--customer "Bakkerij Jansen & Zonen" --type Hosting --name "Support" --start-date today',
      does: 'Create a subscription from today',
    },
  ],
});

const SUBSCRIPTION_TYPE: Parent = { noun: 'subscription-types', singular: 'subscription-type', parameter: 'subscription_type' };

const subscriptionTypeItems = defineResource({
  noun: 'subscription-type-items',
  singular: 'subscription-type-item',
  summary: 'Items of the subscription types',
  path: '/subscription-type-items',
  ability: 'subscription_types',
  counted: false,
  fields: {
    id: { kind: 'id' },
    subscription_type_id: refTo('subscription-types', { write: 'create', required: true, flag: 'type' }),
    subscription_type: { kind: 'json', assumed: true },
    subscription_product_id: refTo('subscription-products', { flag: 'product' }),
    subscription_product: { kind: 'json', assumed: true },
    name: { ...NAME, example: 'Hosting' },
    quantity: { kind: 'decimal', write: 'both', assumed: true, example: '1' },
    ...STAMPS,
  },
  columns: ['id', 'subscription_type_id', 'name', 'quantity'],
  relations: { subscription_type: { assumed: true }, subscription_product: { assumed: true } },
  filters: { subscription_type_id: BY_ID, subscription_product_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    idShortcut('type', 'Show only records of this subscription type', 'subscription_type_id'),
    idShortcut('product', 'Show only items of this product', 'subscription_product_id'),
  ],
  notes: [notAllAtOnce('subscription-types items list 2')],
  examples: [
    { verb: 'list', args: '--type 2', does: 'List the items of type 2' },
    { verb: 'list', args: '--product 3 --include subscription_type', does: 'List the types with product 3' },
    { verb: 'create', args: '--type 2 --product 3 --name "Hosting"', does: 'Add an item' },
  ],
});

const subscriptionTypes = defineResource({
  noun: 'subscription-types',
  singular: 'subscription-type',
  summary: 'Types of subscription that you offer',
  path: '/subscription-types',
  ability: 'subscription_types',
  counted: true,
  fields: { id: { kind: 'id' }, name: { ...NAME, example: 'Support, monthly' }, ...STAMPS },
  columns: ['id', 'name', 'created_at'],
  relations: { items: { many: true, assumed: true } },
  filters: ASSUMED_STAMP_FILTERS,
  nested: [
    below(SUBSCRIPTION_TYPE, 'items', subscriptionTypeItems, {
      singular: 'item',
      summary: 'Items of one subscription type',
      counted: true,
      examples: [
        { verb: 'list', args: '2', does: 'List the items of type 2' },
        { verb: 'list', args: '2 --fields name,quantity', does: 'Show only names and quantities' },
        { verb: 'create', args: '2 --product 3 --name "Hosting"', does: 'Add an item' },
      ],
    }),
  ],
  examples: [
    { verb: 'list', args: '--sort name', does: 'List all types by name' },
    { verb: 'list', args: '--include items', does: 'List all types with their items' },
  ],
});

const subscriptionProducts = defineResource({
  noun: 'subscription-products',
  singular: 'subscription-product',
  summary: 'Products in subscriptions',
  path: '/subscription-products',
  ability: 'subscription_products',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Hosting' },
    unit_price: { kind: 'money', write: 'both', assumed: true, example: '25.00' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'The VAT in percent', assumed: true, example: '21' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'unit_price', 'vat_rate'],
  filters: ASSUMED_STAMP_FILTERS,
  examples: [
    { verb: 'list', args: '--sort name', does: 'List all products by name' },
    { verb: 'list', args: '--output csv --fields name,unit_price', does: 'Write a price list for a spreadsheet' },
    { verb: 'create', args: '--name "Hosting" --unit-price 25.00 --vat-rate 21', does: 'Create a product' },
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
