import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * How the parameters of a redirect (RFC 6749 §4.1.2) look before anything is believed of them. Only `answer` settles a
 * sign-in; after anything else svc goes on waiting.
 */
export type RedirectReading =
  | { readonly kind: 'answer'; readonly state: string; readonly parameters: URLSearchParams }
  | { readonly kind: 'doubled'; readonly name: string }
  | { readonly kind: 'no-state' }
  | { readonly kind: 'wrong-state' }
  | { readonly kind: 'empty' };

const ONCE = ['state', 'code', 'error', 'iss'];

/**
 * Reads the parameters that a browser brought, or a person pasted: both go through the same checks. The right `state`
 * comes before all else but doubling, so that nobody who does not know it learns or ends anything.
 */
export function readRedirect(parameters: URLSearchParams, states: Iterable<string>): RedirectReading {
  const doubled = ONCE.find((name) => parameters.getAll(name).length > 1);
  if (doubled !== undefined) return { kind: 'doubled', name: doubled };
  const given = parameters.get('state');
  if (given === null || given === '') return { kind: 'no-state' };
  const state = [...states].find((candidate) => isSameSecret(candidate, given));
  if (state === undefined) return { kind: 'wrong-state' };
  if (!parameters.get('code') && !parameters.get('error')) return { kind: 'empty' };
  return { kind: 'answer', state, parameters };
}

/** Compares without telling by its time how much was right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

/** Where an answer to a sign-in comes from: the listener, or a person who pastes it. */
export interface RedirectSource {
  /** The redirect address to send with the authorization request. */
  readonly redirectUri: string;
  /** Counts `state` as one to wait for, beside those before it. */
  expect(state: string): void;
  /**
   * The address of a page on this machine that leads on to `url`. From then on an answer with `state` counts only from the browser that went
   * there. Not there where nobody listens.
   */
  bind?(state: string, url: string): string;
  /** The next answer that carries an expected state. Rejects with `signal.reason` when that aborts. */
  answer(signal: AbortSignal): Promise<RedirectAnswer>;
  /** Ends it at once, with all connections. May be called twice. */
  close(): Promise<void>;
}

/** An answer whose sender still waits to hear how it ended. */
export interface RedirectAnswer {
  /** The expected state it carried. */
  readonly state: string;
  /** As they came; the code in them is not checked yet. */
  readonly parameters: URLSearchParams;
  /** Shows that the tokens are stored. Resolves once that is written, or nobody is there to read it. */
  succeed(outcome: { readonly host: string; readonly userName?: string | undefined }): Promise<void>;
  /** Shows that it failed, and why; `message` must hold no secret. */
  fail(outcome: { readonly message: string; readonly hint?: string | undefined }): Promise<void>;
}
