import type { Database } from '../db.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Actor, ServedChild, ServedField, ServedResource } from '../resources/define.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Need } from '../tokens/permissions.ts';
import type { Reply } from './stores.ts';

export interface Call {
  readonly sandboxState: SandboxState;
  readonly operation: ServedOperation;
  readonly db: Database;
  readonly now: number;
  /** The current time for `created_at` and `updated_at`. The option `recordClock` can shift this time by a minute. */
  readonly stamp: string;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** The body as bytes, because the contents of a file can be something other than text. */
  readonly bytes: Buffer;
  readonly abilities: readonly string[];
  readonly actor: Actor;
  /** The owner of the request’s Idempotency-Keys: a token, an app with its user, or a user (option `keyOwner`). */
  readonly owner: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type Body =
  | { readonly kind: 'create' | 'update'; readonly fields: Readonly<Record<string, ServedField>> }
  | { readonly kind: 'contents' };

export interface Success {
  readonly status: number;
  readonly shows: 'page' | 'record' | 'me' | 'ticket' | 'discovery' | 'document' | 'contents' | 'nothing';
  readonly resource?: ServedResource;
}

/** An operation: one HTTP method on one path. The operation has the code for the request and the facts for the API spec. */
export interface ServedOperation {
  readonly method: Method;
  readonly path: string;
  readonly resource?: ServedResource;
  readonly when?: (interpretations: Interpretations) => boolean;
  readonly name: string;
  readonly summary: string;
  readonly query: 'list' | readonly string[];
  readonly nested?: ServedChild;
  readonly body?: Body;
  readonly conditional?: boolean;
  answer(interpretations: Interpretations): Success;
  need(sandboxState: SandboxState): Need;
  /** The permission that every user needs. Null without such a permission, and if the permission depends on the record. */
  readonly permission: string | null;
  /** Returns true if the operation answers 401 to an OAuth token (rule 13.75). Absent if the operation accepts OAuth tokens. */
  readonly personalOnly?: (interpretations: Interpretations) => boolean;
  /** The media type of the answer. Default: `application/json`. */
  readonly media?: string;
  /** Returns the rate-limit units of a successful request (rule 15.15). */
  cost(query: URLSearchParams, interpretations: Interpretations): number;
  run(call: Call): Reply;
}
