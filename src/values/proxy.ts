import { UsageError } from '../errors.ts';

/** The proxy that the environment names. */
export interface ProxyAddress {
  /** Name of the variable: `HTTPS_PROXY` or `https_proxy`. */
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
    throw new UsageError(`${variable} names a SOCKS proxy, and svc uses proxies of http and https alone.`, {
      hint: 'Name an HTTP proxy, such as http://proxy.example.com:8080; NO_PROXY names hosts that are reached without one.',
    });
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '' || !isDecodable(url))
    throw new UsageError(`${variable} is not the address of a proxy.`, {
      hint: 'Write it as http://proxy.example.com:8080; letters such as % and @ in a password as %25 and %40.',
    });
  return { variable, address, host: url.host };
}

/** Whether the name and the password are correctly encoded: a proxy gets them decoded. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}
