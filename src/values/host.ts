import { UsageError } from '../errors.ts';

/** An organisation’s host: the name that a user types, and the only origin that its tokens may go to. */
export interface Host {
  /**
   * The name in messages and files: `acme.example.com`, `127.0.0.1:4010`. It is the full origin only if the scheme differs from the default
   * of the bare name.
   */
  readonly name: string;
  /** Scheme, host and port, without a trailing slash: `https://acme.example.com`. */
  readonly origin: string;
}

/** Path of the REST API on every organisation’s host (rule 1.2). */
export const API_PATH = '/api/v2';

/**
 * Reads a host as a user types it: a bare name, also with a port, or an address from the browser, without its path. The scheme is https,
 * except for a loopback address; svc refuses http elsewhere, since it would show the token.
 *
 * @throws UsageError for a text that is no host name, or has a user name or password.
 * @throws UsageError for http beyond loopback.
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

/** Returns the host of `name[:port][/path]`, unchecked. */
function bareName(text: string): string {
  const authority = text.split(/[/?#]/, 1)[0] ?? '';
  return authority.replace(/:\d*$/, '').toLowerCase();
}
