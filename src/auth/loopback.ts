import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcError, UsageError } from '../errors.ts';
import { failurePage, type LandingPage, successPage } from './landing-page.ts';
import { peerOwner } from './peer-owner.ts';
import type { RedirectAnswer, RedirectSource } from './redirect-answer.ts';
import { type BrowserStart, judgeRequest } from './redirect-request.ts';
import { CALLBACK_PATH } from './registration.ts';

export interface ListenOptions {
  /** The fixed port, for `ssh -L`. Default: any free port. */
  readonly port?: number | undefined;
  /** The addresses to try, in this order. Default: IPv4 loopback, then IPv6 (RFC 8252 §7.3). */
  readonly addresses?: readonly string[] | undefined;
}

/**
 * Listens on this machine for the browser’s return from a sign-in (RFC 8252 §7.3). The redirect address has a literal IP address, because
 * another program could listen at `localhost` with the other IP version.
 *
 * @throws UsageError if the fixed port is taken or not allowed.
 * @throws SvcError if svc can listen on no address.
 */
export async function listenForRedirect(options: ListenOptions = {}): Promise<RedirectSource> {
  const { addresses = ['127.0.0.1', '::1'], port = 0 } = options;
  const server = createServer();
  let refusal: unknown;
  for (const address of addresses) {
    try {
      await listen(server, address, port);
      return createSource(server);
    } catch (error) {
      refuseTakenPort(error, port);
      refusal = error;
    }
  }
  throw deaf(refusal);
}

function deaf(cause?: unknown): SvcError {
  return new SvcError('svc cannot listen on this machine for the answer of the browser.', {
    hint: 'Sign in with --paste: you then paste the address from the browser.',
    cause,
  });
}

function listen(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // The handler stays after the start. A later error concerns only one connection, so svc continues to wait.
    server.on('error', reject);
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
}

function refuseTakenPort(error: unknown, port: number): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (port === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) return;
  throw new UsageError(
    code === 'EACCES' ? `svc has no permission to listen on port ${port}.` : `Port ${port} is in use by another program.`,
    { hint: 'Use another --callback-port, or leave out the flag.', cause: error },
  );
}

function createSource(server: Server): RedirectSource {
  const authority = authorityOf(server.address());
  const expected = new Set<string>();
  const answered = new Set<string>();
  const starts = new Map<string, BrowserStart>();
  const arrived: RedirectAnswer[] = [];
  let wake: (() => void) | undefined;

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: target = '', headers } = request;
    const owner = await peerOwner(request.socket);
    const isForeign = owner === undefined ? undefined : owner === 'other';
    const verdict = judgeRequest({ method, target, headers }, { authority, expected, answered, starts, isForeign });
    if (verdict.kind === 'start') starts.set(verdict.path, { ...verdict.start, isTaken: true });
    if (verdict.kind !== 'answer') return void send(response, verdict.page);
    answered.add(verdict.state);
    arrived.push({
      state: verdict.state,
      parameters: verdict.parameters,
      succeed: (outcome) => send(response, successPage(outcome)),
      fail: (outcome) => send(response, failurePage(outcome)),
    });
    wake?.();
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => void receive(request, response));

  return {
    redirectUri: `http://${authority}${CALLBACK_PATH}`,
    expect: (state) => void expected.add(state),
    bind(state, url) {
      const path = `/start/${secret()}`;
      starts.set(path, { state, url, cookie: { name: `svc-sign-in-${starts.size + 1}`, value: secret() }, isTaken: false });
      return `http://${authority}${path}`;
    },
    answer: (signal) =>
      new Promise((resolve, reject) => {
        const abort = () => finish(() => reject(signal.reason));
        const finish = (then: () => void) => {
          wake = undefined;
          signal.removeEventListener('abort', abort);
          then();
        };
        const take = () => {
          const next = arrived.shift();
          if (next !== undefined) finish(() => resolve(next));
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', abort);
        wake = take;
        take();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function authorityOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw deaf();
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`;
}

/** Sends a page and ends its connection. Resolves after the page is written or the browser has disconnected. */
function send(response: ServerResponse, page: LandingPage): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed || response.writableEnded) return resolve();
    response.once('close', resolve);
    response.writeHead(page.status, { ...page.headers, connection: 'close' });
    response.end(page.body);
  });
}
