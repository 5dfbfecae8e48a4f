import type { TemporalNamespace } from '../values/temporal.ts';

/** The table of what clocks show where: SQL knows no zones, and what day a moment is depends on them. */
export const ZONES = 'svc_zones';

/** From a moment on, a clock shows UTC and so many minutes. */
export interface ZoneOffset {
  /** `YYYY-MM-DDTHH:MM:SSZ`; empty for all the time before. */
  readonly since: string;
  readonly minutes: number;
}

/** Clocks are told from here, and for so many years. */
const FIRST_YEAR = 2000;
const YEARS = 60;

/** What the clocks of an IANA zone show, in order; undefined where there is no such zone. */
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
