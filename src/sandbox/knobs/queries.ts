import type { KnobTable } from './table.ts';

/** The parameters of a query. */
export const queryKnobs = {
  /** Filters that understand `me`: `filter[user_id]` of /absences alone, or every filter by a user. */
  me: ['documented', 'everywhere'],
  /** Whether worklogs and timers are filtered by date, user and project, by date alone, or by none of these. */
  hoursFilters: ['taken', 'by-date', 'refused'],
  /** Every other filter that the documentation does not show. */
  otherFilters: ['taken', 'refused'],
  /** Sorting by anything but `id`. */
  assumedSorts: ['taken', 'refused'],
  /** Includes that the documentation does not show: all, all but those of worklogs, or none. */
  assumedIncludes: ['taken', 'not-of-worklogs', 'refused'],
  /** The problem type of a refused filter, sort or include; `by-kind`: a filter is unsupported, a value is invalid. */
  refusalType: ['by-kind', 'unsupported-parameter', 'invalid-query-parameter'],
  /** How a descending order is written: `-start`, `start:desc`, or not at all. */
  descending: ['minus', 'suffix', 'refused'],
  /** Booleans in a query: `true` and `false`, `1` and `0`, or both. */
  booleans: ['words', 'digits', 'both'],
  /** Values of `trashed` other than `without`. */
  trashedTakes: ['with-and-only', 'only', 'nothing'],
  /** Whether `include` is bound to the cursor too. */
  cursorBindsInclude: [false, true],
  /** Whether `with_total` is bound to the cursor too. */
  cursorBindsTotal: [false, true],
  /** Rows that page numbers count: those of now, so that pages shift, or those of the time when page 1 was read. */
  pages: ['live', 'snapshot'],
} as const satisfies KnobTable;
