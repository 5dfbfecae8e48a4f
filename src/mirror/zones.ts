import type { TemporalNamespace } from '../values/temporal.ts';

/** The table of UTC offsets: SQL knows no time zones, and the day of a time depends on them. */
export const ZONES = 'svc_zones';

/** The offset of a clock from UTC, in minutes, from a time on. */
export interface ZoneOffset {
  /** `YYYY-MM-DDTHH:MM:SSZ`; empty for all time before. */
  readonly since: string;
  readonly minutes: number;
}

/** Years that the offsets cover: the first, and how many. */
const FIRST_YEAR = 2000;
const YEARS = 60;

/** Returns the UTC offsets of an IANA zone, in order; undefined for an unknown zone. */
export function offsetsOf(zone: string, temporal: TemporalNamespace): readonly ZoneOffset[] | undefined {
  try {
    let moment = temporal.ZonedDateTime.from({ timeZone: zone, year: FIRST_YEAR, month: 1, day: 1 });
    const offsets: ZoneOffset[] = [{ since: '', minutes: minutesOf(moment) }];
    for (;;) {
      const next = moment.getTimeZoneTransition('next');
      if (next === null || next.year >= FIRST_YEAR + YEARS) return offsets;
      offsets.push({ since: next.toInstant().toString({ smallestUnit: 'second' }), minutes: minutesOf(next) });
      moment = next;
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function minutesOf({ offsetNanoseconds }: { readonly offsetNanoseconds: number }): number {
  return Math.round(offsetNanoseconds / 60e9);
}
