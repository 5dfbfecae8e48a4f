// Written by scripts/sandbox-types.ts from the source of the sandbox; not to be edited.

/**
 * Starts the whole service on 127.0.0.1, in this process.
 *
 * @throws RangeError when the data cannot be used; Node's error when the port is taken or the data file cannot be written.
 */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

/** Reads a fault as it is typed after `--fault`: `GET /worklogs 503 x2`. @throws RangeError that says what is not understood. */
export declare function parseFault(text: string): Fault;

/** Reads interpretations from strings: `{ wrapSingleRecords: 'false' }`. @throws RangeError that lists the options, or the values of one. */
export declare function readInterpretations(given: Readonly<Record<string, unknown>>): Partial<Interpretations>;

/** How a sandbox starts. Everything has a default; `startSandbox()` is enough. */
export interface SandboxOptions {
  /** TCP port on 127.0.0.1; 0 picks a free one. */
  readonly port?: number;
  /** Chooses the data: the same seed on the same day gives the same organisation. */
  readonly seed?: number;
  /** Answers every consent with yes, without showing the page. */
  readonly approve?: boolean;
  /** `off`: no request is ever refused for its number; the headers then always show a full budget. */
  readonly limits?: 'real' | 'off';
  /** The clock of the sandbox, in milliseconds since 1970; `advance` adds to it. */
  readonly clock?: SandboxClock;
  /** Seconds until a rate limit bucket is full again. The service: 60. */
  readonly windowSeconds?: number;
  /** Interpretations of the questions that the service's documentation leaves open: see docs/guides/sandbox.md. */
  readonly interpretations?: Partial<Interpretations>;
  /** Switches to turn at the start: `api`, `mcp`, `support-session` and the features. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** Faults from the start. */
  readonly faults?: readonly Fault[];
  /**
   * A file or a directory with the data. svc starts from a file, keeps everything in it, and makes it when it is missing. svc only
   * reads a directory, which `svc export` wrote. Absent: made-up data, kept in memory.
   */
  readonly data?: string;
}

/** A clock: milliseconds since 1970. */
export interface SandboxClock {
  now(): number;
}

/** The questions that the service's documentation leaves open, each with its answers: see docs/guides/sandbox.md. */
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

/** Something that goes wrong on purpose. The first fault that fits a request is applied, `times` times. */
export interface Fault {
  /** `GET`; absent: any. */
  readonly method?: string;
  /**
   * Of the path without the query, either in full (`/api/v2/worklogs`, `/oauth/token`) or relative to the API's base
   * (`/worklogs`). A text fits exactly, or as a prefix when it ends with `*`. Absent: any.
   */
  readonly path?: string | RegExp;
  /** How many requests it spoils; 1 when absent, Infinity for all. */
  readonly times?: number;
  /** How many fitting requests it lets pass first. */
  readonly skip?: number;
  /** Answers with this status; the request does not run. */
  readonly status?: number;
  /** `Retry-After` in seconds, with `status`. */
  readonly retryAfter?: number;
  /** Closes the connection without an answer: before the work is done, or after. */
  readonly drop?: 'before' | 'after';
  /** Waits before the request runs. */
  readonly delayMs?: number;
  /** Waits up to so much longer, at random. */
  readonly jitterMs?: number;
  /** Of the requests that it fits, this part is dropped, at random, and the others only wait; from 0 to 1. Absent: all. */
  readonly dropShare?: number;
  /** Does the work, sends the headers and half of the body, then closes the connection. */
  readonly truncate?: boolean;
  /** Answers 200 with a body that is not what its content type says; the request does not run. */
  readonly garbage?: boolean;
}

