// Written by scripts/sandbox-types.ts from the source of the sandbox; not to be edited.

/**
 * Starts a sandbox of the whole service on 127.0.0.1, in this process.
 *
 * @throws RangeError if the data can’t be used, or for an unknown switch; Node’s error if the port is taken, or if a file of the data can’t
 * be read or written.
 */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

/** Reads a fault in the form of the flag `--fault`: `GET /worklogs 503 x2`. @throws RangeError that names the fault and the reason. */
export declare function parseFault(text: string): Fault;

/**
 * Reads option values from strings: `{ wrapSingleRecords: 'false' }`.
 * @throws RangeError that lists the options, or the values of one option.
 */
export declare function readInterpretations(given: Readonly<Record<string, unknown>>): Partial<Interpretations>;

/** The options for starting a sandbox. Every option has a default. */
export interface SandboxOptions {
  /** The TCP port on 127.0.0.1. 0 picks a free port. Default: 0. */
  readonly port?: number;
  /** The seed of the sample data. The same seed at the same time of the clock gives the same organisation. Default: 20250101. */
  readonly seed?: number;
  /** True to approve every sign-in without showing the consent page. Default: false. */
  readonly approve?: boolean;
  /** `off` to never refuse a request because of a rate limit. The headers then always show all rate-limit units. Default: `real`. */
  readonly limits?: 'real' | 'off';
  /** The clock of the sandbox. `advance` sets the sandbox ahead of this clock. Default: the machine’s clock. */
  readonly clock?: SandboxClock;
  /** The seconds until a rate limit is full again. Default: 60, as in the service. */
  readonly windowSeconds?: number;
  /**
   * Values of the options for questions that the service’s documentation leaves open; see docs/guides/sandbox.md. Default: the first value
   * of each option.
   */
  readonly interpretations?: Partial<Interpretations>;
  /**
   * The initial states of switches: `api`, `mcp`, `support-session` and the features. Default: only the support session and the feature
   * `furlough` are off.
   */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** The faults from the start. Default: none. */
  readonly faults?: readonly Fault[];
  /**
   * A file with data, or a directory that `svc export` wrote. The sandbox saves its data in a file, and creates a missing file. The sandbox
   * only reads a directory. Default: sample data in memory.
   */
  readonly data?: string;
}

/** A clock that returns milliseconds since 1970. */
export interface SandboxClock {
  now(): number;
}

/** The options for questions that the service’s documentation leaves open, with their values; see docs/guides/sandbox.md. */
export interface Interpretations {
  wrapSingleRecords: boolean;
  summary: 'documented' | 'usual' | 'bare' | 'all';
  worklogSummaryIds: 'as-summary' | 'always' | 'never';
  falseInSummary: 'sent' | 'left-out' | 'null';
  workingHours: 'start-end' | 'from-to' | 'per-day' | 'one-time' | 'list' | 'minutes' | 'null' | 'text';
  missingTimezone: 'null' | 'absent';
  organisationZone: 'hidden' | 'shown';
  deletedRecords: 'in-trash' | 'readable' | 'gone';
  me: 'documented' | 'everywhere';
  hoursFilters: 'taken' | 'by-date' | 'refused';
  otherFilters: 'taken' | 'refused';
  assumedSorts: 'taken' | 'refused';
  assumedIncludes: 'taken' | 'not-of-worklogs' | 'refused';
  refusalType: 'by-kind' | 'unsupported-parameter' | 'invalid-query-parameter';
  descending: 'minus' | 'suffix' | 'refused';
  booleans: 'words' | 'digits' | 'both';
  trashedTakes: 'with-and-only' | 'only' | 'nothing';
  cursorBindsInclude: boolean;
  cursorBindsTotal: boolean;
  pages: 'live' | 'snapshot';
  discoveryPaths: 'relative' | 'rooted' | 'absolute';
  discoveryName: 'name' | 'resource' | 'key';
  discoveryOperations: 'named' | 'unnamed' | 'texts' | 'map';
  discoveryActions: 'in-entry' | 'own-entry' | 'none';
  discoveryMe: boolean;
  discoveryUploads: boolean;
  narrowedDiscovery: 'answered' | 'refused';
  narrowedMe: 'answered' | 'refused';
  topLevelChildren: true | 'operations' | 'unlisted' | false;
  uploads: 'both' | 'work-item' | 'tickets' | 'none';
  uploadContents: 'either' | 'octet-stream' | 'multipart';
  downloads: 'content' | 'none';
  uploadsRefuseApps: 'contents' | 'every-step';
  openapi: 'served' | 'absent';
  openapiVersion: '3.1.0' | '3.0.3';
  openapiFilters: 'parameters' | 'deep-object';
  openapiNull: 'type-list' | 'any-of' | 'one-of';
  openapiSchemas: 'flat' | 'all-of';
  openapiBodies: 'components' | 'inline';
  openapiServers: 'absolute' | 'relative';
  openapiPrefix: 'server' | 'paths';
  openapiIncludes: 'list' | 'pattern';
  openapiAbilities: 'scopes' | 'extension' | 'words';
  missingRecordType: string;
  statusTypes: 'named' | 'blank' | 'absent';
  parameterMember: 'parameter' | 'key' | 'field' | 'source' | 'errors';
  keyMember: 'key' | 'field' | 'pointer' | 'errors' | 'map';
  transitionEnds: 'status-ids' | 'from-to' | 'workflow-status-ids' | 'top-level';
  idempotencyKey: 'optional' | 'required' | 'documented';
  reusedKey: 422 | 409 | 'replayed';
  keyOwner: 'token' | 'user';
  keyLifetime: 'day' | 'hour' | 'forever';
  storedErrors: boolean;
  deleteAnswers: 'nothing' | 'record' | 'accepted';
  staleNoop: 412 | 200;
  absenceBounds: 'date-time' | 'date' | 'date-only';
  wholeDayEnd: 'last-second' | 'next-midnight' | 'same-date';
  timerEnds: 'delete' | 'patch' | 'action' | 'logging-action';
  worklogEndsTimers: boolean;
  billedWorklogs: 'nothing' | 'row' | 'invoice' | 'both';
  recordClock: 'same' | 'behind' | 'ahead';
  admission: 'cost' | 'one';
  rateWindow: 'fixed' | 'sliding';
  rateLimitHeaders: 'everywhere' | 'api' | 'never';
  oauthCountsForAddress: boolean;
  authorizeErrors: 'redirect' | 'page';
  unknownClient: 'page' | 'redirect';
  issuer: boolean;
  issParameter: boolean;
  registrationStatus: 201 | 200;
  clientName: 'optional' | 'required';
  redirectPort: 'optional' | 'required';
  refreshEndsAccessToken: boolean;
  refreshReuseDisconnects: boolean;
}

