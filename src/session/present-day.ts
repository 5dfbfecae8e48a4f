import { today } from '../values/dates.ts';
import { loadTemporal } from '../values/temporal.ts';
import type { Needs } from './context.ts';

/** The day where the user is, `YYYY-MM-DD`, as far as is remembered: nobody is asked for the zone. For what is only shown. */
export async function presentDay(context: Needs<'clock' | 'timeZone'>): Promise<string> {
  return today({ now: context.clock.now(), timeZone: await context.timeZone(), temporal: await loadTemporal() });
}
