// The bundle people run, over every way to the service: what is bundled in place of libraries and built-in modules must do there too.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { startProxy } from '../support/proxy.ts';
import { startTlsServer } from '../support/tls-server.ts';
import { LOCALHOST_CERTIFICATE } from '../system/fixtures/localhost-certificate.ts';

const ME = '{"id":1,"name":"Ada"}';

const svc = svcBinary();
let home: string;
let authority: string;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
  authority = join(home, 'authority.pem');
  await writeFile(authority, LOCALHOST_CERTIFICATE);
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await rm(home, { recursive: true, force: true });
});

/** `svc me` twice: the second time with compiled code of the first. Both must end alike. */
async function me(env: Readonly<Record<string, string>>) {
  const options = { home, env: { SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file', ...env } };
  const first = await svc.run(['me'], options);
  expect(await svc.run(['me'], options)).toEqual(first);
  return first;
}

const DONE = { code: 0, stdout: `${ME}\n`, stderr: '' };

it('svc connects over TLS to a server with a certificate of a private authority', async () => {
  const server = await startTlsServer(ME);
  closers.push(server.close);
  expect(await me({ SVC_HOST: server.origin, NODE_EXTRA_CA_CERTS: authority })).toMatchObject(DONE);
});

it('svc exits 8 and prints the next step for a certificate of an unknown authority', async () => {
  const server = await startTlsServer(ME);
  closers.push(server.close);
  const result = await me({ SVC_HOST: server.origin });
  expect(result).toMatchObject({ code: 8, stdout: '' });
  expect(result.stderr).toContain('NODE_EXTRA_CA_CERTS');
});

it('svc connects through a proxy that needs a password', async () => {
  const server = await startTlsServer(ME);
  const proxy = await startProxy(server.port);
  closers.push(server.close, proxy.close);
  const address = proxy.origin.replace('//', '//ada:s%40fe@');
  expect(await me({ SVC_HOST: 'acme.invalid', HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: authority })).toMatchObject(DONE);
  const authorization = `Basic ${Buffer.from('ada:s@fe').toString('base64')}`;
  expect(proxy.connects).toEqual([
    { target: 'acme.invalid:443', authorization },
    { target: 'acme.invalid:443', authorization },
  ]);
});

const hasIPv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'));

it.skipIf(!hasIPv6)(`svc connects to an IPv6 address${hasIPv6 ? '' : ' (skipped: this machine has no ::1)'}`, async () => {
  const server = http.createServer((_request, response) => response.end(ME));
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  closers.push(() => server.close());
  expect(await me({ SVC_HOST: `[::1]:${(server.address() as AddressInfo).port}` })).toMatchObject(DONE);
});
