import { utcSeconds } from '../../values/utc-seconds.ts';

/** In milliseconds. */
const OVERLAP = 5 * 60_000;

/**
 * The moment from which changes are asked for, so much before the last look: the clock that stamps records may not be the one that answers
 * (rule 18.35), and what was still being written then shows later. What comes twice is put over itself.
 *
 * @param moment of the last look, `YYYY-MM-DDTHH:MM:SSZ`.
 */
export function earlier(moment: string): string {
  return utcSeconds(Date.parse(moment) - OVERLAP);
}
