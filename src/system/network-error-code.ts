/**
 * The code of a failure of the network. undici, Node's sockets and resolver, OpenSSL and zlib throw these when the other side or
 * the way there fails. Undefined for everything else: that is a bug in svc or in its dependencies, and must never look as if
 * trying again could help.
 */
export function networkErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = ownCode(error);
  // undici wraps a proxy's failure; the innermost code names the cause.
  const inner = own.startsWith('UND_ERR_PRX') ? networkErrorCode(error.cause) : undefined;
  return inner ?? (isKnown(own) || isOfSocket(error, own) ? own : undefined);
}

function ownCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Errors of undici's parser about an answer that is no HTTP have a code only sometimes.
  return error.name === 'HTTPParserError' ? 'HPE' : '';
}

/** Whether a TLS handshake failed: OpenSSL's own codes, what it finds wrong with certificates, and what Node adds to that. */
export function isTlsCode(code: string): boolean {
  return TLS_CODES.has(code) || /^(ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code);
}

/** Whether a body is invalid gzip, deflate or Brotli; a body that ends too soon is not meant. */
export function isDecodingCode(code: string): boolean {
  // Brotli's have two underscores: `ERR__ERROR_FORMAT_PADDING_1`.
  return code === 'Z_DATA_ERROR' || code === 'Z_NEED_DICT' || code.startsWith('ERR__ERROR_FORMAT_');
}

/** Node's other codes of this kind (`ERR_TLS_INVALID_CONTEXT` …) are mistakes of the caller. */
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
  // svc's own, of an answer that it does not read, or not to its end.
  'SVC_ENCODING',
  'SVC_PROXY',
  'SVC_SILENCE',
  'SVC_TIMEOUT',
  'SVC_TOO_LARGE',
  // A body that ends within its encoding.
  'Z_BUF_ERROR',
  // Without a syscall when Node itself, and not the system, says so.
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

/** System calls of sockets and of the resolver may fail with any code there is: `EACCES` behind a firewall. */
function isOfSocket(error: Error, code: string): boolean {
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : '';
  return code !== '' && /^(connect|read|write|shutdown|getaddrinfo)$/.test(syscall);
}
