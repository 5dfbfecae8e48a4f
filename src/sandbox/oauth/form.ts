/** An error of RFC 6749 §5.2, answered as JSON. */
export class OAuthError extends Error {
  readonly status: 400 | 401;
  readonly code: string;

  constructor(code: string, description: string, status: 400 | 401 = 400) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.status = status;
  }
}

/**
 * The fields of a form body.
 * @throws OAuthError `invalid_request` for another content type or a field sent twice (RFC 6749 §3.2).
 */
export function parseForm(contentType: string | undefined, body: string): ReadonlyMap<string, string> {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'Send the body as application/x-www-form-urlencoded.');
  }
  return formParameters(new URLSearchParams(body));
}

/** @throws OAuthError `invalid_request` for a parameter sent twice (RFC 6749 §3.1). Empty values count as left out. */
export function formParameters(search: URLSearchParams): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of search) {
    if (seen.has(name)) throw new OAuthError('invalid_request', `${name} was sent twice.`);
    seen.add(name);
    if (value !== '') fields.set(name, value);
  }
  return fields;
}

/** @throws OAuthError `invalid_request` when it is missing. */
export function required(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}
