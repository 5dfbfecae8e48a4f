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

/** Everything one sandbox knows. There is one per server and nothing outside of it changes. */
export interface World {
  readonly settings: SandboxSettings;
  /** Its resources: the documented ones, or a variant's. */
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
  /** Fields of loaded records that the sandbox does not know, by resource; they are shown as they came. */
  readonly extraFields: Map<string, readonly string[]>;
  /** The last part of the control address. */
  readonly controlKey: string;
  /** The last part of the address that a person begins at. */
  readonly startKey: string;
  /** `http://127.0.0.1:<port>`: known once the server listens. */
  origin: string;
  /** Keeps all of this in a file, when there is one. */
  keeper: Keeper | undefined;
  /** Lets another process have that file. */
  letGo: (() => void) | undefined;
  /** The person in front of the browser, until the consent page says otherwise. */
  defaultUserId: number;
}

/** A service that is not quite the documented one, as tests make it. */
export interface ServiceVariant {
  readonly service: Service;
  /** Values of options where nobody gave any. */
  readonly interpretations: Partial<Interpretations>;
  /** Gives the made-up data what only this service has. */
  readonly fill: (world: World) => void;
}

export function createWorld(settings: SandboxSettings, given: Partial<Interpretations>, variant?: ServiceVariant): World {
  const service = variant?.service ?? SERVICE;
  const interpretations = { ...defaultInterpretations(), ...variant?.interpretations, ...given };
  return {
    settings,
    service,
    interpretations,
    clock: new TurnableClock(settings.clock),
    // Resources that a variant lacks still have a table, for the records that count them.
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
    controlKey: randomBytes(18).toString('base64url'),
    startKey: randomBytes(18).toString('base64url'),
    origin: '',
    keeper: undefined,
    letGo: undefined,
    defaultUserId: 1,
  };
}

/** Leave to send the contents of one file. */
interface UploadTicket {
  readonly id: number;
  /** The resource of the file that it becomes, and the record that it belongs to. */
  readonly files: 'attachments' | 'drive-files';
  readonly parentId: number;
  readonly fileName: string;
  readonly mimeType: string | null;
  readonly until: number;
  /** The address that takes its contents, relative to the API's base: `/uploads/1`. */
  readonly path: string;
}

/** Tickets by id; one is over when its contents arrive. */
type UploadTickets = Map<number, UploadTicket>;

/** A clock that can be turned forward, so that tokens expire and registrations age without waiting. */
class TurnableClock implements SandboxClock {
  /** Milliseconds that it was turned forward in all. */
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

/** How many queries are remembered; enough for several exports at once. */
const SIZE = 64;

/** Remembers the sorted rows of recent queries, so that walking a large collection sorts it once. */
class ResultCache {
  readonly #results = new Map<string, { revision: number; rows: readonly Row[] }>();

  /** The rows of this query, made again when the table has changed since. */
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

  /** The rows of this query as they were last remembered, however the table has changed since. */
  asBefore(query: string, revision: number, make: () => readonly Row[]): readonly Row[] {
    return this.#results.get(query)?.rows ?? this.rows(query, revision, make);
  }
}
