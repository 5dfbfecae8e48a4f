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
  text: 'Without the permission Finalise sales invoices, changing an invoice or its rows sends the invoice back to Pending approval.',
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
    sales_invoice_id: { kind: 'id', write: 'create', ref: 'sales-invoices', summary: 'The invoice it stands on' },
    sales_invoice: { kind: 'json' },
    subscription_item_id: { kind: 'id', write: 'both', ref: 'subscription-items' },
    budget_id: { kind: 'id', write: 'both', ref: 'budgets' },
    name: { kind: 'string', write: 'both', example: 'Development' },
    description: { kind: 'string', write: 'both' },
    quantity: { kind: 'decimal', write: 'both', summary: 'How many; hours where it bills time of a budget', example: '2' },
    unit_price: { kind: 'money', write: 'both', example: '95.00' },
    hourly_rate: { kind: 'money', write: 'both' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'VAT in percent', example: '21' },
    vat_amount: { kind: 'money' },
    total_amount: { kind: 'money' },
    billable_minutes: { kind: 'duration', write: 'both', summary: 'The time it bills' },
    is_aggregated_price: { kind: 'boolean', write: 'both', flag: 'aggregated-price' },
    sort_order: { kind: 'integer', write: 'both', summary: 'Its place on the invoice' },
    external_item_id: { kind: 'string', summary: 'For the accounting export' },
    external_vat_code: { kind: 'string', summary: 'For the accounting export' },
    external_cost_center: { kind: 'string', summary: 'For the accounting export' },
    external_gl_account: { kind: 'string', summary: 'For the accounting export' },
    links: { kind: 'json' },
    ...STAMPS,
    ...DELETED,
  },
  columns: ['id', 'sales_invoice_id', 'name', 'quantity', 'unit_price', 'vat_rate', 'total_amount'],
  relations: { sales_invoice: {} },
  filters: { sales_invoice_id: BY_ID, budget_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [idShortcut('sales-invoice', 'Of this invoice'), idShortcut('budget', 'That bill this budget')],
  notes: [
    APPROVAL,
    {
      on: ['create', 'update'],
      text: 'The references for the accounting export have the name of your accounting product in theirs; set them with -f name=value.',
    },
    { on: ['list'], text: 'Not every organisation lists all rows at once; svc sales-invoices rows list 7 always lists those of one.' },
  ],
  examples: [
    { verb: 'list', args: '--sales-invoice 7', does: 'The rows of invoice 7' },
    { verb: 'list', args: "--jq 'map(.total_amount | tonumber) | add'", does: 'The sum of all rows' },
    { verb: 'create', args: '--sales-invoice 7 --name "Development" --quantity 2 --unit-price 95.00 --vat-rate 21', does: 'One row more' },
    { verb: 'update', args: '31 --quantity 3', does: 'Three of them' },
    { verb: 'update', args: '31 --unit-price 90 --if-unchanged', does: 'Another price, unless somebody changed it meanwhile' },
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
    status: { kind: 'enum', assumed: true, summary: 'Its state; Pending approval is one of them' },
    reference: { ...TEXT, summary: 'What the customer calls it' },
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
    idShortcut('customer', 'To this customer'),
    idShortcut('project', 'For this project'),
    { flag: 'status', summary: 'In this state', takes: 'enum', sets: [{ field: 'status' }] },
    ...dayShortcuts('invoice_date', 'Dated this day or later', 'Dated this day or earlier'),
    { flag: 'due-by', summary: 'Due on this day or earlier', takes: 'date', sets: [{ field: 'due_date', operator: 'lte' }] },
  ],
  nested: [
    below(SALES_INVOICE, 'rows', salesInvoiceRows, {
      singular: 'row',
      summary: 'The rows of one invoice',
      counted: true,
      notes: [APPROVAL],
      examples: [
        { verb: 'list', args: '7', does: 'The rows of invoice 7' },
        { verb: 'list', args: '7 --output csv --fields name,quantity,unit_price,total_amount', does: 'For a spreadsheet' },
        { verb: 'create', args: '7 --name "Development" --quantity 2 --unit-price 95.00 --vat-rate 21', does: 'One row more' },
        { verb: 'create', args: '7 --name "Travel" --unit-price 48.50', does: 'Another' },
      ],
    }),
  ],
  notes: [APPROVAL],
  examples: [
    { verb: 'list', args: '--customer "Bakkerij Jansen & Zonen" --from 2026-01-01', does: 'This year’s invoices to a customer' },
    { verb: 'list', args: '--due-by today --include customer', does: 'What should have been paid by now, and by whom' },
    {
      verb: 'create',
      args: '--customer "Bakkerij Jansen & Zonen" --invoice-date today --due-date +4w',
      does: 'An invoice, due in four weeks',
    },
  ],
});

const invoices = defineResource({
  noun: 'invoices',
  singular: 'invoice',
  summary: 'Invoices of the older kind, one project each',
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
  shortcuts: [idShortcut('project', 'Of this project'), ...dayShortcuts('date', 'Dated this day or later', 'Dated this day or earlier')],
  notes: [{ on: ['list', 'create'], text: 'Newer invoices are under svc sales-invoices.' }],
  examples: [
    { verb: 'list', args: '--project "Web shop"', does: 'The invoices of a project' },
    { verb: 'list', args: '--from 2025-01-01 --to 2025-12-31 --output csv', does: 'Those of a year, for a spreadsheet' },
    { verb: 'create', args: '--project "Web shop" --date today --amount 1250.00', does: 'An invoice of today' },
  ],
});

