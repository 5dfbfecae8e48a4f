import { createHash } from 'node:crypto';
import type { Sandbox } from '../../src/sandbox/start.ts';

export const VERIFIER = 'a-verifier-of-a-sensible-length-0123456789-abc';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const REDIRECT = 'http://127.0.0.1:1/callback';

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
type Body = any;

export async function register(service: Sandbox, redirect_uris: unknown = [REDIRECT]): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${service.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A <test> app', redirect_uris }),
  });
  return { status: response.status, body: await response.json() };
}

/** Opens the sign-in address like a browser, without following redirects. */
export async function authorize(
  service: Sandbox,
  clientId: string,
  more: Record<string, string | undefined> = {},
  cookie = '',
): Promise<Response> {
  const url = new URL(`${service.origin}/oauth/authorize`);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'api:read api:write',
    state: 'the state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
}

/** Answers a consent page. */
export async function decide(page: Response, decision: string, user = '1', headers: Record<string, string> = {}): Promise<Response> {
  const consent = /name="consent" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  return fetch(new URL('/oauth/authorize', page.url), {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ consent, user, decision }),
  });
}

/** Returns the parameters that a redirect brings back to the app. */
export function brought(response: Response): Record<string, string> {
  return Object.fromEntries(new URL(response.headers.get('location') ?? 'missing:').searchParams);
}

async function token(service: Sandbox, form: Record<string, string>): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

export function exchange(
  service: Sandbox,
  clientId: string,
  code: string,
  more: Record<string, string> = {},
): Promise<{ status: number; body: Body }> {
  return token(service, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    code,
    ...more,
  });
}

export function refresh(service: Sandbox, clientId: string, refreshToken: string): Promise<{ status: number; body: Body }> {
  return token(service, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });
}

export async function revoke(service: Sandbox, value: string, clientId: string): Promise<number> {
  const body = new URLSearchParams({ token: value, token_type_hint: 'refresh_token', client_id: clientId });
  return (await fetch(`${service.origin}/oauth/revoke`, { method: 'POST', body })).status;
}

/** Runs a whole sign-in and approves the consent page. @throws with the error’s code if the page does not appear. */
export async function signIn(
  service: Sandbox,
  user = '1',
  scope = 'api:read api:write',
): Promise<{ clientId: string; access: string; refresh: string }> {
  const clientId: string = (await register(service)).body.client_id;
  const page = await authorize(service, clientId, { scope });
  if (page.status !== 200) throw new Error(brought(page)['error']);
  const approved = await decide(page, 'approve', user);
  const { body } = await exchange(service, clientId, brought(approved)['code'] ?? '');
  return { clientId, access: body.access_token, refresh: body.refresh_token };
}
