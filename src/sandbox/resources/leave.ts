import type { Values } from '../json.ts';
import { bound, boundSchema, endOf } from './absence-bounds.ts';
import { authoredBy } from './authored-by.ts';
import { type DefinedResource, defineServedResource, type ValidWrite } from './define.ts';
import { choice, flag, minutes, name, ref, requiredDay, requiredRef, textField } from './fields.ts';

export const leave: readonly DefinedResource[] = [
  defineServedResource('absences', {
    schema: 'Absence',
    prefixes: ['absences'],
    permissions: { list: null, create: 'absences::manage', update: 'absences::manage', delete: 'absences::manage' },
    own: 'user_id',
    counted: true,
    defaultSort: '-start',
    // Exactly the documented filters (rules 9.16 to 9.29): no `year`, no `ongoing`, no `q`, no filter by type.
    fields: {
      user_id: ref('users', { nullable: false, filter: ['in'], filterOthers: 'absences::manage' }),
      manager_id: ref('users', { filter: ['in', 'null'] }),
      type: {
        type: 'enum',
        values: ['vacation', 'sick', 'parental', 'special', 'unpaid'],
        write: 'optional',
        default: 'vacation',
        sort: true,
      },
      start: { type: 'datetime', write: 'required', filter: ['gte', 'lte'], sort: true, written: bound('start'), shows: boundSchema },
      end: {
        type: 'datetime',
        nullable: true,
        write: 'optional',
        filter: ['gte', 'lte', 'null'],
        sort: true,
        compared: endOf,
        written: bound('end'),
        shows: boundSchema,
      },
      status: { type: 'enum', values: ['requested', 'approved', 'declined'], default: 'requested', sort: true },
      note: { ...textField, shown: 'detail' },
    },
    visible: (row, actor) => row['user_id'] === actor.user.id || actor.may('absences::manage'),
    prepare: prepareAbsence,
  }),
  defineServedResource('holidays', {
    schema: 'Holiday',
    prefixes: ['holidays'],
    counted: true,
    defaultSort: 'date',
    fields: { name, date: requiredDay, country_code: textField },
  }),
  defineServedResource('free-days', {
    schema: 'FreeDay',
    prefixes: ['free_days'],
    counted: true,
    defaultSort: 'date',
    fields: { name, date: requiredDay, user_id: ref('users') },
  }),
  defineServedResource('checkins', {
    schema: 'Checkin',
    prefixes: ['checkins'],
    permissions: { list: 'checkins::read', create: 'checkins::manage', update: 'checkins::manage', delete: 'checkins::manage' },
    own: 'user_id',
    defaultSort: '-date',
    search: ['note'],
    fields: {
      user_id: ref('users', { nullable: false }),
      date: requiredDay,
      mood: choice(['good', 'okay', 'bad']),
      is_at_office: flag,
      note: textField,
    },
    prepare: authoredBy,
  }),
  defineServedResource('furlough-balance-mutations', {
    schema: 'FurloughBalanceMutation',
    prefixes: ['furlough'],
    feature: 'furlough',
    defaultSort: '-date',
    fields: {
      user_id: requiredRef('users'),
      date: requiredDay,
      minutes: { ...minutes, nullable: false, write: 'required' },
      reason: textField,
    },
  }),
];

function prepareAbsence({ kind, values, actor, db }: ValidWrite): Values {
  if (kind !== 'create') return {};
  const user = values['user_id'] ?? actor.user.id;
  const person = typeof user === 'number' ? db.table('users').get(user) : undefined;
  return { user_id: user, manager_id: values['manager_id'] ?? person?.['manager_id'] ?? null };
}
