import { createHash } from 'node:crypto';
import { DAY } from '../dates.ts';
import { type AbilityClass, abilitiesOf } from './permissions.ts';

const CAP = 10;

export const USUAL_LIFETIME = 90 * DAY;

/** Returns the latest expiry time of a new token, twelve months after `now` (rule 12.8). Both times are in milliseconds since 1970. */
export function latestExpiry(now: number): number {
  const date = new Date(now);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

export interface IssuedToken {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly value: string;
  readonly abilities: readonly string[];
  /** The time of expiry: milliseconds since 1970. */
  readonly expiresAt: number;
  /** True for an initial token, whose secret the start page shows. */
  readonly isReadyMade: boolean;
}

export interface NewToken {
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly AbilityClass[];
  /** The resource names that limit the token. Empty for all resources. */
  readonly resources?: readonly string[];
  /** The lifetime in milliseconds. Default: 90 days. At most 12 months. */
  readonly lifetime?: number;
  readonly isReadyMade?: boolean;
}

export class PersonalTokens {
  all: readonly IssuedToken[] = [];
  /** The number of secrets created so far. The sandbox never creates the same secret twice. */
  #made = 0;
  readonly #seed: number;
  readonly #prefixes: readonly string[];

  /**
   * Creates an empty store of tokens.
   * @param seed seed of all secrets. The same seed gives the same secrets.
   * @param prefixes resource names that can limit an ability.
   */
  constructor(seed: number, prefixes: readonly string[]) {
    this.#seed = seed;
    this.#prefixes = prefixes;
  }

  create({ name, userId, scopes, resources = [], lifetime, isReadyMade = false }: NewToken, now: number): IssuedToken {
    this.#checkCap(userId, now);
    const abilities = abilitiesOf(scopes, resources, this.#prefixes);
    const token = { id: this.#made + 1, name, userId, value: this.#secret(), abilities, expiresAt: expiry(now, lifetime), isReadyMade };
    this.all = [...this.all, token];
    return token;
  }

  /**
   * Gives a token a new secret. The name and the abilities stay.
   * @throws RangeError for an unknown id, an invalid lifetime, or an expired token of a user with ten valid tokens.
   * @param lifetime milliseconds until the token expires. Default: a valid token keeps its expiry time, and an expired token gets 90 days.
   */
  roll(id: number, now: number, lifetime?: number): IssuedToken {
    const old = this.all.find((token) => token.id === id);
    if (old === undefined) throw new RangeError(`there is no token ${id}`);
    if (old.expiresAt <= now) this.#checkCap(old.userId, now);
    const expiresAt = lifetime === undefined && old.expiresAt > now ? old.expiresAt : expiry(now, lifetime);
    const rolled = { ...old, value: this.#secret(), expiresAt };
    this.all = this.all.map((token) => (token.id === id ? rolled : token));
    return rolled;
  }

  revoke(id: number): void {
    this.all = this.all.filter((token) => token.id !== id);
  }

  find(value: string, now: number): IssuedToken | undefined {
    return this.all.find((token) => token.value === value && token.expiresAt > now);
  }

  dump() {
    return { made: this.#made, tokens: this.all };
  }

  load({ made, tokens }: ReturnType<PersonalTokens['dump']>): void {
    this.#made = made;
    this.all = tokens;
  }

  #secret(): string {
    this.#made += 1;
    return `pat_${createHash('sha256').update(`${this.#seed}/${this.#made}`).digest('base64url').slice(0, 40)}`;
  }

  #checkCap(userId: number, now: number): void {
    const live = this.all.filter((token) => token.userId === userId && token.expiresAt > now);
    if (live.length >= CAP) throw new RangeError(`a user can have at most ${CAP} valid tokens`);
  }
}

function expiry(now: number, lifetime = USUAL_LIFETIME): number {
  if (lifetime <= 0) throw new RangeError('the expiry must be in the future');
  if (now + lifetime > latestExpiry(now)) throw new RangeError('a token is valid for at most 12 months');
  return now + lifetime;
}
