import type { TemporalNamespace } from '../values/temporal.ts';

/** The name of the table of UTC offsets. SQLite has no time zones, and the calendar day of a time depends on the zone. */
export const ZONES = 'svc_zones';

/** The UTC offset of a time zone, in minutes. The offset applies from `since` until the next offset. */
export interface ZoneOffset {
  /** The time from which the offset applies, `YYYY-MM-DDTHH:MM:SSZ`. Empty for the first offset of a zone. */
  readonly since: string;
  readonly minutes: number;
}

/** The years that the offsets cover: the first year, and the number of years. */
const FIRST_YEAR = 2000;
const YEARS = 60;

/** Returns the UTC offsets of an IANA zone, in order of time. Returns undefined for an unknown zone. */
export function offsetsOf(zone: string, temporal: TemporalNamespace): readonly ZoneOffset[] | undefined {
  try {
    let timestamp = temporal.ZonedDateTime.from({ timeZone: zone, year: FIRST_YEAR, month: 1, day: 1 });
    const offsets: ZoneOffset[] = [{ since: '', minutes: minutesOf(timestamp) }];
    for (;;) {
      const next = timestamp.getTimeZoneTransition('next');
      if (next === null || next.year >= FIRST_YEAR + YEARS) return offsets;
      offsets.push({ since: next.toInstant().toString({ smallestUnit: 'second' }), minutes: minutesOf(next) });
      timestamp = next;
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function minutesOf({ offsetNanoseconds }: { readonly offsetNanoseconds: number }): number {
  return Math.round(offsetNanoseconds / 60e9);
}
