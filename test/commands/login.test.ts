import { stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { masked, sent } from '../support/sent.ts';
import { createMachine, type Machine } from '../support/svc.ts';
import { visit } from '../support/visit.ts';

let sandbox: Sandbox;
let host: string;
let machine: Machine;
beforeEach(async () => {
  sandbox = await startSandbox({ approve: true });
  host = new URL(sandbox.origin).host;
  machine = await createMachine();
});
afterEach(async () => {
  await sandbox.close();
  await machine.remove();
});

const never = { browser: async () => expect.unreachable('a browser was opened') };
const addressIn = (text: string) => /http:\S+\/oauth\/authorize\S+/.exec(text)?.[0] ?? '';

/** Returns the last address of an approved sign-in, as a person reads it in a browser on another machine. */
async function endOf(address: string): Promise<string> {
  return (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '';
}

describe('svc login', () => {
  it('reads the OAuth metadata, registers svc, opens the browser, exchanges the code and reads the user, in order', async () => {
    const result = await machine.svc(['login', host]);
    expect(result.code).toBe(0);
    expect(result.stdout).toBe('');
    expect(sandbox.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /oauth/register',
      'GET /oauth/authorize',
      'POST /oauth/token',
      'GET /api/v2/me',
    ]);
    const query = new URLSearchParams(sandbox.requests[2]?.path.split('?')[1]);
    expect([...query.keys()].sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
    expect(query.get('scope')).toBe('api:read api:write');
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect([...new URLSearchParams(sandbox.requests[3]?.body).keys()].sort()).toEqual([
      'client_id',
      'code',
      'code_verifier',
      'grant_type',
      'redirect_uri',
    ]);
  });

  it('names the time zone of printed times when this machine has another zone', async () => {
    const line = 'svc prints times in Europe/Amsterdam. To change the time zone: svc config set timezone <zone>';
    expect((await machine.svc(['login', host])).stderr).not.toContain('svc prints times');
    expect((await machine.svc(['login', host], { timeZone: 'Asia/Tokyo' })).stderr).toContain(line);
    await machine.svc(['config', 'set', 'timezone', 'Asia/Tokyo']);
    expect((await machine.svc(['login', host], { timeZone: 'Asia/Tokyo' })).stderr).not.toContain('svc prints times');
  });

  it('prints the person, the organisation, the scopes and the place of the tokens', async () => {
    const { stderr } = await machine.svc(['login', host]);
    expect(masked(stderr.replace(/http:\S+\/start\/\S+/, '<address>'), machine.home)).toMatchInlineSnapshot(`
      "svc keeps the tokens in files that only you can read, in <home>/.config/svc/tokens, and not in a keychain. svc cannot open the Secret Service keyring: This machine has no keychain.
      Opening your browser to sign in to <host>. If no page opens, go to:

        <address>

      Sanne de Vries, you are signed in to <host>.
      Scopes: api:read api:write
      Tokens are kept in: <home>/.config/svc/tokens
      To delete or upload, add a personal access token: svc token set
      "
    `);
  });

  it('stores the tokens in a directory of mode 0700 when there is no keychain', async () => {
    await machine.svc(['login', host]);
    const tokens = `${machine.home}/.config/svc/tokens`;
    expect((await stat(tokens)).mode & 0o777).toBe(0o700);
    const { stdout } = await machine.svc(['auth', 'status', '--jq', '.[0].kept_in']);
    expect(stdout).toBe(`${tokens}\n`);
  });

  it('keeps the first organisation as the default, and prints how to change the default', async () => {
    const other = await startSandbox({ approve: true });
    const second = new URL(other.origin).host;
    try {
      await machine.svc(['login', host]);
      const result = await machine.svc(['login', second]);
      expect(result.stderr).toContain(`The default is still ${host}. To change it: svc auth switch ${second}`);
      expect((await machine.svc(['config', 'get', 'host'])).stdout).toBe(`${host}\n`);
      expect((await machine.svc(['me', '--host', second, '--jq', '.name'])).stdout).toBe('Sanne de Vries\n');
      expect(sent(other).at(-1)).toBe('GET /api/v2/me');
    } finally {
      await other.close();
    }
  });

  it('signs in to the default organisation again without a host, and reuses the registration', async () => {
    await machine.svc(['login', host]);
    expect((await machine.svc(['login'])).code).toBe(0);
    expect(sandbox.events).toMatchObject({ registrations: 1, signIns: 2 });
  });

  it('asks for the host at a terminal, and exits 2 in a pipe', async () => {
    const asked = await machine.svc(['login'], { answers: [host] });
    expect(asked.stderr).toContain('? The address you sign in on (such as acme.example.com):');
    expect(asked.code, asked.stderr).toBe(0);
    const unasked = await (await createMachine()).svc(['login']);
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toBe('svc: "svc login" needs a host.\n  For example: svc login acme.example.com\n');
  });

  it('--read-only requests only the scope api:read, and a later write prints the command for more access', async () => {
    const login = await machine.svc(['login', host, '--read-only']);
    expect(login.stderr).toContain('Scopes: api:read\n');
    const write = await machine.svc(['worklogs', 'add', '--minutes', '5']);
    expect(write.code).toBe(5);
    expect(write.stderr).toContain(`Sign in again with more scopes: svc login ${host} --scope api:write`);
  });

  it('--scope requests each named scope, with commas in one flag or with several flags', async () => {
    const login = await machine.svc(['login', host, '--scope', 'api:read:projects,api:read:users', '--scope', 'api:write:times']);
    expect(login.code, login.stderr).toBe(0);
    expect(sandbox.apps[0]?.scopes).toEqual(['api:read:projects', 'api:read:users', 'api:write:times']);
  });

  it('exits 0 when the scopes of the token do not cover /me', async () => {
    sandbox.interpretations.narrowedMe = 'refused';
    const login = await machine.svc(['login', host, '--scope', 'api:read:projects']);
    expect(login.code, login.stderr).toBe(0);
    expect(login.stderr).toContain(`Signed in to ${host}.\n`);
    expect((await machine.svc(['projects', 'list', '-L', '1', '-o', 'ids'])).code).toBe(0);
  });

  it('--no-browser prints the address, and waits until you open the address', async () => {
    let opened = false;
    const result = await machine.svc(['login', host, '--no-browser'], {
      ...never,
      onStderr: (text) => {
        const address = addressIn(text);
        if (address === '' || opened) return;
        opened = true;
        void visit(address);
      },
    });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain('use --paste');
  });

  it('--paste accepts the address of the last page, and explains a wrong address', async () => {
    const result = await machine.svc(['login', host, '--paste'], {
      ...never,
      answers: ['https://acme.example.com/', async (shown) => endOf(addressIn(shown))],
    });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain('You pasted another address.');
    expect((await machine.svc(['me', '--jq', '.id'])).stdout).toBe('1\n');
  });

  it('--callback-port sets the port of the redirect address', async () => {
    const port = await freePort();
    const result = await machine.svc(['login', host, '--callback-port', String(port)]);
    expect(result.code, result.stderr).toBe(0);
    const query = new URLSearchParams(sent(sandbox)[2]?.split('?')[1]);
    expect(query.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/callback`);
  });

  it('--timeout exits 4 when nobody finishes the sign-in in this time', async () => {
    const result = await machine.svc(['login', host, '--timeout', '30'], { hurried: true, browser: async () => {} });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain(
      'svc: Nobody finished the sign-in within 30 s.\n  Try again, with --paste if the browser is on another machine: svc login ',
    );
  });

  it('uses one registration for repeated timeouts, and suggests svc logout (rules 13.72, 15.40)', async () => {
    const nobody = { hurried: true, browser: async () => {} };
    for (const _ of [1, 2, 3]) expect((await machine.svc(['login', host, '--timeout', '30'], nobody)).code).toBe(4);
    expect(sandbox.events.registrations).toBe(1);
    const { stderr } = await machine.svc(['login', host, '--timeout', '30'], nobody);
    expect(stderr).toContain(`If the browser said that it does not know the app, first run: svc logout ${host}`);
    expect((await machine.svc(['login', host])).code).toBe(0);
    expect(sandbox.events.registrations).toBe(1);
  });

  it('registers svc again after the service deleted the registration (rules 13.72, 13.74)', async () => {
    await machine.svc(['login', host, '--timeout', '30'], { hurried: true, browser: async () => {} });
    sandbox.deleteRegistrations();
    expect((await machine.svc(['login', host, '--timeout', '1'])).code).toBe(0);
    expect(sandbox.events.registrations).toBe(2);
  });

  it('exits 4 when you cancel in the browser, and stores no sign-in (rules 13.62, 14.35)', async () => {
    await sandbox.close();
    sandbox = await startSandbox();
    host = new URL(sandbox.origin).host;
    const cancel = async (address: string) => {
      const consent = /name="consent" value="([^"]+)"/.exec((await visit(address)).body)?.[1] ?? '';
      await visit(`${sandbox.origin}/oauth/authorize`, { consent, user: '1', decision: 'cancel' });
    };
    const result = await machine.svc(['login', host], { browser: cancel });
    expect(result.code).toBe(4);
    expect(result.stderr).toMatch(/svc: .*cancelled/);
    expect((await machine.svc(['auth', 'status'])).code).toBe(4);
  });

  it('exits 3 when the API of the organisation is switched off (rule 13.14)', async () => {
    sandbox.switchApi(false);
    const result = await machine.svc(['login', host]);
    expect(result.code).toBe(3);
    expect(result.stderr).toContain('switched off');
  });

  it('exits 8 when nothing listens on the host', async () => {
    const result = await machine.svc(['login', `127.0.0.1:${await freePort()}`]);
    expect(result.code).toBe(8);
    expect(result.stderr).toContain('refused the connection');
  });

  it('opens the configured browser', async () => {
    await machine.svc(['config', 'set', 'browser', 'my-browser --new']);
    const configured: (string | undefined)[] = [];
    const browser = async (url: string, command?: string) => {
      configured.push(command);
      await visit(url);
    };
    await machine.svc(['login', host], { browser });
    expect(configured).toEqual(['my-browser --new']);
  });

  it('warns that svc uses SVC_TOKEN instead of the new sign-in', async () => {
    const result = await machine.svc(['login', host], { env: { SVC_TOKEN: sandbox.tokens[1]?.value ?? '' } });
    expect(result.stderr).toContain('svc uses SVC_TOKEN for every request');
  });

  it.each([
    [['not a host'], '"not a host" is not a host name.'],
    [['http://acme.example.com'], 'others on the network could read the token'],
    [['a.example', 'b.example'], 'Too many arguments for "svc login".'],
    [['HOST', '--scope', 'api:destroy'], 'A browser sign-in cannot have api:destroy'],
    [['HOST', '--scope', 'mcp:use'], 'mcp:use is for AI assistants'],
    [['HOST', '--scope', 'write'], '"write" is not a scope'],
    [['HOST', '--read-only', '--scope', 'api:write'], 'contradict each other'],
    [['HOST', '--paste', '--no-browser'], '--paste and --no-browser'],
    [['HOST', '--paste'], '--paste needs a terminal'],
    [['HOST', '--with-token', '--read-only'], 'A personal access token has fixed scopes.'],
    [['HOST', '--with-token'], 'You gave no token.'],
    [['HOST', '--callback-port', '65536'], '--callback-port: "65536" is not a whole number from 1 to 65535.'],
    [['HOST', '--timeout', 'long'], '--timeout: "long" is not a time'],
  ])('refuses the arguments %j, and registers nothing', async (args, message) => {
    const result = await machine.svc(['login', ...args.map((word) => (word === 'HOST' ? host : word))]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
    expect(sent(sandbox).filter((line) => !line.includes('.well-known'))).toEqual([]);
  });
});

describe('svc login --with-token', () => {
  it('warns that the token ends the browser sign-in, and then asks for the token', async () => {
    const token = sandbox.tokens[0]?.value ?? '';
    const first = await machine.svc(['login', host, '--with-token'], { stdin: token });
    expect([first.code, first.stderr.includes('The token replaces')]).toEqual([0, false]);
    await machine.svc(['login', host]);
    const { code, stderr } = await machine.svc(['login', host, '--with-token'], { answers: [token] });
    expect(code).toBe(0);
    const inOneLine = stderr.replaceAll('\n', ' ');
    const said = inOneLine.indexOf(
      `The token replaces your browser sign-in to ${host}, and ends that sign-in. To keep both: svc token set --host ${host}`,
    );
    expect(said).toBeGreaterThanOrEqual(0);
    expect(said).toBeLessThan(inOneLine.indexOf('Personal access token for'));
    expect(sandbox.requests.at(-1)?.path).toBe('/oauth/revoke');
  });

  it('stores a personal access token from stdin after reading its user (rules 11.1, 17.10)', async () => {
    const token = sandbox.tokens[4]?.value ?? '';
    const result = await machine.svc(['login', host, '--with-token'], { stdin: `${token}\n`, ...never });
    expect(result.code, result.stderr).toBe(0);
    expect(sent(sandbox)).toEqual(['GET /api/v2/me']);
    expect(result.stderr).toContain('Scopes: the scopes of the personal access token.');
    expect(result.stderr).not.toContain(token);
    expect((await machine.svc(['me', '--jq', '.id'])).stdout).toBe('3\n');
  });

  it('stores a token that cannot read its user', async () => {
    sandbox.interpretations.narrowedMe = 'refused';
    const result = await machine.svc(['login', host, '--with-token'], { stdin: sandbox.tokens[2]?.value ?? '' });
    expect(result.code, result.stderr).toBe(0);
    expect((await machine.svc(['worklogs', 'add', '--minutes', '5'])).code).toBe(0);
  });

  it('replaces and revokes a browser sign-in', async () => {
    await machine.svc(['login', host]);
    await machine.svc(['login', host, '--with-token'], { stdin: sandbox.tokens[1]?.value ?? '' });
    expect(sandbox.apps).toEqual([]);
    expect((await machine.svc(['auth', 'status', '--jq', '.[0] | [.scopes, .personal_token]'])).stdout).toBe('[null,true]\n');
  });

  it('exits 4 and stores nothing when the service refuses the token (rule 14.17)', async () => {
    const result = await machine.svc(['login', host, '--with-token'], { stdin: 'pat_wrong' });
    expect(result.code).toBe(4);
    expect(result.stderr).toContain(`svc: ${host} did not accept this token, so svc did not store the token`);
    expect((await machine.svc(['auth', 'status'])).code).toBe(4);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
