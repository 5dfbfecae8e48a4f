/**
 * The open questions of the service's documentation: the name of each option, and every plausible answer, the default first.
 * `missingRecordType` takes any other name too. docs/guides/sandbox.md has the number of each question.
 */
export const INTERPRETATIONS = {
  // How records are shown.

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

  // The parameters of a query.

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

  // Resources, uploads and children that the service has, and their form in `GET /`.

  /** How discovery writes `path` and `item_path`: `/worklogs`, `/api/v2/worklogs`, `https://host/api/v2/worklogs`. */
  discoveryPaths: ['relative', 'rooted', 'absolute'],
  /** The member of an entry that holds the name of its resource. */
  discoveryName: ['name', 'resource', 'key'],
  /**
   * How an entry writes its operations: `{"name", "method", "path"}` each; the same without the name; strings like `GET
   * /worklogs`; or an object from the name to method and path.
   */
  discoveryOperations: ['named', 'unnamed', 'texts', 'map'],
  /** Actions: among the operations of their resource, as entries of their own, or not at all. */
  discoveryActions: ['in-entry', 'own-entry', 'none'],
  /** Whether discovery has an entry for `/me`. */
  discoveryMe: [true, false],
  /** Whether discovery has an entry for `/upload-tickets`, when the address is there. */
  discoveryUploads: [true, false],
  /** `GET /` for a token whose abilities are all narrowed. */
  narrowedDiscovery: ['answered', 'refused'],
  /** `GET /me` for a token whose abilities are all narrowed. */
  narrowedMe: ['answered', 'refused'],
  /**
   * Whether `/subtasks`, `/sales-invoice-rows` and other children are listed at the top too. `operations`: they are, `path` is null, and
   * only an operation names the list. `unlisted`: they are, and discovery names no list.
   */
  topLevelChildren: [true, 'operations', 'unlisted', false],
  /** The ticket that an upload needs: one of its work item or of `/upload-tickets`, one of these alone, or no uploads at all. */
  uploads: ['both', 'work-item', 'tickets', 'none'],
  /** The form of an upload: the body alone or the part `file` of a form, or one of these. */
  uploadContents: ['either', 'octet-stream', 'multipart'],
  /** Whether the contents of a file can be read, below its record, or nowhere. */
  downloads: ['content', 'none'],
  /** Which upload steps answer 401 to an app: the one that takes the contents, or asking for a ticket as well. */
  uploadsRefuseApps: ['contents', 'every-step'],

  // The API spec: whether the service has one, and how it is written. Real specs differ in form and agree in meaning.

  /** Whether the service has an API spec at `/openapi.json` and `/openapi.yaml`. */
  openapi: ['served', 'absent'],
  /** The version of OpenAPI that it is written in. */
  openapiVersion: ['3.1.0', '3.0.3'],
  /** Filters as a parameter each, or all of a collection as one object (`deepObject`). */
  openapiFilters: ['parameters', 'deep-object'],
  /** Values that may be null: `type: [string, "null"]`, or a choice of schemas. In 3.0.3 `nullable: true` replaces both. */
  openapiNull: ['type-list', 'any-of', 'one-of'],
  /** The schema of a detail view: every field in it, or the summary's by reference and the rest. */
  openapiSchemas: ['flat', 'all-of'],
  /** Schemas of request bodies: among the components, or where they are used. */
  openapiBodies: ['components', 'inline'],
  /** The address of its server: in full, or without the host. */
  openapiServers: ['absolute', 'relative'],
  /** The place of `/api/v2`: the address of the server, or every path. */
  openapiPrefix: ['server', 'paths'],
  /** The type of `include`: a list of an enum, or a string with a pattern. */
  openapiIncludes: ['list', 'pattern'],
  /** The form of the abilities that an operation needs: scopes of its security, `x-abilities`, or words in its description. */
  openapiAbilities: ['scopes', 'extension', 'words'],

  // How a problem document says what is wrong.

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

  // Answers of writes, and Idempotency-Keys.

  /**
   * POSTs with an Idempotency-Key: every POST takes one, every POST requires one, or only the documented ones take one. With
   * `documented` all other POSTs run again.
   */
  idempotencyKey: ['optional', 'required', 'documented'],
  /** The answer to a known key with another body: this status, or the stored answer. */
  reusedKey: [422, 409, 'replayed'],
  /** The owner of the keys: the token (of an app: the app and its person), or the person with any token. */
  keyOwner: ['token', 'user'],
  /** How long a key is remembered. */
  keyLifetime: ['day', 'hour', 'forever'],
  /** Whether a refusal is stored like a success, and replayed. */
  storedErrors: [false, true],
  /** The answer to a DELETE: 204 without a body, 200 with the record, or 202 with the record. */
  deleteAnswers: ['nothing', 'record', 'accepted'],
  /** The status of a transition to the present status with a stale If-Match. */
  staleNoop: [412, 200],

  // Leave, hours and what is billed of them; and clocks.

  /**
   * Whether an absence's `start` and `end` are date-times or calendar dates. `date`: shown as dates, but bodies and filters take the UTC
   * form. `date-only`: bodies and filters take dates too.
   */
  absenceBounds: ['date-time', 'date', 'date-only'],
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

  // How requests are counted.

  /** How much room a request needs: its whole cost, or one unit. */
  admission: ['cost', 'one'],
  /** A bucket gives everything back at the end of its window, or each unit a window after it was spent. */
  rateWindow: ['fixed', 'sliding'],
  /** Which answers have the RateLimit headers: every one, those of the API, or none. */
  rateLimitHeaders: ['everywhere', 'api', 'never'],
  /** Whether requests to the OAuth endpoints count towards the limit of their address as well. */
  oauthCountsForAddress: [false, true],

  // Sign-in and tokens.

  /** Bad scope, PKCE or response type at the authorization endpoint: error sent to the redirect address, or a page. */
  authorizeErrors: ['redirect', 'page'],
  /** An app that is not registered any more at the authorization endpoint: a page, or sent to an address on this machine. */
  unknownClient: ['page', 'redirect'],
  /** Whether the authorization server's metadata has `issuer` (and `response_types_supported` and the like). */
  issuer: [true, false],
  /** Whether redirects carry `iss` (RFC 9207), and the metadata says so. */
  issParameter: [false, true],
  /** The status of a successful registration. */
  registrationStatus: [201, 200],
  /** Whether a registration must have a `client_name`. */
  clientName: ['optional', 'required'],
  /** Whether a redirect address must have a port at registration. */
  redirectPort: ['optional', 'required'],
  /** Whether a refresh ends the access token that it replaces. */
  refreshEndsAccessToken: [false, true],
  /** Whether a refresh token that was used before ends the whole connection when it comes again. */
  refreshReuseDisconnects: [false, true],
} as const satisfies Readonly<Record<string, readonly [boolean | number | string, ...(boolean | number | string)[]]>>;

/**
 * One answer to each open question of the service's documentation. The defaults are the first values of {@link INTERPRETATIONS}.
 * Tests may change each by itself while the sandbox runs.
 */
export interface Interpretations extends Chosen<typeof INTERPRETATIONS> {}

type Chosen<T extends Readonly<Record<string, readonly unknown[]>>> = { -readonly [K in keyof T]: T[K][number] };

/** The default answer to each question. */
export function defaultInterpretations(): Interpretations {
  return Object.fromEntries(Object.entries(INTERPRETATIONS).map(([name, [first]]) => [name, first])) as unknown as Interpretations;
}

/**
 * Reads interpretations from strings or JSON: `false`, `"false"` and `200`, `"200"` are the same.
 * @throws RangeError that lists the options, or the values of one.
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
