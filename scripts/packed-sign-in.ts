/**
 * Signs in with an installed svc (`SVC`, run by `NODE`) under the conditions of a container. The home directory is empty, and without D-Bus
 * there is no keychain.
 * Fails unless the sign-in, a request and `svc doctor` work and print at most a line about the keychain.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const { NODE: node = process.execPath, SVC: svc = '' } = process.env;
const home = mkdtempSync(join(tmpdir(), 'svc-packed-'));
const approve = fileURLToPath(new URL('approve.ts', import.meta.url));
const env = { HOME: home, PATH: '/usr/bin:/bin', SVC_BROWSER: `"${process.execPath}" --no-warnings "${approve}"` };

const sandbox = spawn(node, [svc, 'sandbox'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const host = await origin();
  for (const args of [['login', host], ['me'], ['worklogs', 'add', '--minutes', '5'], ['doctor'], ['logout']]) {
    const { status, stdout, stderr } = spawnSync(node, [svc, ...args], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`svc ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  }
} finally {
  const stopped = once(sandbox, 'exit');
  sandbox.kill('SIGINT');
  await stopped;
  rmSync(home, { recursive: true, force: true });
}

async function origin(): Promise<string> {
  for await (const line of createInterface({ input: sandbox.stdout })) {
    const found = /http:\/\/(\S+)/.exec(line)?.[1];
    if (found !== undefined) {
      sandbox.stdout.resume();
      return found;
    }
  }
  throw new Error('The sandbox ended before it was ready.');
}
