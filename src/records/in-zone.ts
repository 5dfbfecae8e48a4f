import type { Needs } from '../session/context.ts';
import type { DateContext } from '../values/dates.ts';
import { loadTemporal } from '../values/temporal.ts';

/** Two places that have no day in common. */
const PLACES = [
  { now: Date.UTC(2001, 0, 10), timeZone: 'Pacific/Pago_Pago' },
  { now: Date.UTC(2020, 6, 24), timeZone: 'Pacific/Kiritimati' },
] as const;

/**
 * Reads one day or moment where the user is. What means the same everywhere, such as a day written in full, is read without asking
 * where that is; and a text that cannot be read is refused before anything is asked.
 *
 * @throws what `read` throws.
 */
export async function inZone(context: Needs<'dates'>, read: (dates: DateContext) => string): Promise<string> {
  const temporal = await loadTemporal();
  const [here, there] = PLACES.map((place) => read({ ...place, temporal }));
  return here !== undefined && here === there ? here : read(await context.dates());
}
