import { today } from '../values/dates.ts';
import { loadTemporal } from '../values/temporal.ts';
import type { Needs } from './context.ts';

/** The day in the user's zone, `YYYY-MM-DD`, as far as svc remembers the zone: it sends no request. For display only. */
export async function presentDay(context: Needs<'clock' | 'timeZone'>): Promise<string> {
  return today({ now: context.clock.now(), timeZone: await context.timeZone(), temporal: await loadTemporal() });
}
