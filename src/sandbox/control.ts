import { DAY, HOUR, MINUTE } from './dates.ts';
import { createHands } from './hands.ts';
import { faultText, parseFault } from './http/fault-text.ts';
import { isObject, type Json } from './json.ts';
import { readKnobs } from './knobs.ts';
import { checkSwitch, switchesByName, turnSwitch } from './switches.ts';
import { ROLE_NAMES } from './tokens/roles.ts';
import type { World } from './world.ts';

/** The state of the sandbox, as the control address shows it. */
export function controlState(world: World): { [key: string]: Json } {
  const { clock, defaultUserId, events, faults, knobs, requests, switches } = world;
  return {
    now: new Date(clock.now()).toISOString(),
    faults: faults.waiting.map(faultText),
    knobs: { ...knobs },
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
 * Does what a body asks for: `faults` (replaces them), `knobs`, `switches`, `advance`, `roles`, `person`, `do`.
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
    case 'knobs': {
      const knobs = readKnobs(object(value));
      return () => Object.assign(world.knobs, knobs);
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
  throw new RangeError(`There is no ${key} here; there are faults, knobs, switches, advance, roles, person, do.`);
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
