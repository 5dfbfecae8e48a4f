import { UnavailableError, UsageError } from '../errors.ts';
import { API_PATH, type Host } from '../values/addresses.ts';
import type { Query } from './cost.ts';

/**
 * The absolute address of a request. `path` is below the API (`/worklogs`, `worklogs`), with or without the API's own path before it. A
 * whole address on the host works too. Names and values of `query` are added to the query in the path.
 *
 * @throws UsageError when the address would lie on another host or outside the API.
 */
export function requestUrl(host: Host, path: string, query: Query = []): string {
  const url = parse(addressOf(host, path));
  if (url === undefined || !isOwn(host, url) || !isBelowApi(url)) {
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
 * The address of the next page, as the service gave it.
 *
 * @throws UnavailableError when it leaves the host's own origin or the API: a token goes nowhere else.
 */
export function nextPageUrl(host: Host, current: string, link: string): string {
  const url = parse(link, current);
  if (url === undefined || !isOwn(host, url) || !isBelowApi(url)) throw leavesOrigin(host, 'a next page', link);
  url.hash = '';
  return url.href;
}

/**
 * The target of a redirect.
 *
 * @throws UnavailableError when that is no address, or leaves the host's own origin.
 */
export function redirectUrl(host: Host, current: string, location: string | undefined): string {
  const url = location === undefined ? undefined : parse(location, current);
  if (url === undefined || !isOwn(host, url)) throw leavesOrigin(host, 'a redirect', location ?? 'nowhere');
  url.hash = '';
  return url.href;
}

/**
 * The address of a file's contents, as an answer named it: a path, or a whole address, on the host.
 *
 * @throws UnavailableError when that is no address, or leaves the host's own origin.
 */
export function namedUrl(host: Host, address: string): string {
  const url = parse(address, host.origin);
  if (url === undefined || !isOwn(host, url)) throw leavesOrigin(host, 'an address for a file', withoutQuery(address));
  url.hash = '';
  return url.href;
}

/** Removes a user and a password, which may stand before the host. */
function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1…@');
}

/** Removes the query, which holds the signature of an address for one use. */
function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? '';
}

function leavesOrigin(host: Host, what: string, target: string): UnavailableError {
  return new UnavailableError(`${host.name} answered with ${what} on another host: ${target.slice(0, 200)}`, {
    hint: `svc sends requests only to ${host.origin}. Report this to the operator of the service.`,
  });
}

function parse(address: string, base?: string): URL | undefined {
  return URL.parse(address, base) ?? undefined;
}

function isOwn(host: Host, url: URL): boolean {
  return url.origin === host.origin && url.username === '' && url.password === '';
}

function isBelowApi(url: URL): boolean {
  return url.pathname === API_PATH || url.pathname.startsWith(`${API_PATH}/`);
}
