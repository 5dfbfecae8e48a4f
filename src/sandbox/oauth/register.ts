import { isObject, type Json } from '../json.ts';
import type { World } from '../world.ts';
import type { Client } from './apps.ts';
import { OAuthError } from './form.ts';
import { hasPort, isAcceptable } from './redirect-uri.ts';

/** @throws OAuthError `invalid_redirect_uri`, or `invalid_client_metadata` for what is not such a document (RFC 7591 §3.2.2). */
export function answerRegistration(world: World, contentType: string | undefined, body: string): { [key: string]: Json } {
  const document = parse(contentType, body);
  const name = document['client_name'] ?? (world.knobs.clientName === 'optional' ? 'An app without a name' : '');
  const uris = document['redirect_uris'];
  if (typeof name !== 'string' || name.trim() === '' || name.length > 255) {
    throw new OAuthError('invalid_client_metadata', 'client_name must be a text of at most 255 characters.');
  }
  if (!Array.isArray(uris) || uris.length === 0)
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris must name at least one address.');
  const needsPort = world.knobs.redirectPort === 'required';
  const accepted = uris.flatMap((uri: Json) => (typeof uri === 'string' && isAcceptable(uri) && (hasPort(uri) || !needsPort) ? [uri] : []));
  if (accepted.length < uris.length) {
    throw new OAuthError('invalid_redirect_uri', 'Only http://127.0.0.1, http://[::1] and http://localhost addresses are accepted.');
  }
  const client = world.apps.register(name, accepted, world.clock.now());
  world.events.registrations += 1;
  return registrationOf(client);
}

function registrationOf(client: Client): { [key: string]: Json } {
  return {
    client_id: client.id,
    client_name: client.name,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: client.redirectUris,
    // Always this scope: it does not depend on what the app will ask for (rule 13.24).
    scope: 'mcp:use',
    token_endpoint_auth_method: 'none',
  };
}

function parse(contentType: string | undefined, body: string): { [key: string]: Json } {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new OAuthError('invalid_client_metadata', 'Send the registration as application/json.');
  }
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new OAuthError('invalid_client_metadata', 'The registration must be a JSON object.');
  return value;
}
