import type { KnobTable } from './table.ts';

/** How a problem document says what is wrong. */
export const problemKnobs = {
  /** Problem type of a record that is not there; any other name is allowed too. */
  missingRecordType: ['resource-not-found', 'endpoint-not-found', 'not-found'] as readonly [string, ...string[]],
  /** The type of a 405, 406, 415, 500 and 503: a name, `about:blank`, or no member of this kind. */
  statusTypes: ['named', 'blank', 'absent'],
  /** The member that names the parameter of a query problem; `source`: `{"source": {"parameter": …}}`; `errors`: in a list alone. */
  parameterMember: ['parameter', 'key', 'field', 'source', 'errors'],
  /**
   * The members that name the keys of a body problem: this member for the first, and `errors` for all. `errors`: in the list
   * alone; `map`: `errors` is an object from the key to its messages.
   */
  keyMember: ['key', 'field', 'pointer', 'errors', 'map'],
  /** The two statuses of a refused transition: members of `conflict`, named in three ways, or at the top of the document. */
  transitionEnds: ['status-ids', 'from-to', 'workflow-status-ids', 'top-level'],
} as const satisfies KnobTable;