const SUBSCRIPTION: Parent = { noun: 'customer-subscriptions', singular: 'customer-subscription', parameter: 'customer_subscription' };

const subscriptionItems = defineResource({
  noun: 'subscription-items',
  singular: 'subscription-item',
  summary: 'What customers’ subscriptions consist of',
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
    vat_rate: { kind: 'percentage', write: 'both', summary: 'VAT in percent', assumed: true, example: '21' },
    ...STAMPS,
  },
  columns: ['id', 'customer_subscription_id', 'name', 'quantity', 'unit_price', 'vat_rate'],
  relations: { customer_subscription: { assumed: true }, subscription_product: { assumed: true } },
  filters: { customer_subscription_id: BY_ID, subscription_product_id: BY_ID, ...ASSUMED_STAMP_FILTERS },
  shortcuts: [
    idShortcut('subscription', 'Of this subscription', 'customer_subscription_id'),
    idShortcut('product', 'Of this product', 'subscription_product_id'),
  ],
  notes: [notAllAtOnce('customer-subscriptions items list 7')],
  examples: [
    { verb: 'list', args: '--subscription 7', does: 'What subscription 7 consists of' },
    { verb: 'list', args: '--product 3', does: 'Who has product 3' },
    { verb: 'create', args: '--subscription 7 --name "Hosting" --unit-price 25.00', does: 'One item more' },
  ],
});

const customerSubscriptions = defineResource({
  noun: 'customer-subscriptions',
  singular: 'customer-subscription',
  summary: 'What customers pay for regularly',
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
    idShortcut('customer', 'Of this customer'),
    idShortcut('type', 'Of this subscription type', 'subscription_type_id'),
    { flag: 'active', summary: 'That are running', sets: [{ field: 'active', value: 'true' }] },
  ],
  nested: [
    below(SUBSCRIPTION, 'items', subscriptionItems, {
      singular: 'item',
      summary: 'What one subscription consists of',
      counted: true,
      examples: [
        { verb: 'list', args: '7', does: 'What subscription 7 consists of' },
        { verb: 'list', args: '7 --fields name,quantity,unit_price', does: 'In short' },
        { verb: 'create', args: '7 --name "Hosting" --unit-price 25.00', does: 'One item more' },
      ],
    }),
  ],
  examples: [
    { verb: 'list', args: '--active --include customer', does: 'What is running, and for whom' },
    { verb: 'list', args: '--customer "Bakkerij Jansen & Zonen"', does: 'Those of a customer' },
    {
      verb: 'create',
      args: '--customer "Bakkerij Jansen & Zonen" --type Hosting --name "Support" --start-date today',
      does: 'A subscription from today',
    },
  ],
});

const SUBSCRIPTION_TYPE: Parent = { noun: 'subscription-types', singular: 'subscription-type', parameter: 'subscription_type' };

const subscriptionTypeItems = defineResource({
  noun: 'subscription-type-items',
  singular: 'subscription-type-item',
  summary: 'What subscription types consist of',
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
    idShortcut('type', 'Of this subscription type', 'subscription_type_id'),
    idShortcut('product', 'Of this product', 'subscription_product_id'),
  ],
  notes: [notAllAtOnce('subscription-types items list 2')],
  examples: [
    { verb: 'list', args: '--type 2', does: 'What type 2 consists of' },
    { verb: 'list', args: '--product 3 --include subscription_type', does: 'Types that have product 3' },
    { verb: 'create', args: '--type 2 --product 3 --name "Hosting"', does: 'One item more' },
  ],
});

const subscriptionTypes = defineResource({
  noun: 'subscription-types',
  singular: 'subscription-type',
  summary: 'Kinds of subscription that are offered',
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
      summary: 'What one subscription type consists of',
      counted: true,
      examples: [
        { verb: 'list', args: '2', does: 'What type 2 consists of' },
        { verb: 'list', args: '2 --fields name,quantity', does: 'In short' },
        { verb: 'create', args: '2 --product 3 --name "Hosting"', does: 'One item more' },
      ],
    }),
  ],
  examples: [
    { verb: 'list', args: '--sort name', does: 'All types, by name' },
    { verb: 'list', args: '--include items', does: 'With what they consist of' },
  ],
});

const subscriptionProducts = defineResource({
  noun: 'subscription-products',
  singular: 'subscription-product',
  summary: 'Products that subscriptions are made of',
  path: '/subscription-products',
  ability: 'subscription_products',
  counted: true,
  fields: {
    id: { kind: 'id' },
    name: { ...NAME, example: 'Hosting' },
    unit_price: { kind: 'money', write: 'both', assumed: true, example: '25.00' },
    vat_rate: { kind: 'percentage', write: 'both', summary: 'VAT in percent', assumed: true, example: '21' },
    ...STAMPS,
  },
  columns: ['id', 'name', 'unit_price', 'vat_rate'],
  filters: ASSUMED_STAMP_FILTERS,
  examples: [
    { verb: 'list', args: '--sort name', does: 'All products, by name' },
    { verb: 'list', args: '--output csv --fields name,unit_price', does: 'A price list, for a spreadsheet' },
    { verb: 'create', args: '--name "Hosting" --unit-price 25.00 --vat-rate 21', does: 'A product' },
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
