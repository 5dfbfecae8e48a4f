/** How a value is typed, sent and shown. The parsers of this folder belong to these one to one. */
export type ValueKind =
  /** A record's own id, or another record's (`ref` names the resource). */
  | 'id'
  /** A user: an id or `me`. */
  | 'user'
  /** A work item: an id or a key; bodies and filters are sent the id (rule 2.13). */
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
  /** The end of a span: a date-time, or a day, which it then holds whole. Sent and shown as a date-time. */
  | 'span-end'
  /** `HH:MM`. */
  | 'time'
  /** Whole minutes. */
  | 'duration'
  /** Decimal string with two decimals. */
  | 'money'
  /** Decimal string of any precision. */
  | 'decimal'
  /** Integer 0 to 100. */
  | 'percentage'
  /** Read as a decimal string, written as a JSON number. */
  | 'coordinate'
  | 'boolean'
  /** One of a list that may grow: sent as typed, shown as it is. */
  | 'enum'
  /** A nested object or list; its shape is the service's own. */
  | 'json';
