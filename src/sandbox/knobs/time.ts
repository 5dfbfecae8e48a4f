import type { KnobTable } from './table.ts';

/** Leave, hours and what is billed of them; and clocks. */
export const timeKnobs = {
  /** Whether an absence's `start` and `end` are shown as date-times or calendar dates. Filters take the UTC form. */
  absenceBounds: ['date-time', 'date'],
  /**
   * The `end` of the absences that were made as whole days: the last second of the last day in the person's zone, the
   * midnight after it, or the moment at which that day begins.
   */
  wholeDayEnd: ['last-second', 'next-midnight', 'same-date'],
  /**
   * What ends a timer besides a DELETE: nothing, a PATCH of `stopped_at`, or an action `stop`, which may log the hours
   * besides.
   */
  timerEnds: ['delete', 'patch', 'action', 'logging-action'],
  /** Whether logging hours ends the timers that run for that person. */
  worklogEndsTimers: [false, true],
  /** What a new invoice row sets on the worklogs that it bills: nothing, the row's id, the invoice's, or both. */
  billedWorklogs: ['nothing', 'row', 'invoice', 'both'],
  /** The clock that writes `created_at` and `updated_at`: the service's own, or one a minute behind or ahead of it. */
  recordClock: ['same', 'behind', 'ahead'],
} as const satisfies KnobTable;
