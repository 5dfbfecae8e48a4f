// V8's flags are set where this V8 knows them; an unknown one would be complained of on stderr, by V8 itself.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Binary, svcBinary } from '../support/binary.ts';
import { type HttpServer, json, startHttpServer } from '../support/http-server.ts';

let svc: Binary;
let server: HttpServer;
let home: string;
let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'svc-copy-'));
  await cp(dirname(dirname(svcBinary().path)), copy, { recursive: true });
  svc = svcBinary(copy);
  server = await startHttpServer();
  server.fallback(json(200, { id: 1 }));
});
afterAll(async () => {
  await rm(copy, { recursive: true, force: true });
  await server.close();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-home-'));
  return () => rm(home, { recursive: true, force: true });
});

const NEWER = join(import.meta.dirname, 'fixtures', 'newer-engine.ts');

function me(preload: readonly string[]) {
  return svc.run(['me'], { home, env: { SVC_HOST: server.origin, SVC_TOKEN: 'a-token', SVC_TOKEN_STORE: 'file' }, preload });
}

/** The files of the bundle that name a flag of V8. */
async function filesWithFlags() {
  const dist = join(dirname(dirname(svc.path)), 'dist');
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.cjs'));
  const files = await Promise.all(names.map(async (name) => ({ path: join(dist, name), text: await readFile(join(dist, name), 'utf8') })));
  return files
    .map((file) => ({
      ...file,
      flags: [...file.text.matchAll(/`--((?:no-)?(?:wasm|semi-space|invocation|heap|expose)-[a-z-]+)/g)].map(([, flag]) => flag ?? ''),
    }))
    .filter(({ flags }) => flags.length > 0);
}

describe('the flags of V8 that svc sets', () => {
  it('are all known to the V8 of this Node', async () => {
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    const flags = (await filesWithFlags()).flatMap((file) => file.flags);
    expect(flags.length).toBeGreaterThan(0);
    expect(flags.filter((flag) => !known.includes(`  --${flag.replace(/^no-/, '')} (`))).toEqual([]);
  });

  it('cause no message in a V8 with other flag names', async () => {
    for (const { path, text, flags } of await filesWithFlags())
      await writeFile(
        path,
        flags.reduce((renamed, flag) => renamed.replaceAll(`\`--${flag}`, `\`--${flag.slice(0, -1)}_`), text),
      );
    // What svc would print if it set them.
    expect((await me([])).stderr).toContain('unrecognized flag');
    expect(await me([NEWER])).toMatchObject({ code: 0, stdout: '{"id":1}\n', stderr: '' });
  });
});
