/**
 * The whole service in one process on 127.0.0.1, for tests. What each knob, fault and switch means is in the project's docs/sandbox.md.
 *
 * @example
 * import { startSandbox } from 'svc/sandbox';
 *
 * const sandbox = await startSandbox({ limits: 'off' });
 * await fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${sandbox.tokens[0]?.value}` } });
 * await sandbox.close();
 */

/**
 * Starts it.
 *
 * @throws RangeError when the data cannot be used; Node's error when the port is taken or the data file cannot be written.
 */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

/** Reads a fault as it is typed after `--fault`: `GET /worklogs 503 x2`. @throws RangeError that says what is not understood. */
export declare function parseFault(text: string): Fault;

/** Reads knobs from texts: `{ wrapSingleRecords: 'false' }`. @throws RangeError that names the knobs there are, or what one takes. */
export declare function readKnobs(given: Readonly<Record<string, unknown>>): Partial<SandboxKnobs>;

/** How it starts. Everything has a default. */
export interface SandboxOptions {
  /** TCP port on 127.0.0.1; 0, the default, picks a free one. */
  readonly port?: number;
  /** Chooses the data and the ready-made tokens: the same seed on the same day gives the same organisation. */
  readonly seed?: number;
  /** Answers every consent of a browser sign-in with yes, without the page. */
  readonly approve?: boolean;
  /** `off`: no request is ever refused for its number. Default: `real`. */
  readonly limits?: 'real' | 'off';
  /** What time it is; default: the machine's clock. */
  readonly clock?: SandboxClock;
  /** Seconds until a rate limit is full again; default 60. */
  readonly windowSeconds?: number;
  /** How it answers where the service's documentation leaves it open. */
  readonly knobs?: Partial<SandboxKnobs>;
  /** Switches to turn at the start: `api`, `mcp`, `support-session`, `sprints`, `furlough`. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** What goes wrong from the start. */
  readonly faults?: readonly Fault[];
  /** A file to start from and to keep everything in, or a directory that `svc export` wrote. Default: made-up data, in memory. */
  readonly data?: string;
}

/** A clock: milliseconds since 1970. */
export interface SandboxClock {
  now(): number;
}

/** A running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** `http://127.0.0.1:<port>/api/v2`. */
  readonly baseUrl: string;
  /** Where other programs turn it. */
  readonly controlUrl: string;
  /** Every request so far, oldest first; the latest 20,000 are kept. Empty it with `requests.length = 0`. */
  readonly requests: LoggedRequest[];
  /** The personal access tokens there are now; the first can do everything. */
  readonly tokens: readonly SandboxToken[];
  /** Apps that are connected now. */
  readonly apps: readonly ConnectedApp[];
  /** What happened at the OAuth endpoints. */
  readonly events: Readonly<OAuthEvents>;
  /** May be changed at any time. */
  readonly knobs: SandboxKnobs;
  /** The rows of a resource as they are kept, deleted ones too. @throws RangeError for a name no resource has. */
  rows(resource: string): readonly Row[];
  /** Turns the clock forward. */
  advance(ms: number): void;
  /** Makes a personal token. @throws RangeError at the cap of ten live tokens per user. */
  createToken(token: NewToken): SandboxToken;
  /** New secret and expiry for a token. */
  rollToken(id: number, lifetimeMs?: number): SandboxToken;
  revokeToken(id: number): void;
  /** Ends every access token; refresh tokens go on. */
  expireAccessTokens(): void;
  /** Forgets every registered app. */
  deleteRegistrations(): void;
  /** Disconnects every app and revokes every personal token. */
  revokeAll(): void;
  /** Disconnects one app of one person. */
  disconnect(clientId: string, userId: number): void;
  /** Off: every API path and both well-known documents answer 404. */
  switchApi(on: boolean): void;
  switchMcp(on: boolean): void;
  setSupportSession(on: boolean): void;
  /** Features: `sprints` (on at the start), `furlough` (off at the start). */
  setFeature(name: string, on: boolean): void;
  /** `admin`, `manager`, `employee` or `contractor`. */
  setRole(userId: number, role: string): void;
  /** Who is at the browser when the consent page does not say. */
  setPerson(userId: number): void;
  /** Replaces what goes wrong from now on; an empty list ends it. */
  setFaults(faults: readonly Fault[]): void;
  /** Resolves when the data file, if there is one, holds everything. */
  save(): Promise<void>;
  /** Saves, stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Something that goes wrong on purpose. The first fault that fits a request is applied, `times` times. */
export interface Fault {
  /** `GET`; absent: any. */
  readonly method?: string;
  /** In full or below `/api/v2`; a text fits exactly, or as a beginning when it ends with `*`. Absent: any. */
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
  /** Of the requests that it fits, this part is dropped, at random; from 0 to 1. Absent: all. */
  readonly dropShare?: number;
  /** Does the work, sends half of the answer, then closes the connection. */
  readonly truncate?: boolean;
  /** Answers 200 with a body that is not what its content type says; the request does not run. */
  readonly garbage?: boolean;
}

/** One request as it came and what became of it. The value of Authorization is left out. */
export interface LoggedRequest {
  /** When it came, on the sandbox's clock; milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** With the query, as sent: `/api/v2/worklogs?per_page=100`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The answer's status; 0 when the connection was dropped before there was one. */
  status: number;
  /** Rate limit units spent. */
  units: number;
  /** The server's id of the request. */
  readonly requestId: string;
}

/** A personal access token. */
export interface SandboxToken {
  readonly id: number;
  readonly name: string;
  /** Whose it is. */
  readonly user: string;
  /** What that user is: `admin`. */
  readonly role: string;
  /** The secret. */
  readonly value: string;
  readonly abilities: readonly string[];
  readonly expires: Date;
}

/** A personal access token to make. */
export interface NewToken {
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly ('read' | 'write' | 'destroy')[];
  /** Resource prefixes; none: all. */
  readonly resources?: readonly string[];
  /** Milliseconds from now; 90 days when absent, 12 months at most. */
  readonly lifetime?: number;
  readonly isReadyMade?: boolean;
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

/** Counts of what happened at the OAuth endpoints. */
export interface OAuthEvents {
  registrations: number;
  /** Codes exchanged for tokens. */
  signIns: number;
  refreshes: number;
  revocations: number;
  /** Consents given; skipped ones are not counted. */
  consents: number;
}

/** A record as it is kept: snake_case fields. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Json;
}

/** Anything JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The questions that the service's documentation leaves open, each with its answers; the first is the default. */
export interface SandboxKnobs {
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
  topLevelChildren: boolean;
  uploads: 'both' | 'work-item' | 'tickets' | 'none';
  uploadsRefuseApps: 'contents' | 'every-step';
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
  absenceBounds: 'date-time' | 'date';
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
