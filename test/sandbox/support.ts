import { afterEach } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { startTenant, type TenantOptions } from '../support/tenant/start-tenant.ts';

/** A clock that stands still until the sandbox’s `advance` moves it. */
const stillClock = { now: () => Date.UTC(2026, 5, 15, 12, 0, 0) };

const running: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

/** Starts a sandbox that ends with its test. Its clock stands still, so that no rate limit refills by itself. */
export async function sandbox(options: TenantOptions = {}): Promise<Sandbox> {
  const started = await startTenant({ clock: stillClock, ...options });
  running.push(started);
  return started;
}

/** Returns the headers that a browser sends after it has opened the start address. */
export function visiting({ origin, startUrl }: Sandbox): { readonly cookie: string } {
  return { cookie: `sandbox_start_${new URL(origin).port}=${startUrl.split('/').at(-1)}` };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  readonly body: any;
}

export interface Sending {
  readonly method?: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends a request to the API. Default: with the token that has all abilities. */
export async function send(to: Sandbox, path: string, { method = 'GET', token, body, headers = {} }: Sending = {}): Promise<Answer> {
  const response = await fetch(to.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token ?? tokenNamed(to, 'full')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  // The content of a file is its plain text.
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? 'json');
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : isJson ? JSON.parse(text) : text };
}

export function tokenNamed(to: Sandbox, name: string): string {
  const token = to.tokens.find((known) => known.name === name);
  if (token === undefined) throw new Error(`no token ${name}`);
  return token.value;
}

/** Returns the last part of a problem’s type, and the position that it names. */
export function problem({ status, body }: Answer): { status: number; type: string; code?: string; at?: string } {
  const type = String(body.type).split('/').at(-1) ?? '';
  const at = body.parameter ?? body.key;
  return { status, type, ...(body.code === undefined ? {} : { code: body.code }), ...(at === undefined ? {} : { at }) };
}
