// One process gets a 429; the others read its pause from the shared file before they send.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { partOf } from '../support/parts.ts';
import { type Account, createAccount, SVC } from './support/account.ts';

let server: HttpServer;
let account: Account;
beforeEach(async () => {
  server = await startHttpServer();
});
afterEach(async () => {
  await server.close();
  await account.remove();
});

async function signIn(token: string): Promise<void> {
  account = await createAccount({ SVC_HOST: new URL(server.origin).host, SVC_TOKEN: token });
}

/** The pause of reads in the shared file: its end, and when svc wrote it. */
function pause(): { readonly until: number; readonly at: number } | undefined {
  try {
    const name = `${server.origin.replace(/[^a-z0-9.-]+/gi, '_')}.pauses`;
    const [until = 0, at = 0] = readFileSync(join(account.home, '.cache', 'svc', 'limits', name), 'utf8')
      .split(/\s/, 2)
      .map(Number);
    return { until, at };
  } catch {
    return undefined;
  }
}

/** Runs `svc api` for so many records, eight processes at a time. */
const eightAtATime = (count: number) =>
  account.shell(`seq ${count} | xargs -P8 -I{} "${process.execPath}" "${SVC}" api '/worklogs/{}' --silent; echo "exit $?"`);

/** Does the same with a pool of Python. */
const eightOfPython = (count: number) =>
  account.shell(`python3 -c '
import subprocess, sys
from concurrent.futures import ThreadPoolExecutor
def svc(number):
    return subprocess.run([*sys.argv[1:], "api", f"/worklogs/{number}", "--silent"]).returncode
with ThreadPoolExecutor(8) as pool:
    print("exit", max(pool.map(svc, range(${count}))))
' "${process.execPath}" "${SVC}"`);

/** Milliseconds between the last check of svc and the arrival of its request, on a machine with much to do. */
const UNDER_WAY = 100;

/** Counts the refused requests of a service, and those that left after svc had written the pause down. */
function refusals() {
  const counts = { refused: 0, early: 0 };
  return {
    counts,
    /** Call for each refused request when it arrives. */
    add(now: number): void {
      counts.refused += 1;
      const known = pause();
      if (known !== undefined && known.until > now && known.at + UNDER_WAY < now) counts.early += 1;
    },
  };
}

it('svc shares a Retry-After with eight other processes before the body of the answer arrives', { timeout: 120_000 }, async () => {
  await signIn('a-token');
  let until = 0;
  let refused = 0;
  let endBody: (() => void) | undefined;
  server.fallback((_, response) => {
    const now = Date.now();
    if (until === 0) {
      until = now + 8_000;
      response.writeHead(429, { 'retry-after': '8' }).flushHeaders();
      endBody = () => response.end();
    } else if (now >= until) response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}');
    else {
      refused += 1;
      response.writeHead(429, { 'retry-after': '1' }).end();
    }
  });
  const first = account.svc(['api', '/worklogs/1']);
  await expect.poll(pause).toBeDefined();
  const rest = eightAtATime(8);
  endBody?.();
  expect([(await first).code, (await rest).stdout, refused, server.requests.length]).toEqual([0, 'exit 0\n', 0, 10]);
});

it('none of fifty processes sends a request before the end of a pause that the sandbox requested', { timeout: 240_000 }, async () => {
  const sandbox = await startSandbox({ windowSeconds: 12 });
  try {
    const token = sandbox.tokens[0]?.value ?? '';
    await signIn(token);
    const { counts, add } = refusals();
    const send = (path: string) => fetch(`${sandbox.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    server.fallback(async ({ url }, response) => {
      const now = Date.now();
      const answer = await send(url);
      if (answer.status === 429) add(now);
      const headers = ['content-type', 'retry-after', 'ratelimit'].flatMap((name) => [name, answer.headers.get(name) ?? '']);
      response.writeHead(answer.status === 404 ? 200 : answer.status, headers).end(await answer.text());
    });
    await Promise.all(Array.from({ length: 590 }, () => send('/api/v2/me')));
    expect((await eightAtATime(50)).stdout).toBe('exit 0\n');
    expect(counts.refused).toBeGreaterThan(0);
    expect(counts.refused).toBeLessThanOrEqual(8);
    expect(counts.early).toBe(0);
  } finally {
    await sandbox.close();
  }
});

const ways = [
  ['bash', eightAtATime],
  ['Python', eightOfPython],
] as const;
it.each(partOf(ways, 2))(
  'none of fifty processes that %s starts sends a request before the Retry-After date of four refusals',
  {
    timeout: 240_000,
  },
  async (_, run) => {
    await signIn('a-token');
    const { counts, add } = refusals();
    let used = 0;
    let until = 0;
    server.fallback((_, response) => {
      const now = Date.now();
      if (now >= until && used === 12) {
        // An HTTP date has whole seconds.
        until = Math.ceil(now / 1000 + 3) * 1000;
        used = 0;
      }
      if (now < until) {
        add(now);
        response.writeHead(429, { 'retry-after': new Date(until).toUTCString() }).end();
      } else {
        used += 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}');
      }
    });
    expect((await run(50)).stdout).toBe('exit 0\n');
    expect(counts.refused).toBeGreaterThanOrEqual(4);
    expect(counts.refused).toBeLessThanOrEqual(4 * 8);
    expect(counts.early).toBe(0);
  },
);
