import { DAY, utcDate } from '../dates.ts';
import { BEGINNING, type Seeding } from './seeding.ts';

export function seedCustomers({ addRecord, random }: Seeding): void {
  for (const name of ['vip', 'retainer', 'public sector']) addRecord('tags', { name });
  for (const name of ['Enterprise', 'Small business', 'Non-profit']) addRecord('customer-categories', { name, color: null });
  for (const name of ['Buyer', 'Technical contact', 'Accounts payable', 'Emergency']) addRecord('contact-roles', { name });
  const customers = [
    ['Bakkerij Jansen & Zonen', 'Utrecht', 'NL'],
    ['Société Générale d’Édition', 'Lyon', 'FR'],
    ['O’Neill, Byrne "& Partners"', 'Cork', 'IE'],
    ['株式会社さくら', '大阪', 'JP'],
    ['=SUM(Holdings) Ltd', 'London', 'GB'],
    ['Ñandú Logística', 'Rosario', 'AR'],
  ];
  for (const [index, [name = '', city = '', country = '']] of customers.entries()) {
    const customer = addRecord('customers', {
      name,
      number: `C-${1001 + index}`,
      status: index === 5 ? 'prospect' : 'active',
      customer_category_id: (index % 3) + 1,
      email: `office${index + 1}@customer.example`,
      city,
      country_code: country,
      tag_ids: index % 2 === 0 ? [1, (index % 3) + 1].filter((id, at, ids) => ids.indexOf(id) === at) : [],
    });
    for (let i = 0; i < 2; i++) {
      const person = random.pick(['Eva Lind', 'Tom Baker', 'Inês Sá', 'Ji-woo Park', 'D’Arcy, Lee']);
      addRecord('contacts', {
        name: person,
        email: `contact${customer.id}${i}@customer.example`,
        customer_id: customer.id,
        contact_role_id: i + 1,
      });
    }
  }
  addRecord('contacts', { name: 'Jan de Vries', phone: '+31 6 12345678', contact_role_id: 4, user_id: 1, is_emergency_contact: true });
  addRecord('contacts', { name: 'Petra Müller', phone: '+49 30 123456', contact_role_id: 4, user_id: 3, is_emergency_contact: true });
}

export function seedBilling({ addRecord, randomFor, all }: Seeding): void {
  const random = randomFor('billing');
  for (const [name, price] of [
    ['Hosting', '49.00'],
    ['Support hours', '95.00'],
    ['Licence', '12.50'],
  ] as const) {
    addRecord('subscription-products', { name, unit_price: price, vat_rate: 21 });
  }
  for (const [name, interval] of [
    ['Basic', 'monthly'],
    ['Yearly care', 'yearly'],
  ] as const) {
    const type = addRecord('subscription-types', { name, interval });
    addRecord('subscription-type-items', {
      subscription_type_id: type.id,
      subscription_product_id: type.id,
      name: 'Hosting',
      quantity: '1.00',
    });
  }
  for (const customer of all('customers').slice(0, 4)) {
    const subscription = addRecord('customer-subscriptions', {
      customer_id: customer.id,
      subscription_type_id: (customer.id % 2) + 1,
      name: `Care for ${String(customer['name'])}`,
      start_date: '2025-01-01',
      auto_renew: customer.id !== 2,
    });
    addRecord('subscription-items', {
      customer_subscription_id: subscription.id,
      subscription_product_id: 1,
      name: 'Hosting',
      unit_price: '49.00',
    });
  }
  for (let i = 0; i < 24; i++) {
    const project = random.pick(all('projects'));
    const date = utcDate(BEGINNING + i * 28 * DAY);
    const status = i < 16 ? 'paid' : random.pick(['draft', 'pending_approval', 'approved', 'sent']);
    const invoice = addRecord('sales-invoices', {
      number: `2025-${String(i + 1).padStart(4, '0')}`,
      customer_id: project['customer_id'] ?? 1,
      project_id: project.id,
      status,
      invoice_date: date,
      due_date: utcDate(BEGINNING + (i * 28 + 30) * DAY),
    });
    for (let row = 1; row <= 2; row++) {
      const hours = random.integer(1, 40);
      const net = hours * 95;
      addRecord('sales-invoice-rows', {
        sales_invoice_id: invoice.id,
        name: random.pick(['Development', 'Design', 'Hosting', 'Travel; "first class"']),
        quantity: `${hours}.00`,
        unit_price: '95.00',
        hourly_rate: '95.00',
        vat_rate: 21,
        vat_amount: (net * 0.21).toFixed(2),
        total_amount: (net * 1.21).toFixed(2),
        billable_minutes: hours * 60,
        sort_order: row,
      });
    }
    if (i < 6) addRecord('invoices', { number: `P-${i + 1}`, project_id: project.id, date, amount: '1250.00', is_paid: i < 4 });
  }
}

export function seedDrive({ addRecord }: Seeding): void {
  const owners = [
    ['organization', null],
    ['project', 1],
    ['customer', 1],
    ['user', 1],
  ] as const;
  for (const [type, id] of owners) {
    const owner = { owner_type: type, owner_id: id };
    const top = addRecord('drive-folders', { name: 'General', ...owner });
    addRecord('drive-folders', { name: 'Archive', ...owner, parent_id: top.id });
    const item = addRecord('drive-items', {
      name: 'Plan "final" v2, really.pdf',
      type: 'file',
      ...owner,
      folder_id: top.id,
      work_item_id: type === 'project' ? 12 : null,
      created_by_id: 1,
    });
    addRecord('drive-files', { drive_item_id: item.id, file_name: 'plan.pdf', mime_type: 'application/pdf', size: 120_331 });
    addRecord('drive-comments', { drive_item_id: item.id, body: '<p>Which one is final?</p>', user_id: 2 });
    addRecord('drive-documents', {
      name: 'Handbook',
      ...owner,
      folder_id: top.id,
      content: '# Handbook\n\nBe kind.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    });
    addRecord('notes', { name: 'Minutes', ...owner, content: '<p>We agreed on <strong>everything</strong>.</p>' });
  }
  addRecord('todos', { title: 'Renew the certificate', user_id: 1, is_done: false, due_date: '2026-12-01' });
  addRecord('todos', { title: 'Water the plants', user_id: 2, is_done: true });
}
