import type { Outcome } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';

/** A daily command, and the oracle that knows the right result. */
export interface Daily {
  readonly name: string;
  /** The options that affect the result. Each two of their values run together. With SVC_TEST_FULL, every interpretation runs. */
  readonly matters: readonly OptionName[];
  /** Prepares, runs and judges the command. */
  run(place: Place): Promise<Outcome>;
}

/** The options that decide whose day it is. */
export const WHO: readonly OptionName[] = ['person', 'machineZone', 'credential', 'missingTimezone', 'organisationZone', 'narrowedMe'];

/** The options that decide which hours svc can see and query. */
export const HOURS: readonly OptionName[] = [
  'summary',
  'worklogSummaryIds',
  'falseInSummary',
  'me',
  'hoursFilters',
  'assumedIncludes',
  'refusalType',
];