/** A deliberate error or wait. The first matching fault applies to a request. Each fault applies at most `times` times. */
export interface Fault {
  /** The HTTP method of matching requests. Default: any method. */
  readonly method?: string;
  /**
   * The path without its query: in full (`/api/v2/worklogs`, `/oauth/token`) or without the API’s own path (`/worklogs`). A string must
   * match exactly. A string that ends with `*` must match as a prefix. Default: any path.
   */
  readonly path?: string | RegExp;
  /** The number of requests that the fault affects. Default: 1. Infinity means all requests. */
  readonly times?: number;
  /** The number of matching requests that the sandbox first answers normally. Default: 0. */
  readonly skip?: number;
  /** The status with which the sandbox answers. The request does not run. Default: the sandbox answers normally. */
  readonly status?: number;
  /** The value of the `Retry-After` header, in seconds. Needs `status`. Default: no header. */
  readonly retryAfter?: number;
  /** Closes the connection without an answer, before or after the request runs. Default: the connection stays open. */
  readonly drop?: 'before' | 'after';
  /** The wait before the request runs, in milliseconds. Default: 0. */
  readonly delayMs?: number;
  /** The longest additional wait, in milliseconds. The actual wait is random. Default: 0. */
  readonly jitterMs?: number;
  /**
   * The share of matching requests that `drop` applies to, from 0 to 1. The other requests get only the other effects of the fault, such as
   * the wait. Default: 1.
   */
  readonly dropShare?: number;
  /** True to run the request, send the headers and half of the body, and then close the connection. Default: false. */
  readonly truncate?: boolean;
  /** True to answer 200 with a body that does not match its content type. The request does not run. Default: false. */
  readonly garbage?: boolean;
}

export interface Sandbox extends Controls {
  /** The origin of the server: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** The base address of the API: `http://127.0.0.1:<port>/api/v2`. */
  readonly baseUrl: string;
  /** The address to open first. Anyone who knows the address can see the initial tokens. */
  readonly startUrl: string;
  /**
   * The address at which programs can read and change the state of the sandbox; see docs/guides/sandbox.md. Anyone who knows the address
   * has this access.
   */
  readonly controlUrl: string;
  /** The latest 20,000 requests, oldest first. To empty the list, use `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  /** The current personal access tokens. The first initial token has all abilities. */
  readonly tokens: readonly SandboxToken[];
  /** The apps that are connected now. */
  readonly apps: readonly ConnectedApp[];
  /** The numbers of successful requests to the OAuth endpoints. */
  readonly events: Readonly<OAuthEvents>;
  /**
   * Returns the stored rows of a resource in order of creation, including deleted rows that the resource keeps. Tests can compare answers
   * with these rows. The rows have no computed fields, and options do not change the form of the rows.
   *
   * @throws RangeError for an unknown resource.
   */
  rows(resource: string): readonly Row[];
  /** The option values. You can change the values at any time. */
  readonly interpretations: Interpretations;
  /** Saves the data file. Does nothing without a data file. @throws Node’s error if the file can’t be written. */
  save(): Promise<void>;
  /** Stops the server, closes all connections and saves the data. @throws Node’s error if the data file can’t be written. */
  close(): Promise<void>;
}

