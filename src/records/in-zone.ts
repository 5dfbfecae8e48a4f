import type { Needs } from '../session/context.ts';
import type { DaySpan } from '../time/day-span.ts';
import type { DateContext } from '../values/dates.ts';
import { loadTemporal } from '../values/temporal.ts';

/** Two places that have no day in common. */
const PLACES = [
  { now: Date.UTC(2001, 0, 10), timeZone: 'Pacific/Pago_Pago' },
  { now: Date.UTC(2020, 6, 24), timeZone: 'Pacific/Kiritimati' },
] as const;

/**
 * Reads a day, some days or a moment where the user is. What means the same everywhere, such as a day written in full, is read without asking
 * where that is; and a text that cannot be read is refused before anything is asked.
 *
 * @throws what `read` throws.
 */
export async function inZone<T extends string | DaySpan>(context: Needs<'dates'>, read: (dates: DateContext) => T): Promise<T> {
  const temporal = await loadTemporal();
  const [here, there] = PLACES.map((place) => read({ ...place, temporal }));
  return here !== undefined && JSON.stringify(here) === JSON.stringify(there) ? here : read(await context.dates());
}
