// A mistake of svc's own, in the bundle that people run: it is called one, ends in exit 1, and is never taken for the network's.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svcBinary } from '../support/binary.ts';
import { type HttpServer, hang, json, startHttpServer } from '../support/http-server.ts';

const svc = svcBinary();
let server: HttpServer;
let home: string;
beforeEach(async () => {
  server = await startHttpServer();
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
});
afterEach(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

function run(preload: string, ...argv: readonly string[]) {
  const env = { SVC_HOST: server.origin, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' };
  return svc.run(['me', ...argv], { home, env, preload: [join(import.meta.dirname, 'fixtures', preload)] });
}

/** What went wrong, what to do; no frame of a stack, no line of the bundle. */
function twoLines(message: string): string {
  return `svc: Something went wrong inside svc: ${message}\n  Run the command again with --debug to see the place in svc. If the error remains, report the error.\n`;
}

describe('a bug that an answer triggers', () => {
  it('in the HTTP client makes svc exit 1 after one request', async () => {
    server.fallback(json(200, { id: 1 }));
    expect(await run('bug-in-parser.ts')).toMatchObject({ code: 1, stdout: '', stderr: twoLines('piece.weigh is not a function') });
    expect(server.requests).toHaveLength(1);
  });

  it('in the decompression makes svc exit 1 after one request', async () => {
    server.fallback((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"id":1}'));
    });
    expect(await run('bug-in-decoder.ts')).toMatchObject({ code: 1, stdout: '', stderr: twoLines('decoder.begin is not a function') });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a bug in code that no command waits for', () => {
  it.each([
    ['a rejected promise', 'lost-rejection.ts'],
    ['an exception', 'lost-exception.ts'],
  ])('makes svc exit 1 at once, with two lines, after %s', async (_, preload) => {
    // The command itself would go on.
    server.fallback((request, response, socket) => {
      response.writeHead(200);
      response.write('{');
      hang(request, response, socket);
    });
    expect(await run(preload)).toMatchObject({ code: 1, stdout: '', stderr: twoLines('row 7 is out of reach') });
  });

  it('makes svc print one JSON object when you request JSON errors', async () => {
    const { code, stderr } = await run('lost-rejection.ts', '--error-format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ message: 'Something went wrong inside svc: row 7 is out of reach', exit_code: 1 });
  });
});

describe('svc with --debug', () => {
  it('shows the file and line of a bug in the source', async () => {
    server.fallback((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"id":1}'));
    });
    const { stderr } = await run('bug-in-decoder.ts', '--debug');
    expect(stderr).toMatch(/^TypeError: decoder\.begin is not a function\n {4}at .*bug-in-decoder\.ts/m);
    expect(stderr).toMatch(/^ {4}at .*\bcreateDecoder\b.*src\/system\/content-encoding\.ts:\d+\)$/m);
    expect(stderr).not.toContain('.cjs');
  });
});

describe('a damaged installation', () => {
  it.each([['start.cjs'], ['main.cjs']])('makes svc print the next step when %s is missing', async (missing) => {
    const place = join(home, 'installed');
    await cp(dirname(dirname(svc.path)), place, { recursive: true, verbatimSymlinks: true });
    await rm(join(place, 'dist', missing));
    const failure = await promisify(execFile)(process.execPath, [join(place, 'bin', 'svc.js'), 'me'], { env: { HOME: home } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure).toHaveProperty('stderr', expect.stringMatching(/^svc: This installation is damaged: .*\n {2}Install svc again.*\n$/));
  });
});
