import type { TemporalNamespace } from '../values/temporal.ts';
import type { RunSql } from './compared-pages.ts';
import type { ExistingTables } from './existing-tables.ts';

/** The name of the table of UTC offsets. SQLite has no time zones, and the calendar day of a time depends on the zone. */
export const ZONES = 'svc_zones';

/** The UTC offset of a time zone, in minutes. The offset applies from `since` until the next offset. */
interface ZoneOffset {
  /** The time from which the offset applies, `YYYY-MM-DDTHH:MM:SSZ`. Empty for the first offset of a zone. */
  readonly since: string;
  readonly minutes: number;
}

/** The years that the offsets cover: the first year, and the number of years. */
const FIRST_YEAR = 2000;
const YEARS = 60;

/** Returns the UTC offsets of an IANA zone, in order of time. Returns undefined for an unknown zone. */
function offsetsOf(zone: string, temporal: TemporalNamespace): readonly ZoneOffset[] | undefined {
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

/**
 * Stores the missing UTC offsets of people’s time zones, in SQL that both SQLite and PostgreSQL understand.
 *
 * @param named returns the name of a table for statements.
 * @param own time zone of the user who syncs. Default: the stored zone.
 */
export async function addZones(
  runSql: RunSql,
  temporal: TemporalNamespace,
  named: (table: string) => string,
  tables: ExistingTables,
  own?: string,
): Promise<void> {
  const zones = named(ZONES);
  const add = async (name: string, zone: string) => {
    const values = (offsetsOf(zone, temporal) ?? []).map(({ since, minutes }) => `($1, '${since}', ${minutes})`);
    if (values.length > 0) await runSql(`INSERT INTO ${zones} VALUES ${values.join(', ')} ON CONFLICT DO NOTHING`, name);
  };
  if (own !== undefined) {
    await runSql(`DELETE FROM ${zones} WHERE zone = ''`);
    await add('', own);
  }
  const users = tables.get('users');
  if (users?.columns.get('timezone')?.toLowerCase() !== 'text') return;
  const missing = `SELECT DISTINCT timezone FROM ${named(users.table)} WHERE timezone NOT IN (SELECT zone FROM ${zones})`;
  for (const { timezone } of await runSql<{ readonly timezone: unknown }>(missing)) await add(String(timezone), String(timezone));
}

function minutesOf({ offsetNanoseconds }: { readonly offsetNanoseconds: number }): number {
  return Math.round(offsetNanoseconds / 60e9);
}
