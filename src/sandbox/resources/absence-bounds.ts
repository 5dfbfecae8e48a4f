import { DAY, dayStart, localDate, utcDate, utcSecond } from '../dates.ts';
import type { Json, Row } from '../json.ts';
import type { SandboxKnobs } from '../knobs.ts';
import type { FieldSurroundings, JsonSchema } from './define.ts';
import { zoneOf } from './zone.ts';

/**
 * Marks an absence that was made as whole days: its value is the last day. The API has no such field. An `end` that was written
 * later is shown as written.
 */
export const LAST_WHOLE_DAY = 'last_whole_day';

/** The last second of a day in a zone: the stored `end` of a whole day. */
export function lastSecondOf(date: string, zone: string): string {
  return utcSecond(dayAfter(date, zone) - 1000);
}

function dayAfter(date: string, zone: string): number {
  return dayStart(utcDate(Date.parse(`${date}T00:00:00Z`) + DAY), zone);
}

/** The end of a whole day, as the option `wholeDayEnd` has it. */
export function endOf(row: Row, { db, knobs }: FieldSurroundings): Json {
  const end = row['end'] ?? null;
  const last = row[LAST_WHOLE_DAY];
  if (knobs.wholeDayEnd === 'last-second' || typeof last !== 'string') return end;
  const zone = zoneOf(db, row['user_id']);
  if (end !== lastSecondOf(last, zone)) return end;
  return utcSecond(knobs.wholeDayEnd === 'next-midnight' ? dayAfter(last, zone) : dayStart(last, zone));
}

/** JSON Schema of a bound, as the option `absenceBounds` has it. */
export function boundSchema({ absenceBounds }: SandboxKnobs): JsonSchema {
  return { type: 'string', format: absenceBounds };
}

/** How a bound is shown: the time, or its date where the person is. */
export function bound(name: 'start' | 'end'): (row: Row, around: FieldSurroundings) => Json {
  return (row, around) => {
    const moment = name === 'end' ? endOf(row, around) : (row[name] ?? null);
    if (around.knobs.absenceBounds === 'date-time' || typeof moment !== 'string') return moment;
    return localDate(Date.parse(moment), zoneOf(around.db, row['user_id']));
  };
}
