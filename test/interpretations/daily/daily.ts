import type { Outcome } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';

/** A command of the day, and the oracle that knows what it should have done. */
export interface Daily {
  readonly name: string;
  /** The axes that its answer hangs on: each two of their positions are run together. With SVC_TEST_FULL every reading is. */
  readonly matters: readonly OptionName[];
  /** Prepares, runs and judges. */
  run(place: Place): Promise<Outcome>;
}

/** Whose day it is, and how that comes to be known. */
export const WHO: readonly OptionName[] = ['person', 'machineZone', 'credential', 'missingTimezone', 'organisationZone', 'narrowedMe'];

/** What may be known of hours, and how they can be asked for. */
export const HOURS: readonly OptionName[] = [
  'summary',
  'worklogSummaryIds',
  'falseInSummary',
  'me',
  'hoursFilters',
  'assumedIncludes',
  'refusalType',
];
