import { DAY, HOUR, MINUTE } from './dates.ts';
import { type Fault, faultText, parseFault } from './http/faults.ts';
import { readInterpretations } from './interpretations.ts';
import { isObject, type Json } from './json.ts';
import type { SandboxState } from './sandbox-state.ts';
import { checkSwitch, switchesByName, turnSwitch } from './settings.ts';
import { ROLE_NAMES } from './tokens/permissions.ts';
import type { IssuedToken, NewToken } from './tokens/personal.ts';

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

/** Creates the controls of a sandbox. With a data file, each control except `setFaults` saves the file soon after the change. */
export function createControls(sandboxState: SandboxState): Controls {
  const { apps, clock, db, faults, switches, tokens } = sandboxState;
  const then = <T>(result: T): T => {
    sandboxState.keeper?.changed();
    return result;
  };
  const turn = (name: string, on: boolean): void => then(turnSwitch(switches, name, on));
  return {
    advance: (ms) => then(clock.advance(ms)),
    createToken: (token) => then(shownToken(sandboxState, tokens.create(token, clock.now()))),
    rollToken: (id, lifetimeMs) => then(shownToken(sandboxState, tokens.roll(id, clock.now(), lifetimeMs))),
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
      sandboxState.defaultUserId = userId;
      then(undefined);
    },
    setFaults: (list) => faults.set(list),
  };
}

export function shownToken({ db }: SandboxState, token: IssuedToken): SandboxToken {
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

export function controlState(sandboxState: SandboxState): { [key: string]: Json } {
  const { clock, defaultUserId, events, faults, interpretations, requests, switches } = sandboxState;
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

const DEEDS = {
  'expire-access-tokens': 'expireAccessTokens',
  'delete-registrations': 'deleteRegistrations',
  'revoke-all': 'revokeAll',
} as const;

/** Reports a key of a control request that the sandbox refused. The sandbox has then changed nothing. */
export class ControlError extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.name = 'ControlError';
    this.key = key;
  }
}

/**
 * Applies a control request with the keys `faults` (replaces all faults), `interpretations`, `switches`, `advance`, `roles`, `person` and
 * `do`.
 *
 * @throws ControlError for an unknown key or an invalid value, before anything changes.
 */
export function applyControl(sandboxState: SandboxState, body: { [key: string]: Json }): void {
  const acts = Object.entries(body).map(([key, value]) => {
    try {
      return plan(sandboxState, key, value);
    } catch (error) {
      if (error instanceof RangeError) throw new ControlError(key, error.message);
      throw error;
    }
  });
  for (const act of acts) act();
}

/** Checks one key of a control request, and returns a function that applies the key. @throws RangeError for an invalid value. */
function plan(sandboxState: SandboxState, key: string, value: Json): () => void {
  const controls = createControls(sandboxState);
  switch (key) {
    case 'faults': {
      const faults = texts(value).map(parseFault);
      return () => controls.setFaults(faults);
    }
    case 'interpretations': {
      const interpretations = readInterpretations(object(value));
      return () => Object.assign(sandboxState.interpretations, interpretations);
    }
    case 'switches': {
      const wanted = Object.entries(object(value)).map(([name, on]) => {
        checkSwitch(name);
        if (typeof on !== 'boolean') throw new RangeError(`Set the switch ${name} to true or false.`);
        return [name, on] as const;
      });
      return () => {
        for (const [name, on] of wanted) turnSwitch(sandboxState.switches, name, on);
        sandboxState.keeper?.changed();
      };
    }
    case 'advance': {
      const ms = range(value);
      return () => controls.advance(ms);
    }
    case 'roles': {
      const roles = Object.entries(object(value)).map(([user, role]) => {
        if (typeof role !== 'string' || !ROLE_NAMES.includes(role)) throw new RangeError(`A role is ${ROLE_NAMES.join(', ')}.`);
        return [userId(sandboxState, Number(user)), role] as const;
      });
      return () => {
        for (const [user, role] of roles) controls.setRole(user, role);
      };
    }
    case 'person': {
      const person = userId(sandboxState, value);
      return () => controls.setPerson(person);
    }
    case 'do': {
      const deeds = texts(value).map((name) => {
        if (!Object.hasOwn(DEEDS, name))
          throw new RangeError(`The sandbox does not know the action ${name}. Use one of ${Object.keys(DEEDS).join(', ')}.`);
        return DEEDS[name as keyof typeof DEEDS];
      });
      return () => {
        for (const deed of deeds) controls[deed]();
      };
    }
  }
  throw new RangeError(`The sandbox does not know the key ${key}. Use faults, interpretations, switches, advance, roles, person or do.`);
}

function texts(value: Json): string[] {
  if (Array.isArray(value) && value.every((each: Json) => typeof each === 'string')) return value;
  throw new RangeError('Send a list of strings.');
}

function object(value: Json): { readonly [key: string]: Json } {
  if (isObject(value)) return value;
  throw new RangeError('Send an object.');
}

function userId(sandboxState: SandboxState, value: Json): number {
  if (typeof value === 'number' && sandboxState.db.table('users').get(value) !== undefined) return value;
  throw new RangeError(`There is no user ${String(value)}.`);
}

/**
 * Converts a number of seconds, or a string such as `90s`, `10m`, `2h` or `30d`, to milliseconds.
 * @throws RangeError for any other value.
 */
function range(value: Json): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(String(value)) ?? [];
  if (digits === undefined) throw new RangeError('Give a number of seconds, or a string such as 90s, 10m, 2h or 30d.');
  const units: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
  return Number(digits) * (units[unit] ?? 1000);
}
