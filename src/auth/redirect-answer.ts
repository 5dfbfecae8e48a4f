import { createHash, timingSafeEqual } from 'node:crypto';

/** Parameters of a redirect (RFC 6749 §4.1.2), before svc believes any. Only `answer` ends a sign-in. */
export type RedirectReading =
  | { readonly kind: 'answer'; readonly state: string; readonly parameters: URLSearchParams }
  | { readonly kind: 'doubled'; readonly name: string }
  | { readonly kind: 'no-state' }
  | { readonly kind: 'wrong-state' }
  | { readonly kind: 'empty' };

const ONCE = ['state', 'code', 'error', 'iss'];

/**
 * Reads the parameters that a browser brought or a person pasted, with the same checks for both. svc checks for doubled parameters first,
 * and for the right `state` second. So nobody without the state learns or ends anything.
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

/** Compares in a time that does not depend on how much is right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

export interface RedirectSource {
  readonly redirectUri: string;
  expect(state: string): void;
  /** A page on this machine that leads to `url`; `state` then counts only from the browser that opened it. Absent where nothing listens. */
  bind?(state: string, url: string): string;
  /** The next answer that carries an expected state. Rejects with `signal.reason` when that aborts. */
  answer(signal: AbortSignal): Promise<RedirectAnswer>;
  close(): Promise<void>;
}

export interface RedirectAnswer {
  readonly state: string;
  readonly parameters: URLSearchParams;
  succeed(outcome: { readonly host: string; readonly userName?: string | undefined }): Promise<void>;
  /** Shows the failure and its reason; `message` must hold no secret. */
  fail(outcome: { readonly message: string; readonly hint?: string | undefined }): Promise<void>;
}
