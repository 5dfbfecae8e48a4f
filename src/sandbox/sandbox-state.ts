import { randomBytes } from 'node:crypto';
import type { Contents, IdempotencyStore } from './api/stores.ts';
import type { Keeper } from './data/data-file.ts';
import { createDatabase, type Database } from './db.ts';
import type { LoggedRequest } from './http/context.ts';
import { createFaults, type FaultQueue } from './http/faults.ts';
import { defaultInterpretations, type Interpretations } from './interpretations.ts';
import type { Row } from './json.ts';
import { createLimiter, type Limiter } from './limits.ts';
import { Apps } from './oauth/apps.ts';
import { DEFINED, SERVICE, type Service } from './resources/index.ts';
import { defaultSwitches, type SandboxClock, type SandboxSettings, type Switches } from './settings.ts';
import { PersonalTokens } from './tokens/personal.ts';

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

export interface SandboxState {
  readonly settings: SandboxSettings;
  readonly service: Service;
  readonly interpretations: Interpretations;
  readonly clock: TurnableClock;
  readonly db: Database;
  readonly tokens: PersonalTokens;
  readonly apps: Apps;
  readonly limiter: Limiter;
  readonly switches: Switches;
  readonly events: OAuthEvents;
  readonly requests: LoggedRequest[];
  readonly faults: FaultQueue;
  readonly idempotency: IdempotencyStore;
  readonly results: ResultCache;
  readonly uploads: UploadTickets;
  readonly contents: Contents;
  /** Unknown fields of loaded records, by resource. The sandbox shows these fields unchanged. */
  readonly extraFields: Map<string, readonly string[]>;
  /** The records of an organisation. Undefined in a sandbox with other data. */
  read: ReadRecords | undefined;
  readonly controlKey: string;
  readonly startKey: string;
  origin: string;
  keeper: Keeper | undefined;
  letGo: (() => void) | undefined;
  /** The id of the user of the web pages. A visitor can choose another user on a page. */
  defaultUserId: number;
}

/** The records of an organisation with which a sandbox started. */
export interface ReadRecords {
  /** The user who could read all these records. */
  readonly userId: number;
  /** The resources that the sandbox does not offer, because svc did not read their records. */
  readonly unread: ReadonlySet<string>;
  /** The unchanged records of the service. Writes change only the sandbox’s own database. */
  readonly original: Database;
}

/** A service that differs from the documented service, or has other records. */
export interface ServiceVariant {
  readonly service: Service;
  readonly interpretations: Partial<Interpretations>;
  /** Adds the data that only this service has. */
  readonly fill: (sandboxState: SandboxState) => void;
  /** False if the service has no sample data. Absent: the service also has the sample data. */
  readonly hasSample?: false;
}

export function createSandboxState(settings: SandboxSettings, given: Partial<Interpretations>, variant?: ServiceVariant): SandboxState {
  const service = variant?.service ?? SERVICE;
  const interpretations = { ...defaultInterpretations(), ...variant?.interpretations, ...given };
  return {
    settings,
    service,
    interpretations,
    clock: new TurnableClock(settings.clock),
    // A resource that the variant lacks still has a table, because other records may count its rows.
    db: createDatabase([...new Set([...DEFINED, ...service.resources].map((resource) => resource.name))]),
    tokens: new PersonalTokens(settings.seed, service.prefixes),
    apps: new Apps(),
    limiter: createLimiter({ windowMs: settings.windowSeconds * 1000, enforced: settings.limits === 'real', interpretations }),
    switches: defaultSwitches(),
    events: { registrations: 0, signIns: 0, refreshes: 0, revocations: 0, consents: 0 },
    requests: [],
    faults: createFaults(),
    idempotency: new Map(),
    results: new ResultCache(),
    uploads: new Map(),
    contents: new Map(),
    extraFields: new Map(),
    read: undefined,
    controlKey: randomBytes(18).toString('base64url'),
    startKey: randomBytes(18).toString('base64url'),
    origin: '',
    keeper: undefined,
    letGo: undefined,
    defaultUserId: 1,
  };
}

interface UploadTicket {
  readonly id: number;
  /** `files`: the resource of the future file. `parentId`: the id of the record that the file belongs to. */
  readonly files: 'attachments' | 'drive-files';
  readonly parentId: number;
  readonly fileName: string;
  readonly mimeType: string | null;
  readonly until: number;
  /** The path to which the client sends the content, without the API’s own path, such as `/uploads/1`. */
  readonly path: string;
}

type UploadTickets = Map<number, UploadTicket>;

/** A clock that tests can move forward, so that tokens expire without waiting. */
class TurnableClock implements SandboxClock {
  /** The time by which this clock is ahead of the given clock, in milliseconds. */
  ahead = 0;
  readonly #clock: SandboxClock;

  constructor(clock: SandboxClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.ahead;
  }

  advance(ms: number): void {
    this.ahead += ms;
  }
}

const SIZE = 64;

/** Caches the sorted rows of recent queries. The sandbox then sorts a large list only once for all its pages. */
class ResultCache {
  readonly #results = new Map<string, { revision: number; rows: readonly Row[] }>();

  rows(query: string, revision: number, make: () => readonly Row[]): readonly Row[] {
    const known = this.#results.get(query);
    if (known?.revision === revision) return known.rows;
    const rows = make();
    this.#results.delete(query);
    this.#results.set(query, { revision, rows });
    const [oldest] = this.#results.keys();
    if (this.#results.size > SIZE && oldest !== undefined) this.#results.delete(oldest);
    return rows;
  }

  asBefore(query: string, revision: number, make: () => readonly Row[]): readonly Row[] {
    return this.#results.get(query)?.rows ?? this.rows(query, revision, make);
  }
}
