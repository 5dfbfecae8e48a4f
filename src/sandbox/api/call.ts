import type { Database } from '../db.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Actor, ServedChild, ServedField, ServedResource } from '../resources/define.ts';
import type { Need } from '../tokens/permissions.ts';
import type { World } from '../world.ts';
import type { Reply } from './stores.ts';

/** One request that passed the token check, as an operation sees it. */
export interface Call {
  readonly world: World;
  readonly operation: ServedOperation;
  readonly db: Database;
  readonly now: number;
  /** The present time for `created_at` and `updated_at`, whose clock may be another. */
  readonly stamp: string;
  readonly method: string;
  /** Relative to the API's base: `/work-items/ABC-12`. */
  readonly path: string;
  /** The placeholders of the operation's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** As it came; empty when there was none. */
  readonly body: string;
  /** The body as it came: the contents of a file need not be text. */
  readonly bytes: Buffer;
  readonly abilities: readonly string[];
  readonly actor: Actor;
  /** The owner of the request's Idempotency-Keys. */
  readonly owner: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The members of a JSON body, as those of a new record or as changes to one; or the contents of a file. */
export type Body =
  | { readonly kind: 'create' | 'update'; readonly fields: Readonly<Record<string, ServedField>> }
  | { readonly kind: 'contents' };

/** A successful answer. */
export interface Success {
  readonly status: number;
  /** A page or a record of a resource (`me`: always under `data`), a ticket, discovery, the API spec, a file, or no body. */
  readonly shows: 'page' | 'record' | 'me' | 'ticket' | 'discovery' | 'document' | 'contents' | 'nothing';
  /** The resource of the page or the record. */
  readonly resource?: ServedResource;
}

/** One method on one path: what it is served by, and what the OpenAPI document says of it. */
export interface ServedOperation {
  readonly method: Method;
  /** Template relative to the API's base: `/work-items/{work_item}`. */
  readonly path: string;
  /** The resource it belongs to; absent for discovery, `/me` and upload tickets. */
  readonly resource?: ServedResource;
  /** Whether there is such an operation; absent: always, unless the organisation lacks the resource. */
  readonly when?: (interpretations: Interpretations) => boolean;
  /** Its name in discovery: `list`, `transition`. */
  readonly name: string;
  /** In a few words, for people: `List work items`. */
  readonly summary: string;
  /** Query parameters: those of a collection, or these alone. */
  readonly query: 'list' | readonly string[];
  /** The collection under a parent that its path is of. */
  readonly nested?: ServedChild;
  /** Absent: it takes no body. */
  readonly body?: Body;
  /** Whether it takes If-Match. */
  readonly conditional?: boolean;
  answer(interpretations: Interpretations): Success;
  need(world: World): Need;
  /** The permission that every caller needs; null when none, or when it depends on the record. */
  readonly permission: string | null;
  /** Whether apps are refused: an upload step answers an OAuth token with 401 (rule 13.75). Absent: apps are admitted. */
  readonly personalOnly?: (interpretations: Interpretations) => boolean;
  /** The media type of the answer; absent: `application/json`. */
  readonly media?: string;
  /** Rate-limit units of a successful request (rule 15.15). */
  cost(query: URLSearchParams, interpretations: Interpretations): number;
  run(call: Call): Reply;
}
