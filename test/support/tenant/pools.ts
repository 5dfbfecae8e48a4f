import type { ServedField } from '../../../src/sandbox/resources/define.ts';
import { choice, dateTime, day, flag, name, ref, requiredDay, textField } from '../../../src/sandbox/resources/fields.ts';

// The pools from which a tenant takes its changes. The names are typical of organisations.

/** The resources that a tenant may lack. Signing in and hours do not need them. */
export const DISPENSABLE = [
  'todos',
  'notes',
  'holidays',
  'checkins',
  'invoices',
  'budget-groups',
  'project-links',
  'customer-categories',
  'subscription-products',
  'drive-folders',
  'work-types',
  'company-branches',
] as const;

/** The resources that a tenant may rename. */
export const OTHER_RESOURCES = {
  customers: { path: 'clients', schema: 'Client', parameter: 'client' },
  events: { path: 'appointments', schema: 'Appointment', parameter: 'appointment' },
  labels: { path: 'markers', schema: 'Marker', parameter: 'marker' },
  'free-days': { path: 'days-off', schema: 'DayOff', parameter: 'day_off' },
  contacts: { path: 'contact-people', schema: 'ContactPerson', parameter: 'contact_person' },
  'contact-roles': { path: 'contact-functions', schema: 'ContactFunction', parameter: 'contact_function' },
  tasks: { path: 'jobs', schema: 'Job', parameter: 'job' },
} as const;

/** The fields that a tenant may rename, or lack if no record needs them. The sandbox itself does not read them by name. */
export const OTHER_FIELDS: Readonly<Record<string, string>> = {
  phone: 'telephone',
  note: 'remark',
  city: 'town',
  address: 'street_address',
  postal_code: 'zip',
  vat_number: 'tax_number',
  email: 'e_mail',
  due_date: 'deadline',
  color: 'colour',
  goal: 'objective',
  location: 'venue',
  estimation: 'estimated_minutes',
  reason: 'motive',
  start_date: 'begins_on',
  end_date: 'ends_on',
  hourly_rate: 'rate',
  country_code: 'country',
  type: 'kind',
  priority: 'urgency',
  assignee_id: 'responsible_id',
  reporter_id: 'requester_id',
  url: 'href',
  interval: 'rhythm',
  column: 'lane',
  mood: 'feeling',
  is_at_office: 'at_office',
  is_done: 'finished',
  is_all_day: 'all_day',
  customer_category_id: 'segment_id',
  mime_type: 'media_type',
};

/** The additional fields that a tenant may have. */
export const MORE_FIELDS: Readonly<Record<string, ServedField>> = {
  cost_center: { type: 'string', nullable: true, write: 'optional', filter: true, sort: true },
  region: choice(['emea', 'apac', 'americas', 'sub-Saharan']),
  is_confidential: flag,
  external_reference: { type: 'string', nullable: true, write: 'optional', filter: ['in', 'null'] },
  approved_on: day,
  reviewed_at: dateTime,
  preferred_time: { type: 'time', nullable: true, write: 'optional' },
  effort: { type: 'minutes', nullable: true, write: 'optional', filter: true, sort: true },
  credit_limit: { type: 'money', nullable: true, write: 'optional', sort: true },
  probability: { type: 'percent', nullable: true, write: 'optional' },
  latitude: { type: 'coordinate', nullable: true, write: 'optional' },
  briefing_html: { type: 'html', nullable: true, write: 'optional', shown: 'detail' },
  guidelines: { type: 'markdown', nullable: true, write: 'optional', shown: 'detail' },
  weight: { type: 'decimal', nullable: true, write: 'optional' },
  head_count: { type: 'integer', nullable: true, write: 'optional', filter: true, sort: true },
  settings: { type: 'object', nullable: true, write: 'optional', shown: 'detail' },
  notify_team: { type: 'boolean', write: 'optional', shown: 'never' },
  sponsor_id: ref('users'),
  sync_state: { type: 'enum', values: ['pending', 'synced', 'failed'], default: 'pending', filter: true },
};

/** The additional fields that a new record of a tenant may require. */
export const DEMANDED_FIELDS: Readonly<Record<string, ServedField>> = {
  ledger_code: { type: 'string', write: 'required', filter: true, sort: true },
  risk_class: { type: 'enum', values: ['low', 'medium', 'high', 'very-high'], write: 'required', filter: true, sort: true },
  effective_on: requiredDay,
  planned_minutes: { type: 'minutes', write: 'required', filter: true, sort: true },
  contact_user_id: { type: 'reference', to: 'users', write: 'required', filter: true, sort: true },
};

