import type { NetworkResponse } from '../deps.ts';
import { NotFoundError, UnavailableError } from '../errors.ts';
import { isLoopbackName } from '../values/addresses.ts';
import { isPlainObject, parsedJson } from '../values/json.ts';
import type { Needs } from './context.ts';

/** The most redirects that svc follows from the release page. */
const MOST_REDIRECTS = 5;
const MOST_BYTES = 64 * 1024;

/**
 * Requests the newest version from the page of the releases. The request has no token, and nothing about you or this machine.
 *
 * @throws NotFoundError if svc was built without the address of a releases page, or if the page has no version.
 * @throws UnavailableError for an unreadable answer, an address without https, or more than five redirects; NetworkError.
 */
export async function requestNewestVersion(
  { network, requestTimeoutMs, signal }: Needs<'network' | 'requestTimeoutMs' | 'signal'>,
  releases: string,
): Promise<string> {
  if (new URL(releases).hostname.endsWith('.example'))
    throw new NotFoundError('This svc was built without an address for newer versions.', {
      hint: 'Look for newer versions at the place where you got svc.',
    });
  const hint = `Open the page of the releases: ${releases}`;
  let address = new URL(`${releases}/latest/download/newest.json`);
  const isLocal = isLoopbackName(address.hostname);
  const timeoutMs = await requestTimeoutMs();
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    if (address.protocol !== 'https:' && !(isLocal && isLoopbackName(address.hostname)))
      throw new UnavailableError(`The releases page redirects to ${address.origin}, which is not https.`, { hint });
    const headers = { accept: 'application/json' };
    const response = await network.request({ method: 'GET', url: address.href, headers, timeoutMs, signal });
    const { location } = response.headers;
    if (response.status < 300 || response.status > 399 || location === undefined) return readVersion(response, address.origin, hint);
    await response.discard();
    if (!URL.canParse(location, address.href))
      throw new UnavailableError(`${address.origin} redirects to an unreadable address.`, { hint });
    address = new URL(location, address.href);
  }
  throw new UnavailableError(`${address.origin} redirects more than ${MOST_REDIRECTS} times.`, { hint });
}

async function readVersion(response: NetworkResponse, origin: string, hint: string): Promise<string> {
  if (response.status === 404) {
    await response.discard();
    throw new NotFoundError(`${origin} has no published version of svc.`, { hint });
  }
  const answer = parsedJson(await response.text(MOST_BYTES));
  const version = isPlainObject(answer) ? answer['version'] : undefined;
  if (response.status !== 200 || typeof version !== 'string' || !/^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$/.test(version))
    throw new UnavailableError(`The newest version at ${origin} is unreadable (HTTP ${response.status}).`, { hint });
  return version;
}
