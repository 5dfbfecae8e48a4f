/**
 * Demonstrates svc from sign-in to sign-out, with the built binary and a sandbox over HTTP. A scripted browser presses Approve on the real
 * consent page. All files are in a temporary home directory, which is removed at the end. `SVC` sets another svc script.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { SVC: svc = join(root, 'bin', 'svc.js') } = process.env;
const home = await mkdtemp(join(tmpdir(), 'svc-demo-'));
const environment = {
  PATH: process.env['PATH'],
  HOME: home,
  // The demo does not write to any keychain.
  SVC_TOKEN_STORE: 'file',
  SVC_BROWSER: `"${process.execPath}" --no-warnings "${join(root, 'scripts', 'approve.ts')}"`,
};

const sandbox = spawn(process.execPath, [svc, 'sandbox', '--output', 'json'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const { host, token } = await started();
  console.log(`The sandbox runs at http://${host}\n`);

  console.log('The demo approves the sign-in by itself.');
  await show(['login', host]);
  await show(['me', '--output', 'table']);
  await show([
    'worklogs',
    'add',
    '--minutes',
    '90',
    '--work-item',
    'ABC-12',
    '--description',
    'Reviewed the time sheet import',
    '--output',
    'table',
  ]);
  const id = (
    await run(['worklogs', 'list', '--user', 'me', '--from', 'today', '--sort', '-id', '--limit', '1', '--output', 'ids', '--quiet'])
  ).stdout.trim();
  await show(['worklogs', 'list', '--from', 'monday', '--user', 'me', '--fields', 'id,date,minutes,description', '--output', 'table']);
  await show([
    'absences',
    'list',
    '--year',
    '2025',
    '--jq',
    'group_by(.user_id) | map({user: .[0].user_id, absences: length}) | sort_by(-.absences) | .[:5][]',
  ]);
  console.log('A browser sign-in cannot delete, so the next command fails.');
  await show(['worklogs', 'delete', id, '--yes'], { exit: 4 });
  await show(['token', 'set'], { input: token, shown: 'svc token set < token.txt' });
  await show(['worklogs', 'delete', id, '--yes']);
  await show(['auth', 'status', '--output', 'yaml']);
  await show(['logout']);
} finally {
  const stopped = once(sandbox, 'exit');
  sandbox.kill('SIGINT');
  await stopped;
  await rm(home, { recursive: true, force: true });
}
console.log('The sandbox has stopped. Next: “First success in 60 seconds” in README.md.');

/** Waits for the sandbox’s line of JSON. Returns its host and a personal access token that can delete. */
async function started(): Promise<{ readonly host: string; readonly token: string }> {
  for await (const line of createInterface({ input: sandbox.stdout })) {
    const { host, tokens } = JSON.parse(line) as { host: string; tokens: { value: string; abilities: string[] }[] };
    const token = tokens.find(({ abilities }) => abilities.includes('api:destroy'));
    if (token !== undefined) return { host, token: token.value };
  }
  throw new Error('The sandbox ended before it was ready.');
}

/** Prints a command, runs it and prints its output. @throws Error if the exit code is not the expected one. */
async function show(
  args: readonly string[],
  options: { readonly exit?: number; readonly input?: string; readonly shown?: string } = {},
): Promise<void> {
  console.log(`$ ${options.shown ?? ['svc', ...args.map(quoted)].join(' ')}`);
  const { code, stdout, stderr } = await run(args, options.input);
  process.stdout.write(stderr + stdout);
  if (code !== 0) console.log(`(exit ${code})`);
  console.log('');
  if (code !== (options.exit ?? 0)) throw new Error(`It should have ended with ${options.exit ?? 0}.`);
}

async function run(
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [svc, ...args], { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  // The command may end without reading its input.
  child.stdin.on('error', () => undefined).end(input);
  const texts = await Promise.all([child.stdout, child.stderr].map(async (stream) => Buffer.concat(await stream.toArray()).toString()));
  const [code] = (await closed) as [number];
  return { code, stdout: texts[0] ?? '', stderr: texts[1] ?? '' };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`;
}
