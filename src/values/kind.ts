/** The form in which a value is typed, sent and shown. Each kind has a parser in this folder. */
export type ValueKind =
  /** A record's own id, or another record's (`ref` names the resource). */
  | 'id'
  /** A user: an id or `me`. */
  | 'user'
  /** A work item: an id or a key; bodies and filters take the id (rule 2.13). */
  | 'work-item'
  | 'integer'
  | 'string'
  /** Sanitised HTML. */
  | 'html'
  /** GitHub-Flavored Markdown. */
  | 'markdown'
  /** `YYYY-MM-DD`. */
  | 'date'
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  | 'date-time'
  /** The end of a time range: a date-time, or a day, which it includes. Sent and shown as a date-time. */
  | 'span-end'
  /** `HH:MM`. */
  | 'time'
  /** Whole minutes. */
  | 'duration'
  /** Decimal string with two decimals. */
  | 'money'
  /** Decimal string of any precision. */
  | 'decimal'
  /** JSON number with a fraction. */
  | 'number'
  /** Integer 0 to 100. */
  | 'percentage'
  /** Read as a decimal string, written as a JSON number. */
  | 'coordinate'
  | 'boolean'
  /** A value of a list that may grow: sent and shown unchanged. */
  | 'enum'
  /** A child object or list, in a form of the service’s own. */
  | 'json';
