import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBrowser } from '../../src/system/browser.ts';

let server: Server;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())));

const URL_WITH_META = 'https://acme.example.com/oauth/authorize?scope=a+b&state=$(x);`y`&n=%s';

/** A "browser": a real program that sends the arguments it was given, as JSON, to the test. */
function recorder(): string {
  const { port } = server.address() as AddressInfo;
  return `"${process.execPath}" -e "require('net').connect(${port},'127.0.0.1').end(JSON.stringify(process.argv.slice(1)))" 'a blank'`;
}

/** What the program was given. */
async function given(): Promise<unknown> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return JSON.parse(await text(socket));
}

describe('the browser that svc opens', () => {
  it('is the program of SVC_BROWSER before BROWSER, and gets the address without a shell', async () => {
    const args = given();
    await createBrowser({ SVC_BROWSER: `${recorder()} --new-tab`, BROWSER: '/nowhere' }, process.platform).open(URL_WITH_META);
    expect(await args).toEqual(['a blank', '--new-tab', URL_WITH_META]);
  });

  it('is the program of BROWSER, with the address instead of %s', async () => {
    const args = given();
    await createBrowser({ SVC_BROWSER: ' ', BROWSER: `${recorder()} --app=%s last` }, process.platform).open(URL_WITH_META);
    expect(await args).toEqual(['a blank', `--app=${URL_WITH_META}`, 'last']);
  });

  it('causes a failure when the program does not exist', async () => {
    await expect(createBrowser({ BROWSER: '/nowhere/none' }, process.platform).open('https://acme.example.com')).rejects.toThrow('ENOENT');
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', '--version', ''])('never gets the address %j', async (address) => {
    await expect(createBrowser({ BROWSER: 'true' }, process.platform).open(address)).rejects.toThrow('only http and https');
  });
});
