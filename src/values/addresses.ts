import { UsageError } from '../errors.ts';

export interface Host {
  /** The short name: `acme.example.com`, `127.0.0.1:4010`. The full origin if the scheme is not the default for the short name. */
  readonly name: string;
  /** The scheme, the host and the port, without a slash at the end: `https://acme.example.com`. */
  readonly origin: string;
  /** The account whose sign-in svc uses for the host: `work`. Undefined for the sign-in without a name. */
  readonly account?: string | undefined;
}

export const API_PATH = '/api/v2';

/**
 * Reads a host: a name with or without a port, or an address from the browser. The result has no path. Without a scheme, the scheme is
 * https, or http for a loopback address. svc uses http for no other address, because http would expose the token.
 * @throws UsageError for a text that is not a host name, or has a user name or password.
 * @throws UsageError for http beyond loopback, and for any scheme except http and https.
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
      hint: `Use https://${url.host}; http is for this machine only.`,
    });
  }
  const plain = loopback ? 'http:' : 'https:';
  return { name: url.protocol === plain ? url.host : url.origin, origin: url.origin };
}

const EXAMPLE = 'Use the address where you sign in, for example acme.example.com.';

/** Returns true if a URL’s hostname means this machine: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function bareName(text: string): string {
  const authority = text.split(/[/?#]/, 1)[0] ?? '';
  return authority.replace(/:\d*$/, '').toLowerCase();
}

export interface ProxyAddress {
  readonly variable: string;
  /** The address with its scheme. Never print the address, because it may contain a password. */
  readonly address: string;
  /** The name and the port, for messages: `proxy.example.com:3128`. */
  readonly host: string;
}

/**
 * Reads the proxy for https. `https_proxy` takes precedence over `HTTPS_PROXY`. Undefined without a value. svc ignores `HTTP_PROXY`,
 * because svc uses http only on this machine and never through a proxy. An address without a scheme means http, as in curl.
 * @throws UsageError that names the variable, but not the address, which may contain a password.
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

/** Returns true if a text is the address of a database server, and not a file: `postgres://…`, `postgresql://…`. */
export function isDatabaseAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}

/** Returns true if a text looks like an address that svc can’t use: `mysql://…`, `file:///…`, `postgres:/reports`. */
export function isOtherAddress(text: string): boolean {
  return !isDatabaseAddress(text) && /^(?:[a-z][a-z0-9+.-]+:\/\/|postgres(?:ql)?:)/i.test(text);
}

/** Returns an address without its password, safe to print. An unencoded password can contain an `@`, so the last `@` ends the password. */
export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1@')
    .replace(/([?&])(?:ssl)?password=[^&]*&?/gi, '$1')
    .replace(/[?&]+$/, '');
}
