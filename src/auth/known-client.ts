import { NetworkError } from '../errors.ts';
import type { AuthorizationServer } from './discovery.ts';
import type { OAuthHttp } from './oauth-exchange.ts';
import type { Registration } from './record.ts';

/** The longest answer in bytes that svc reads as a refusal. A longer answer is a page of another kind. */
const LONGEST = 64 * 1024;

/**
 * Returns true if the service explicitly refuses a registration as unknown. A browser would show this refusal as an error page that svc
 * cannot see (rule 18.8). svc therefore first sends the authorization endpoint a request that no server grants, without cookies. The
 * request lacks the challenge (rule 13.34), and the server checks the client first (RFC 6749 §4.1.2.1). Only a refusal with
 * `invalid_client` counts.
 */
export async function isUnknownClient(
  server: AuthorizationServer,
  http: OAuthHttp,
  {
    registration,
    redirectUri,
    scopes,
  }: { readonly registration: Registration; readonly redirectUri: string; readonly scopes: readonly string[] },
): Promise<boolean> {
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: registration.client_id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 'known',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  try {
    const response = await http.network.request({
      method: 'GET',
      url: url.href,
      headers: { accept: 'application/json, text/html;q=0.9', 'user-agent': http.userAgent },
      timeoutMs: Math.min(http.timeoutMs, PATIENCE_MS),
      signal: http.signal,
    });
    const isRefused = [400, 401, 403, 404].includes(response.status);
    if (!isRefused) {
      await response.discard();
      return false;
    }
    return /\binvalid_client\b/.test(await response.text(LONGEST));
  } catch (error) {
    if (error instanceof NetworkError) return false;
    throw error;
  }
}

const PATIENCE_MS = 5_000;
