import type { Network } from '../deps.ts';
import { type Host, isLoopbackName } from '../values/addresses.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { Grant } from './record.ts';
import { assertOwnOrigin } from './refresh.ts';

export interface RevokeOptions {
  readonly network: Network;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly userAgent?: string | undefined;
}

export type RevokeOutcome = { readonly revoked: true } | { readonly revoked: false; readonly problem: string };

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Revokes the refresh token, and so disconnects the app (RFC 7009, rule 13.47). Returns a failure as a result. Rejects only after an abort.
 */
export async function revokeGrant(host: Host, grant: Grant, options: RevokeOptions): Promise<RevokeOutcome> {
  const endpoint = grant.revocation_endpoint;
  if (endpoint === undefined) return { revoked: false, problem: `${host.name} has no address that revokes a sign-in.` };
  try {
    assertOwnOrigin(endpoint, host);
    const oauth = await import('oauth4webapi');
    const server = { issuer: host.origin, revocation_endpoint: endpoint };
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const response = await oauth.revocationRequest(server, { client_id: grant.client_id }, oauth.None(), grant.refresh_token, {
      additionalParameters: { token_type_hint: 'refresh_token' },
      [oauth.customFetch]: oauthFetch(options.network, { timeoutMs, signal: options.signal, userAgent: options.userAgent }),
      [oauth.allowInsecureRequests]: isLoopbackName(new URL(endpoint).hostname),
    });
    if (response.ok) return { revoked: true };
    return { revoked: false, problem: `${host.name} answered the revocation with the status ${response.status}.` };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { revoked: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
