import { createHash, timingSafeEqual } from 'node:crypto';

/** The classified parameters of a redirect (RFC 6749 §4.1.2). Only `answer` ends a sign-in. */
export type RedirectReading =
  | { readonly kind: 'answer'; readonly state: string; readonly parameters: URLSearchParams }
  | { readonly kind: 'doubled'; readonly name: string }
  | { readonly kind: 'no-state' }
  | { readonly kind: 'wrong-state' }
  | { readonly kind: 'empty' };

const ONCE = ['state', 'code', 'error', 'iss'];

/**
 * Classifies the parameters of a redirect address that a browser requested or a user pasted. svc first refuses repeated parameters, then
 * checks `state`. Without the right `state`, nobody can learn about a sign-in or end the sign-in.
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

/** Returns true if two secrets are equal. The comparison takes constant time, so its duration reveals nothing. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

export interface RedirectSource {
  readonly redirectUri: string;
  expect(state: string): void;
  /**
   * Creates a page on this machine that leads to `url`, and returns the address of the page. svc then accepts `state` only from the browser
   * that opened the page. Absent if svc does not listen for the redirect.
   */
  bind?(state: string, url: string): string;
  /** Resolves with the next answer that has an expected state. Rejects with `signal.reason` after an abort. */
  answer(signal: AbortSignal): Promise<RedirectAnswer>;
  close(): Promise<void>;
}

export interface RedirectAnswer {
  readonly state: string;
  readonly parameters: URLSearchParams;
  succeed(outcome: { readonly host: string; readonly userName?: string | undefined }): Promise<void>;
  /** Shows in the browser that the sign-in failed, and why. `message` must not contain a secret. */
  fail(outcome: { readonly message: string; readonly hint?: string | undefined }): Promise<void>;
}
