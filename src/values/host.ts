import { UsageError } from '../errors.ts';

/** An organisation's host: what a person names, and the only origin its tokens may ever go to. */
export interface Host {
  /**
   * What svc shows and stores it under: `acme.example.com`, `127.0.0.1:4010`. The full origin only where the scheme is
   * not the one the bare name would get.
   */
  readonly name: string;
  /** Scheme, host and port, without a trailing slash: `https://acme.example.com`. */
  readonly origin: string;
}

/** Where the REST API sits on every organisation's host (rule 1.2). */
export const API_PATH = '/api/v2';

/**
 * Reads a host as a person types it: a bare name, with a port, or an address copied from the browser (its path is
 * dropped). https unless it is a loopback address; http anywhere else is refused, since it would show the token.
 *
 * @throws UsageError when it is no host name, carries a user name or password, or asks for http beyond loopback.
 */
export function parseHost(text: string): Host {
  const trimmed = text.trim();
  const schemed = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${isLoopbackName(bareName(trimmed)) ? 'http' : 'https'}://${trimmed}`;
  const url = URL.canParse(schemed) ? new URL(schemed) : undefined;
  if (url === undefined || /\s/.test(trimmed)) throw new UsageError(`"${trimmed}" is not a host name.`, { hint: EXAMPLE });
  if (url.username !== '' || url.password !== '')
    throw new UsageError('A host is named without a user name or password.', { hint: EXAMPLE });
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UsageError(`"${url.protocol}//" is not an address svc can use.`, { hint: EXAMPLE });
  const loopback = isLoopbackName(url.hostname);
  if (url.protocol === 'http:' && !loopback) {
    throw new UsageError(`svc does not use http://${url.host}: anyone on the way could read the token.`, {
      hint: `Use https://${url.host}; http is for 127.0.0.1 only.`,
    });
  }
  const plain = loopback ? 'http:' : 'https:';
  return { name: url.protocol === plain ? url.host : url.origin, origin: url.origin };
}

const EXAMPLE = 'Give the address you sign in on, for example acme.example.com.';

/** Whether a URL's hostname stays on this machine: `localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The host part of `name[:port][/path]`, before anything has checked it. */
function bareName(text: string): string {
  const authority = text.split(/[/?#]/, 1)[0] ?? '';
  return authority.replace(/:\d*$/, '').toLowerCase();
}
