/**
 * Writes docs/recording.svg, the terminal session in the README. It runs the built svc in a real terminal against a sandbox. Only the host
 * is replaced by acme.example.com, and the sign-in address is shortened. Needs script (util-linux).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { screenLines } from './recording/screen-text.ts';
import { type Step, sessionSvg } from './recording/svg.ts';

const COLUMNS = 96;
const COMMANDS = [
  'svc login acme.example.com',
  'svc worklogs add 1h30 ABC-12 "Reviewed the import" --date friday',
  'svc worklogs list --mine --from friday',
  'svc week',
  'svc work-items transition ABC-12 --to "In review"',
  'svc undo --yes',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const svc = join(root, 'bin/svc.js');
const home = await mkdtemp(join(tmpdir(), 'svc-recording-'));
const env = {
  HOME: home,
  PATH: process.env['PATH'],
  TERM: 'xterm-256color',
  LC_ALL: 'C.UTF-8',
  SVC_TOKEN_STORE: 'file',
  SVC_BROWSER: `"${process.execPath}" --no-warnings "${join(root, 'scripts/approve.ts')}"`,
};

const sandbox = spawn(process.execPath, [svc, 'sandbox', '--output', 'json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
  const { host }: { host: string } = JSON.parse(line);
  const steps = COMMANDS.map((command): Step => {
    const output = typed(command.replace('acme.example.com', host))
      .replaceAll(host, 'acme.example.com')
      .replaceAll('http://', 'https://')
      .replaceAll(home, '/home/sanne');
    return {
      command,
      lines: screenLines(output.replace(/(code&client_id=|\?response_type=code).*/, '?response_type=code&client_id=…').trimEnd()),
    };
  });
  await writeFile(join(root, 'docs/recording.svg'), sessionSvg(steps, COLUMNS));
} finally {
  sandbox.kill('SIGINT');
  await once(sandbox, 'exit');
  await rm(home, { recursive: true, force: true });
}

/** Returns the terminal output of a command. */
function typed(command: string): string {
  const line = command.replace(/^svc /, `'${process.execPath}' '${svc}' `);
  return execFileSync('script', ['-qec', `stty cols ${COLUMNS} rows 40; ${line}`, '/dev/null'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
