import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { LOCALHOST_CERTIFICATE, LOCALHOST_KEY } from '../system/fixtures/localhost-certificate.ts';

/** An HTTPS server on this machine, with an untrusted certificate for `localhost` and `acme.invalid`. */
export interface TlsServer {
  /** The origin: `https://localhost:<port>`. */
  readonly origin: string;
  readonly port: number;
  close(): void;
}

/** Starts a server that answers every request with this body. */
export async function startTlsServer(body: string, more: https.ServerOptions = {}): Promise<TlsServer> {
  const server = https.createServer({ key: LOCALHOST_KEY, cert: LOCALHOST_CERTIFICATE, ...more }, (_request, response) =>
    response.end(body),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://localhost:${port}`,
    port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