/** A running sandbox, with its controls. */
export interface Sandbox extends Hands {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** `http://127.0.0.1:<port>/api/v2`. */
  readonly baseUrl: string;
  /** The address that a person opens first. Anyone who knows it sees the ready-made tokens. */
  readonly startUrl: string;
  /** The control address for other programs: see docs/guides/sandbox.md. Anyone who knows it may do everything here. */
  readonly controlUrl: string;
  /** Every request so far, oldest first; the latest 20,000 are kept. Empty it with `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  /** The personal access tokens there are now; the first can do everything. */
  readonly tokens: readonly SandboxToken[];
  /** Apps that are connected now. */
  readonly apps: readonly ConnectedApp[];
  /** Counts of successes at the OAuth endpoints. */
  readonly events: Readonly<OAuthEvents>;
  /**
   * The rows of a resource as they are kept, deleted ones too, in the order of their making. A test compares answers with them;
   * the options do not change them. Computed fields are left out.
   * @throws RangeError for a name no resource has.
   */
  rows(resource: string): readonly Row[];
  /** May be changed at any time. */
  readonly interpretations: Interpretations;
  /** Resolves when the data file, if there is one, holds everything. */
  save(): Promise<void>;
  /** Saves, stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Controls of a running sandbox, for tests and for the control address. */
export interface Hands {
  /** Turns the clock forward. */
  advance(ms: number): void;
  /** @throws RangeError at the cap of ten live tokens per user. */
  createToken(token: NewToken): SandboxToken;
  /** New secret and expiry for a token. */
  rollToken(id: number, lifetimeMs?: number): SandboxToken;
  revokeToken(id: number): void;
  /** Ends every access token; refresh tokens keep working. */
  expireAccessTokens(): void;
  /** Forgets every registered app: its refresh and sign-in get `invalid_client`. */
  deleteRegistrations(): void;
  /** Disconnects every app and revokes every personal access token. */
  revokeAll(): void;
  /** Disconnects one app of one person, as the page of connected apps does. */
  disconnect(clientId: string, userId: number): void;
  /** Off: every API path and both well-known documents answer 404. */
  switchApi(on: boolean): void;
  switchMcp(on: boolean): void;
  setSupportSession(on: boolean): void;
  /** Features: `sprints` (on at the start), `furlough` (off at the start). */
  setFeature(name: string, on: boolean): void;
  /** `admin`, `manager`, `employee` or `contractor`; what each may do is in docs/guides/sandbox.md. */
  setRole(userId: number, role: string): void;
  /** Sets the person at the browser, for a consent page that names nobody. At the start this is the first user. */
  setPerson(userId: number): void;
  /** Replaces what goes wrong from now on; an empty list ends it. */
  setFaults(faults: readonly Fault[]): void;
}

export interface NewToken {
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly AbilityClass[];
  /** Resource prefixes; none: all. */
  readonly resources?: readonly string[];
  /** Milliseconds from now; 90 days when absent, 12 months at most. */
  readonly lifetime?: number;
  readonly isReadyMade?: boolean;
}

/** What a token may do; each includes the ones before it. */
export type AbilityClass = 'read' | 'write' | 'destroy';

/** A personal access token as a person would copy it from the service's token page. */
export interface SandboxToken {
  readonly id: number;
  readonly name: string;
  /** The name of the user. */
  readonly user: string;
  /** The role of the user: `admin`. */
  readonly role: string;
  /** The secret. */
  readonly value: string;
  readonly abilities: readonly string[];
  readonly expires: Date;
}

/** One request as it came and what became of it. The value of Authorization is left out. */
export interface LoggedRequest {
  /** When it came, on the sandbox's clock; milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** With the query, as sent: `/api/v2/worklogs?per_page=100`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Removed when younger requests need the space. */
  body: string;
  /** The answer's status; 0 when the connection was dropped before there was one. */
  status: number;
  /** Rate limit units spent from the bucket of its kind. */
  units: number;
  /** The server's id of the request. */
  readonly requestId: string;
}

/** An app that a person signed in with. */
export interface ConnectedApp {
  readonly clientId: string;
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** The host it returns to: `127.0.0.1:51234`. */
  readonly host: string;
}

/** Successes at the OAuth endpoints, counted since the start. */
export interface OAuthEvents {
  registrations: number;
  /** Codes exchanged for tokens. */
  signIns: number;
  refreshes: number;
  revocations: number;
  /** Consents given, on the page or by `approve`; skipped ones are not counted. */
  consents: number;
}

/** A stored record: snake_case fields, in the form in which the service sends them. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Json;
}

/** Anything JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
