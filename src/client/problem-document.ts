import { plainLine } from '../values/hidden-characters.ts';
import { isPlainObject, type PlainObject, parsedJson } from '../values/json.ts';

export type ProblemDocument = ReturnType<typeof readProblem>;

const MAX_LINES = 20;
const MAX_DOCUMENT = 256 * 1024;

/** Undocumented names of the member with the refused parameter or key. svc tries the names in this order. */
const PARAMETER_NAMES = ['parameter', 'param', 'key', 'field', 'pointer', 'attribute', 'property', 'name'];

const ERROR_LIST_NAMES = ['errors', 'violations', 'invalid_params', 'invalid-params'];

/**
 * Reads a problem document (RFC 9457). Each text of the result is one short line without a token. For another body, such as a proxy’s HTML
 * page, the result has at most a request id, ability and permission.
 *
 * @param token The token to remove from every text, because the service can echo the token.
 */
export function readProblem(text: string, headers: Readonly<Record<string, string>>, token: string) {
  const safe = token === '' ? text : text.replaceAll(token, '***');
  const body = (safe.length > MAX_DOCUMENT ? undefined : asObject(parsedJson(safe))) ?? {};
  const line = (value: unknown, max?: number) => toLine(value, token, max);
  const first = errorList(body)[0];
  const conflict = asObject(body['conflict']) ?? {};
  return {
    type: typeName(body['type']),
    code: line(body['code'] ?? first?.error['code'], 64),
    parameter: parameterOf(body, line) ?? (first === undefined ? undefined : (line(first.key, 100) ?? parameterOf(first.error, line))),
    reason: line(conflict['reason'] ?? body['reason'], 64),
    detail: line(body['detail']) ?? line(body['title']),
    requestId: requestId(headers['x-request-id']) ?? requestId(body['request_id']),
    /** The wait that the service requests, in seconds. */
    retryAfter: seconds(asObject(body['rate_limit'])?.['retry_after']),
    ability: onlyMatch(safe, /\bapi:(?:read|write|destroy)(?::[a-z_]+)?(?![\w:])/g),
    permission: onlyMatch(safe, /\b[a-z_]+::[a-z_]+\b/g),
    /** A line for each listed error, and for each member of `conflict` except the reason. */
    lines: [...conflictLines(conflict, line), ...errorLines(body, line)],
  };
}

type ToLine = (value: unknown, max?: number) => string | undefined;

function asObject(value: unknown): PlainObject | undefined {
  return isPlainObject(value) ? value : undefined;
}

function toLine(value: unknown, token: string, max?: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const raw = String(value);
  const clean = (token === '' ? raw : raw.replaceAll(token, '***')).replace(/Bearer\s+[\w.~+/|-]+=*/gi, 'Bearer ***');
  return plainLine(clean, max) || undefined;
}

function typeName(type: unknown): string | undefined {
  const name =
    typeof type === 'string'
      ? type
          .slice(0, 500)
          .replace(/[#?].*$/, '')
          .replace(/\/+$/, '')
          .split('/')
          .at(-1)
      : undefined;
  // `about:blank` has no more information than the status (RFC 9457 §4.2.1).
  return name !== undefined && /^[\w-]{1,64}$/.test(name) ? name : undefined;
}

function requestId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

function seconds(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 ? Math.min(number, 24 * 60 * 60) : undefined;
}

function parameterOf(object: PlainObject, line: ToLine): string | undefined {
  const source = asObject(object['source']) ?? {};
  for (const holder of [object, source]) {
    for (const name of PARAMETER_NAMES) {
      const value = line(holder[name], 100);
      if (value !== undefined) return value.replace(/^#?\//, '');
    }
  }
  return undefined;
}

interface ListedError {
  readonly key: string | undefined;
  readonly error: PlainObject;
}

/**
 * Returns the listed errors of a problem document. The service sends `[{field, code, detail}]`, `{field: ["text"]}`, or a mixture of both.
 */
function errorList(body: PlainObject): ListedError[] {
  for (const name of ERROR_LIST_NAMES) {
    const list = body[name];
    if (Array.isArray(list)) return list.slice(0, MAX_LINES + 1).map((error) => ({ key: undefined, error: toError(error) }));
    const byKey = asObject(list);
    if (byKey !== undefined) {
      return Object.entries(byKey)
        .flatMap(([key, value]) => [value].flat().map((error) => ({ key: key.slice(0, 100), error: toError(error) })))
        .slice(0, MAX_LINES + 1);
    }
  }
  return [];
}

function toError(value: unknown): PlainObject {
  return asObject(value) ?? { detail: value };
}

function errorLines(body: PlainObject, line: ToLine): string[] {
  const lines = errorList(body).map(({ key, error }) => {
    const where = line(key, 100) ?? parameterOf(error, line);
    const what = line(error['detail']) ?? line(error['message']) ?? line(error['title']);
    const code = line(error['code'], 64);
    const text = [what, code === undefined ? undefined : what === undefined ? code : `(${code})`]
      .filter((part) => part !== undefined)
      .join(' ');
    return where === undefined ? text : `${where}: ${text}`;
  });
  const reported = lines.filter((text) => text !== '');
  return reported.length > MAX_LINES ? [...reported.slice(0, MAX_LINES), 'and more'] : reported;
}

/**
 * Returns lines with both workflow statuses of a refused transition. The service does not document the members, so svc shows all members.
 */
function conflictLines(conflict: PlainObject, line: ToLine): string[] {
  return Object.entries(conflict)
    .filter(([name]) => name !== 'reason')
    .slice(0, MAX_LINES)
    .flatMap(([name, value]) => {
      const inner = asObject(value);
      const text =
        inner === undefined ? line(value) : [line(inner['name']), line(inner['id'])].filter((part) => part !== undefined).join(' ');
      return text === undefined || text === '' ? [] : [`${line(name, 64)}: ${text}`];
    });
}

/** Returns the match of a pattern. Undefined without a match, and for several different matches. */
function onlyMatch(text: string, pattern: RegExp): string | undefined {
  const matches = new Set(text.slice(0, MAX_DOCUMENT).match(pattern));
  const [match] = matches;
  return matches.size === 1 && match !== undefined && match.length <= 100 ? match : undefined;
}
