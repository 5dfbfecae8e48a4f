import { redirectUrl } from '../client/origin.ts';
import { NotFoundError, UnavailableError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { API_PATH } from '../values/addresses.ts';

const MOST_REDIRECTS = 5;

export function isAddress(typed: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
}

/**
 * Reads a document of the organisation. svc sends the token only to the organisation’s own origin.
 * @param most largest size outside the API, in bytes. svc reads one byte more, so that the caller can detect a larger document.
 * @throws UsageError for another origin, NotFoundError for a missing document. Outside the API, UnavailableError for any other failure of
 * the service.
 */
export async function documentAt(
  context: Needs<'client' | 'credentials' | 'host' | 'network' | 'requestTimeoutMs' | 'signal' | 'system'>,
  typed: string,
  most: number,
): Promise<Uint8Array> {
  const host = await context.host();
  const url = URL.parse(typed);
  if (url === null || url.origin !== host.origin || url.username !== '' || url.password !== '') {
    throw new UsageError(`svc fetches documents only from ${host.origin}, and "${typed.slice(0, 200)}" is on another host.`, {
      hint: 'Download and check the document, then import the file. For another organisation, add --host <host>.',
    });
  }
  url.hash = '';
  if (url.pathname === API_PATH || url.pathname.startsWith(`${API_PATH}/`)) {
    const headers = { Accept: 'application/json, application/yaml;q=0.9, text/yaml;q=0.8, */*;q=0.1' };
    return (await (await context.client()).send({ method: 'GET', path: url.href, headers })).bytes();
  }
  return besideApi(context, url.href, most);
}

async function besideApi(
  context: Needs<'credentials' | 'host' | 'network' | 'requestTimeoutMs' | 'signal' | 'system'>,
  address: string,
  most: number,
): Promise<Uint8Array> {
  const { network, signal, system } = context;
  const host = await context.host();
  const timeoutMs = await context.requestTimeoutMs();
  let url = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const { token } = await (await context.credentials())({ method: 'GET', upload: false, uploadStep: false, rejected: undefined, signal });
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, application/yaml, */*;q=0.1',
      'User-Agent': `svc/${system.version}`,
    };
    const answer = await network.request({ method: 'GET', url, headers, timeoutMs, signal });
    if (answer.status >= 200 && answer.status < 300) return answer.bytes(most + 1);
    await answer.discard();
    if (answer.status < 300 || answer.status >= 400) throw refusedBy(host.name, url, answer.status);
    url = redirectUrl(host, url, answer.headers['location']);
  }
  throw new UnavailableError(`${host.name} redirects svc again and again.`, { hint: 'Check the address.' });
}

function refusedBy(name: string, url: string, status: number): Error {
  const details = { status, request: `GET ${url.split('?', 1)[0]}` };
  const hint = 'Check the address, or download the document and import the file.';
  const message = `${name} answered ${status} at that address.`;
  return status === 404 ? new NotFoundError(message, { hint, details }) : new UnavailableError(message, { hint, details });
}
