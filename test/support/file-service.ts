import { mkdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';
import type { DescribedOperation, DescribedResource } from '../../src/schema/described.ts';
import { indexPath, resourcePath } from '../../src/schema/stored-schema.ts';
import { createMachine, type Machine, type Result, type RunOptions } from './svc.ts';

/** A request, with its body as bytes. */
export interface FileRequest {
  readonly method: string;
  /** The path and the query within the API. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Parses the body as a form with undici. */
  form(): Promise<FormData>;
}

/** Returns the answer of the service, or destroys the socket. Undefined passes the request to the next function. */
export type FileAnswer = (request: FileRequest, response: http.ServerResponse, socket: Socket) => unknown;

/** An independent service for files, with a machine that has a token for it. */
export interface FileService {
  readonly origin: string;
  readonly home: string;
  readonly requests: FileRequest[];
  /** Answers every further request with a function. */
  answer(answer: FileAnswer): void;
  /** Adds operations of a resource to the imported API spec. */
  describe(noun: string, operations: readonly DescribedOperation[]): Promise<void>;
  svc(argv: readonly string[], options?: RunOptions): Promise<Result>;
  /** Returns each request: `POST /uploads`. */
  sent(): string[];
  close(): Promise<void>;
}

export async function startFileService(): Promise<FileService> {
  const requests: FileRequest[] = [];
  let answer: FileAnswer = (_, response) => void response.writeHead(404).end();
  const server = http.createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('error', () => undefined);
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const type = incoming.headers['content-type'] ?? '';
      const form = () => new Response(bytes, { headers: { 'content-type': type } }).formData();
      const path = (incoming.url ?? '').replace(/^\/api\/v2/, '');
      const request = { method: incoming.method ?? '', path, headers: incoming.headers, bytes, form };
      requests.push(request);
      void answer(request, response, incoming.socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const machine: Machine = await createMachine();
  const described = new Map<string, DescribedResource>();
  return {
    origin,
    home: machine.home,
    requests,
    answer(next) {
      answer = next;
    },
    describe: async (noun, operations) => {
      // svc has no commands for a resource that the API spec lacks.
      if (!described.has('work-items')) described.set('work-items', resourceOf('work-items', []));
      described.set(noun, resourceOf(noun, operations));
      await keep(machine.home, origin, [...described.values()]);
    },
    svc: (argv, options = {}) =>
      machine.svc(argv, {
        hurried: true,
        ...options,
        env: { SVC_HOST: new URL(origin).host, SVC_TOKEN: 'a-token-for-tests', ...options.env },
      }),
    sent: () => requests.map(({ method, path }) => `${method} ${path}`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await machine.remove();
    },
  };
}

function resourceOf(noun: string, operations: readonly DescribedOperation[]): DescribedResource {
  return { noun, singular: noun.replace(/s$/, ''), summary: noun, path: `/${noun}`, itemPath: null, fields: {}, operations };
}

async function keep(home: string, origin: string, nouns: readonly DescribedResource[]): Promise<void> {
  const paths = { state: `${home}/.local/state/svc` };
  const generation = '0123456789abcdef';
  const entries = nouns.map(({ noun, singular, summary }) => ({ noun, singular, summary }));
  const about = { title: 'Another', version: '1', openapi: '3.1.0', importedAt: '2026-06-01T00:00:00Z', source: 'a.json' };
  const index = { form: 1, ...about, digest: '0'.repeat(64), generation, nouns: entries };
  await mkdir(dirname(indexPath(paths, { origin })), { recursive: true });
  for (const noun of nouns) await writeFile(resourcePath(paths, { origin }, generation, noun.noun), JSON.stringify(noun));
  await writeFile(indexPath(paths, { origin }), JSON.stringify(index));
}

/** Answers with JSON. */
export function json(response: http.ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
