/**
 * Returns the code of a network failure. undici, Node’s sockets and resolver, OpenSSL and zlib throw these errors if the other side or the
 * connection fails. Undefined for any other error. Such an error is a bug in svc or its dependencies, so a second attempt can’t help.
 */
export function networkErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = ownCode(error);
  // undici wraps a proxy’s failure. The innermost code names the cause.
  const inner = own.startsWith('UND_ERR_PRX') ? networkErrorCode(error.cause) : undefined;
  return inner ?? (isKnown(own) || isOfSocket(error, own) ? own : undefined);
}

function ownCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  // undici’s parser does not always set a code for an answer that is not HTTP.
  return error.name === 'HTTPParserError' ? 'HPE' : '';
}

/** Returns true if a TLS handshake failed: for codes of OpenSSL, for certificate errors, and for codes that Node adds. */
export function isTlsCode(code: string): boolean {
  return TLS_CODES.has(code) || /^(ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code);
}

/** Returns true if a body is invalid gzip, deflate or Brotli. Returns false for a body that ends too early. */
export function isDecodingCode(code: string): boolean {
  // Codes of Brotli have two underscores: `ERR__ERROR_FORMAT_PADDING_1`.
  return code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT' || code.startsWith('ERR__ERROR_FORMAT_');
}

/** The codes of Node that mean a failed handshake. Other codes of this form (`ERR_TLS_INVALID_CONTEXT` …) are errors of the caller. */
const TLS_CODES: ReadonlySet<string> = new Set([
  'EPROTO',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_DH_PARAM_SIZE',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ERR_TLS_SESSION_ATTACK',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'UNSPECIFIED',
]);

const OTHER_CODES: ReadonlySet<string> = new Set([
  // The codes of svc itself, for an answer that svc does not read or does not finish.
  'SVC_ENCODING',
  'SVC_PROXY',
  'SVC_SILENCE',
  'SVC_TIMEOUT',
  'SVC_TOO_LARGE',
  // The code of a body that ends within its encoding.
  'Z_BUF_ERROR',
  // The codes of connection failures that Node itself throws. Their errors name no system call.
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_ABORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_INFO',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET',
]);

function isKnown(code: string): boolean {
  return OTHER_CODES.has(code) || isTlsCode(code) || isDecodingCode(code) || /^(HPE|EAI_|UND_ERR_SOCKS5)/.test(code);
}

/** Returns true if a system call of a socket or of the resolver failed. A firewall can cause any code, such as `EACCES`. */
function isOfSocket(error: Error, code: string): boolean {
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : '';
  return code !== '' && /^(connect|read|write|shutdown|getaddrinfo)$/.test(syscall);
}
