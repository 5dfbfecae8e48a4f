import type { NetworkRequest } from '../deps.ts';
import { NetworkError, type NetworkErrorKind, UsageError } from '../errors.ts';
import { isDecodingCode, isTlsCode, networkErrorCode } from './network-error-code.ts';
import { ProxyFailure } from './proxy-failure.ts';

export interface FailureContext {
  readonly request: NetworkRequest;
  /** True if svc had started to send the request. If false, the service can’t have processed the request. */
  readonly sent: boolean;
  readonly stage: 'answer' | 'body';
}

/**
 * Converts an error to a message for the user. A request that HTTP can’t carry (a line break in a header) becomes a `UsageError`. Any error
 * other than a network failure stays unchanged.
 */
export function describeNetworkFailure(error: unknown, context: FailureContext): unknown {
  const { request, sent } = context;
  if (isUnsendable(error))
    return new UsageError(`svc cannot send the request: ${reasonOf(error)}.`, {
      hint: 'Check the address and the headers.',
      cause: error,
    });
  const code = networkErrorCode(error);
  if (code === undefined) return error;
  const url = new URL(request.url);
  const { kind, ...words } = error instanceof ProxyFailure ? proxyWords(error, context) : hostWords(error, code, context);
  return new NetworkError(words.message, {
    kind,
    ran: sent ? 'maybe' : 'no',
    hint: words.hint,
    // The address has no query, because people and logs see the address.
    details: { request: `${request.method} ${url.origin}${url.pathname}` },
    cause: error,
  });
}

function isUnsendable(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const isRefusal = error.code === 'UND_ERR_INVALID_ARG' || error.code === 'UND_ERR_NOT_SUPPORTED';
  return isRefusal && /\b(header|request path|request method|Proxy-Authorization)\b/.test(error.message);
}

const KINDS: Readonly<Record<string, Kind>> = {
  ENOTFOUND: 'dns',
  ECONNREFUSED: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  SVC_TIMEOUT: 'timeout',
  SVC_SILENCE: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  SVC_TOO_LARGE: 'too-large',
  SVC_ENCODING: 'other',
  EHOSTUNREACH: 'other',
  ENETUNREACH: 'other',
  ENETDOWN: 'other',
};

const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'INVALID_CA',
  'CERT_UNTRUSTED',
]);

const LOST_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

type Kind = Exclude<NetworkErrorKind, 'proxy'>;

function kindOf(code: string, { sent, stage }: FailureContext): Kind {
  const known = KINDS[code];
  if (known !== undefined) return known;
  if (code.startsWith('EAI_')) return 'dns';
  if (isTlsCode(code)) return 'tls';
  if (stage === 'body') return isDecodingCode(code) ? 'other' : 'truncated';
  return LOST_CODES.has(code) || sent ? 'reset' : 'other';
}

type DescribedFailure = Words & { readonly kind: NetworkErrorKind };

function hostWords(error: unknown, code: string, context: FailureContext): DescribedFailure {
  const { request, sent, stage } = context;
  const kind = kindOf(code, context);
  const { host } = new URL(request.url);
  return { kind, ...WORDS[kind]({ host, code, reason: reasonOf(error), seconds: request.timeoutMs / 1000, sent, stage }) };
}

const CHECK_PROXY = 'Check the address in HTTPS_PROXY. NO_PROXY lists the hosts that svc reaches without a proxy.';

function proxyWords({ proxy, status, cause }: ProxyFailure, context: FailureContext): DescribedFailure {
  if (status === 407)
    return {
      kind: 'proxy',
      message: `The proxy ${proxy} needs a user name and a password (407).`,
      hint: 'Set the user name and the password in HTTPS_PROXY: http://name:password@proxy.example.com:8080',
    };
  if (status !== undefined)
    return {
      // A proxy would refuse again. A host that a proxy could not reach may be reachable the next time.
      kind: status >= 500 ? 'other' : 'proxy',
      message: `The proxy ${proxy} did not connect svc to ${new URL(context.request.url).host}: the proxy answered ${status}.`,
      hint: status >= 500 ? 'Try again, or ask the operator of the proxy.' : 'Ask the operator of the proxy to allow this host.',
    };
  const code = networkErrorCode(cause) ?? '';
  const kind = kindOf(code, context);
  switch (kind) {
    case 'dns':
      return { kind, message: `DNS does not know the name of the proxy ${proxy} (${code}).`, hint: CHECK_PROXY };
    case 'refused':
      return { kind, message: `The proxy ${proxy} refused the connection.`, hint: CHECK_PROXY };
    case 'timeout':
      return {
        kind,
        message: `The proxy ${proxy} did not accept a connection within ${context.request.timeoutMs / 1000} s.`,
        hint: CHECK_PROXY,
      };
    default:
      return { kind, message: `svc cannot connect to the proxy ${proxy} (${reasonOf(cause)}).`, hint: CHECK_PROXY };
  }
}

