import { type HttpServer, json, startHttpServer } from './http-server.ts';
import { createMachine, type Machine, type Result, type RunOptions } from './svc.ts';

/** A machine, and a server that records its requests and answers each with a record or a page. */
export interface Recording {
  readonly server: HttpServer;
  readonly home: string;
  /** The host: `127.0.0.1:<port>`. */
  readonly host: string;
  /** Runs `svc <argv>` against the server, with a token in the environment. */
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** Returns each request since the last call: `GET /worklogs?…` within the API, with a decoded query. */
  sent(): string[];
  remove(): Promise<void>;
}

/** The record that the server returns, valid in both interpretations (rule 18.1). A GET of a list gets an empty page. */
const RECORD = {
  id: 31,
  name: 'Thing',
  timezone: 'Europe/Amsterdam',
  data: { id: 31, name: 'Thing', workflow_status_id: 1, timezone: 'Europe/Amsterdam' },
};

export async function startRecording(): Promise<Recording> {
  const server = await startHttpServer();
  const machine: Machine = await createMachine();
  const host = new URL(server.origin).host;
  server.fallback((request, response, socket) => {
    const isItem = /\/(\d+|[A-Z]+-\d+|me)$/.test(request.path);
    const body = request.method !== 'GET' || isItem ? RECORD : { data: [], meta: { page: { total: 0 } }, links: { next: null } };
    json(200, body, { etag: '"e1"' })(request, response, socket);
  });
  let seen = 0;
  return {
    server,
    host,
    home: machine.home,
    svc: (argv, options = {}) => machine.svc(argv, { ...options, env: { SVC_HOST: host, SVC_TOKEN: 'a-token-for-tests', ...options.env } }),
    sent() {
      const fresh = server.requests.slice(seen);
      seen = server.requests.length;
      return fresh.map(({ method, url }) => `${method} ${decodeURIComponent(url.replace('/api/v2', ''))}`);
    },
    async remove() {
      await server.close();
      await machine.remove();
    },
  };
}
