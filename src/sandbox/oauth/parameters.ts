import type { Service } from '../resources/index.ts';

export class OAuthError extends Error {
  readonly status: 400 | 401;
  readonly code: string;

  constructor(code: string, description: string, status: 400 | 401 = 400) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.status = status;
  }
}

/** Reads a form. @throws OAuthError `invalid_request` for another content type, or for a field that occurs twice (RFC 6749 §3.2). */
export function parseForm(contentType: string | undefined, body: string): ReadonlyMap<string, string> {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'Send the body as application/x-www-form-urlencoded.');
  }
  return formParameters(new URLSearchParams(body));
}

/**
 * Reads the parameters of a query or a form, and leaves out parameters with an empty value.
 * @throws OAuthError `invalid_request` for a repeated parameter (RFC 6749 §3.1).
 */
export function formParameters(search: URLSearchParams): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of search) {
    if (seen.has(name)) throw new OAuthError('invalid_request', `${name} was sent twice.`);
    seen.add(name);
    if (value !== '') fields.set(name, value);
  }
  return fields;
}

export function required(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}

/** The loopback addresses whose port can change between registration and sign-in. `localhost` has a fixed port (rules 13.54 to 13.56). */
const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

/**
 * Returns true if an app can register this redirect address. The address needs http and the host 127.0.0.1, [::1] or localhost, without a
 * user, password or fragment.
 */
export function isAcceptable(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null || url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '' || uri.includes('#')) return false;
  return LOOPBACK.has(url.hostname) || url.hostname === 'localhost';
}

/** Returns true if a requested redirect address is the registered address. The port of a loopback address can differ (RFC 8252 §7.3). */
export function matches(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const a = URL.parse(registered);
  const b = URL.parse(requested);
  if (a === null || b === null || !isAcceptable(requested)) return false;
  return LOOPBACK.has(a.hostname) && a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}

export function hasPort(uri: string): boolean {
  return /^http:\/\/[^/]*:\d+(?:[/?]|$)/.test(uri);
}

/** The scope for AI assistants, and the default scope of a sign-in. The scope gives no access to the REST API. */
export const MCP_SCOPE = 'mcp:use';

export function scopesOf({ prefixes }: Service): string[] {
  return ['api:read', 'api:write', ...prefixes.flatMap((prefix) => [`api:read:${prefix}`, `api:write:${prefix}`]), MCP_SCOPE];
}

export function parseScopes(service: Service, text: string | undefined): { scopes: readonly string[] } | { invalid: string } {
  const requested = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
  const scopes = requested.length === 0 ? [MCP_SCOPE] : requested;
  const known = scopesOf(service);
  const invalid = scopes.find((scope) => !known.includes(scope));
  return invalid === undefined ? { scopes } : { invalid };
}

export function scopeInWords(scope: string): string {
  if (scope === MCP_SCOPE) return 'Work as an AI assistant';
  const [, abilityClass, prefix] = scope.split(':');
  const what = prefix === undefined ? 'everything you can see' : prefix.replaceAll('_', ' ');
  return abilityClass === 'read' ? `Read ${what}` : `Read, add and change ${what}`;
}
