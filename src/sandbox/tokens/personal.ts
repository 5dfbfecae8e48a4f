import { createHash } from 'node:crypto';
import { DAY } from '../dates.ts';
import { type AbilityClass, abilitiesOf } from './permissions.ts';

/** At most so many live ones per user (rule 12.13). */
const CAP = 10;

/** The default lifetime of a token, in milliseconds (rule 12.7). */
export const USUAL_LIFETIME = 90 * DAY;

/** The same time twelve months ahead: the last at which a token made now may expire (rule 12.8). */
export function latestExpiry(now: number): number {
  const date = new Date(now);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

export interface IssuedToken {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  /** The secret. The service shows it once; the sandbox, being for trying things on, keeps it to print. */
  readonly value: string;
  readonly abilities: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Whether it came with the sandbox: its secret is public. */
  readonly isReadyMade: boolean;
}

export interface NewToken {
  readonly name: string;
  readonly userId: number;
  readonly scopes: readonly AbilityClass[];
  /** Resource prefixes; none: all. */
  readonly resources?: readonly string[];
  /** Milliseconds from now; 90 days when absent, 12 months at most. */
  readonly lifetime?: number;
  readonly isReadyMade?: boolean;
}

/** All tokens as JSON. */
interface TokensDump {
  /** How many secrets were made: the next one must not be one of them. */
  readonly made: number;
  readonly tokens: readonly IssuedToken[];
}

/** The personal access tokens of the organisation. */
export class PersonalTokens {
  all: readonly IssuedToken[] = [];
  #made = 0;
  readonly #seed: number;
  readonly #prefixes: readonly string[];

  /**
   * @param seed Secrets follow from it, so that a script can keep using the same ones.
   * @param prefixes What an ability may be narrowed to.
   */
  constructor(seed: number, prefixes: readonly string[]) {
    this.#seed = seed;
    this.#prefixes = prefixes;
  }

  /** @throws RangeError at the cap, or for an expiry more than 12 months ahead. */
  create({ name, userId, scopes, resources = [], lifetime, isReadyMade = false }: NewToken, now: number): IssuedToken {
    this.#checkCap(userId, now);
    const abilities = abilitiesOf(scopes, resources, this.#prefixes);
    const token = { id: this.#made + 1, name, userId, value: this.#secret(), abilities, expiresAt: expiry(now, lifetime), isReadyMade };
    this.all = [...this.all, token];
    return token;
  }

  /** New secret and expiry, same name and abilities; the old secret stops at once. @throws RangeError for an unknown id, or at the cap. */
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

  /** The live token with this secret. */
  find(value: string, now: number): IssuedToken | undefined {
    return this.all.find((token) => token.value === value && token.expiresAt > now);
  }

  dump(): TokensDump {
    return { made: this.#made, tokens: this.all };
  }

  load({ made, tokens }: TokensDump): void {
    this.#made = made;
    this.all = tokens;
  }

  #secret(): string {
    this.#made += 1;
    return `pat_${createHash('sha256').update(`${this.#seed}/${this.#made}`).digest('base64url').slice(0, 40)}`;
  }

  #checkCap(userId: number, now: number): void {
    const live = this.all.filter((token) => token.userId === userId && token.expiresAt > now);
    if (live.length >= CAP) throw new RangeError(`a user holds at most ${CAP} live tokens`);
  }
}

function expiry(now: number, lifetime = USUAL_LIFETIME): number {
  if (lifetime <= 0) throw new RangeError('a token expires in the future');
  if (now + lifetime > latestExpiry(now)) throw new RangeError('a token lives for 12 months at most');
  return now + lifetime;
}
