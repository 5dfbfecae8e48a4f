import { isJsonObject, type JsonObject, type JsonValue, scalarText, scalarTexts } from '../values/json.ts';
import { filePartOf, fitsTemplate, isForm, type KnownOperation, takesFile } from './known-operation.ts';

export interface Ticket {
  /** The address for the contents, as in the answer of the service: a path or a whole address. */
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The texts of a form. svc sends the texts before the file. Undefined if the body is the file. */
  readonly form: { readonly fields: Readonly<Record<string, string>>; readonly filePart: string } | undefined;
  /** The time of expiry: milliseconds since 1970. Undefined if the ticket has no expiry. */
  readonly expiresAt: number | undefined;
}

/**
 * Matches the headers that a ticket can require: headers about the contents, and `x-` headers. `Authorization` and `Cookie` do not match.
 */
const ALLOWED_HEADER = /^(?:content-(?:type|disposition|md5|language)|(?:repr|content)-digest|digest|if-none-match|x-[a-z0-9-]+)$/;

/**
 * Reads a ticket by the imported API spec. The ticket’s address is the first address in the answer that an operation of the spec accepts
 * for a file. This operation decides the method and the form. Undefined if the answer has no such address.
 * @param record record of the answer, with optional `headers`, `fields` for a form, and `expires_at`.
 * @param location header of the answer.
 */
export function readTicket(
  record: JsonObject | undefined,
  location: string | undefined,
  operations: readonly KnownOperation[],
): Ticket | undefined {
  const parts = [...Object.values(record ?? {}).filter(isJsonObject), ...(record === undefined ? [] : [record])];
  for (const address of [...parts.flatMap((part) => Object.values(part)), location].filter(isAddress)) {
    const operation = operations.find((known) => takesContents(known, pathBelow(address)));
    if (operation === undefined) continue;
    const { contentType = '', method } = operation;
    const member = (name: string) => parts.find((part) => Object.hasOwn(part, name))?.[name];
    const fields = member('fields');
    const expiry = Date.parse(scalarText(member('expires_at') ?? null));
    const wantsForm = isForm(contentType);
    return {
      address,
      method,
      headers: { ...(!wantsForm && !contentType.includes('*') && { 'content-type': contentType }), ...headersOf(member('headers')) },
      form: wantsForm ? { fields: scalarTexts(isJsonObject(fields) ? fields : {}), filePart: filePartOf(operation) } : undefined,
      expiresAt: Number.isNaN(expiry) ? undefined : expiry,
    };
  }
  return undefined;
}

function isAddress(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^(?:https?:\/\/|\/)/i.test(value);
}

function takesContents({ method, path, contentType }: KnownOperation, below: string): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(method) && takesFile(contentType) && fitsTemplate(below, path);
}

function pathBelow(address: string): string {
  const { pathname } = URL.parse(address, 'https://own.invalid') ?? { pathname: '' };
  return pathname.replace(/^\/api\/v2(?=\/|$)/, '');
}

function headersOf(reported: JsonValue | undefined): Record<string, string> {
  const allowed = Object.entries(isJsonObject(reported) ? reported : {}).flatMap(([name, value]): [string, string][] => {
    const text = scalarText(Array.isArray(value) ? (value[0] ?? null) : value);
    const lower = name.toLowerCase();
    return ALLOWED_HEADER.test(lower) && /^[\t\x20-\x7e]{1,1000}$/.test(text) ? [[lower, text]] : [];
  });
  return Object.fromEntries(allowed.slice(0, 50));
}
