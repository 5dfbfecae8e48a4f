import type { Service } from '../resources/index.ts';

/** The scope of AI assistants; what a sign-in without `scope` asks for. It opens nothing of the REST API. */
export const MCP_SCOPE = 'mcp:use';

/** Every scope a sign-in may ask for; there is no destroy class (rules 13.51, 13.52). */
export function scopesOf({ prefixes }: Service): string[] {
  return ['api:read', 'api:write', ...prefixes.flatMap((prefix) => [`api:read:${prefix}`, `api:write:${prefix}`]), MCP_SCOPE];
}

/** @returns the scopes without repeats, or the first that cannot be had. */
export function parseScopes(service: Service, text: string | undefined): { scopes: readonly string[] } | { invalid: string } {
  const asked = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
  const scopes = asked.length === 0 ? [MCP_SCOPE] : asked;
  const known = scopesOf(service);
  const invalid = scopes.find((scope) => !known.includes(scope));
  return invalid === undefined ? { scopes } : { invalid };
}

/** A scope in words, for the consent page. */
export function scopeInWords(scope: string): string {
  if (scope === MCP_SCOPE) return 'Work as an AI assistant';
  const [, abilityClass, prefix] = scope.split(':');
  const what = prefix === undefined ? 'everything you can see' : prefix.replaceAll('_', ' ');
  return abilityClass === 'read' ? `Read ${what}` : `Read, add and change ${what}`;
}
