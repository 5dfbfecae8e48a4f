/** One request as it came and what became of it. The value of Authorization is left out. */
export interface LoggedRequest {
  /** When it came, on the sandbox's clock; milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** With the query, as sent: `/api/v2/worklogs?per_page=100`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The answer's status; 0 when the connection was dropped before there was one. */
  status: number;
  /** Rate limit units spent from the bucket of its kind. */
  units: number;
  /** The server's id of the request. */
  readonly requestId: string;
}

/** Headers for the log: names in lower case, Authorization reduced to its scheme. */
export function loggableHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of headers) shown[name] = name === 'authorization' ? (value.split(' ')[0] ?? '') : value;
  return shown;
}
