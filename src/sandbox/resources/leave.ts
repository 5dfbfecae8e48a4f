import { DAY, dayStart, isDate, localDate, utcDate, utcSecond } from '../dates.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Json, Row, Values } from '../json.ts';
import { type DefinedResource, defineServedResource, type FieldSurroundings, type JsonSchema, type ValidWrite } from './define.ts';
import { authoredBy, choice, flag, minutes, name, ref, requiredDay, requiredRef, textField, zoneOf } from './fields.ts';

/**
 * The stored field with the last day of an absence of whole days in the sample data. The API never shows this field. After a write of
 * another `end`, the field has no effect.
 */
export const LAST_WHOLE_DAY = 'last_whole_day';

/**
 * Returns the last second of a day in a time zone, as `YYYY-MM-DDTHH:MM:SSZ`. An absence of whole days has this second as its stored `end`.
 */
export function lastSecondOf(date: string, zone: string): string {
  return utcSecond(dayAfter(date, zone) - 1000);
}

function dayAfter(date: string, zone: string): number {
  return dayStart(utcDate(Date.parse(`${date}T00:00:00Z`) + DAY), zone);
}

function endOf(row: Row, { db, interpretations }: FieldSurroundings): Json {
  const end = row['end'] ?? null;
  const last = row[LAST_WHOLE_DAY];
  if (interpretations.wholeDayEnd === 'last-second' || typeof last !== 'string') return end;
  const zone = zoneOf(db, row['user_id']);
  if (end !== lastSecondOf(last, zone)) return end;
  return utcSecond(interpretations.wholeDayEnd === 'next-midnight' ? dayAfter(last, zone) : dayStart(last, zone));
}

function boundSchema({ absenceBounds }: Interpretations): JsonSchema {
  return { type: 'string', format: absenceBounds === 'date-time' ? 'date-time' : 'date' };
}

function takesDates({ absenceBounds }: Interpretations): boolean {
  return absenceBounds === 'date-only';
}

function comparedBound(name: 'start' | 'end'): (row: Row, around: FieldSurroundings) => Json {
  return (row, around) => {
    if (takesDates(around.interpretations)) return bound(name)(row, around);
    return name === 'end' ? endOf(row, around) : (row[name] ?? null);
  };
}

/** Returns a function for the value of `start` or `end` in records. The value is a date-time, or the date in the person’s zone. */
function bound(name: 'start' | 'end'): (row: Row, around: FieldSurroundings) => Json {
  return (row, around) => {
    const dateTime = name === 'end' && !takesDates(around.interpretations) ? endOf(row, around) : (row[name] ?? null);
    if (around.interpretations.absenceBounds === 'date-time' || typeof dateTime !== 'string') return dateTime;
    return localDate(Date.parse(dateTime), zoneOf(around.db, row['user_id']));
  };
}

export const leave: readonly DefinedResource[] = [
  defineServedResource('absences', {
    permissions: { list: null, create: 'absences::manage', update: 'absences::manage', delete: 'absences::manage' },
    own: 'user_id',
    counted: true,
    defaultSort: '-start',
    // The list has only the documented filters (rules 9.16 to 9.29). Filters by `year`, `ongoing` and type, and the search `q`, are not
    // documented.
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
      start: {
        type: 'datetime',
        write: 'required',
        filter: ['gte', 'lte'],
        sort: true,
        compared: comparedBound('start'),
        written: bound('start'),
        takesDates,
        shows: boundSchema,
      },
      end: {
        type: 'datetime',
        nullable: true,
        write: 'optional',
        filter: ['gte', 'lte', 'null'],
        sort: true,
        compared: comparedBound('end'),
        written: bound('end'),
        takesDates,
        shows: boundSchema,
      },
      status: { type: 'enum', values: ['requested', 'approved', 'declined'], default: 'requested', sort: true },
      note: { ...textField, shown: 'detail' },
    },
    visible: (row, actor) => row['user_id'] === actor.user.id || actor.may('absences::manage'),
    prepare: prepareAbsence,
  }),
  defineServedResource('holidays', {
    counted: true,
    defaultSort: 'date',
    fields: { name, date: requiredDay, country_code: textField },
  }),
  defineServedResource('free-days', {
    counted: true,
    defaultSort: 'date',
    fields: { name, date: requiredDay, user_id: ref('users') },
  }),
  defineServedResource('checkins', {
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

function prepareAbsence({ kind, values, row, actor, db }: ValidWrite): Values {
  const user = values['user_id'] ?? row?.['user_id'] ?? actor.user.id;
  const days = wholeDays(values, zoneOf(db, user));
  if (kind !== 'create') return days;
  const person = typeof user === 'number' ? db.table('users').get(user) : undefined;
  return { user_id: user, manager_id: values['manager_id'] ?? person?.['manager_id'] ?? null, ...days };
}

function wholeDays({ start, end }: Values, zone: string): Values {
  const isDay = (value: Json | undefined): value is string => typeof value === 'string' && isDate(value);
  return {
    ...(isDay(start) && { start: utcSecond(dayStart(start, zone)) }),
    ...(isDay(end) && { end: lastSecondOf(end, zone) }),
  };
}