interface Facts {
  readonly host: string;
  readonly code: string;
  readonly reason: string;
  readonly seconds: number;
  readonly sent: boolean;
  readonly stage: 'answer' | 'body';
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

const CHECK_CONNECTION = 'Check your connection; behind a proxy, set HTTPS_PROXY.';

const WORDS: Readonly<Record<Kind, (facts: Facts) => Words>> = {
  dns: ({ host, code }) => ({
    message: `DNS does not know the name ${host} (${code}).`,
    hint: 'Check the spelling of the host and your connection.',
  }),
  refused: ({ host }) => ({
    message: `${host} refused the connection.`,
    hint: 'Check the host and the port.',
  }),
  timeout: ({ host, code, seconds, sent, stage }) => ({
    message: sent
      ? code === 'SVC_SILENCE'
        ? `The connection to ${host} carried no data for ${seconds} s.`
        : stage === 'body'
          ? `${host} did not complete its answer within ${seconds} s.`
          : `${host} did not answer within ${seconds} s.`
      : `${host} did not accept a connection within ${seconds} s.`,
    hint: sent ? 'Try again, or allow more time with --timeout.' : CHECK_CONNECTION,
  }),
  tls: tlsWords,
  reset: ({ host }) => ({ message: `The connection to ${host} ended before an answer.`, hint: `Try again. ${CHECK_CONNECTION}` }),
  truncated: ({ host }) => ({ message: `The connection to ${host} ended in the middle of the answer.`, hint: 'Try again.' }),
  'too-large': ({ host, reason }) => ({
    message: `The answer of ${host} is too large for svc (${reason}).`,
    hint: 'Read smaller pages, for example with --per-page 20.',
  }),
  other: ({ host, reason, stage }) =>
    stage === 'body'
      ? {
          message: `svc cannot decode the answer of ${host} (${reason}).`,
          hint: 'A proxy may have changed the answer. Try without a proxy.',
        }
      : { message: `svc cannot connect to ${host} (${reason}).`, hint: CHECK_CONNECTION },
};

function tlsWords({ host, code, reason }: Facts): Words {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      message: `The certificate of ${host} is for another name.`,
      hint: 'Check the spelling of the host. Do not sign in before the certificate names this host.',
    };
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const what = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return {
      message: `The certificate of ${host} ${what}.`,
      hint: 'Check the clock of this machine. If the clock is right, report the problem to the operator of the host.',
    };
  }
  if (CERTIFICATE_CODES.has(code)) {
    return {
      // Newer versions of Node add advice after a semicolon. svc prints its own advice.
      message: `This machine does not trust the certificate of ${host} (${reason.split(';', 1)[0]}).`,
      hint: 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuing authority.',
    };
  }
  return {
    message: `svc could not make a secure connection to ${host} (${reason}).`,
    // Up to TLS 1.2, TLS has no special message for a missing client certificate.
    hint: code.endsWith('_ALERT_HANDSHAKE_FAILURE')
      ? 'The host may need a client certificate, and svc has none. Ask the operator of the host.'
      : CHECK_CONNECTION,
  };
}

function reasonOf(error: unknown): string {
  const reported = error instanceof Error ? error.message || (networkErrorCode(error) ?? error.name) : String(error);
  // The form of OpenSSL: `<thread>:error:<code>:<library>:<function>:<reason>:<file>:<line>:`.
  const text = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(reported)?.[1] ?? reported;
  return text.split('\n', 1)[0]?.replace(/\.$/, '').slice(0, 200) ?? '';
}
