import { randomUUID } from 'node:crypto';
import { localDate } from '../../src/sandbox/dates.ts';
import { ORGANISATION_ZONE } from '../../src/sandbox/resources/fields.ts';
import { RESOURCES } from '../../src/sandbox/resources/index.ts';
import type { Row, Sandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Result, type RunOptions } from '../support/svc.ts';
import { startTenant } from '../support/tenant/start-tenant.ts';
import { createTenant } from '../support/tenant/tenant.ts';
import type { Combination } from './table.ts';

/**
 * The time of the tests: Thursday 19 June 2025 in Tokyo and Amsterdam. In UTC, and on a machine without a zone, the day is still Wednesday.
 */
const NOW = Date.parse('2025-06-18T22:30:00Z');

/** A service in one interpretation, and a person who uses it on a machine. */
export interface Place {
  readonly combination: Combination;
  /** The machine’s home directory. */
  readonly home: string;
  /** The record of the signed-in person. */
  readonly person: Row;
  /** The person’s zone, by the service’s own rule (rule 2.20). */
  readonly zone: string;
  /** True if the person’s record has the zone. Otherwise the organisation’s zone applies, and a client must report its assumption. */
  readonly hasOwnZone: boolean;
  /** Returns the current day of the person. */
  today(): string;
  /** Returns the current time: milliseconds since 1970. */
  now(): number;
  /** Runs `svc <argv>` a minute after the previous step. */
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** Creates a record as the administrator, a minute after the previous step. Returns its row. */
  addRecord(resource: string, body: Readonly<Record<string, unknown>>): Promise<Row>;
  /** Deletes a record as the administrator. */
  discard(resource: string, id: number): Promise<void>;
  /** Returns all rows of a resource that are not deleted, as the sandbox stores them. */
  rows(resource: string): readonly Row[];
  /** Returns all rows by resource and id, including deleted rows. A changed row is another object. */
  state(): ReadonlyMap<string, Row>;
  remove(): Promise<void>;
}

/**
 * Starts a sandbox in an interpretation, and signs its person in.
 * @param tenant seed of an organisation whose service differs from the documented one.
 * @throws Error if the sign-in fails.
 */
export async function startPlace(combination: Combination, tenant?: number): Promise<Place> {
  const { person: personId, machineZone, credential, ...interpretations } = combination;
  let now = NOW;
  const options = { approve: true, limits: 'off', clock: { now: () => now }, interpretations } as const;
  const sandbox = await startTenant({ ...options, ...(tenant !== undefined && { tenant }) });
  // Rows of a resource that the organisation lacks or renames do not count.
  const served = tenant === undefined ? undefined : new Set(createTenant(tenant).service.resources.map(({ path }) => path));
  const isServed = (resource: string) => served === undefined || served.has(resource);
  const machine = await createMachine();
  const host = new URL(sandbox.origin).host;
  const person = rowOf(sandbox, 'users', personId);
  sandbox.setRole(personId, 'admin');
  sandbox.setPerson(personId);
  const own = sandbox.createToken({ name: 'own', userId: personId, scopes: ['read', 'write', 'destroy'] }).value;
  const env = credential === 'token' ? { SVC_HOST: host, SVC_TOKEN: own } : {};
  const tick = () => {
    now += 60_000;
  };
  const svc = (argv: readonly string[], options: RunOptions = {}) => {
    tick();
    return machine.svc(argv, { now, timeZone: machineZone, ...options, env: { ...env, ...options.env } });
  };
  const send = async (method: string, path: string, body?: Readonly<Record<string, unknown>>) => {
    const authorization = `Bearer ${sandbox.tokens[0]?.value}`;
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const response = await fetch(`${sandbox.baseUrl}/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /${path}: ${text}`);
  };
  const ownZone = person['timezone'];
  const zone = typeof ownZone === 'string' ? ownZone : ORGANISATION_ZONE;
  const place: Place = {
    combination,
    home: machine.home,
    person,
    zone,
    hasOwnZone: typeof ownZone === 'string',
    today: () => localDate(now, zone),
    now: () => now,
    svc,
    async addRecord(resource, body) {
      tick();
      // The administrator writes times, even if the service accepts another form from others.
      const { absenceBounds } = sandbox.interpretations;
      Object.assign(sandbox.interpretations, { absenceBounds: 'date-time' });
      await send('POST', resource, body).finally(() => Object.assign(sandbox.interpretations, { absenceBounds }));
      const made = sandbox.rows(resource).at(-1);
      if (made === undefined) throw new Error(`There is nothing in ${resource}.`);
      return made;
    },
    discard: (resource, id) => send('DELETE', `${resource}/${id}`),
    rows: (resource) => (isServed(resource) ? sandbox.rows(resource) : []).filter((row) => (row['deleted_at'] ?? null) === null),
    state: () => new Map(RESOURCES.flatMap(({ name }) => sandbox.rows(name).map((row) => [`${name} ${row.id}`, row]))),
    async remove() {
      await sandbox.close();
      await machine.remove();
    },
  };
  if (credential === 'sign-in') {
    const login = await svc(['login', host]);
    if (login.code !== 0) throw new Error(`svc login: ${login.stderr}`);
  }
  return place;
}

function rowOf(sandbox: Sandbox, resource: string, id: number): Row {
  const row = sandbox.rows(resource).find((one) => one.id === id);
  if (row === undefined) throw new Error(`No ${resource} ${id}.`);
  return row;
}
