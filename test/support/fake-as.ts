import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that replaces the endpoint’s own answer. */
export interface Lie {
  /** The failure. `hang`: the server never answers. `half`: the server sends half of the answer and closes the connection. */
  readonly break?: 'hang' | 'half';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

/** Creates an answer at the time of the request. `honest` sends the original answer. */
export type Trick = (response: ServerResponse, honest: () => void) => void;

export type Endpoint = 'metadata' | 'register' | 'authorize' | 'token' | 'revoke';

/** A small correct authorization server on 127.0.0.1, which can send wrong answers on demand. */
export interface FakeAuthorizationServer {
  readonly origin: string;
  /** The requests: method, path with query, and body. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** The existing clients. Delete a client to prune its registration. */
  readonly clients: Set<string>;
  /** Queues wrong answers of an endpoint. After these, the endpoint is correct again. */
  lie(endpoint: Endpoint, ...lies: (Lie | Trick)[]): void;
  /** The changed members of the metadata. Undefined removes a member. */
  metadata: Record<string, unknown>;
  /** The changed members of token answers. Undefined removes a member. */
  tokens: Record<string, unknown>;
  /** The changed parameters of redirects. Undefined removes a parameter. */
  redirect: Record<string, string | undefined>;
  readonly registrations: number;
  /** The valid refresh tokens, each for a single use. */
  readonly live: Set<string>;
  /** The number of refresh tokens that were exchanged for a new pair. */
  readonly redemptions: number;
  /** Returns the forms that the token and revocation endpoints received, each with its path. */
  forms(): Readonly<Record<string, string>>[];
  /** The revoked tokens. */
  readonly revoked: readonly string[];
  close(): Promise<void>;
}

/** Starts the server. @param signedIn true to create the client `client-1` with the valid refresh token `refresh-0`. */
export async function startFakeAuthorizationServer(signedIn = false): Promise<FakeAuthorizationServer> {
  const lies = new Map<Endpoint, (Lie | Trick)[]>();
  const codes = new Map<string, URLSearchParams>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url ?? '/', fake.origin);
    fake.requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    const endpoint = ENDPOINTS[`${request.method} ${url.pathname}`];
    if (endpoint === undefined) return json(response, 404, { error: 'not_found' });
    const lie = lies.get(endpoint)?.shift();
    const honest = () => answer(endpoint, url, body, response);
    if (lie === undefined) return honest();
    if (typeof lie === 'function') return lie(response, honest);
    if (lie.break === 'hang') return;
    const text = typeof lie.body === 'string' ? lie.body : JSON.stringify(lie.body ?? {});
    response.writeHead(lie.status ?? 200, { 'content-type': 'application/json', ...lie.headers });
    if (lie.break === 'half') return void response.write(text.slice(0, text.length / 2), () => response.destroy());
    response.end(text);
  });

  function answer(endpoint: Endpoint, url: URL, body: string, response: ServerResponse): void {
    if (endpoint === 'authorize' && fake.clients.has(url.searchParams.get('client_id') ?? '')) redirect(url, response);
    else json(response, ...honestly(endpoint, body));
  }

  function honestly(endpoint: Endpoint, body: string): [status: number, body: unknown] {
    if (endpoint === 'metadata') return [200, fake.metadata];
    if (endpoint === 'register') {
      const client = `client-${randomBytes(4).toString('hex')}`;
      fake.clients.add(client);
      fake.registrations += 1;
      return [201, { client_id: client, ...JSON.parse(body), scope: 'mcp:use', token_endpoint_auth_method: 'none' }];
    }
    if (endpoint === 'authorize') return [401, { error: 'invalid_client' }];
    const form = new URLSearchParams(body);
    if (endpoint === 'revoke') {
      fake.revoked.push(form.get('token') ?? '');
      return [200, {}];
    }
    if (!fake.clients.has(form.get('client_id') ?? '')) return [401, { error: 'invalid_client' }];
    if (form.get('grant_type') === 'refresh_token') {
      if (!fake.live.delete(form.get('refresh_token') ?? '')) return [400, { error: 'invalid_grant' }];
      fake.redemptions += 1;
      const pair = { access_token: `access-${fake.redemptions}`, refresh_token: `refresh-${fake.redemptions}` };
      fake.live.add(pair.refresh_token);
      return [200, { token_type: 'Bearer', expires_in: 3600, ...pair, ...fake.tokens }];
    }
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = asked?.get('code_challenge') === challenge && asked.get('redirect_uri') === form.get('redirect_uri');
    if (!fits || form.get('grant_type') !== 'authorization_code') return [400, { error: 'invalid_grant' }];
    const tokens = { token_type: 'Bearer', expires_in: 3600, access_token: 'at-secret-1', refresh_token: 'rt-secret-1', ...fake.tokens };
    return [200, tokens];
  }

  function redirect(url: URL, response: ServerResponse): void {
    const code = randomBytes(8).toString('hex');
    codes.set(code, url.searchParams);
    const target = new URL(url.searchParams.get('redirect_uri') ?? '');
    const parameters = { code, state: url.searchParams.get('state') ?? '', ...fake.redirect };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) target.searchParams.set(name, value);
    response.writeHead(302, { location: target.href }).end();
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake = {
    origin,
    requests: [] as FakeAuthorizationServer['requests'],
    clients: new Set(signedIn ? ['client-1'] : []),
    live: new Set(signedIn ? ['refresh-0'] : []),
    redemptions: 0,
    forms: () =>
      fake.requests
        .filter(({ path }) => path === '/oauth/token' || path === '/oauth/revoke')
        .map(({ path, body }) => ({ path, ...Object.fromEntries(new URLSearchParams(body)) })),
    lie: (endpoint: Endpoint, ...more: (Lie | Trick)[]) => void lies.set(endpoint, [...(lies.get(endpoint) ?? []), ...more]),
    metadata: {
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['api:read', 'api:write'],
    } as Record<string, unknown>,
    tokens: {} as Record<string, unknown>,
    redirect: {} as Record<string, string | undefined>,
    registrations: 0,
    revoked: [] as string[],
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET /.well-known/oauth-authorization-server': 'metadata',
  'POST /oauth/register': 'register',
  'GET /oauth/authorize': 'authorize',
  'POST /oauth/token': 'token',
  'POST /oauth/revoke': 'revoke',
};

/** Ends an answer with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
