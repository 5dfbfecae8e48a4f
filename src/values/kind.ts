/**
 * The form in which the user types a value, and svc sends and shows the value. Each kind with a form of its own has a parser in this
 * folder.
 */
export type ValueKind =
  /** The record’s own id, or the id of another record (`ref` names the resource). */
  | 'id'
  /** A user: an id or `me`. */
  | 'user'
  /** A work item: an id or a key. Bodies and filters accept only the id (rule 2.13). */
  | 'work-item'
  | 'integer'
  | 'string'
  /** Sanitised HTML. */
  | 'html'
  /** GitHub-Flavored Markdown. */
  | 'markdown'
  /** A calendar date: `YYYY-MM-DD`. */
  | 'date'
  /** A time in UTC: `YYYY-MM-DDTHH:MM:SSZ`. */
  | 'date-time'
  /** The end of a time range: a date-time, or a day, which the range includes. svc sends and shows a date-time. */
  | 'span-end'
  /** A time of day: `HH:MM`. */
  | 'time'
  /** A duration in whole minutes. */
  | 'duration'
  /** A decimal string with two decimals. */
  | 'money'
  /** A decimal string of any precision. */
  | 'decimal'
  /** A JSON number, with or without a fraction. */
  | 'number'
  /** An integer from 0 to 100. */
  | 'percentage'
  /** A coordinate: a decimal string in records, a JSON number in bodies. */
  | 'coordinate'
  | 'boolean'
  /** A value of an extensible list. svc sends and shows the value unchanged. */
  | 'enum'
  /** A child object or list, in the service’s own form. */
  | 'json';
