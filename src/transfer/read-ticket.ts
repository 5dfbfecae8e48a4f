import { isJsonObject, type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { fitsTemplate, isForm, type KnownOperation } from './known-operation.ts';

/** Leave to send the contents of one file. */
export interface Ticket {
  /** Where they go, as the service wrote it: a path or a whole address. */
  readonly address: string;
  readonly method: string;
  /** Headers that the service wants with them, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The texts of a form that go before the file; undefined: the bytes go as they are. */
  readonly form: { readonly fields: Readonly<Record<string, string>>; readonly filePart: string } | undefined;
  /** Milliseconds since 1970. Undefined where it does not say. */
  readonly expiresAt: number | undefined;
}

const ADDRESSES = ['upload_url', 'content_url', 'contents_url', 'put_url', 'signed_url', 'presigned_url', 'url', 'href'];
const METHODS = ['method', 'http_method', 'upload_method'];
const HEADERS = ['headers', 'upload_headers', 'required_headers'];
const FIELDS = ['fields', 'form_fields', 'form_data'];
const EXPIRIES = ['expires_at', 'expires', 'valid_until'];

/** What a service may ask for with a file's contents: what says what they are, and headers of its own, none that say who asks. */
const ALLOWED_HEADER = /^(?:content-(?:type|disposition|md5|language)|(?:repr|content)-digest|digest|if-none-match|x-[a-z0-9-]+)$/;

/**
 * What the answer to a request for a ticket says; undefined where it names no address.
 *
 * @param record The answer's record.
 * @param location Its Location, where the record names none.
 * @param operations What is known of the service: where the address is that of an operation, that says the method and the form.
 */
export function readTicket(
  record: JsonObject | undefined,
  location: string | undefined,
  operations: readonly KnownOperation[],
): Ticket | undefined {
  const inner = ['upload', 'ticket', 'upload_ticket'].map((name) => record?.[name]).find(isJsonObject);
  const links = record?.['links'];
  const places = [inner, record, isJsonObject(links) ? pick(links, ['upload', 'content']) : undefined].filter(isJsonObject);
  const address = firstText(places, [...ADDRESSES, 'upload', 'content']) ?? location;
  if (address === undefined || address === '') return undefined;
  const path = pathBelow(address);
  const operation = operations.find(({ method, path: template }) => isSending(method) && fitsTemplate(path, template));
  const told = firstText(places, METHODS)?.toUpperCase();
  const fields = places.map((place) => FIELDS.map((name) => place[name]).find(isJsonObject)).find(isJsonObject);
  const headers = places.map((place) => HEADERS.map((name) => place[name]).find(isJsonObject)).find(isJsonObject);
  const expiry = Date.parse(firstText(places, EXPIRIES) ?? '');
  const wantsForm = fields !== undefined || isForm(operation?.contentType);
  return {
    address,
    method: told !== undefined && isSending(told) ? told : (operation?.method ?? 'POST'),
    headers: { ...typeWanted(operation), ...headersOf(headers) },
    form: wantsForm ? { fields: textsOf(fields), filePart: filePartOf(operation) } : undefined,
    expiresAt: Number.isNaN(expiry) ? undefined : expiry,
  };
}

function isSending(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** The address without its origin and what every path of the API begins with. */
function pathBelow(address: string): string {
  const rooted = address.replace(/^https?:\/\/[^/?#]+/i, '').split(/[?#]/, 1)[0] ?? '';
  return rooted.replace(/^\/api\/v2(?=\/|$)/, '');
}

/** The type of contents that an operation takes, where it is one. */
function typeWanted(operation: KnownOperation | undefined): Record<string, string> {
  const type = operation?.contentType;
  return type === undefined || isForm(type) || type.includes('*') ? {} : { 'content-type': type };
}

function filePartOf(operation: KnownOperation | undefined): string {
  const body = operation?.body ?? {};
  return ['file', 'contents', 'content', 'data'].find((name) => Object.hasOwn(body, name)) ?? 'file';
}

function headersOf(told: JsonObject | undefined): Record<string, string> {
  const kept = Object.entries(told ?? {}).flatMap(([name, value]): [string, string][] => {
    const text = scalarText(Array.isArray(value) ? (value[0] ?? null) : value);
    const lower = name.toLowerCase();
    return ALLOWED_HEADER.test(lower) && /^[\t\x20-\x7e]{1,1000}$/.test(text) ? [[lower, text]] : [];
  });
  return Object.fromEntries(kept.slice(0, 50));
}

function textsOf(fields: JsonObject | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, scalarText(value)]));
}

function firstText(places: readonly JsonObject[], names: readonly string[]): string | undefined {
  for (const place of places) {
    const found = names.map((name) => textOf(place[name])).find((text) => text !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The members of these names alone. */
function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(record, name) ? [[name, record[name] ?? null]] : [])));
}
