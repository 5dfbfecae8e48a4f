import type { KnobTable } from './table.ts';

/** How records are shown. */
export const recordKnobs = {
  /** Single records inside `{"data": …}` (as `/me` is documented) or bare. `/me` is always wrapped. */
  wrapSingleRecords: [true, false],
  /**
   * Fields of a summary view. `documented`: all but long texts, and of a worklog only the documented ones. `usual`: all but long
   * texts, of a worklog too. `bare`: the required fields alone. `all`: the same as the detail view.
   */
  summary: ['documented', 'usual', 'bare', 'all'],
  /** Whether a worklog's summary has `user_id`, `project_id` and the other ids, when `summary` shall not decide it. */
  worklogSummaryIds: ['as-summary', 'always', 'never'],
  /** The form of a false boolean in a summary view. */
  falseInSummary: ['sent', 'left-out', 'null'],
  /** How a user's `working_hours` are written; `text` is something that no program can read. */
  workingHours: ['start-end', 'from-to', 'per-day', 'one-time', 'list', 'minutes', 'null', 'text'],
  /** A user without a zone of their own has `timezone` null, or no such field. */
  missingTimezone: ['null', 'absent'],
  /** Whether users show the organisation's default zone, as `organization_timezone`. */
  organisationZone: ['hidden', 'shown'],
  /**
   * A deleted record: listed by `trashed` alone, with `deleted_at`, where its resource keeps such; readable at its own address
   * too; or deleted without a trace.
   */
  deletedRecords: ['in-trash', 'readable', 'gone'],
} as const satisfies KnobTable;
