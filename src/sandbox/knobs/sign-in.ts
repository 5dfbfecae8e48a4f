import type { KnobTable } from './table.ts';

/** Sign-in and tokens. */
export const signInKnobs = {
  /** Bad scope, PKCE or response type at the authorization endpoint: error sent to the redirect address, or a page. */
  authorizeErrors: ['redirect', 'page'],
  /** An app that is not registered any more at the authorization endpoint: a page, or sent to an address on this machine. */
  unknownClient: ['page', 'redirect'],
  /** Whether the authorization server's metadata has `issuer` (and `response_types_supported` and the like). */
  issuer: [true, false],
  /** Whether redirects carry `iss` (RFC 9207), and the metadata says so. */
  issParameter: [false, true],
  /** The status of a successful registration. */
  registrationStatus: [201, 200],
  /** Whether a registration must have a `client_name`. */
  clientName: ['optional', 'required'],
  /** Whether a redirect address must have a port at registration. */
  redirectPort: ['optional', 'required'],
  /** Whether a refresh ends the access token that it replaces. */
  refreshEndsAccessToken: [false, true],
  /** Whether a refresh token that was used before ends the whole connection when it comes again. */
  refreshReuseDisconnects: [false, true],
} as const satisfies KnobTable;
