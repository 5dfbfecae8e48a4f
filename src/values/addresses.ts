import { UsageError } from '../errors.ts';

export interface Host {
  /** `acme.example.com`, `127.0.0.1:4010`; the full origin only if the scheme is not the default of the bare name. */
  readonly name: string;
  /** Scheme, host and port, without a trailing slash: `https://acme.example.com`. */
  readonly origin: string;
}

export const API_PATH = '/api/v2';

/**
 * Reads a bare name, also with a port, or an address from the browser, without its path. The scheme is https, except for a loopback
 * address: http elsewhere would show the token. @throws UsageError for a text that is not a host name, or has a user name or password. Also for
 * http beyond loopback.
 */
export function parseHost(text: string): Host {
  const trimmed = text.trim();
  const schemed = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `${isLoopbackName(bareName(trimmed)) ? 'http' : 'https'}://${trimmed}`;
  const url = URL.canParse(schemed) ? new URL(schemed) : undefined;
  if (url === undefined || /\s/.test(trimmed)) throw new UsageError(`"${trimmed}" is not a host name.`, { hint: EXAMPLE });
  if (url.username !== '' || url.password !== '')
    throw new UsageError('Write the host without a user name or password.', { hint: EXAMPLE });
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UsageError(`svc cannot use an address that begins with "${url.protocol}//".`, { hint: EXAMPLE });
  const loopback = isLoopbackName(url.hostname);
  if (url.protocol === 'http:' && !loopback) {
    throw new UsageError(`svc does not use http://${url.host}, because others on the network could read the token.`, {
      hint: `Use https://${url.host}; http is for 127.0.0.1 only.`,
    });
  }
  const plain = loopback ? 'http:' : 'https:';
  return { name: url.protocol === plain ? url.host : url.origin, origin: url.origin };
}

const EXAMPLE = 'Use the address where you sign in, for example acme.example.com.';

/** Whether a URL's hostname stays on this machine: `localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function bareName(text: string): string {
  const authority = text.split(/[/?#]/, 1)[0] ?? '';
  return authority.replace(/:\d*$/, '').toLowerCase();
}

export interface ProxyAddress {
  readonly variable: string;
  /** With a scheme, and perhaps a password: never print it. */
  readonly address: string;
  /** Name and port, to print: `proxy.example.com:3128`. */
  readonly host: string;
}

/**
 * Reads the proxy for https; undefined if none is set. `HTTP_PROXY` is for http alone, which svc uses only on this machine and never
 * through a proxy. An address without a scheme means http, as in curl.
 *
 * @throws UsageError that names the variable, and does not show the address: it may have a password.
 */
export function readProxy(env: Readonly<Record<string, string | undefined>>): ProxyAddress | undefined {
  const variable = env['https_proxy'] === undefined ? 'HTTPS_PROXY' : 'https_proxy';
  const typed = env[variable]?.trim() ?? '';
  if (typed === '') return undefined;
  const address = typed.includes('://') ? typed : `http://${typed}`;
  const url = URL.parse(address);
  if (url !== null && /^socks/.test(url.protocol))
    throw new UsageError(`${variable} names a SOCKS proxy, and svc supports only HTTP proxies.`, {
      hint: 'Name an HTTP proxy, such as http://proxy.example.com:8080. NO_PROXY lists the hosts that svc reaches without a proxy.',
    });
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '' || !isDecodable(url))
    throw new UsageError(`${variable} is not the address of a proxy.`, {
      hint: 'Write http://proxy.example.com:8080. In a password, write %25 for % and %40 for @.',
    });
  return { variable, address, host: url.host };
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}

/** Whether a text is the address of a database server, and no file: `postgres://…`, `postgresql://…`. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/** Whether a text looks like an address that svc cannot use: `mysql://…`, `file:///…`, `postgres:/reports`. */
export function isOtherAddress(text: string): boolean {
  return !isDatabaseAddress(text) && /^(?:[a-z][a-z0-9+.-]+:\/\/|postgres(?:ql)?:)/i.test(text);
}

/**
 * Safe to print, and to type where the passwords come from elsewhere. A password without encoding can have an `@`: the last one ends it.
 */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1@')
    .replace(/([?&])(?:ssl)?password=[^&]*&?/gi, '$1')
    .replace(/[?&]+$/, '');
}
