import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A hostile text for fields. It has a colour, a title (OSC 0), the clipboard (OSC 52), C1, C0, DEL, direction marks and invisible
 * characters. The text precedes the real text, so that no column cuts it off.
 */
export const HOSTILE =
  '\u001b[31mQX\u001b[0m\u001b]0;QX\u0007\u001b]52;c;UVg=\u001b\\\u009b2J\u009d0;QX\u009c\u0000\b\u000b\r\u007f\u061c\u202eQX\u2066\u200b\u2028\u00ad\u3164\u{e0041}\ufe0f\ufeff';

/** The hostile text in the form of a header: C1 unchanged, and characters outside Latin-1 as UTF-8. */
const HOSTILE_HEADER = `${Buffer.from('\u009b2J\u202eQX\u200b', 'utf8').toString('latin1')}\u009b2J`;

/**
 * The behaviour of the service:
 * - `plain`: answers stay unchanged.
 * - `titles`: each text for people starts with {@link HOSTILE}. Values for code (dates, addresses, keys, states) stay unchanged.
 * - `texts`: each text starts with the hostile text, except addresses of the service.
 * - `refuses`: each answer is a problem document or an OAuth error with hostile texts.
 */
export type ServerBehaviour = 'plain' | 'titles' | 'texts' | 'refuses';

/** A service between svc and another service, over real sockets. */
export interface HostileService {
  /** The origin: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  behaviour: ServerBehaviour;
  /** The fields that the service made hostile: `/work-items title`. */
  readonly fields: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Starts the service. @param upstream origin of the service that answers. */
export async function startHostileService(upstream: string): Promise<HostileService> {
  const fields = new Set<string>();
  const service = { behaviour: 'plain' as ServerBehaviour };
  let origin = '';

  async function answer(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { behaviour } = service;
    const path = new URL(incoming.url ?? '/', upstream).pathname;
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString('latin1').replaceAll(origin, upstream).replaceAll(SENT_IN_JSON, '');
    const sent = await forward(incoming, (incoming.url ?? '').replaceAll(SENT_IN_QUERY, ''), body);
    const headers = Object.fromEntries(
      Object.entries(sent.headers).map(([name, value]) => [name, String(value).replaceAll(upstream, origin)] as const),
    );
    delete headers['content-length'];
    delete headers['transfer-encoding'];
    const evil =
      behaviour === 'plain'
        ? {}
        : {
            'x-request-id': HOSTILE_HEADER,
            warning: `299 - "${HOSTILE_HEADER}"`,
            deprecation: HOSTILE_HEADER,
            sunset: HOSTILE_HEADER,
            'x-service-api-version': HOSTILE_HEADER,
          };
    if (behaviour === 'refuses') {
      response.writeHead(path.includes('oauth') || path.includes('token') ? 400 : 422, {
        ...evil,
        'content-type': 'application/problem+json',
        'www-authenticate': `Bearer error="${HOSTILE_HEADER}"`,
      });
      return void response.end(JSON.stringify(REFUSAL));
    }
    const isJson = (headers['content-type'] ?? '').includes('json');
    const text = sent.body.toString(isJson ? 'utf8' : 'latin1').replaceAll(upstream, origin);
    const answer = isJson && behaviour !== 'plain' ? JSON.stringify(poison(JSON.parse(text), placeOf(path), behaviour)) : text;
    response.writeHead(sent.status, { ...headers, ...evil });
    response.end(Buffer.from(answer, isJson ? 'utf8' : 'latin1'));
  }

  function forward(incoming: http.IncomingMessage, url: string, body: string) {
    return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const headers: http.OutgoingHttpHeaders = { ...incoming.headers, host: new URL(upstream).host, 'accept-encoding': 'identity' };
      for (const name of ['origin', 'referer']) if (headers[name]) headers[name] = String(headers[name]).replaceAll(origin, upstream);
      delete headers['content-length'];
      const request = http.request(`${upstream}${url}`, { method: incoming.method, headers }, async (got) => {
        const pieces: Buffer[] = [];
        for await (const piece of got) pieces.push(piece as Buffer);
        resolve({ status: got.statusCode ?? 500, headers: got.headers, body: Buffer.concat(pieces) });
      });
      request.on('error', reject);
      request.end(Buffer.from(body, 'latin1'));
    });
  }

  /** Returns a value with hostile texts. */
  function poison(value: unknown, place: string, behaviour: ServerBehaviour): unknown {
    if (typeof value === 'string') {
      if (value.startsWith(origin) || (behaviour === 'titles' && READ_BY_CODE.test(value))) return value;
      fields.add(place);
      return HOSTILE + value;
    }
    if (Array.isArray(value)) return value.map((item) => poison(item, place, behaviour));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poison(item, `${placeOf(place)} ${name}`, behaviour)]));
  }

  const server = http.createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    get behaviour() {
      return service.behaviour;
    },
    set behaviour(behaviour) {
      service.behaviour = behaviour;
    },
    fields,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Matches a hostile text in a query, so that the upstream service receives the real name. */
const SENT_IN_QUERY = new RegExp(new URLSearchParams([['', HOSTILE]]).toString().slice(1).replaceAll(/[+.*]/g, '(?:\\$&|%20)'), 'gi');
const SENT_IN_JSON = Buffer.from(JSON.stringify(HOSTILE).slice(1, -1)).toString('latin1');

/** Matches values for code: dates and times, addresses, keys, numbers, and lower-case words without blanks, such as states. */
const READ_BY_CODE = /^(?:\d{4}-\d\d-\d\d.*|https?:.*|[A-Z][A-Z0-9]*-\d+|[\d.:+-]*|[a-z0-9_.:/[\]{}-]+|[A-Z][a-z]+\/\w+)$/;

const REFUSAL = {
  type: `https://problems.example/${HOSTILE}`,
  title: HOSTILE,
  detail: HOSTILE,
  code: HOSTILE,
  request_id: HOSTILE,
  reason: HOSTILE,
  errors: [{ field: HOSTILE, code: HOSTILE, detail: HOSTILE }],
  conflict: { reason: HOSTILE, from: { name: HOSTILE, id: HOSTILE }, [HOSTILE]: HOSTILE },
  error: HOSTILE,
  error_description: HOSTILE,
};

/** Returns a path or field without its numbers and without the API’s own path. */
function placeOf(path: string): string {
  return path
    .replace(/^\/api\/v2/, '')
    .replaceAll(/\/(?:\d+|[A-Z]+-\d+)(?=\/|$)/g, '/{id}')
    .replace(/ .*/, '');
}
