import { randomUUID } from 'node:crypto';
import { localDate } from '../../src/sandbox/dates.ts';
import { ORGANISATION_ZONE } from '../../src/sandbox/resources/fields.ts';
import { RESOURCES } from '../../src/sandbox/resources/index.ts';
import type { Row, Sandbox } from '../../src/sandbox/start.ts';
import { createMachine, type Result, type RunOptions } from '../support/svc.ts';
import { startTenant } from '../support/tenant/start-tenant.ts';
import { createTenant } from '../support/tenant/tenant.ts';
import type { Combination } from './table.ts';

/** Thursday 19 June 2025 for everybody here, in Tokyo and Amsterdam; still Wednesday in UTC, and so for a machine that knows no better. */
const NOW = Date.parse('2025-06-18T22:30:00Z');

/** A service as one reading has it, and somebody at a machine who uses it. */
export interface Place {
  readonly combination: Combination;
  /** The machine's home directory. */
  readonly home: string;
  /** The record of who types. */
  readonly person: Row;
  /** That person's zone, by the service's own rule (rule 2.20). */
  readonly zone: string;
  /** Whether that zone is in the person's record; where it is the organisation's, a client may have to assume one, and must say so. */
  readonly hasOwnZone: boolean;
  /** The day it is for that person. */
  today(): string;
  /** The moment it is: milliseconds since 1970. */
  now(): number;
  /** Runs `svc <argv>`, a minute after what went before. */
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** Makes a record as the administrator, a minute after what went before; gives its row. */
  addRecord(resource: string, body: Readonly<Record<string, unknown>>): Promise<Row>;
  /** Deletes a record as the administrator. */
  discard(resource: string, id: number): Promise<void>;
  /** Every row of a resource that is not deleted, as the sandbox keeps it. */
  rows(resource: string): readonly Row[];
  /** Every row there is, deleted ones too, by resource and id: a row that changes is another object. */
  state(): ReadonlyMap<string, Row>;
  remove(): Promise<void>;
}

/**
 * Starts a sandbox in this reading, and signs its person in.
 * @param tenant The seed of an organisation whose service is not quite the documented one.
 * @throws Error when the sign-in fails.
 */
export async function startPlace(combination: Combination, tenant?: number): Promise<Place> {
  const { person: personId, machineZone, credential, ...interpretations } = combination;
  let now = NOW;
  const options = { approve: true, limits: 'off', clock: { now: () => now }, interpretations } as const;
  const sandbox = await startTenant({ ...options, ...(tenant !== undefined && { tenant }) });
  // Rows of a resource that the organisation lacks, or calls something else, are nothing to anybody.
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
      // The administrator writes times, whatever the service takes from others.
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
