import { type LandingPage, noticePage } from './landing-page.ts';
import { isSameSecret, readRedirect } from './redirect-answer.ts';
import { CALLBACK_PATH } from './registration.ts';

export interface RedirectRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface RedirectExpectation {
  readonly authority: string;
  readonly expected: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
  /** The start pages by path. Each page serves only the browser of its sign-in. */
  readonly starts: ReadonlyMap<string, BrowserStart>;
  /** True if the request comes from a program of another user of this machine. Undefined if svc cannot know. */
  readonly isForeign: boolean | undefined;
}

export interface BrowserStart {
  readonly state: string;
  readonly url: string;
  readonly cookie: { readonly name: string; readonly value: string };
  readonly isTaken: boolean;
}

export type Verdict =
  | { readonly kind: 'answer'; readonly state: string; readonly parameters: URLSearchParams }
  /** Sends the browser to the service. svc marks the start page as used. */
  | { readonly kind: 'start'; readonly path: string; readonly start: BrowserStart; readonly page: LandingPage }
  | { readonly kind: 'reply'; readonly page: LandingPage };

/** The longest request target in characters that svc accepts. Every code is shorter. Node itself refuses headers above 16 KiB. */
const MAX_TARGET = 8192;

/**
 * Classifies a request to the listener. Only a GET from a user’s browser ends a sign-in (RFC 8252 §8.3, §8.9). The request must have the
 * exact path, the listener’s own host name and the right `state`. Other programs, web pages and names that resolve to this machine (DNS
 * rebinding) can reach the port too.
 */
export function judgeRequest(request: RedirectRequest, expectation: RedirectExpectation): Verdict {
  if (request.target.length > MAX_TARGET) return reply(414, 'This address is too long', 'svc does not know this address.');
  if (request.headers['host'] !== expectation.authority) {
    return reply(421, 'This address is wrong', `svc answers only to the address ${expectation.authority}.`);
  }
  const [path, query = ''] = splitOnce(request.target, '?');
  const start = expectation.starts.get(path);
  if (start === undefined && path !== CALLBACK_PATH)
    return reply(404, 'There is no page here', 'svc waits here for the answer to a sign-in, and has no other pages.');
  if (request.method === 'OPTIONS')
    return { kind: 'reply', page: { status: 204, headers: { 'cache-control': 'no-store', allow: 'GET' }, body: '' } };
  if (request.method !== 'GET') {
    const page = noticePage(405, 'This request has the wrong method', 'A sign-in ends with a GET request.');
    return { kind: 'reply', page: { ...page, headers: { ...page.headers, allow: 'GET' } } };
  }
  // svc refuses a prefetch, so that the browser repeats the request when the user opens the page.
  if (isPrefetch(request.headers)) return reply(503, 'Open this page yourself', 'svc does not answer a prefetch.');
  if (expectation.isForeign === true)
    return reply(403, 'This is not your sign-in', 'This sign-in belongs to another user of this machine.');
  if (start !== undefined) return judgeStart(path, start, expectation.isForeign);
  const parameters = new URLSearchParams(query);
  const again = readRedirect(parameters, expectation.answered).kind;
  if (again === 'answer')
    return reply(410, 'This sign-in is already done', 'svc has received the answer to this sign-in. The terminal shows the result.');
  const reading = readRedirect(parameters, expectation.expected);
  switch (reading.kind) {
    case 'answer': {
      const bound = [...expectation.starts.values()].find(({ state }) => state === reading.state);
      if (bound !== undefined && !hasCookie(request.headers, bound.cookie))
        return reply(
          403,
          'This sign-in started in another browser',
          `Use the browser that svc opened, or svc login --no-browser. ${WAITING}`,
        );
      return { kind: 'answer', state: reading.state, parameters };
    }
    case 'doubled':
      return reply(400, 'This address has no answer from the service', `The address has "${reading.name}" more than once. ${WAITING}`);
    case 'no-state':
      return reply(400, 'This address has no answer from the service', `The address does not name its sign-in. ${WAITING}`);
    case 'wrong-state':
      return reply(400, 'This address is from another sign-in', `Use the newest address that the terminal shows. ${WAITING}`);
    case 'empty':
      return reply(400, 'This address has no answer from the service', `The address has neither a code nor an error. ${WAITING}`);
  }
}

/** Redirects the first request for the start page to the service. Answers later requests with 410, except requests from the same user. */
function judgeStart(path: string, start: BrowserStart, isForeign: boolean | undefined): Verdict {
  if (start.isTaken && isForeign !== false) {
    const login = `svc login ${new URL(start.url).host}`;
    return reply(
      410,
      'This address is already open',
      `A browser has opened this address already. To start again: ${login}. To use another browser: ${login} --no-browser`,
    );
  }
  const { name, value } = start.cookie;
  const headers = {
    location: start.url,
    'set-cookie': `${name}=${value}; HttpOnly; SameSite=Lax; Path=${CALLBACK_PATH}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return { kind: 'start', path, start, page: { status: 302, headers, body: '' } };
}

function hasCookie(headers: RedirectRequest['headers'], { name, value }: BrowserStart['cookie']): boolean {
  const pairs = String(headers['cookie'] ?? '')
    .split(';')
    .map((pair) => splitOnce(pair.trim(), '='));
  return pairs.some(([given, held = '']) => given === name && isSameSecret(held, value));
}

const WAITING = 'svc keeps waiting.';

function reply(status: number, title: string, text: string): Verdict {
  return { kind: 'reply', page: noticePage(status, title, text) };
}

/** Returns true for a prefetch. `Sec-Purpose: prefetch;prerender` is the standard header; older browsers send the other headers. */
function isPrefetch(headers: RedirectRequest['headers']): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(prefetch|prerender|preview)\b/i.test(String(headers[name] ?? '')),
  );
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
