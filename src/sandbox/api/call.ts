import type { Database } from '../db/database.ts';
import type { Actor, Resource } from '../resources/define.ts';
import type { Need } from '../tokens/abilities.ts';
import type { World } from '../world.ts';
import type { Reply } from './reply.ts';

/** One request that passed the token check, as an operation sees it. */
export interface Call {
  readonly world: World;
  readonly db: Database;
  readonly now: number;
  readonly method: string;
  /** Relative to the API's base: `/work-items/ABC-12`. */
  readonly path: string;
  /** The placeholders of the operation's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** As it came; empty when there was none. */
  readonly body: string;
  readonly abilities: readonly string[];
  readonly actor: Actor;
  /** Whose Idempotency-Keys these are. */
  readonly owner: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One method on one path. */
export interface Operation {
  readonly method: Method;
  /** Template relative to the API's base: `/work-items/{work_item}`. */
  readonly path: string;
  /** The resource it belongs to; absent for discovery and `/me`. */
  readonly resource?: Resource;
  /** What discovery calls it: `list`, `transition`. */
  readonly name: string;
  need(world: World): Need;
  /** The permission that every caller needs; null when none, or when it depends on the record. */
  readonly permission: string | null;
  /** An upload step, which apps may not take: an OAuth token gets 401 (rule 13.75). */
  readonly personalOnly?: boolean;
  /** Units of a successful request (rule 15.15). */
  cost(query: URLSearchParams): number;
  run(call: Call): Reply;
}
