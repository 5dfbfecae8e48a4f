/**
 * The options of the sandbox, one for each open question of the service’s documentation. Each option lists every plausible value, the
 * default first. `missingRecordType` also accepts any other name. docs/guides/sandbox.md lists the questions with their numbers.
 */
export const INTERPRETATIONS = {
  // Options for the form of records.

  /** True to put single records into `{"data": …}`, as documented for `/me`. False for bare records, except `/me`. */
  wrapSingleRecords: [true, false],
  /**
   * The fields of a summary view. `usual`: all except long texts and details, such as an address. `documented`: the same, but only the
   * documented fields of a worklog. `bare`: the id, the timestamps, the required fields, and the documented fields of a worklog. `all`: the
   * same as the detail view.
   */
  summary: ['documented', 'usual', 'bare', 'all'],
  /** The ids in a worklog’s summary, such as `user_id` and `project_id`. `as-summary`: the option `summary` decides. */
  worklogSummaryIds: ['as-summary', 'always', 'never'],
  /** The form of a false boolean in a summary view: sent, left out or null. */
  falseInSummary: ['sent', 'left-out', 'null'],
  /** The form of a user’s `working_hours`. `text` is a form that no program can read. */
  workingHours: ['start-end', 'from-to', 'per-day', 'one-time', 'list', 'minutes', 'null', 'text'],
  /** The form of `timezone` for a user without a zone: null, or no field. */
  missingTimezone: ['null', 'absent'],
  /** Decides whether user records have the organisation’s default zone in `organization_timezone`. */
  organisationZone: ['hidden', 'shown'],
  /**
   * The visibility of a deleted record. `in-trash`: a list with `trashed` shows the record with `deleted_at`, if the resource keeps deleted
   * records. `readable`: a GET of the record’s own path also shows the record. `gone`: nothing shows the record.
   */
  deletedRecords: ['in-trash', 'readable', 'gone'],

  // Options for query parameters.

  /** The filters that accept `me`: only `filter[user_id]` of `/absences`, or every filter by a user. */
  me: ['documented', 'everywhere'],
  /**
   * The accepted filters of worklogs and timers among the filters by date, user and project. `taken`: all three filters. `by-date`: only
   * the filter by date. `refused`: no filter.
   */
  hoursFilters: ['taken', 'by-date', 'refused'],
  /** Decides whether the service accepts all other filters that the documentation does not show. */
  otherFilters: ['taken', 'refused'],
  /** Decides whether lists accept `sort` by fields other than `id`. */
  assumedSorts: ['taken', 'refused'],
  /** The accepted undocumented values of `include`: all values, all except the values of worklogs, or none. */
  assumedIncludes: ['taken', 'not-of-worklogs', 'refused'],
  /**
   * The problem type of a refused filter, sort or include. `by-kind`: `unsupported-parameter` for a filter, `invalid-query-parameter` for
   * `sort` and `include`.
   */
  refusalType: ['by-kind', 'unsupported-parameter', 'invalid-query-parameter'],
  /** The form of a descending order: `-start` or `start:desc`. With `refused`, the service accepts neither form. */
  descending: ['minus', 'suffix', 'refused'],
  /** The form of booleans in a query: `true` and `false`, `1` and `0`, or both. */
  booleans: ['words', 'digits', 'both'],
  /** The values that `trashed` accepts in addition to `without`. */
  trashedTakes: ['with-and-only', 'only', 'nothing'],
  /** True if a cursor is valid only with the same `include`. */
  cursorBindsInclude: [false, true],
  /** True if a cursor is valid only with the same `with_total`. */
  cursorBindsTotal: [false, true],
  /** The rows that page numbers count. `live`: the current rows, so pages can shift. `snapshot`: the rows at the time of page 1. */
  pages: ['live', 'snapshot'],

  // Options for discovery, uploads, and lists of child records.

  /** The form of `path` and `item_path` in discovery: `/worklogs`, `/api/v2/worklogs`, or `https://host/api/v2/worklogs`. */
  discoveryPaths: ['relative', 'rooted', 'absolute'],
  /** The member of a discovery entry that contains the name of the resource. */
  discoveryName: ['name', 'resource', 'key'],
  /**
   * The form of operations in a discovery entry. `named`: objects `{"name", "method", "path"}`. `unnamed`: the same without `name`.
   * `texts`: strings such as `GET /worklogs`. `map`: an object from name to method and path.
   */
  discoveryOperations: ['named', 'unnamed', 'texts', 'map'],
  /** The place of actions in discovery: among the operations of their resource, as separate entries, or nowhere. */
  discoveryActions: ['in-entry', 'own-entry', 'none'],
  /** True if discovery has an entry for `/me`. */
  discoveryMe: [true, false],
  /** True if discovery has an entry for `/upload-tickets`. The option only matters if that path exists. */
  discoveryUploads: [true, false],
  /** The server behaviour for `GET /` with a token whose abilities are all limited to some resources. */
  narrowedDiscovery: ['answered', 'refused'],
  /** The server behaviour for `GET /me` with a token whose abilities are all limited to some resources. */
  narrowedMe: ['answered', 'refused'],
  /**
   * True if `/subtasks`, `/sales-invoice-rows` and other child resources also have top-level lists. `operations`: the lists exist, `path`
   * is null in discovery, and only an operation names the list. `unlisted`: the lists exist, but discovery does not name the lists.
   */
  topLevelChildren: [true, 'operations', 'unlisted', false],
  /** The ways to upload a file: a ticket of the work item, a ticket of `/upload-tickets`, either ticket, or none. */
  uploads: ['both', 'work-item', 'tickets', 'none'],
  /** The form of an upload: the plain body, the part `file` of a form, or either form. */
  uploadContents: ['either', 'octet-stream', 'multipart'],
  /** Decides whether clients can download the contents of a file from a path under its record. */
  downloads: ['content', 'none'],
  /** The upload steps that answer 401 to an app: only the step that sends the content, or every step. */
  uploadsRefuseApps: ['contents', 'every-step'],

  // Options for the API spec. Apart from `openapi`, these options change the form of the spec, but not its meaning.

  /** Decides whether the service has an API spec at `/openapi.json` and `/openapi.yaml`. */
  openapi: ['served', 'absent'],
  openapiVersion: ['3.1.0', '3.0.3'],
  /** The form of filters in the API spec: one parameter per filter, or one object (`deepObject`) per list. */
  openapiFilters: ['parameters', 'deep-object'],
  /**
   * The form of a nullable value in the API spec: `type: [string, "null"]`, or a choice of schemas. OpenAPI 3.0.3 always uses `nullable:
   * true`.
   */
  openapiNull: ['type-list', 'any-of', 'one-of'],
  /** The schema of a detail view in the API spec. `flat`: all fields. `all-of`: a reference to the summary, and the other fields. */
  openapiSchemas: ['flat', 'all-of'],
  /** The place of schemas for request bodies in the API spec: the components, or inline. */
  openapiBodies: ['components', 'inline'],
  /** The form of the server URL in the API spec: with or without the host. */
  openapiServers: ['absolute', 'relative'],
  /** The place of `/api/v2` in the API spec: the server URL, or every path. */
  openapiPrefix: ['server', 'paths'],
  /** The type of `include` in the API spec: a list of enum values, or a string with a pattern. */
  openapiIncludes: ['list', 'pattern'],
  /** The form of the abilities of an operation in the API spec: OAuth scopes, `x-abilities`, or words in the description. */
  openapiAbilities: ['scopes', 'extension', 'words'],

  // Options for problem documents.

  /** The problem type for a missing record. Any other name is allowed too. */
  missingRecordType: ['resource-not-found', 'endpoint-not-found', 'not-found'] as readonly [string, ...string[]],
  /** The form of `type` for 405, 406, 415, 500 and 503: a name, `about:blank`, or no `type`. */
  statusTypes: ['named', 'blank', 'absent'],
  /**
   * The member that names the wrong query parameter. `source`: `{"source": {"parameter": …}}`. `errors`: only an entry in the list
   * `errors`.
   */
  parameterMember: ['parameter', 'key', 'field', 'source', 'errors'],
  /**
   * The members that name the wrong keys of a body. `key`, `field`, `pointer`: this member has the first key, and `errors` has all keys.
   * `errors`: only the list. `map`: `errors` is an object from key to messages.
   */
  keyMember: ['key', 'field', 'pointer', 'errors', 'map'],
  /** The form of the two workflow statuses of a refused transition: a pair of members of `conflict`, or top-level members. */
  transitionEnds: ['status-ids', 'from-to', 'workflow-status-ids', 'top-level'],

  // Options for answers to writes, and for Idempotency-Keys.

  /**
   * The POST requests that use an Idempotency-Key: every POST can, every POST must, or only the documented POST requests do. With
   * `documented`, a repeated POST to another path runs again.
   */
  idempotencyKey: ['optional', 'required', 'documented'],
  /** The answer to a known key with another body: an error status, or the stored answer. */
  reusedKey: [422, 409, 'replayed'],
  /** The owner of keys: a token (for an app: the app with its user), or the user with any token. */
  keyOwner: ['token', 'user'],
  /** The time after which the service forgets a key. */
  keyLifetime: ['day', 'hour', 'forever'],
  /** True if the service also stores refusals under a key, and replays them. */
  storedErrors: [false, true],
  /** The answer to a DELETE: 204 without a body, 200 with the record, or 202 with the record. */
  deleteAnswers: ['nothing', 'record', 'accepted'],
  /** The HTTP status that answers a transition to the current workflow status with an outdated If-Match. */
  staleNoop: [412, 200],

  // Options for absences, hours, billing and clocks.

  /**
   * The form of an absence’s `start` and `end`. `date`: records show dates, but bodies and filters need date-times. `date-only`: bodies and
   * filters use dates too.
   */
  absenceBounds: ['date-time', 'date', 'date-only'],
  /**
   * The `end` of an absence of whole days in the sample data. `last-second`: the last second of the last day in the person’s zone.
   * `next-midnight`: the midnight after the last day. `same-date`: the start of the last day.
   */
  wholeDayEnd: ['last-second', 'next-midnight', 'same-date'],
  /**
   * The requests that end a timer: only DELETE, also a PATCH of `stopped_at`, or also an action `stop`. With `logging-action`, the action
   * also logs the hours.
   */
  timerEnds: ['delete', 'patch', 'action', 'logging-action'],
  /** True if logging hours ends the person’s running timers. */
  worklogEndsTimers: [false, true],
  /** The field that a new invoice row sets on its worklogs: none, the row’s id, the invoice’s id, or both. */
  billedWorklogs: ['nothing', 'row', 'invoice', 'both'],
  /** The clock for `created_at` and `updated_at`: the service’s own clock, or a clock that is a minute behind or ahead. */
  recordClock: ['same', 'behind', 'ahead'],

  // Options for rate limits.

  /** The rate-limit units that must be left before a request runs: its whole cost, or one unit. */
  admission: ['cost', 'one'],
  /**
   * The way in which rate-limit units become available again. `fixed`: all at the end of a window. `sliding`: each unit one window after
   * it was spent.
   */
  rateWindow: ['fixed', 'sliding'],
  /** The answers with RateLimit headers: all answers, only the answers of the API, or none. */
  rateLimitHeaders: ['everywhere', 'api', 'never'],
  /** True if requests to OAuth endpoints also count towards the limit of the address. */
  oauthCountsForAddress: [false, true],

  // Options for sign-in and tokens.

  /** The reaction of the authorization endpoint to a bad scope, PKCE value or response type: a redirect or a page. */
  authorizeErrors: ['redirect', 'page'],
  /** The reaction of the authorization endpoint to an unregistered app: a page, or a redirect to this machine. */
  unknownClient: ['page', 'redirect'],
  /** True if the authorization server’s metadata has `issuer`, `response_types_supported` and similar members. */
  issuer: [true, false],
  /** True if redirects contain `iss` (RFC 9207) and the metadata announces this parameter. */
  issParameter: [false, true],
  registrationStatus: [201, 200],
  /** Decides whether a registration must have a `client_name`. */
  clientName: ['optional', 'required'],
  /** Decides whether a redirect address must have a port at registration. */
  redirectPort: ['optional', 'required'],
  /** True if a refresh revokes the earlier access tokens of the sign-in. */
  refreshEndsAccessToken: [false, true],
  /** True if a second use of a refresh token disconnects the app. */
  refreshReuseDisconnects: [false, true],
} as const satisfies Readonly<Record<string, readonly [boolean | number | string, ...(boolean | number | string)[]]>>;

