import { DAY, HOUR, MINUTE } from './dates.ts';
import { type Fault, faultText, parseFault } from './http/faults.ts';
import { readInterpretations } from './interpretations.ts';
import { isObject, type Json } from './json.ts';
import { checkSwitch, switchesByName, turnSwitch } from './settings.ts';
import { ROLE_NAMES } from './tokens/permissions.ts';
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
  /** `admin`, `manager`, `employee` or `contractor`; what each may do is in docs/guides/sandbox.md. */
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

/** The state of the sandbox, as the control address shows it. */
export function controlState(world: World): { [key: string]: Json } {
  const { clock, defaultUserId, events, faults, interpretations, requests, switches } = world;
  return {
    now: new Date(clock.now()).toISOString(),
    faults: faults.waiting.map(faultText),
    interpretations: { ...interpretations },
    switches: switchesByName(switches),
    person: defaultUserId,
    events: { ...events },
    requests: requests.length,
  };
}

/** Things that are done once, by their names. */
const DEEDS = {
  'expire-access-tokens': 'expireAccessTokens',
  'delete-registrations': 'deleteRegistrations',
  'revoke-all': 'revokeAll',
} as const;

/** A key of the body and why it was refused; nothing of the body was done then. */
export class ControlError extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.name = 'ControlError';
    this.key = key;
  }
}

/**
 * Does what a body asks for: `faults` (replaces them), `interpretations`, `switches`, `advance`, `roles`, `person`, `do`.
 * @throws ControlError before anything is done.
 */
export function applyControl(world: World, body: { [key: string]: Json }): void {
  const acts = Object.entries(body).map(([key, value]) => {
    try {
      return plan(world, key, value);
    } catch (error) {
      if (error instanceof RangeError) throw new ControlError(key, error.message);
      throw error;
    }
  });
  for (const act of acts) act();
}

/** Checks one key, and returns what is to be done. @throws RangeError */
function plan(world: World, key: string, value: Json): () => void {
  const hands = createHands(world);
  switch (key) {
    case 'faults': {
      const faults = texts(value).map(parseFault);
      return () => hands.setFaults(faults);
    }
    case 'interpretations': {
      const interpretations = readInterpretations(object(value));
      return () => Object.assign(world.interpretations, interpretations);
    }
    case 'switches': {
      const wanted = Object.entries(object(value)).map(([name, on]) => {
        checkSwitch(name);
        if (typeof on !== 'boolean') throw new RangeError(`The switch ${name} is true or false.`);
        return [name, on] as const;
      });
      return () => {
        for (const [name, on] of wanted) turnSwitch(world.switches, name, on);
        world.keeper?.changed();
      };
    }
    case 'advance': {
      const ms = span(value);
      return () => hands.advance(ms);
    }
    case 'roles': {
      const roles = Object.entries(object(value)).map(([user, role]) => {
        if (typeof role !== 'string' || !ROLE_NAMES.includes(role)) throw new RangeError(`A role is ${ROLE_NAMES.join(', ')}.`);
        return [userId(world, Number(user)), role] as const;
      });
      return () => {
        for (const [user, role] of roles) hands.setRole(user, role);
      };
    }
    case 'person': {
      const person = userId(world, value);
      return () => hands.setPerson(person);
    }
    case 'do': {
      const deeds = texts(value).map((name) => {
        if (!Object.hasOwn(DEEDS, name)) throw new RangeError(`There is no ${name} to do; there are ${Object.keys(DEEDS).join(', ')}.`);
        return DEEDS[name as keyof typeof DEEDS];
      });
      return () => {
        for (const deed of deeds) hands[deed]();
      };
    }
  }
  throw new RangeError(`There is no ${key} here; there are faults, interpretations, switches, advance, roles, person, do.`);
}

function texts(value: Json): string[] {
  if (Array.isArray(value) && value.every((each: Json) => typeof each === 'string')) return value;
  throw new RangeError('A list of texts goes here.');
}

function object(value: Json): { readonly [key: string]: Json } {
  if (isObject(value)) return value;
  throw new RangeError('An object goes here.');
}

function userId(world: World, value: Json): number {
  if (typeof value === 'number' && world.db.table('users').get(value) !== undefined) return value;
  throw new RangeError(`There is no user ${String(value)}.`);
}

/** Seconds as a number, or a string like `90s`, `10m`, `2h`, `30d`. */
function span(value: Json): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(String(value)) ?? [];
  if (digits === undefined) throw new RangeError('The clock goes forward by seconds, or by a text like 90s, 10m, 2h or 30d.');
  const units: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
  return Number(digits) * (units[unit] ?? 1000);
}
