import type { Json } from '../json.ts';
import type { World } from '../world.ts';
import { scopesOf } from './scopes.ts';

/** `/.well-known/oauth-authorization-server`: RFC 8414. The option `issuer` leaves only what the service documents. */
export function authorizationServerMetadata({ origin, knobs, service }: World): { [key: string]: Json } {
  const documented = {
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: scopesOf(service),
    ...(knobs.issParameter ? { authorization_response_iss_parameter_supported: true } : {}),
  };
  if (!knobs.issuer) return documented;
  return {
    issuer: origin,
    ...documented,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}

/** `/.well-known/oauth-protected-resource/api/v2`: RFC 9728. */
export function protectedResourceMetadata({ origin, service }: World): { [key: string]: Json } {
  return {
    resource: `${origin}/api/v2`,
    authorization_servers: [origin],
    scopes_supported: scopesOf(service).filter((scope) => scope.startsWith('api:')),
    bearer_methods_supported: ['header'],
  };
}
