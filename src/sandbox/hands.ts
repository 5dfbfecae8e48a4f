import type { Fault } from './http/faults.ts';
import { turnSwitch } from './switches.ts';
import type { IssuedToken, NewToken } from './tokens/personal.ts';
import type { World } from './world.ts';

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
  /** `admin`, `manager`, `employee` or `contractor`; what each may do is in docs/sandbox.md. */
  setRole(userId: number, role: string): void;
  /** Sets the person at the browser, for a consent page that names nobody. At the start this is the first user. */
  setPerson(userId: number): void;
  /** Replaces what goes wrong from now on; an empty list ends it. */
  setFaults(faults: readonly Fault[]): void;
}

/** Creates the controls of one sandbox. Each saves the data file after its change, if there is one. */
export function createHands(world: World): Hands {
  const { apps, clock, db, faults, switches, tokens } = world;
  const then = <T>(result: T): T => {
    world.keeper?.changed();
    return result;
  };
  const turn = (name: string, on: boolean): void => then(turnSwitch(switches, name, on));
  return {
    advance: (ms) => then(clock.advance(ms)),
    createToken: (token) => then(shownToken(world, tokens.create(token, clock.now()))),
    rollToken: (id, lifetimeMs) => then(shownToken(world, tokens.roll(id, clock.now(), lifetimeMs))),
    revokeToken: (id) => then(tokens.revoke(id)),
    expireAccessTokens: () => then(apps.expireAccessTokens()),
    deleteRegistrations: () => then(apps.deleteClients()),
    revokeAll: () => {
      apps.disconnectAll();
      for (const { id } of tokens.all) tokens.revoke(id);
      then(undefined);
    },
    disconnect: (clientId, userId) => then(apps.disconnect(clientId, userId)),
    switchApi: (on) => turn('api', on),
    switchMcp: (on) => turn('mcp', on),
    setSupportSession: (on) => turn('support-session', on),
    setFeature: turn,
    setRole: (userId, role) => {
      db.table('users').update(userId, { role });
      then(undefined);
    },
    setPerson: (userId) => {
      world.defaultUserId = userId;
      then(undefined);
    },
    setFaults: (list) => faults.set(list),
  };
}

/** A token with the words that people know it by. */
export function shownToken({ db }: World, token: IssuedToken): SandboxToken {
  const { id, name, value, abilities, userId, expiresAt } = token;
  const user = db.table('users').get(userId);
  return {
    id,
    name,
    user: String(user?.['name'] ?? userId),
    role: String(user?.['role'] ?? 'unknown'),
    value,
    abilities,
    expires: new Date(expiresAt),
  };
}
