/**
 * Limits the size of svc in bytes: the size of the npm package, and of the files that commands load. Sizes are the same on every machine.
 * If a new feature is worth the bytes, raise a limit here.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

const home = mkdtempSync(join(tmpdir(), 'svc-size-'));
const service = createServer((_request, response) => response.end('{"id":1,"data":[{"id":1}],"links":{"next":null}}')).listen(
  0,
  '127.0.0.1',
);
let failed = false;
try {
  await once(service, 'listening');
  const version = await filesOf('--version');
  const help = await filesOf('--help');
  const commandHelp = await filesOf('worklogs', 'add', '--help');
  const request = await filesOf('me');
  const noun = await filesOf('worklogs', 'list');
  const additional = (files: ReadonlySet<string>, known: ReadonlySet<string>) => [...files].filter((file) => !known.has(file));
  // All limits are in kilobytes (1000 bytes).
  check('the package, packed', 2_000, packedBytes());
  check('svc --version reads', 3, bytesOf([...version]));
  check('svc --help reads', 135, bytesOf([...help]));
  check('help of a command additionally reads', 50, bytesOf(additional(commandHelp, help)));
  check('a request additionally reads', 480, bytesOf(additional(request, help)));
  check('a resource additionally reads', 88, bytesOf(additional(noun, new Set([...help, ...request]))));
} finally {
  service.close();
  rmSync(home, { recursive: true, force: true });
}
if (failed) {
  console.error('A limit is exceeded. docs/contributing/performance.md explains how to inspect files and keep them small.');
  process.exitCode = 1;
}

function check(name: string, budget: number, bytes: number): void {
  const kilobytes = bytes / 1000;
  const over = kilobytes > budget;
  failed ||= over;
  console.log(`${over ? 'OVER ' : 'ok   '} ${name.padEnd(40)} ${kilobytes.toFixed(1).padStart(8)} of ${budget} kB`);
}

/** Returns the size of the package, with the files that `npm pack` adds to the build. */
function packedBytes(): number {
  for (const script of ['scripts/man.ts', 'scripts/sbom.ts'])
    execFileSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [report] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })) as {
    size: number;
  }[];
  if (report === undefined) throw new Error('npm pack reported nothing.');
  return report.size;
}

/** Returns the files of svc that a command loads. */
async function filesOf(...argv: readonly string[]): Promise<ReadonlySet<string>> {
  const { port } = service.address() as AddressInfo;
  const child = spawn(process.execPath, ['-r', './scripts/loaded.cjs', 'bin/svc.js', ...argv], {
    env: { HOME: home, PATH: process.env['PATH'], SVC_HOST: `127.0.0.1:${port}`, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [report, [code]] = await Promise.all([json(child.stdio[3] as NodeJS.ReadableStream), once(child, 'close')]);
  if (code !== 0) throw new Error(`svc ${argv.join(' ')} ended with ${code}.`);
  const files = (report as { readonly files: readonly { readonly file: string }[] }).files.map(({ file }) => file);
  return new Set(['bin/svc.js', ...(files.length === 0 ? [] : ['dist/start.cjs']), ...files]);
}

function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(file).length, 0);
}
