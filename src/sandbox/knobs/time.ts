import type { KnobTable } from './table.ts';

/** Leave, hours and what is billed of them; and clocks. */
export const timeKnobs = {
  /** Whether an absence's `start` and `end` are shown as date-times or calendar dates. Filters take the UTC form. */
  absenceBounds: ['date-time', 'date'],
  /**
   * The `end` of absences that were made as whole days. `last-second`: of the last day, in the person's zone. `next-midnight`: the
   * midnight after it. `same-date`: the time at which that day begins.
   */
  wholeDayEnd: ['last-second', 'next-midnight', 'same-date'],
  /**
   * The requests that end a timer: DELETE alone, also a PATCH of `stopped_at`, or also an action `stop`. `logging-action`: the
   * action also logs the hours.
   */
  timerEnds: ['delete', 'patch', 'action', 'logging-action'],
  /** Whether logging hours ends the timers that run for that person. */
  worklogEndsTimers: [false, true],
  /** The field that a new invoice row sets on the worklogs that it bills: none, the row's id, the invoice's, or both. */
  billedWorklogs: ['nothing', 'row', 'invoice', 'both'],
  /** The clock that writes `created_at` and `updated_at`: the service's own, or one a minute behind or ahead of it. */
  recordClock: ['same', 'behind', 'ahead'],
} as const satisfies KnobTable;
