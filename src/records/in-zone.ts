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
 * Reads a day, some days or a time where the user is. A text that means the same everywhere, such as a full date, needs no request
 * for the user's zone. A text that cannot be read is refused before any request.
 *
 * @throws what `read` throws.
 */
export async function inZone<T extends string | DaySpan>(context: Needs<'dates'>, read: (dates: DateContext) => T): Promise<T> {
  const temporal = await loadTemporal();
  const [here, there] = PLACES.map((place) => read({ ...place, temporal }));
  return here !== undefined && JSON.stringify(here) === JSON.stringify(there) ? here : read(await context.dates());
}