/**
 * The chosen value of each option for the open questions of the service’s documentation. The default is the first value in {@link
 * INTERPRETATIONS}. Tests can change each option while the sandbox runs.
 */
export interface Interpretations extends Chosen<typeof INTERPRETATIONS> {}

type Chosen<T extends Readonly<Record<string, readonly unknown[]>>> = { -readonly [K in keyof T]: T[K][number] };

export function defaultInterpretations(): Interpretations {
  return Object.fromEntries(Object.entries(INTERPRETATIONS).map(([name, [first]]) => [name, first])) as unknown as Interpretations;
}

/**
 * Reads option values from strings or JSON. A string such as `"false"` or `"200"` means the boolean or the number.
 *
 * @throws RangeError that lists the options, or the values of one option.
 */
export function readInterpretations(given: Readonly<Record<string, unknown>>): Partial<Interpretations> {
  const read = Object.entries(given).map(([name, value]) => {
    if (!Object.hasOwn(INTERPRETATIONS, name)) {
      throw new RangeError(`The sandbox has no option ${name}. Its options are ${Object.keys(INTERPRETATIONS).join(', ')}.`);
    }
    if (name === 'missingRecordType' && typeof value === 'string' && /^[a-z-]+$/.test(value)) return [name, value];
    const values: readonly unknown[] = INTERPRETATIONS[name as keyof Interpretations];
    const found = values.find((known) => String(known) === String(value));
    if (found === undefined) throw new RangeError(`The option ${name} takes ${values.join(' or ')}, not ${String(value)}.`);
    return [name, found];
  });
  return Object.fromEntries(read) as Partial<Interpretations>;
}
