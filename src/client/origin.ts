import { UnavailableError, UsageError } from '../errors.ts';
import { API_PATH, type Host } from '../values/addresses.ts';
import type { Query } from './cost.ts';

/**
 * Returns the absolute address of a request. `path` is an absolute address on the host, or a path within the API (`/worklogs`). The path
 * can begin with `/api/v2`. The function adds `query` to the query in the path.
 *
 * @throws UsageError for an address on another host or outside the API.
 */
export function requestUrl(host: Host, path: string, query: Query = []): string {
  const url = URL.parse(addressOf(host, path));
  if (url === null || !isOwn(host, url) || !isBelowApi(url)) {
    throw new UsageError(`"${withoutUser(path).slice(0, 200)}" is not an address of the API of ${host.name}.`, {
      hint: `Use a path such as /worklogs, or a full address that begins with ${host.origin}${API_PATH}.`,
    });
  }
  for (const [name, value] of query) url.searchParams.append(name, value);
  url.hash = '';
  return url.href;
}

function addressOf(host: Host, path: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return path;
  if (path === API_PATH || path.startsWith(`${API_PATH}/`) || path.startsWith(`${API_PATH}?`)) return host.origin + path;
  return `${host.origin}${API_PATH}${path.startsWith('/') ? '' : '/'}${path}`;
}

/**
 * Returns the absolute address of the next page.
 *
 * @throws UnavailableError for a link outside the host’s own origin or the API.
 */
export function nextPageUrl(host: Host, current: string, link: string): string {
  return ownAddress(host, URL.parse(link, current), { what: 'a next page', shown: link, isApi: true });
}

/**
 * Returns the absolute address of a redirect.
 *
 * @throws UnavailableError for an invalid address, and for an address outside the host’s own origin.
 */
export function redirectUrl(host: Host, current: string, location: string | undefined): string {
  const url = location === undefined ? null : URL.parse(location, current);
  return ownAddress(host, url, { what: 'a redirect', shown: location ?? 'nowhere' });
}

export function namedUrl(host: Host, address: string): string {
  // The query of a one-time address contains its signature, so the message leaves the query out.
  const [shown = ''] = address.split(/[?#]/, 1);
  return ownAddress(host, URL.parse(address, host.origin), { what: 'an address for a file', shown });
}

function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1…@');
}

interface NamedAddress {
  readonly what: string;
  readonly shown: string;
  readonly isApi?: boolean;
}

/** Checks an address from an answer. svc sends a token only to the host’s own origin. */
function ownAddress(host: Host, url: URL | null, { what, shown, isApi = false }: NamedAddress): string {
  if (url === null || !isOwn(host, url) || (isApi && !isBelowApi(url))) {
    throw new UnavailableError(`${host.name} answered with ${what} that svc does not follow: ${shown.slice(0, 200)}`, {
      hint: `svc sends requests only to ${host.origin}. Report the problem to the operator of the service.`,
    });
  }
  url.hash = '';
  return url.href;
}

function isOwn(host: Host, url: URL): boolean {
  return url.origin === host.origin && url.username === '' && url.password === '';
}

function isBelowApi(url: URL): boolean {
  return url.pathname === API_PATH || url.pathname.startsWith(`${API_PATH}/`);
}