/** The controls of a running sandbox, for tests and for requests to `/sandbox/control/<key>`. */
export interface Controls {
  /** Moves the clock of the sandbox forward by a number of milliseconds. */
  advance(ms: number): void;
  /** Creates a personal access token. @throws RangeError if the user already has ten valid tokens, or for an invalid lifetime. */
  createToken(token: NewToken): SandboxToken;
  /**
   * Gives a token a new secret.
   *
   * @param lifetimeMs milliseconds until the token expires. Default: a valid token keeps its expiry time, and an expired token gets 90
   * days.
   * @throws RangeError for an unknown id, an invalid lifetime, or an expired token of a user with ten valid tokens.
   */
  rollToken(id: number, lifetimeMs?: number): SandboxToken;
  revokeToken(id: number): void;
  /** Expires every access token. Refresh tokens stay valid. */
  expireAccessTokens(): void;
  /** Deletes the registrations of all apps. Their sign-ins and refreshes then fail with `invalid_client`. */
  deleteRegistrations(): void;
  /** Disconnects every app and revokes every personal access token. */
  revokeAll(): void;
  /** Disconnects one app of one person, as that person can on the page of connected apps. */
  disconnect(clientId: string, userId: number): void;
  /** Switches the API on or off. While the API is off, every API path and both well-known documents answer 404. */
  switchApi(on: boolean): void;
  switchMcp(on: boolean): void;
  setSupportSession(on: boolean): void;
  /**
   * Switches a feature of the organisation on or off: `sprints` (initially on) or `furlough` (initially off).
   * @throws RangeError for an unknown name.
   */
  setFeature(name: string, on: boolean): void;
  /**
   * Sets the role of a user: `admin`, `manager`, `employee` or `contractor`. docs/guides/sandbox.md lists what each role can do.
   * @throws RangeError for an unknown user.
   */
  setRole(userId: number, role: string): void;
  /**
   * Sets the user who is signed in to the browser. The consent page proposes this user. Default: user 1 of the sample data, or an
   * administrator of an export.
   */
  setPerson(userId: number): void;
  /** Replaces the current faults. An empty list removes all faults. */
  setFaults(faults: readonly Fault[]): void;
}

export interface NewToken {
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly AbilityClass[];
  /** The resource names that limit the token. Empty for all resources. */
  readonly resources?: readonly string[];
  /** The lifetime in milliseconds. Default: 90 days. At most 12 months. */
  readonly lifetime?: number;
  readonly isReadyMade?: boolean;
}

/** The classes of abilities. Each class includes the classes before it. */
export type AbilityClass = 'read' | 'write' | 'destroy';

/** A personal access token, as a person copies it from the service’s token page. */
export interface SandboxToken {
  readonly id: number;
  readonly name: string;
  /** The name of the user who owns the token. */
  readonly user: string;
  /** The role of the user, such as `admin`. */
  readonly role: string;
  readonly value: string;
  readonly abilities: readonly string[];
  readonly expires: Date;
}

/** A received request, and its outcome. The log contains only the first word of the Authorization header, such as `Bearer`. */
export interface LoggedRequest {
  /** The time of the request by the sandbox’s clock, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The path with its query, such as `/api/v2/worklogs?per_page=100`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request body. Empty for a GET or HEAD, and if the log needed the space for newer requests. */
  body: string;
  /** The status of the answer. 0 before the answer, and if the connection ended without a complete answer. */
  status: number;
  units: number;
  /** The value of the answer’s `X-Request-Id` header. */
  readonly requestId: string;
}

/** An app that a person has signed in with. */
export interface ConnectedApp {
  readonly clientId: string;
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** The host of the app’s redirect address, such as `127.0.0.1:51234`. */
  readonly host: string;
}

/** The numbers of successful requests to the OAuth endpoints since the start. */
export interface OAuthEvents {
  registrations: number;
  /** The number of authorization codes that apps exchanged for tokens. */
  signIns: number;
  refreshes: number;
  revocations: number;
  /** The number of consents, on the page or with the option `approve`. Sign-ins that needed no consent do not count. */
  consents: number;
}

/** A stored record, in the form in which the service sends it. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Json;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
