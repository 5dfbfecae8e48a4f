import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer in place of the endpoint's own. */
export interface Lie {
  /** `hang`: never answers. `half`: sends the half of the answer and breaks off. */
  readonly break?: 'hang' | 'half';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when a string, else as JSON. */
  readonly body?: unknown;
}

export type Endpoint = 'metadata' | 'register' | 'authorize' | 'token' | 'revoke';

/** A small honest authorization server on 127.0.0.1, with answers to tell lies with. */
export interface FakeAuthorizationServer {
  readonly origin: string;
  /** Each request that came: method, path with query, body. */
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** Clients that exist; delete one to prune it. */
  readonly clients: Set<string>;
  /** Told one after the other for the endpoint, before it is honest again. */
  lie(endpoint: Endpoint, ...lies: Lie[]): void;
  /** Changes members of the metadata; undefined removes one. */
  metadata: Record<string, unknown>;
  /** Changes members of token answers; undefined removes one. */
  tokens: Record<string, unknown>;
  /** Changes parameters of redirects; undefined removes one. */
  redirect: Record<string, string | undefined>;
  readonly registrations: number;
  /** Tokens that were revoked. */
  readonly revoked: readonly string[];
  close(): Promise<void>;
}

export async function startFakeAuthorizationServer(): Promise<FakeAuthorizationServer> {
  const lies = new Map<Endpoint, Lie[]>();
  const codes = new Map<string, URLSearchParams>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url ?? '/', fake.origin);
    fake.requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    const endpoint = ENDPOINTS[`${request.method} ${url.pathname}`];
    if (endpoint === undefined) return json(response, 404, { error: 'not_found' });
    const lie = lies.get(endpoint)?.shift();
    if (lie !== undefined) {
      if (lie.break === 'hang') return;
      const text = typeof lie.body === 'string' ? lie.body : JSON.stringify(lie.body ?? {});
      response.writeHead(lie.status ?? 200, { 'content-type': 'application/json', ...lie.headers });
      if (lie.break === 'half') return void response.write(text.slice(0, text.length / 2), () => response.destroy());
      return void response.end(text);
    }
    if (endpoint === 'metadata') return json(response, 200, fake.metadata);
    if (endpoint === 'register') {
      const client = `client-${randomBytes(4).toString('hex')}`;
      fake.clients.add(client);
      fake.registrations += 1;
      return json(response, 201, { client_id: client, ...JSON.parse(body), scope: 'mcp:use', token_endpoint_auth_method: 'none' });
    }
    if (endpoint === 'authorize') {
      if (!fake.clients.has(url.searchParams.get('client_id') ?? '')) return json(response, 401, { error: 'invalid_client' });
      const code = randomBytes(8).toString('hex');
      codes.set(code, url.searchParams);
      const target = new URL(url.searchParams.get('redirect_uri') ?? '');
      const parameters = { code, state: url.searchParams.get('state') ?? '', ...fake.redirect };
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) target.searchParams.set(name, value);
      response.writeHead(302, { location: target.href });
      return void response.end();
    }
    const form = new URLSearchParams(body);
    if (endpoint === 'revoke') {
      fake.revoked.push(form.get('token') ?? '');
      return json(response, 200, {});
    }
    if (!fake.clients.has(form.get('client_id') ?? '')) return json(response, 401, { error: 'invalid_client' });
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = asked?.get('code_challenge') === challenge && asked.get('redirect_uri') === form.get('redirect_uri');
    if (!fits || form.get('grant_type') !== 'authorization_code') return json(response, 400, { error: 'invalid_grant' });
    const tokens = { token_type: 'Bearer', expires_in: 3600, access_token: 'at-secret-1', refresh_token: 'rt-secret-1', ...fake.tokens };
    return json(response, 200, tokens);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake = {
    origin,
    requests: [] as FakeAuthorizationServer['requests'],
    clients: new Set<string>(),
    lie: (endpoint: Endpoint, ...more: Lie[]) => void lies.set(endpoint, [...(lies.get(endpoint) ?? []), ...more]),
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

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
