/** Literal loopback addresses, which may come back on any port; `localhost` can’t (rules 13.54 to 13.56). */
const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

/** Whether an app may register this address: http on this machine alone, with nothing hidden in it. */
export function isAcceptable(uri: string): boolean {
  const url = parse(uri);
  if (url === undefined || url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '' || uri.includes('#')) return false;
  return LOOPBACK.has(url.hostname) || url.hostname === 'localhost';
}

/** Whether the address asked for is the registered one; the port of a literal loopback address may differ (RFC 8252 §7.3). */
export function matches(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const a = parse(registered);
  const b = parse(asked);
  if (a === undefined || b === undefined || !isAcceptable(asked)) return false;
  return LOOPBACK.has(a.hostname) && a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}

/** Whether the address names a port; 80 is what http has without one. */
export function hasPort(uri: string): boolean {
  return /^http:\/\/[^/]*:\d+(?:[/?]|$)/.test(uri);
}

function parse(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined;
}
