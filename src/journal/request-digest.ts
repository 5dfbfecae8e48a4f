import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { API_PATH } from '../values/addresses.ts';
import { isJsonObject, isRawNumber, type JsonValue, jsonIn, stringifyJson } from '../values/json.ts';

/**
 * Returns the digest of a request: SHA-256, in hexadecimal.
 * The order of body fields, the order of query parameters and the spelling of a path do not matter. A number counts as written (`90`
 * differs from `90.0`). The key, the ETag and the headers do not count.
 */
export function requestDigest(method: string, path: string, body: Uint8Array | undefined): string {
  const [bare = '', query = ''] = split(apiPath(path));
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => JSON.stringify([name, value])).sort();
  const hash = createHash('sha256').update(`${method.toUpperCase()}\0${bare}\0${parameters.join('&')}\0`);
  if (body === undefined) return hash.digest('hex');
  const json = readJson(body);
  return (json === undefined ? hash.update('bytes\0').update(body) : hash.update(`json\0${sorted(json)}`)).digest('hex');
}

/** Returns the path within the API: `/worklogs` for `worklogs`, `/api/v2/worklogs` and `https://acme.example.com/api/v2/worklogs`. */
export function apiPath(path: string): string {
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(path);
  // svc joins the strings instead of resolving them, because `//other.example` is a valid path within the API.
  const url = URL.parse(isWhole ? path : `https://host.invalid${path.startsWith('/') ? '' : '/'}${path}`);
  // The client later refuses an invalid address.
  if (url === null) return path;
  const { pathname, search } = url;
  const below = pathname === API_PATH || pathname.startsWith(`${API_PATH}/`) ? pathname.slice(API_PATH.length) : pathname;
  return `${below || '/'}${search}`;
}

function split(path: string): [path: string, query: string] {
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
}

function readJson(body: Uint8Array): JsonValue | undefined {
  // svc does not use TextDecoder, because creating a strict decoder takes longer than the rest of the digest.
  return isUtf8(body) ? jsonIn(Buffer.from(body).toString()) : undefined;
}

function sorted(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (!isJsonObject(value) || isRawNumber(value)) return stringifyJson(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${stringifyJson(name)}:${sorted(value[name] ?? null)}`).join(',')}}`;
}