/** A resource that svc does not know. */
export interface NewResource {
  readonly name: string;
  readonly schema: string;
  readonly parameter: string;
  /** The fields that the resource always has. Fields from the pools may be added. */
  readonly fields: Readonly<Record<string, ServedField>>;
  readonly search: readonly string[];
  /** The child resource. */
  readonly child?: {
    readonly segment: string;
    readonly name: string;
    readonly schema: string;
    readonly parameter: string;
    readonly fields: Readonly<Record<string, ServedField>>;
    /** True if its records also have a top-level path. */
    readonly topLevel: boolean;
  };
  readonly actions?: readonly {
    readonly name: string;
    readonly summary: string;
    readonly sets: string;
    readonly fields: Readonly<Record<string, ServedField>>;
  }[];
}

const state = (...values: readonly [string, ...string[]]): ServedField => ({
  type: 'enum',
  values,
  default: values[0],
  filter: true,
  sort: true,
});
const remark = { decision_remark: { type: 'string', nullable: true, write: 'optional' } } as const satisfies Record<string, ServedField>;

/** The new resources for tenants, from which a tenant takes some. `sets` is the state after an action. */
export const NEW_RESOURCES: readonly NewResource[] = [
  {
    name: 'vehicles',
    schema: 'Vehicle',
    parameter: 'vehicle',
    fields: { name, number_plate: { ...textField, filter: true }, state: state('available', 'in_use', 'retired'), driver_id: ref('users') },
    search: ['name', 'number_plate'],
    child: {
      segment: 'trips',
      name: 'vehicle-trips',
      schema: 'VehicleTrip',
      parameter: 'vehicle_trip',
      fields: { date: requiredDay, distance: { type: 'decimal', write: 'optional', default: '0.00' }, purpose: textField },
      topLevel: false,
    },
    actions: [{ name: 'retire', summary: 'Take a vehicle out of use', sets: 'retired', fields: {} }],
  },
  {
    name: 'purchase-orders',
    schema: 'PurchaseOrder',
    parameter: 'purchase_order',
    fields: {
      name,
      state: state('draft', 'approved', 'rejected'),
      project_id: ref('projects'),
      total: { type: 'money', nullable: true, write: 'optional', sort: true },
      ...remark,
    },
    search: ['name'],
    child: {
      segment: 'lines',
      name: 'purchase-order-lines',
      schema: 'PurchaseOrderLine',
      parameter: 'purchase_order_line',
      fields: { name, quantity: { type: 'decimal', write: 'optional', default: '1.00' } },
      topLevel: true,
    },
    actions: [
      { name: 'approve', summary: 'Approve a purchase order', sets: 'approved', fields: {} },
      {
        name: 'send-back',
        summary: 'Send a purchase order back',
        sets: 'rejected',
        fields: { decision_remark: { type: 'string', write: 'required' } },
      },
    ],
  },
  {
    name: 'certificates',
    schema: 'Certificate',
    parameter: 'certificate',
    fields: { name, user_id: ref('users'), valid_until: day, level: choice(['basic', 'advanced', 'Expert']) },
    search: ['name'],
  },
  {
    name: 'rooms',
    schema: 'Room',
    parameter: 'room',
    fields: { name, seats: { type: 'integer', nullable: true, write: 'optional', filter: true, sort: true }, has_screen: flag },
    search: ['name'],
    child: {
      segment: 'reservations',
      name: 'room-reservations',
      schema: 'RoomReservation',
      parameter: 'room_reservation',
      fields: { start: { ...dateTime, nullable: false, write: 'required' }, end: dateTime, user_id: ref('users') },
      topLevel: true,
    },
  },
  {
    name: 'expense-claims',
    schema: 'ExpenseClaim',
    parameter: 'expense_claim',
    fields: {
      title: { type: 'string', write: 'required', sort: true },
      amount: { type: 'money', write: 'required', sort: true },
      spent_on: requiredDay,
      user_id: ref('users'),
      state: state('open', 'submitted', 'paid'),
      ...remark,
    },
    search: ['title'],
    actions: [{ name: 'submit', summary: 'Hand in an expense claim', sets: 'submitted', fields: remark }],
  },
  {
    name: 'suppliers',
    schema: 'Supplier',
    parameter: 'supplier',
    fields: { name, website: textField, rating: { type: 'percent', nullable: true, write: 'optional', sort: true } },
    search: ['name', 'website'],
  },
  {
    name: 'shifts',
    schema: 'Shift',
    parameter: 'shift',
    fields: {
      date: requiredDay,
      begins: { type: 'time', write: 'required' },
      ends: { type: 'time', nullable: true, write: 'optional' },
      user_id: ref('users', { filter: ['in'] }),
    },
    search: [],
  },
];
