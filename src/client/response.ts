import { type SvcError, UnavailableError } from '../errors.ts';
import { isJsonObject, isTooDeep, type JsonValue, parseJson, stringifyJson } from '../values/json.ts';
import type { ApiResponse, ClientEvents } from './api.ts';
import type { WholeAnswer } from './exchange.ts';

interface ResponseOptions {
  readonly method: string;
  readonly error?: SvcError | undefined;
  readonly onWarnings: ClientEvents['onWarnings'];
}

export function createResponse(answer: WholeAnswer, { method, error, onWarnings }: ResponseOptions): ApiResponse {
  const { status, url, headers, bytes } = answer;
  const text = () => bodyText(bytes);
  let parsed: { readonly value: JsonValue | undefined } | undefined;
  return {
    status,
    url,
    headers,
    etag: headers['etag'],
    requestId: headers['x-request-id'],
    error,
    bytes: () => bytes,
    text,
    body() {
      if (parsed === undefined) {
        parsed = { value: parseBody(text(), `${method} ${url.split('?', 1)[0]}`, answer) };
        const warnings = warningsOf(parsed.value);
        if (warnings.length > 0) onWarnings?.(warnings);
      }
      return parsed.value;
    },
  };
}

const decoder = new TextDecoder();

export function bodyText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function parseBody(text: string, request: string, { status, headers }: WholeAnswer): JsonValue | undefined {
  if (text.trim() === '') return undefined;
  const details = { status, request, request_id: headers['x-request-id'] };
  if (isTooDeep(text)) {
    throw new UnavailableError('The service answered with JSON that is nested deeper than svc reads.', {
      hint: 'A proxy may have answered instead of the service. To see the answer, request this path with svc api.',
      details,
    });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw new UnavailableError('The answer of the service is not JSON.', {
      hint: 'A proxy or a sign-in page may have answered instead of the service. To see the answer: --debug',
      details,
      cause,
    });
  }
}

const MAX_WARNINGS = 20;

/** Returns `meta.warnings` as strings. The documentation does not show the form of warnings (rule 4.52). */
function warningsOf(body: JsonValue | undefined): string[] {
  const meta = isJsonObject(body) ? body['meta'] : undefined;
  const warnings = isJsonObject(meta) ? meta['warnings'] : undefined;
  return Array.isArray(warnings) ? warnings.slice(0, MAX_WARNINGS).map(warningText) : [];
}

function warningText(warning: JsonValue): string {
  const texts = isJsonObject(warning) ? [warning['detail'], warning['message'], warning['title'], warning['code']] : [warning];
  const text = texts.find((candidate) => typeof candidate === 'string') ?? stringifyJson(warning);
  return text.slice(0, 300);
}
